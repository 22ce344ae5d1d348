#include <algorithm>
#include <vector>

#include "gauze/anonymize/criteria/class_criterion.h"
#include "gauze/anonymize/internal/exact_comparison.h"

namespace gauze::anonymize {

using namespace schema;  // the vocabulary of this file

namespace {

using internal::Wide;

/// The earth mover's distance of class and table as a fraction: numerator / (records x N x steps). The surplus of a
/// value in the class is n_i N - N_i n, an integer.
class Closeness : public ClassCriterion {
 public:
  Closeness(const TCloseness& rule, const SensitiveColumn& column, std::uint64_t steps)
      : column_(column), steps_(steps), t_(rule.t), t_estimate_(rule.t.to_double()) {}

  bool holds(std::span<const ValueCount> values, std::uint64_t records) const final {
    return internal::at_most(work(values, records), denominator(records), t_, t_estimate_);
  }
  double measure(std::span<const ValueCount> values, std::uint64_t records) const final {
    return internal::fraction(work(values, records), denominator(records)).to_double_up();
  }

 protected:
  /// Distance x denominator, exactly.
  [[nodiscard]] virtual Wide work(std::span<const ValueCount> values, std::uint64_t records) const = 0;
  [[nodiscard]] Wide surplus(std::uint32_t value, std::uint64_t count, std::uint64_t records) const {
    return static_cast<Wide>(count) * static_cast<Wide>(column_.records) -
           static_cast<Wide>(column_.totals[value]) * static_cast<Wide>(records);
  }
  /// The counts of a class by code, absent values included.
  [[nodiscard]] std::vector<std::uint64_t> counts(std::span<const ValueCount> values) const {
    std::vector<std::uint64_t> all(column_.totals.size(), 0);
    for (const ValueCount& value : values) all[value.value] = value.count;
    return all;
  }
  [[nodiscard]] const SensitiveColumn& column() const { return column_; }

 private:
  [[nodiscard]] Wide denominator(std::uint64_t records) const {
    return static_cast<Wide>(records) * static_cast<Wide>(column_.records) * static_cast<Wide>(steps_);
  }

  const SensitiveColumn& column_;
  std::uint64_t steps_;
  Rational t_;
  double t_estimate_;
};

// Half the sum of |q - p| is the sum of the positive differences, and an absent value has none.
class EqualDistance final : public Closeness {
 public:
  EqualDistance(const TCloseness& rule, const SensitiveColumn& column) : Closeness(rule, column, 1) {}
  Wide work(std::span<const ValueCount> values, std::uint64_t records) const override {
    Wide sum = 0;
    for (const ValueCount& value : values) sum += std::max<Wide>(surplus(value.value, value.count, records), 0);
    return sum;
  }
};

// Sum over the order of |cumulative difference|, divided by m - 1.
class OrderedDistance final : public Closeness {
 public:
  OrderedDistance(const TCloseness& rule, const SensitiveColumn& column)
      : Closeness(rule, column, std::max<std::uint64_t>(column.totals.size(), 2) - 1) {}
  Wide work(std::span<const ValueCount> values, std::uint64_t records) const override {
    const std::vector<std::uint64_t> all = counts(values);
    Wide sum = 0;
    Wide carried = 0;
    for (const std::uint32_t value : column().order) {
      carried += surplus(value, all[value], records);
      sum += carried < 0 ? -carried : carried;
    }
    return sum;
  }
};

// Sum over inner nodes of level / height x min(surplus of the children that have too much, of those that lack).
class HierarchicalDistance final : public Closeness {
 public:
  HierarchicalDistance(const TCloseness& rule, const SensitiveColumn& column)
      : Closeness(rule, column, column.parents.size()) {}
  Wide work(std::span<const ValueCount> values, std::uint64_t records) const override {
    const std::vector<std::uint64_t> all = counts(values);
    std::vector<Wide> here(all.size());
    for (std::uint32_t value = 0; value < all.size(); ++value) here[value] = surplus(value, all[value], records);
    Wide sum = 0;
    Wide level = 1;
    const std::vector<std::vector<std::uint32_t>>& tree = column().parents;
    for (std::size_t depth = 0; depth < tree.size(); ++depth) {
      const std::vector<std::uint32_t>& up = tree[depth];
      // As wide as the level above, whose last values may be without any of ours.
      const std::size_t width = depth + 1 < tree.size() ? tree[depth + 1].size() : std::size_t{1};
      std::vector<Wide> above(width, 0);
      std::vector<Wide> positive(width, 0);
      for (std::size_t value = 0; value < up.size(); ++value) {
        above[up[value]] += here[value];
        positive[up[value]] += std::max<Wide>(here[value], 0);
      }
      // positive - above is what the others lack.
      for (std::size_t node = 0; node < width; ++node)
        sum += level * std::min(positive[node], positive[node] - above[node]);
      here = std::move(above);
      ++level;
    }
    return sum;
  }
};

}  // namespace

Result<std::unique_ptr<ClassCriterion>> make_criterion(const TCloseness& rule, const SensitiveColumn& column) {
  switch (rule.distance) {
    case Distance::equal:
      return std::make_unique<EqualDistance>(rule, column);
    case Distance::ordered:
      return std::make_unique<OrderedDistance>(rule, column);
    case Distance::hierarchical:
      if (column.parents.empty())
        return invalid_parameter(
            "hierarchical distance needs a hierarchy of {}: give one with --hierarchy or in the policy", column.name);
      return std::make_unique<HierarchicalDistance>(rule, column);
  }
  return make_error(ErrorCode::internal, "unknown distance");
}

}  // namespace gauze::anonymize
