#include "gauze/mechanisms/noise/rare_noise.h"

#include <algorithm>
#include <cmath>

#include "gauze/mechanisms/internal/exact_bernoulli.h"

namespace gauze {
namespace {

using internal::LazyUniform;

// Of the quotient in doubles: far above what rounding a logarithm and a quotient adds, relative; and what 64 digits of a U
// above 2^-20 leave open, 2^-44 of U and so of its logarithm.
constexpr double kRelativeSlack = 0x1p-40;
constexpr double kLogarithmSlack = 0x1p-43;

constexpr std::int64_t kTable = 64;

/// floor(x) of both ends when they agree.
bool certain_floor(const Interval& x, std::uint64_t& floor) {
  if (mpfr_nan_p(x.low_end()) != 0 || mpfr_nan_p(x.high_end()) != 0) return false;
  if (mpfr_fits_ulong_p(x.low_end(), MPFR_RNDD) == 0 || mpfr_fits_ulong_p(x.high_end(), MPFR_RNDD) == 0) return false;
  floor = mpfr_get_ui(x.low_end(), MPFR_RNDD);
  return floor == mpfr_get_ui(x.high_end(), MPFR_RNDD);
}

}  // namespace

RareNoise::RareNoise(std::shared_ptr<const NoiseLaw> law, std::int64_t cut) : law_(std::move(law)), cut_(cut) {
  GAUZE_CHECK(cut >= 1);
  const Interval p = law_->upper_tail(cut);
  probability_ = p.middle();
  log_fail_ = (-p).log1p().middle();
  for (std::int64_t j = 1; j <= kTable; ++j) {
    const Interval ratio = law_->upper_tail(cut + j) / p;
    reach_.push_back({internal::leading_word(ratio.low_end()), internal::leading_word(ratio.high_end())});
    if (reach_.back().high == 0) break;
  }
}

std::uint64_t RareNoise::gap(RandomWords& random, std::uint64_t most) const {
  // G = floor(ln U / ln(1 - p)): P[G >= g] = P[U <= (1 - p)^g] = (1 - p)^g.
  const std::uint64_t word = random.next();
  if (word >> 44 != 0) {
    const double quotient = std::log((static_cast<double>(word) + 0.5) * 0x1p-64) / log_fail_;
    const double margin = (quotient + 1) * kRelativeSlack - kLogarithmSlack / log_fail_;
    const double whole = std::floor(quotient);
    if (quotient < 0x1p40 && quotient - whole > margin && whole + 1 - quotient > margin)
      return std::min(static_cast<std::uint64_t>(whole), most);
  }
  LazyUniform uniform(word);
  for (mpfr_prec_t precision = 192;; precision += 64) {
    if (uniform.low().sign() > 0) {
      const Interval quotient = uniform.enclosure(precision).log() / (-law_->upper_tail(cut_, precision)).log1p();
      if (mpfr_cmp_ui(quotient.low_end(), most) >= 0) return most;
      std::uint64_t whole = 0;
      if (certain_floor(quotient, whole)) return std::min(whole, most);
    }
    uniform.draw_more(random);
  }
}

std::int64_t RareNoise::value(RandomWords& random) const {
  const std::uint64_t word = random.next();
  for (std::size_t j = 0; j < reach_.size(); ++j) {
    if (word < reach_[j].low) continue;  // certainly reaches cut + j + 1
    if (word > reach_[j].high) return cut_ + static_cast<std::int64_t>(j);
    break;
  }
  return exact_value(random, word);
}

std::int64_t RareNoise::exact_value(RandomWords& random, std::uint64_t first_word) const {
  // The largest j with U < P[Z >= cut + j] / P[Z >= cut].
  LazyUniform uniform(first_word);
  mpfr_prec_t precision = 192;
  const auto reaches = [&](std::int64_t j) {
    for (;; precision += 64, uniform.draw_more(random)) {
      const Interval ratio = law_->upper_tail(cut_ + j, precision) / law_->upper_tail(cut_, precision);
      if (ratio.certainly_at_least(uniform.high())) return true;
      if (ratio.certainly_at_most(uniform.low())) return false;
    }
  };
  constexpr std::int64_t kFarthest = std::int64_t{1} << 61;
  std::int64_t yes = 0;
  std::int64_t no = 1;
  while (no < kFarthest && reaches(no)) {
    yes = no;
    no *= 2;
  }
  while (no - yes > 1) {
    const std::int64_t middle = yes + (no - yes) / 2;
    (reaches(middle) ? yes : no) = middle;
  }
  return cut_ + yes;
}

void RareNoise::sample(RandomWords& random, std::uint64_t zeros, std::vector<Passing>& out) const {
  for (std::uint64_t place = 0; place < zeros; ++place) {
    place += gap(random, zeros - place);
    if (place >= zeros) return;
    out.push_back({place, value(random)});
  }
}

}  // namespace gauze
