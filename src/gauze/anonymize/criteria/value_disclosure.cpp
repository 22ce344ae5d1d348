#include <algorithm>
#include <cmath>
#include <vector>

#include "gauze/anonymize/criteria/class_criterion.h"
#include "gauze/anonymize/internal/exact_comparison.h"
#include "gauze/anonymize/internal/fewest_records.h"
#include "gauze/anonymize/internal/kept_bound.h"
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

Ratio ratio(const ReferenceDistribution& reference, const ValueCount& value, std::uint64_t records) {
  return {static_cast<Wide>(value.count) * static_cast<Wide>(reference.records()),
          static_cast<Wide>(reference.total(value.value)) * static_cast<Wide>(records)};
}

/// The same, rounded a few times.
double estimate(const ReferenceDistribution& reference, const ValueCount& value, std::uint64_t records) {
  return static_cast<double>(value.count) * static_cast<double>(reference.records()) /
         (static_cast<double>(reference.total(value.value)) * static_cast<double>(records));
}

double estimate(const Ratio& ratio) {
  return static_cast<double>(ratio.numerator) / static_cast<double>(ratio.denominator);
}

constexpr mpfr_prec_t kFirstPrecision = 128;

/// An upper bound on the records in parts whose shares q_i stay below most_gain(i) p_i. Parts that do so do so together, as
/// a share of all is between those of the parts. Say that s records are in them: n'_i <= min(n_i, gain p_i s), and the
/// sum of the n'_i is s. That is s - sum of min(n_i, gain p_i s) <= 0, or, with u = sum of gain p_i over the values
/// present, sum of max(0, gain p_i s - n_i) <= (u - 1) s; for u < 1 nothing can be kept.
template <class Gain>
std::uint64_t most_kept_below_gain(std::span<const ValueCount> values, std::uint64_t records,
                                   const ReferenceDistribution& reference, Gain gain) {
  thread_local std::vector<double> most;  // of each value: gain x p
  most.clear();
  double total = -1;
  for (const ValueCount& value : values) {
    most.push_back(gain(value.value) * static_cast<double>(reference.total(value.value)) /
                   static_cast<double>(reference.records()));
    total += most.back();
  }
  if (total < -1e-10) return 0;
  std::uint64_t kept = internal::most_kept(records, std::max(total, 0.0) + 1e-10, [&](double at) {
    internal::Lines lines;
    for (std::size_t i = 0; i < values.size(); ++i)
      lines.add_above_zero(most[i], static_cast<double>(values[i].count), at);
    return lines;
  });
  // Every n'_i is a whole number: where s is at most `kept`, it is at most the sum of min(n_i, floor(gain p_i kept)).
  for (int step = 0; step < 2 && kept > 0; ++step) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
      sum += static_cast<std::uint64_t>(
          std::min(static_cast<double>(values[i].count), most[i] * static_cast<double>(kept) * (1 + 1e-9) + 1e-9));
    if (sum >= kept) break;
    kept = sum;
  }
  return kept;
}

/// The fewest records that can have shares q_i of at most gain(i) p_i: each n_i is a whole number.
template <class Gain>
std::uint64_t fewest_below_gain(const ReferenceDistribution& reference, Gain gain) {
  std::vector<double> most;
  for (std::uint32_t code = 0; code < reference.column().totals.size(); ++code)
    if (reference.total(code) > 0)
      most.push_back(gain(code) * static_cast<double>(reference.total(code)) /
                     static_cast<double>(reference.records()));
  return internal::first_size([&](std::uint64_t size) {
    double sum = 0;
    for (const double one : most) sum += std::floor(one * static_cast<double>(size) * (1 + 1e-9) + 1e-9);
    return sum >= static_cast<double>(size);
  });
}

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
  explicit DisclosureBound(const DeltaDisclosure& rule)
      : delta_(rule.delta),
        delta_estimate_(rule.delta.to_double()),
        gain_(std::exp2(delta_estimate_)),
        // 2^delta is rounded by far less than this.
        surely_inside_(gain_ * (1 - 1e-12)),
        surely_outside_(gain_ * (1 + 1e-12)) {}

  bool holds(std::span<const ValueCount> values, std::uint64_t records,
             const ReferenceDistribution& reference) const override {
    return std::all_of(values.begin(), values.end(), [&](const ValueCount& value) {
      const double gain = estimate(reference, value, records);
      if (gain < surely_inside_ && gain * surely_inside_ > 1) return true;
      if (gain > surely_outside_ || gain * surely_outside_ < 1) return false;
      const Ratio share = ratio(reference, value, records);
      const double logarithm = std::abs(std::log2(estimate(share)));
      const double doubt = 1e-13 * (1 + logarithm + delta_estimate_);
      if (logarithm < delta_estimate_ - doubt) return true;
      if (logarithm > delta_estimate_ + doubt) return false;
      const Rational exact = internal::fraction(share.numerator, share.denominator);
      return log2_below(exact, delta_) && log2_below(Rational(1) / exact, delta_);
    });
  }
  // The largest |log2(q / p)|: the condition holds for every larger delta.
  double measure(std::span<const ValueCount> values, std::uint64_t records,
                 const ReferenceDistribution& reference) const override {
    double worst = 0;
    for (const ValueCount& value : values)
      worst = std::max(worst, std::abs(std::log2(estimate(ratio(reference, value, records)))));
    return worst;
  }
  // By q < 2^delta p alone: that half is closed under merging.
  std::uint64_t most_kept_in_parts(std::span<const ValueCount> values, std::uint64_t records,
                                   const ReferenceDistribution& reference) const override {
    return most_kept_below_gain(values, records, reference, [&](std::uint32_t /*code*/) { return gain_; });
  }
  std::uint64_t fewest_records(const ReferenceDistribution& reference) const override {
    return fewest_below_gain(reference, [&](std::uint32_t /*code*/) { return gain_; });
  }
  // A value that only one of two classes has may become too rare in their union.
  bool closed_under_merging() const override { return false; }

 private:
  Rational delta_;
  double delta_estimate_;
  double gain_;
  double surely_inside_;
  double surely_outside_;
};

/// (q - p) / p <= beta, enhanced: <= min(beta, -ln p), for the values that are present.
class LikenessBound final : public ClassCriterion {
 public:
  LikenessBound(const BetaLikeness& rule, const SensitiveColumn& column)
      : beta_(rule.beta), beta_estimate_(rule.beta.to_double()), enhanced_(rule.enhanced), records_(column.records) {
    for (const std::uint64_t total : column.totals) gains_.push_back(most_gain(total, column.records));
  }

  bool holds(std::span<const ValueCount> values, std::uint64_t records,
             const ReferenceDistribution& reference) const override {
    return std::all_of(values.begin(), values.end(), [&](const ValueCount& value) {
      const double gain = estimate(reference, value, records);
      const double bound = gain_of(value.value, reference);
      if (gain < bound * (1 - 1e-12)) return true;
      if (gain > bound * (1 + 1e-12)) return false;
      const Ratio share = ratio(reference, value, records);
      return internal::at_most(share.numerator - share.denominator, share.denominator, beta_, beta_estimate_) &&
             (!enhanced_ || below_surprise(value, share, reference));
    });
  }
  // The smallest beta that holds, rounded up; infinite when the other bound, -ln p, is broken.
  double measure(std::span<const ValueCount> values, std::uint64_t records,
                 const ReferenceDistribution& reference) const override {
    double worst = 0;
    for (const ValueCount& value : values) {
      const Ratio share = ratio(reference, value, records);
      if (enhanced_ && !below_surprise(value, share, reference)) return HUGE_VAL;
      worst =
          std::max(worst, internal::fraction(share.numerator - share.denominator, share.denominator).to_double_up());
    }
    return worst;
  }
  std::uint64_t most_kept_in_parts(std::span<const ValueCount> values, std::uint64_t records,
                                   const ReferenceDistribution& reference) const override {
    return most_kept_below_gain(values, records, reference,
                                [&](std::uint32_t code) { return gain_of(code, reference); });
  }
  std::uint64_t fewest_records(const ReferenceDistribution& reference) const override {
    return fewest_below_gain(reference, [&](std::uint32_t code) { return gain_of(code, reference); });
  }

 private:
  // The largest q / p, rounded a few times; 1 or more.
  [[nodiscard]] double most_gain(std::uint64_t total, std::uint64_t records) const {
    if (!enhanced_ || total == 0) return 1 + beta_estimate_;
    return 1 + std::min(beta_estimate_, -std::log(static_cast<double>(total) / static_cast<double>(records)));
  }
  // Some records of the column that are as many as all of them are all of them.
  [[nodiscard]] double gain_of(std::uint32_t code, const ReferenceDistribution& reference) const {
    return reference.records() == records_ ? gains_[code] : most_gain(reference.total(code), reference.records());
  }
  // (q - p) / p <= -ln p. The logarithm of a fraction other than 1 is no fraction, so intervals decide.
  [[nodiscard]] bool below_surprise(const ValueCount& value, const Ratio& share,
                                    const ReferenceDistribution& reference) const {
    const std::uint64_t total = reference.total(value.value);
    if (share.numerator <= share.denominator) return true;  // -ln p is never negative
    const double gain = estimate(share) - 1;
    const double surprise = -std::log(static_cast<double>(total) / static_cast<double>(reference.records()));
    const double doubt = 1e-13 * (2 + gain + surprise);
    if (gain < surprise - doubt) return true;
    if (gain > surprise + doubt) return false;
    const Rational exact = internal::fraction(share.numerator - share.denominator, share.denominator);
    const Rational inverse = internal::fraction(static_cast<Wide>(reference.records()), static_cast<Wide>(total));
    for (mpfr_prec_t precision = kFirstPrecision;; precision *= 2) {
      const Interval right = Interval(inverse, precision).log();
      const Interval left(exact, precision);
      if (left.certainly_at_most(right)) return true;
      if (right.certainly_less(left)) return false;
    }
  }

  Rational beta_;
  double beta_estimate_;
  bool enhanced_;
  std::uint64_t records_;
  std::vector<double> gains_;  // of each code, against all records
};

}  // namespace

Result<std::unique_ptr<ClassCriterion>> make_criterion(const DeltaDisclosure& rule,
                                                       const SensitiveColumn& /*column*/) {
  return std::make_unique<DisclosureBound>(rule);
}

Result<std::unique_ptr<ClassCriterion>> make_criterion(const BetaLikeness& rule, const SensitiveColumn& column) {
  return std::make_unique<LikenessBound>(rule, column);
}

}  // namespace gauze::anonymize
