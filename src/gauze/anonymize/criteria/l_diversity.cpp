#include <gmp.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "gauze/anonymize/criteria/class_criterion.h"
#include "gauze/anonymize/internal/exact_comparison.h"
#include "gauze/anonymize/internal/fewest_records.h"
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
  std::uint64_t fewest_records(const ReferenceDistribution& /*reference*/) const override { return 1; }
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
  std::uint64_t fewest_records(const ReferenceDistribution& /*reference*/) const override { return 1; }
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
  // Of s records, l - 1 stand before the tail at least, which has at most s - l + 1; and r_1 is at least s / values.
  std::uint64_t fewest_records(const ReferenceDistribution& reference) const override {
    const double c = c_.to_double() * (1 + 1e-9);
    return internal::first_size([&](std::uint64_t size) {
      const double tail = static_cast<double>(size) - std::ceil(l_) + 1;
      const double largest = std::max(1.0, static_cast<double>(size) / static_cast<double>(reference.values()));
      return largest < c * tail;
    });
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

/// Diversity of the values that are known: a class of one illness and missing cells has one value, not two. A class without any
/// known value has none.
class DiversityOfKnown final : public ClassCriterion {
 public:
  DiversityOfKnown(std::unique_ptr<ClassCriterion> of_values, std::uint32_t missing)
      : of_values_(std::move(of_values)), missing_(missing) {}

  bool holds(std::span<const ValueCount> values, std::uint64_t records,
             const ReferenceDistribution& reference) const override {
    const Known known(values, records, missing_);
    return known.records > 0 && of_values_->holds(known.values, known.records, reference);
  }
  double measure(std::span<const ValueCount> values, std::uint64_t records,
                 const ReferenceDistribution& reference) const override {
    const Known known(values, records, missing_);
    if (known.records == 0) return more_is_better() ? 0 : HUGE_VAL;
    return of_values_->measure(known.values, known.records, reference);
  }
  // Any missing cell may go with what is kept, if anything is.
  std::uint64_t most_kept_in_parts(std::span<const ValueCount> values, std::uint64_t records,
                                   const ReferenceDistribution& reference) const override {
    const Known known(values, records, missing_);
    if (known.records == 0) return 0;
    const std::uint64_t kept = of_values_->most_kept_in_parts(known.values, known.records, reference);
    return kept == 0 ? 0 : kept + records - known.records;
  }
  std::uint64_t fewest_records(const ReferenceDistribution& reference) const override {
    return of_values_->fewest_records(reference);
  }
  bool survives_any_merge() const override { return of_values_->survives_any_merge(); }
  bool closed_under_merging() const override { return of_values_->closed_under_merging(); }
  bool is_relative() const override { return false; }
  bool more_is_better() const override { return of_values_->more_is_better(); }

 private:
  struct Known {
    Known(std::span<const ValueCount> all, std::uint64_t of, std::uint32_t missing) : values(all), records(of) {
      const auto found =
          std::find_if(all.begin(), all.end(), [&](const ValueCount& one) { return one.value == missing; });
      if (found == all.end()) return;
      records -= found->count;
      without.reserve(all.size() - 1);
      for (const ValueCount& one : all)
        if (one.value != missing) without.push_back(one);
      values = without;
    }
    Known(const Known&) = delete;
    std::vector<ValueCount> without;  // filled where a cell is missing
    std::span<const ValueCount> values;
    std::uint64_t records = 0;
  };

  std::unique_ptr<ClassCriterion> of_values_;
  std::uint32_t missing_;
};

std::unique_ptr<ClassCriterion> diversity(const LDiversity& rule) {
  switch (rule.kind) {
    case DiversityKind::distinct:
      return std::make_unique<DistinctDiversity>(rule);
    case DiversityKind::entropy:
      return std::make_unique<EntropyDiversity>(rule);
    case DiversityKind::recursive:
      return std::make_unique<RecursiveDiversity>(rule);
  }
  GAUZE_CHECK(false);
}

}  // namespace

Result<std::unique_ptr<ClassCriterion>> make_criterion(const LDiversity& rule, const SensitiveColumn& column) {
  if (!column.missing) return diversity(rule);
  return std::make_unique<DiversityOfKnown>(diversity(rule), *column.missing);
}

}  // namespace gauze::anonymize
