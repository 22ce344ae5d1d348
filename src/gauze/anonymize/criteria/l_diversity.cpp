#include <gmp.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "gauze/anonymize/criteria/class_criterion.h"
#include "gauze/anonymize/internal/exact_comparison.h"
#include "gauze/base/interval.h"

namespace gauze::anonymize {

using namespace schema;  // the vocabulary of this file

namespace {

using internal::Wide;

class DistinctDiversity final : public ClassCriterion {
 public:
  explicit DistinctDiversity(const LDiversity& rule) : least_(rule.l.ceil().to_double()) {}
  bool holds(std::span<const ValueCount> values, std::uint64_t /*records*/,
             const ReferenceDistribution& /*reference*/) const override {
    return static_cast<double>(values.size()) >= least_;
  }
  double measure(std::span<const ValueCount> values, std::uint64_t /*records*/,
                 const ReferenceDistribution& /*reference*/) const override {
    return static_cast<double>(values.size());
  }
  // A part has no values that the whole lacks.
  std::uint64_t most_kept_in_parts(std::span<const ValueCount> /*values*/, std::uint64_t /*records*/,
                                   const ReferenceDistribution& /*reference*/) const override {
    return 0;
  }
  bool survives_any_merge() const override { return true; }
  bool is_relative() const override { return false; }
  bool more_is_better() const override { return true; }

 private:
  double least_;  // a double counts exactly as far as a table can have values
};

// n ln n - sum of n_i ln n_i: n times the entropy in nats.
double total_entropy(std::span<const ValueCount> values, std::uint64_t records) {
  const auto n = static_cast<double>(records);
  double sum = n * std::log(n);
  for (const ValueCount& value : values) {
    const auto count = static_cast<double>(value.count);
    sum -= count * std::log(count);
  }
  return sum;
}

/// l^n x product of n_i^n_i <= n^n, decided in integers when everything quicker leaves a doubt.
class EntropyDiversity final : public ClassCriterion {
 public:
  explicit EntropyDiversity(const LDiversity& rule) : l_(rule.l), log_l_(std::log(rule.l.to_double())) {}

  bool holds(std::span<const ValueCount> values, std::uint64_t records,
             const ReferenceDistribution& /*reference*/) const override {
    const auto n = static_cast<double>(records);
    const double have = total_entropy(values, records);
    const double need = n * log_l_;
    // Each of the sums on the way is at most n ln n and is rounded once.
    const double doubt = 1e-15 * static_cast<double>(values.size() + 8) * (n * std::log(n) + std::abs(need) + 1);
    if (have > need + doubt) return true;
    if (have < need - doubt) return false;
    return holds_exactly(values);
  }

  // The largest l, rounded down.
  double measure(std::span<const ValueCount> values, std::uint64_t records,
                 const ReferenceDistribution& /*reference*/) const override {
    const double l = std::exp(total_entropy(values, records) / static_cast<double>(records));
    // A flat class has an l that is a whole number; nothing below it should be shown.
    const auto whole = static_cast<double>(values.size());
    const bool flat = std::all_of(values.begin(), values.end(),
                                  [&](const ValueCount& value) { return value.count == values.front().count; });
    return flat ? whole : l * (1 - 1e-12);
  }
  // exp(entropy) is at most the number of values, which no part has more of.
  std::uint64_t most_kept_in_parts(std::span<const ValueCount> values, std::uint64_t records,
                                   const ReferenceDistribution& /*reference*/) const override {
    return Rational(static_cast<std::int64_t>(values.size())) < l_ ? 0 : records;
  }
  bool is_relative() const override { return false; }
  bool more_is_better() const override { return true; }

 private:
  [[nodiscard]] bool holds_exactly(std::span<const ValueCount> values) const {
    // A common factor of all counts cancels, so flat classes become tiny.
    std::uint64_t common = 0;
    for (const ValueCount& value : values) common = std::gcd(common, value.count);
    std::vector<std::uint64_t> counts;
    std::uint64_t n = 0;
    for (const ValueCount& value : values) {
      counts.push_back(value.count / common);
      n += counts.back();
    }
    for (const mpfr_prec_t precision : {128, 512, 2048}) {
      Interval left = Interval(Rational(static_cast<std::int64_t>(n)), precision) * Interval(l_, precision).log();
      for (const std::uint64_t count : counts) left = left + log_power(count, precision);
      const Interval right = log_power(n, precision);
      if (left.certainly_at_most(right)) return true;
      if (right.certainly_less(left)) return false;
    }
    return integers_hold(counts, n);
  }

  static Interval log_power(std::uint64_t base, mpfr_prec_t precision) {
    const Interval value(Rational(static_cast<std::int64_t>(base)), precision);
    return value * value.log();
  }

  // numerator(l)^n x product of n_i^n_i <= denominator(l)^n x n^n.
  [[nodiscard]] bool integers_hold(const std::vector<std::uint64_t>& counts, std::uint64_t n) const {
    mpz_t left;
    mpz_t right;
    mpz_t power;
    mpz_inits(left, right, power, nullptr);
    mpz_pow_ui(left, mpq_numref(l_.gmp()), n);
    for (const std::uint64_t count : counts) {
      mpz_ui_pow_ui(power, count, count);
      mpz_mul(left, left, power);
    }
    mpz_pow_ui(right, mpq_denref(l_.gmp()), n);
    mpz_ui_pow_ui(power, n, n);
    mpz_mul(right, right, power);
    const bool holds = mpz_cmp(left, right) <= 0;
    mpz_clears(left, right, power, nullptr);
    return holds;
  }

  Rational l_;
  double log_l_;
};

/// r_1 < c (r_l + r_(l+1) + ...).
class RecursiveDiversity final : public ClassCriterion {
 public:
  explicit RecursiveDiversity(const LDiversity& rule) : l_(rule.l.to_double()), c_(rule.c) {}

  bool holds(std::span<const ValueCount> values, std::uint64_t /*records*/,
             const ReferenceDistribution& /*reference*/) const override {
    const auto [largest, tail] = extremes(values);
    return Rational(static_cast<std::int64_t>(largest)) < c_ * Rational(static_cast<std::int64_t>(tail));
  }
  // The smallest c that would just fail, rounded up; infinite when fewer than l values are present.
  double measure(std::span<const ValueCount> values, std::uint64_t /*records*/,
                 const ReferenceDistribution& /*reference*/) const override {
    const auto [largest, tail] = extremes(values);
    if (tail == 0) return HUGE_VAL;
    return Rational(static_cast<std::int64_t>(largest), static_cast<std::int64_t>(tail)).to_double_up();
  }
  // Parts that hold hold together; of n'_i <= n_i records of each value they have, sorted, r'_j <= r_j. So their tail is
  // at most that of the whole, and every n'_i lies below c times that.
  std::uint64_t most_kept_in_parts(std::span<const ValueCount> values, std::uint64_t records,
                                   const ReferenceDistribution& /*reference*/) const override {
    const auto cap = (c_ * Rational(static_cast<std::int64_t>(extremes(values).tail))).ceil().to_int64();
    if (!cap) return records;
    const std::uint64_t most = *cap > 0 ? static_cast<std::uint64_t>(*cap) - 1 : 0;
    std::uint64_t kept = 0;
    for (const ValueCount& value : values) kept += std::min(value.count, most);
    return kept;
  }
  bool is_relative() const override { return false; }

 private:
  struct Extremes {
    std::uint64_t largest = 0;
    std::uint64_t tail = 0;
  };
  [[nodiscard]] Extremes extremes(std::span<const ValueCount> values) const {
    std::vector<std::uint64_t> counts;
    counts.reserve(values.size());
    for (const ValueCount& value : values) counts.push_back(value.count);
    std::sort(counts.rbegin(), counts.rend());
    Extremes result{.largest = counts.front()};
    for (std::size_t i = 0; i < counts.size(); ++i)
      if (static_cast<double>(i + 1) >= l_) result.tail += counts[i];
    return result;
  }

  double l_;
  Rational c_;
};

}  // namespace

Result<std::unique_ptr<ClassCriterion>> make_criterion(const LDiversity& rule, const SensitiveColumn& /*column*/) {
  switch (rule.kind) {
    case DiversityKind::distinct:
      return std::make_unique<DistinctDiversity>(rule);
    case DiversityKind::entropy:
      return std::make_unique<EntropyDiversity>(rule);
    case DiversityKind::recursive:
      return std::make_unique<RecursiveDiversity>(rule);
  }
  return make_error(ErrorCode::internal, "unknown kind of l-diversity");
}

}  // namespace gauze::anonymize
