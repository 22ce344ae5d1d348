#include <algorithm>
#include <cmath>
#include <vector>

#include "gauze/anonymize/criteria/class_criterion.h"
#include "gauze/anonymize/internal/exact_comparison.h"
#include "gauze/base/interval.h"

namespace gauze::anonymize {

using namespace schema;  // the vocabulary of this file

namespace {

using internal::Wide;

/// q / p of one value, as a fraction of integers.
struct Ratio {
  Wide numerator;    // n_i N
  Wide denominator;  // N_i n
};

Ratio ratio(const SensitiveColumn& column, const ValueCount& value, std::uint64_t records) {
  return {static_cast<Wide>(value.count) * static_cast<Wide>(column.records),
          static_cast<Wide>(column.totals[value.value]) * static_cast<Wide>(records)};
}

double estimate(const Ratio& ratio) {
  return static_cast<double>(ratio.numerator) / static_cast<double>(ratio.denominator);
}

constexpr mpfr_prec_t kFirstPrecision = 128;

/// log2(value) < bound for a positive fraction, exactly. 2^bound is a fraction only for whole bounds, so intervals of
/// growing precision end for the others.
bool log2_below(const Rational& value, const Rational& bound) {
  if (bound.is_integer() && bound < Rational(1000)) {
    const auto exponent = static_cast<int>(bound.to_double());
    return value < Rational::power_of_two(exponent);
  }
  for (mpfr_prec_t precision = kFirstPrecision;; precision *= 2) {
    const Interval left = Interval(value, precision).log();
    const Interval right = Interval(bound, precision) * Interval(Rational(2), precision).log();
    if (left.certainly_less(right)) return true;
    if (right.certainly_at_most(left)) return false;
  }
}

/// |log2(q / p)| < delta for the values that are present.
class DisclosureBound final : public ClassCriterion {
 public:
  DisclosureBound(const DeltaDisclosure& rule, const SensitiveColumn& column)
      : column_(column), delta_(rule.delta), delta_estimate_(rule.delta.to_double()) {}

  bool holds(std::span<const ValueCount> values, std::uint64_t records) const override {
    return std::all_of(values.begin(), values.end(), [&](const ValueCount& value) {
      const Ratio share = ratio(column_, value, records);
      const double logarithm = std::abs(std::log2(estimate(share)));
      const double doubt = 1e-13 * (1 + logarithm + delta_estimate_);
      if (logarithm < delta_estimate_ - doubt) return true;
      if (logarithm > delta_estimate_ + doubt) return false;
      const Rational exact = internal::fraction(share.numerator, share.denominator);
      return log2_below(exact, delta_) && log2_below(Rational(1) / exact, delta_);
    });
  }
  // The largest |log2(q / p)|: the condition holds for every larger delta.
  double measure(std::span<const ValueCount> values, std::uint64_t records) const override {
    double worst = 0;
    for (const ValueCount& value : values)
      worst = std::max(worst, std::abs(std::log2(estimate(ratio(column_, value, records)))));
    return worst;
  }
  // A value that only one of two classes has may become too rare in their union.
  bool closed_under_merging() const override { return false; }

 private:
  const SensitiveColumn& column_;
  Rational delta_;
  double delta_estimate_;
};

/// (q - p) / p <= beta, enhanced: <= min(beta, -ln p), for the values that are present.
class LikenessBound final : public ClassCriterion {
 public:
  LikenessBound(const BetaLikeness& rule, const SensitiveColumn& column)
      : column_(column), beta_(rule.beta), beta_estimate_(rule.beta.to_double()), enhanced_(rule.enhanced) {}

  bool holds(std::span<const ValueCount> values, std::uint64_t records) const override {
    return std::all_of(values.begin(), values.end(), [&](const ValueCount& value) {
      const Ratio share = ratio(column_, value, records);
      return internal::at_most(share.numerator - share.denominator, share.denominator, beta_, beta_estimate_) &&
             (!enhanced_ || below_surprise(value, share));
    });
  }
  // The smallest beta that holds, rounded up; infinite when the other bound, -ln p, is broken.
  double measure(std::span<const ValueCount> values, std::uint64_t records) const override {
    double worst = 0;
    for (const ValueCount& value : values) {
      const Ratio share = ratio(column_, value, records);
      if (enhanced_ && !below_surprise(value, share)) return HUGE_VAL;
      worst =
          std::max(worst, internal::fraction(share.numerator - share.denominator, share.denominator).to_double_up());
    }
    return worst;
  }

 private:
  // (q - p) / p <= -ln p. The logarithm of a fraction other than 1 is no fraction, so intervals decide.
  [[nodiscard]] bool below_surprise(const ValueCount& value, const Ratio& share) const {
    const std::uint64_t total = column_.totals[value.value];
    if (share.numerator <= share.denominator) return true;  // -ln p is never negative
    const double gain = estimate(share) - 1;
    const double surprise = -std::log(static_cast<double>(total) / static_cast<double>(column_.records));
    const double doubt = 1e-13 * (2 + gain + surprise);
    if (gain < surprise - doubt) return true;
    if (gain > surprise + doubt) return false;
    const Rational exact = internal::fraction(share.numerator - share.denominator, share.denominator);
    const Rational inverse = internal::fraction(static_cast<Wide>(column_.records), static_cast<Wide>(total));
    for (mpfr_prec_t precision = kFirstPrecision;; precision *= 2) {
      const Interval right = Interval(inverse, precision).log();
      const Interval left(exact, precision);
      if (left.certainly_at_most(right)) return true;
      if (right.certainly_less(left)) return false;
    }
  }

  const SensitiveColumn& column_;
  Rational beta_;
  double beta_estimate_;
  bool enhanced_;
};

}  // namespace

Result<std::unique_ptr<ClassCriterion>> make_criterion(const DeltaDisclosure& rule, const SensitiveColumn& column) {
  return std::make_unique<DisclosureBound>(rule, column);
}

Result<std::unique_ptr<ClassCriterion>> make_criterion(const BetaLikeness& rule, const SensitiveColumn& column) {
  return std::make_unique<LikenessBound>(rule, column);
}

}  // namespace gauze::anonymize
