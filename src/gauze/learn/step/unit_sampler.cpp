#include "gauze/learn/step/unit_sampler.h"

#include <algorithm>
#include <array>
#include <bit>
#include <unordered_set>

namespace gauze::learn {
namespace {

constexpr std::size_t kBlock = 2048;  ///< units whose first 8 bits are drawn together

constexpr std::uint64_t kOnes = 0x0101010101010101;

/// The high bit of every byte that lies below n, for n from 1 to 127; bytes behind the first of them may be marked though they do not.
std::uint64_t has_less(std::uint64_t bytes, std::uint64_t n) { return (bytes - kOnes * n) & ~bytes & (kOnes << 7U); }

/// Whether a number of 64 bits lies below the threshold, given that its first 8 bits are those of the threshold: the others are
/// drawn now.
bool rest_is_below(std::uint64_t threshold, RandomWords& random) {
  constexpr std::uint64_t kRest = (std::uint64_t{1} << 56U) - 1;
  return (random.next() & kRest) < (threshold & kRest);
}

}  // namespace

UnitSampler::UnitSampler(const Options& options) : options_(options) {
  if (options.kind != SamplingKind::poisson) return;
  GAUZE_CHECK(options.batch < options.declared);
  __extension__ using Wide = unsigned __int128;
  threshold_ = static_cast<std::uint64_t>((static_cast<Wide>(options.batch) << 64U) / options.declared);
}

void UnitSampler::sample(std::size_t units, RandomWords& random, std::vector<std::uint32_t>& sampled) const {
  sampled.clear();
  switch (options_.kind) {
    case SamplingKind::poisson:
      sample_poisson(units, random, sampled);
      break;
    case SamplingKind::fixed_size:
      sample_places(units, random, sampled);
      break;
    case SamplingKind::full:
      if (options_.bounded) units = std::min<std::size_t>(units, options_.declared);
      for (std::size_t unit = 0; unit < units; ++unit) sampled.push_back(static_cast<std::uint32_t>(unit));
      break;
  }
  for (std::size_t i = sampled.size(); i > 1; --i) std::swap(sampled[i - 1], sampled[random.below(i)]);
}

void UnitSampler::sample_poisson(std::size_t units, RandomWords& random, std::vector<std::uint32_t>& sampled) const {
  constexpr std::size_t kGroup = 8;  // words that are passed over together where no unit in them can be in
  const auto high = static_cast<std::uint8_t>(threshold_ >> 56U);
  const bool passes_over = high < 127;
  const auto decide = [&](std::size_t begin, std::size_t unit, std::uint64_t word) {
    const auto first = static_cast<std::uint8_t>(word >> (8 * (unit % 8)));
    if (first < high || (first == high && rest_is_below(threshold_, random)))
      sampled.push_back(static_cast<std::uint32_t>(begin + unit));
  };
  std::array<std::uint64_t, kBlock / 8> words{};
  for (std::size_t begin = 0; begin < units; begin += kBlock) {
    const std::size_t count = std::min(kBlock, units - begin);
    const std::size_t filled = (count + 7) / 8;
    random.fill(std::span(words).first(filled));
    for (std::size_t group = 0; group < filled; group += kGroup) {
      std::uint64_t any = 0;
      for (std::size_t i = group; i < group + kGroup; ++i) any |= has_less(words[i], std::uint64_t{high} + 1);
      if (passes_over && any == 0) continue;
      for (std::size_t i = group; i < std::min(group + kGroup, filled); ++i) {
        if (passes_over) {
          for (std::uint64_t mark = has_less(words[i], std::uint64_t{high} + 1); mark != 0; mark &= mark - 1) {
            const std::size_t unit = 8 * i + static_cast<std::size_t>(std::countr_zero(mark)) / 8;
            if (unit < count) decide(begin, unit, words[i]);
          }
        } else {
          for (std::size_t unit = 8 * i; unit < std::min(8 * i + 8, count); ++unit) decide(begin, unit, words[i]);
        }
      }
    }
  }
}

void UnitSampler::sample_places(std::size_t units, RandomWords& random, std::vector<std::uint32_t>& sampled) const {
  // Floyd: for each of the last `batch` places one of those up to it, or itself where that one is taken
  std::unordered_set<std::uint64_t> taken;
  taken.reserve(options_.batch * 2);
  for (std::uint64_t last = options_.declared - options_.batch; last < options_.declared; ++last) {
    std::uint64_t place = random.below(last + 1);
    if (!taken.insert(place).second) {
      place = last;
      taken.insert(place);
    }
    if (place < units) sampled.push_back(static_cast<std::uint32_t>(place));
  }
}

}  // namespace gauze::learn
