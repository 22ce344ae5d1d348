#include "gauze/learn/step/unit_sampler.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <unordered_set>

namespace gauze::learn {
namespace {

constexpr std::size_t kBlock = 1024;  ///< units whose first 16 bits are drawn together

/// Whether a number of 64 bits lies below the threshold, given that its first 16 bits are those of the threshold: the others are
/// drawn now.
bool rest_is_below(std::uint64_t threshold, RandomWords& random) {
  constexpr std::uint64_t kRest = (std::uint64_t{1} << 48U) - 1;
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
  const auto high = static_cast<std::uint16_t>(threshold_ >> 48U);
  std::array<std::uint64_t, kBlock / 4> words;
  std::array<std::uint16_t, kBlock> firsts;
  constexpr std::size_t kGroup = 64;  // looked at one by one only where one of them is low enough
  for (std::size_t begin = 0; begin < units; begin += kBlock) {
    const std::size_t count = std::min(kBlock, units - begin);
    random.fill(std::span(words).first((count + 3) / 4));
    std::memcpy(firsts.data(), words.data(), (count + 3) / 4 * sizeof(std::uint64_t));
    for (std::size_t at = 0; at < count; at += kGroup) {
      const std::size_t end = std::min(at + kGroup, count);
      std::uint16_t least = 0xffff;
      for (std::size_t i = at; i < end; ++i) least = std::min(least, firsts[i]);
      if (least > high) continue;
      for (std::size_t i = at; i < end; ++i) {
        if (firsts[i] < high || (firsts[i] == high && rest_is_below(threshold_, random)))
          sampled.push_back(static_cast<std::uint32_t>(begin + i));
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
