#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "gauze/anonymize/criteria/reference_distribution.h"
#include "gauze/anonymize/criteria/sensitive_column.h"
#include "gauze/base/error.h"
#include "gauze/schema/policy/criteria.h"

namespace gauze::anonymize {

/// One condition on the distribution of a sensitive column in a class.
///
/// Exact: no class is accepted or refused by floating-point rounding. Doubles decide only what their error cannot
/// change; the rest is decided in integers, or, where logarithms cannot be equal, by intervals of growing precision.
/// Thread safety: const members may be called concurrently.
class ClassCriterion {
 public:
  virtual ~ClassCriterion() = default;

  /// Whether a class with these values (each present once, with its count) satisfies the condition. `records` is the
  /// sum of the counts and positive; the records of the class are among those of the reference.
  [[nodiscard]] virtual bool holds(std::span<const ValueCount> values, std::uint64_t records,
                                   const ReferenceDistribution& reference) const = 0;

  /// The figure that the condition bounds (l, t, delta, beta), for display and rounded to the side that promises less.
  [[nodiscard]] virtual double measure(std::span<const ValueCount> values, std::uint64_t records,
                                       const ReferenceDistribution& reference) const = 0;

  /// However a class that fails is divided: no more than so many of its records, all parts together, are in parts that
  /// hold against the same reference.
  [[nodiscard]] virtual std::uint64_t most_kept_in_parts(std::span<const ValueCount> values, std::uint64_t records,
                                                         const ReferenceDistribution& reference) const = 0;

  /// No class with fewer records holds against the reference, whatever their values: shares of few records are coarse. Asked once a
  /// search.
  [[nodiscard]] virtual std::uint64_t fewest_records(const ReferenceDistribution& reference) const = 0;

  /// A class that holds still holds when any other class is merged into it.
  [[nodiscard]] virtual bool survives_any_merge() const { return false; }
  /// Two classes that hold, merged, hold.
  [[nodiscard]] virtual bool closed_under_merging() const { return true; }
  /// Whether it compares with the reference at all.
  [[nodiscard]] virtual bool is_relative() const { return true; }
  /// Larger figures are better (diversity), or smaller ones (closeness).
  [[nodiscard]] virtual bool more_is_better() const { return false; }
};

/// The column must be the one the condition names. `hierarchical` distance needs its tree (invalid_parameter).
[[nodiscard]] Result<std::unique_ptr<ClassCriterion>> make_criterion(const schema::LDiversity& rule,
                                                                     const SensitiveColumn& column);
[[nodiscard]] Result<std::unique_ptr<ClassCriterion>> make_criterion(const schema::TCloseness& rule,
                                                                     const SensitiveColumn& column);
[[nodiscard]] Result<std::unique_ptr<ClassCriterion>> make_criterion(const schema::DeltaDisclosure& rule,
                                                                     const SensitiveColumn& column);
[[nodiscard]] Result<std::unique_ptr<ClassCriterion>> make_criterion(const schema::BetaLikeness& rule,
                                                                     const SensitiveColumn& column);

}  // namespace gauze::anonymize
