#pragma once

#include <cstdint>
#include <functional>

#include "gauze/base/interval.h"
#include "gauze/random/random_words.h"

namespace gauze::internal {

/// A uniform real number in [0, 1) whose binary digits are drawn when they are asked for.
class LazyUniform {
 public:
  /// Begins with 64 digits that were drawn already.
  explicit LazyUniform(std::uint64_t first_word);

  void draw_more(RandomWords& random);
  /// [digits so far, digits so far + one unit in the last place].
  [[nodiscard]] Interval enclosure(mpfr_prec_t precision) const { return {low_, low_ + unit_, precision}; }
  [[nodiscard]] const Rational& low() const { return low_; }
  [[nodiscard]] Rational high() const { return low_ + unit_; }

 private:
  Rational low_;
  Rational unit_;
};

/// floor(value * 2^64) of an end of an interval in [0, 1], at most 2^64 - 1.
[[nodiscard]] std::uint64_t leading_word(mpfr_srcptr end);

/// True with probability exactly p, where `enclosure(precision)` encloses p as tightly as the precision allows.
/// The comparison of a lazily drawn uniform number with p goes on until it is certain; it ends with probability one
/// and needs more than 64 digits with probability about 2^-60.
template <class Enclosure>
[[nodiscard]] bool exact_bernoulli(RandomWords& random, std::uint64_t first_word, Enclosure&& enclosure) {
  LazyUniform uniform(first_word);
  for (mpfr_prec_t precision = 128;; precision += 64) {
    const Interval p = enclosure(precision);
    if (p.certainly_at_least(uniform.high())) return true;
    if (p.certainly_at_most(uniform.low())) return false;
    uniform.draw_more(random);
  }
}

template <class Enclosure>
[[nodiscard]] bool exact_bernoulli(RandomWords& random, Enclosure&& enclosure) {
  return exact_bernoulli(random, random.next(), enclosure);
}

/// A probability that is used many times: its first 64 digits are computed once, so that nearly every draw is one
/// comparison of integers.
class FixedProbability {
 public:
  /// `enclosure` as above; it is kept and asked again in the rare undecided case.
  explicit FixedProbability(std::function<Interval(mpfr_prec_t)> enclosure);

  [[nodiscard]] bool draw(RandomWords& random) const {
    const std::uint64_t word = random.next();
    if (word < low_word_) return true;
    if (word > high_word_) return false;
    return exact_bernoulli(random, word, enclosure_);
  }
  [[nodiscard]] Interval enclosure(mpfr_prec_t precision) const { return enclosure_(precision); }

 private:
  std::function<Interval(mpfr_prec_t)> enclosure_;
  std::uint64_t low_word_ = 0;   // words below it are certainly below p
  std::uint64_t high_word_ = 0;  // words above it are certainly above p
};

}  // namespace gauze::internal
