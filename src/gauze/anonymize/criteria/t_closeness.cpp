#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "gauze/anonymize/criteria/class_criterion.h"
#include "gauze/anonymize/internal/exact_comparison.h"
#include "gauze/anonymize/internal/fewest_records.h"
#include "gauze/anonymize/internal/kept_bound.h"

namespace gauze::anonymize {

using namespace schema;  // the vocabulary of this file

namespace {

using internal::Lines;
using internal::Wide;

Wide magnitude(Wide value) { return value < 0 ? -value : value; }

/// The earth mover's distance of class and reference as a fraction: work / (records x N x steps). The surplus of a
/// value in the class is n_i N - N_i n, an integer.
///
/// The bound on parts. Parts within t of the reference are so together, as distances are convex. Say that s records are
/// in them, n'_i <= n_i of each value. Wherever the distance adds |share in the class - share in the reference| of a set
/// of values, here with c records of the class and P of the reference's mass, that is at least max(P - c / s,
/// (1 - P) - (n - c) / s, 0), because the set has at most c and its complement at most n - c of the s records. Times s
/// these are lines in s, and their sum may not exceed t s.
class Closeness : public ClassCriterion {
 public:
  explicit Closeness(const TCloseness& rule) : t_(rule.t), t_estimate_(rule.t.to_double()) {}

  bool holds(std::span<const ValueCount> values, std::uint64_t records,
             const ReferenceDistribution& reference) const final {
    const double size = static_cast<double>(records) * static_cast<double>(reference.records()) *
                        static_cast<double>(std::max<std::uint64_t>(steps(reference), reference.values()));
    if (size < 0x1p53) {  // no sum is larger: doubles are exact then
      const double whole = static_cast<double>(records) * static_cast<double>(reference.records() * steps(reference));
      const double most = whole * t_estimate_;
      const double sum = small_work(values, records, reference, most * (1 + 1e-12) + 1);
      if (sum < most * (1 - 1e-12)) return true;
      if (sum > most * (1 + 1e-12)) return false;
      return internal::fraction(static_cast<Wide>(sum), static_cast<Wide>(whole)) <= t_;
    }
    const Wide whole = denominator(records, reference);
    // A sum that has passed this is above t, whatever is still to come.
    const auto enough = static_cast<Wide>(static_cast<double>(whole) * t_estimate_ * (1 + 1e-12)) + 1;
    return internal::at_most(work(values, records, reference, enough), whole, t_, t_estimate_);
  }
  double measure(std::span<const ValueCount> values, std::uint64_t records,
                 const ReferenceDistribution& reference) const final {
    const Wide whole = denominator(records, reference);
    return internal::fraction(work(values, records, reference, whole), whole).to_double_up();
  }
  std::uint64_t most_kept_in_parts(std::span<const ValueCount> values, std::uint64_t records,
                                   const ReferenceDistribution& reference) const final {
    const double total = t_estimate_ * static_cast<double>(steps(reference));
    return internal::most_kept(records, total, [&](double kept) { return lines(values, records, reference, kept); });
  }
  std::uint64_t fewest_records(const ReferenceDistribution& reference) const final {
    const double most = t_estimate_ * static_cast<double>(steps(reference)) * (1 + 1e-9) + 1e-9;
    return internal::first_size([&](std::uint64_t size) {
      return least_work(static_cast<double>(size), reference) <= most * static_cast<double>(size);
    });
  }

 protected:
  /// Distance x records x steps of the closest class of so many records, or less.
  [[nodiscard]] virtual double least_work(double records, const ReferenceDistribution& reference) const = 0;
  /// What the sum of shares is divided by.
  [[nodiscard]] virtual std::uint64_t steps(const ReferenceDistribution& reference) const = 0;
  /// Distance x denominator, exactly; or something above `enough` when that is certain to be less than the whole.
  [[nodiscard]] virtual Wide work(std::span<const ValueCount> values, std::uint64_t records,
                                  const ReferenceDistribution& reference, Wide enough) const = 0;
  /// The same, of whole numbers below 2^53 in doubles.
  [[nodiscard]] virtual double small_work(std::span<const ValueCount> values, std::uint64_t records,
                                          const ReferenceDistribution& reference, double enough) const = 0;
  /// The lines of the bound that are above 0 at `kept`.
  [[nodiscard]] virtual Lines lines(std::span<const ValueCount> values, std::uint64_t records,
                                    const ReferenceDistribution& reference, double kept) const = 0;

  static Wide surplus(std::uint64_t count, std::uint64_t total, std::uint64_t records,
                      const ReferenceDistribution& reference) {
    return static_cast<Wide>(count) * static_cast<Wide>(reference.records()) -
           static_cast<Wide>(total) * static_cast<Wide>(records);
  }
  static double small_surplus(std::uint64_t count, std::uint64_t total, double records, double all) {
    return static_cast<double>(count) * all - static_cast<double>(total) * records;
  }
  /// Of the nodes of a level of the tree (level 0: the values), what the closest class of so many records has too much, x records.
  static double level_work(std::size_t level, double records, const ReferenceDistribution& reference) {
    thread_local std::vector<double> shares;
    thread_local std::vector<double> missing;
    shares.clear();
    const std::size_t nodes =
        level == 0 ? reference.column().totals.size() : reference.column().parents[level].size();
    for (std::uint32_t node = 0; node < nodes; ++node)
      shares.push_back(share(level == 0 ? reference.total(node) : reference.below(level, node), reference));
    return internal::least_surplus(shares, records, missing);
  }
  static double share(std::uint64_t total, const ReferenceDistribution& reference) {
    return static_cast<double>(total) / static_cast<double>(reference.records());
  }

 private:
  [[nodiscard]] Wide denominator(std::uint64_t records, const ReferenceDistribution& reference) const {
    return static_cast<Wide>(records) * static_cast<Wide>(reference.records()) * static_cast<Wide>(steps(reference));
  }

  Rational t_;
  double t_estimate_;
};

// Half the sum of |q - p| is the sum of the positive differences, and an absent value has none.
class EqualDistance final : public Closeness {
 public:
  using Closeness::Closeness;

 protected:
  double least_work(double records, const ReferenceDistribution& reference) const override {
    return level_work(0, records, reference);
  }
  std::uint64_t steps(const ReferenceDistribution& /*reference*/) const override { return 1; }
  Wide work(std::span<const ValueCount> values, std::uint64_t records, const ReferenceDistribution& reference,
            Wide enough) const override {
    Wide sum = 0;
    for (const ValueCount& value : values) {
      sum += std::max<Wide>(surplus(value.count, reference.total(value.value), records, reference), 0);
      if (sum > enough) break;
    }
    return sum;
  }
  double small_work(std::span<const ValueCount> values, std::uint64_t records, const ReferenceDistribution& reference,
                    double enough) const override {
    const auto n = static_cast<double>(records);
    const auto all = static_cast<double>(reference.records());
    double sum = 0;
    for (const ValueCount& value : values) {
      sum += std::max(small_surplus(value.count, reference.total(value.value), n, all), 0.0);
      if (sum > enough) break;
    }
    return sum;
  }
  // It is the sum of the negative differences too: for those, p_i s - n_i alone.
  Lines lines(std::span<const ValueCount> values, std::uint64_t /*records*/, const ReferenceDistribution& reference,
              double kept) const override {
    Lines sum;
    std::uint64_t absent = reference.records();
    for (const ValueCount& value : values) {
      absent -= reference.total(value.value);
      sum.add_above_zero(share(reference.total(value.value), reference), static_cast<double>(value.count), kept);
    }
    sum.slope += share(absent, reference);
    return sum;
  }
};

// Sum over the order of |cumulative difference|, divided by m - 1. Between two values that the class has, the cumulative
// difference falls: all steps on one side of its zero are summed at once.
class OrderedDistance final : public Closeness {
 public:
  using Closeness::Closeness;

 protected:
  // After each value a whole number of records has been seen.
  double least_work(double records, const ReferenceDistribution& reference) const override {
    double sum = 0;
    for (std::size_t rank = 1; rank <= reference.values(); ++rank) {
      const double seen = records * share(reference.up_to(rank), reference);
      sum += std::abs(seen - std::round(seen));
    }
    return sum;
  }
  std::uint64_t steps(const ReferenceDistribution& reference) const override {
    return std::max<std::uint64_t>(reference.values(), 2) - 1;
  }
  Wide work(std::span<const ValueCount> values, std::uint64_t records, const ReferenceDistribution& reference,
            Wide enough) const override {
    const auto n = static_cast<Wide>(records);
    const auto all = static_cast<Wide>(reference.records());
    Wide sum = 0;
    for_each_stretch(values, reference, [&](std::size_t from, std::size_t to, std::uint64_t seen) {
      const double zero = static_cast<double>(seen) * static_cast<double>(all) / static_cast<double>(n);
      // Rounding may put the zero one rank off, where the difference is 0 up to a rounding error of the other sign: so
      // the two neighbours are summed by themselves.
      const std::size_t crossing = reference.first_above(from, to, zero);
      const std::size_t left = crossing > from ? crossing - 1 : from;
      const std::size_t right = crossing < to ? crossing + 1 : to;
      auto stretch = [&](std::size_t begin, std::size_t end) {
        const auto length = static_cast<Wide>(end - begin);
        const auto mass = static_cast<Wide>(reference.up_to_sum(end) - reference.up_to_sum(begin));
        return magnitude(length * static_cast<Wide>(seen) * all - mass * n);
      };
      sum += stretch(from, left);
      for (std::size_t rank = left; rank < right; ++rank) sum += stretch(rank, rank + 1);
      sum += stretch(right, to);
      return sum <= enough;
    });
    return sum;
  }
  double small_work(std::span<const ValueCount> values, std::uint64_t records, const ReferenceDistribution& reference,
                    double enough) const override {
    constexpr std::size_t kFew = 48;
    const auto n = static_cast<double>(records);
    const auto all = static_cast<double>(reference.records());
    const double* const up_to = reference.up_to_as_double().data() + 1;
    double sum = 0;
    for_each_stretch(values, reference, [&](std::size_t from, std::size_t to, std::uint64_t seen) {
      const double mine = static_cast<double>(seen) * all;
      if (to - from <= kFew) {
        double even = 0;
        double odd = 0;
        std::size_t rank = from;
        for (; rank + 1 < to; rank += 2) {
          even += std::abs(mine - up_to[rank] * n);
          odd += std::abs(mine - up_to[rank + 1] * n);
        }
        if (rank < to) even += std::abs(mine - up_to[rank] * n);
        sum += even + odd;
        return sum <= enough;
      }
      // Rounding of the quotient may put the zero one rank off, where the difference is 0 or next to it: that rank by itself.
      const std::size_t crossing = reference.first_above(from, to, mine / n);
      const std::size_t left = crossing > from ? crossing - 1 : from;
      const std::size_t right = crossing < to ? crossing + 1 : to;
      auto stretch = [&](std::size_t begin, std::size_t end) {
        return std::abs(static_cast<double>(end - begin) * mine -
                        static_cast<double>(reference.up_to_sum(end) - reference.up_to_sum(begin)) * n);
      };
      sum += stretch(from, left) + stretch(right, to);
      for (std::size_t rank = left; rank < right; ++rank) sum += stretch(rank, rank + 1);
      return sum <= enough;
    });
    return sum;
  }
  Lines lines(std::span<const ValueCount> values, std::uint64_t records, const ReferenceDistribution& reference,
              double kept) const override {
    Lines sum;
    const auto all = static_cast<double>(reference.records());
    for_each_stretch(values, reference, [&](std::size_t from, std::size_t to, std::uint64_t seen) {
      const auto left = static_cast<double>(seen);
      const auto right = static_cast<double>(records - seen);
      auto mass = [&](std::size_t begin, std::size_t end) {
        return reference.up_to_sum(end) - reference.up_to_sum(begin);
      };
      // P kept - left, where P all lies above `left all / kept`; (1 - P) kept - right where it lies below the other.
      const std::size_t above = reference.first_above(from, to, left * all / kept);
      const std::size_t below = reference.first_above(from, to, (1 - right / kept) * all);
      const std::uint64_t others = (below - from) * reference.records() - mass(from, below);
      sum.slope += static_cast<double>(mass(above, to)) / all + static_cast<double>(others) / all;
      sum.offset += static_cast<double>(to - above) * left + static_cast<double>(below - from) * right;
      return true;
    });
    return sum;
  }

 private:
  // visit(from, to, seen): after each of the ranks [from, to), `seen` records of the class have been seen. Ends when a
  // visit returns false.
  template <class Visit>
  static void for_each_stretch(std::span<const ValueCount> values, const ReferenceDistribution& reference,
                               Visit visit) {
    auto by_rank = [&](const ValueCount& a, const ValueCount& b) {
      return reference.rank(a.value) < reference.rank(b.value);
    };
    std::vector<ValueCount> sorted;
    if (!std::is_sorted(values.begin(), values.end(), by_rank)) {
      sorted.assign(values.begin(), values.end());
      std::sort(sorted.begin(), sorted.end(), by_rank);
      values = sorted;
    }
    std::size_t from = 0;
    std::uint64_t seen = 0;
    for (const ValueCount& value : values) {
      const std::size_t to = reference.rank(value.value);
      if (to > from && !visit(from, to, seen)) return;
      from = to;
      seen += value.count;
    }
    visit(from, reference.values(), seen);
  }
};

// Sum over inner nodes of level / height x min(surplus of the children that have too much, of those that lack). The
// minimum is half of (sum of |surplus| of the children - |surplus| of the node), so a node that is the child of level l
// and itself of level l - 1 counts l - (l - 1) times: the sum is that of |surplus| over all nodes below the top,
// divided by 2 height.
class HierarchicalDistance final : public Closeness {
 public:
  using Closeness::Closeness;

 protected:
  // At each level what is too much in some nodes lacks in others.
  double least_work(double records, const ReferenceDistribution& reference) const override {
    double sum = 0;
    for (std::size_t level = 0; level < reference.column().parents.size(); ++level)
      sum += 2 * level_work(level, records, reference);
    return sum;
  }
  std::uint64_t steps(const ReferenceDistribution& reference) const override {
    return 2 * reference.column().parents.size();
  }
  Wide work(std::span<const ValueCount> values, std::uint64_t records, const ReferenceDistribution& reference,
            Wide enough) const override {
    Wide sum = 0;
    for_each_level(values, reference, [&](const std::vector<ValueCount>& nodes, std::size_t level) {
      std::uint64_t absent = reference.records();
      for (const ValueCount& node : nodes) {
        const std::uint64_t total = reference.below(level, node.value);
        absent -= total;
        sum += magnitude(surplus(node.count, total, records, reference));
      }
      sum += static_cast<Wide>(absent) * static_cast<Wide>(records);
      return sum <= enough;
    });
    return sum;
  }
  double small_work(std::span<const ValueCount> values, std::uint64_t records, const ReferenceDistribution& reference,
                    double enough) const override {
    const auto n = static_cast<double>(records);
    const auto all = static_cast<double>(reference.records());
    double sum = 0;
    for_each_level(values, reference, [&](const std::vector<ValueCount>& nodes, std::size_t level) {
      std::uint64_t absent = reference.records();
      for (const ValueCount& node : nodes) {
        const std::uint64_t total = reference.below(level, node.value);
        absent -= total;
        sum += std::abs(small_surplus(node.count, total, n, all));
      }
      sum += static_cast<double>(absent) * n;
      return sum <= enough;
    });
    return sum;
  }
  Lines lines(std::span<const ValueCount> values, std::uint64_t records, const ReferenceDistribution& reference,
              double kept) const override {
    Lines sum;
    for_each_level(values, reference, [&](const std::vector<ValueCount>& nodes, std::size_t level) {
      std::uint64_t absent = reference.records();
      for (const ValueCount& node : nodes) {
        const std::uint64_t total = reference.below(level, node.value);
        absent -= total;
        sum.add_above_zero(share(total, reference), static_cast<double>(node.count), kept);
        sum.add_above_zero(share(reference.records() - total, reference), static_cast<double>(records - node.count),
                           kept);
      }
      sum.slope += share(absent, reference);
      return true;
    });
    return sum;
  }

 private:
  // visit(nodes of the class with their counts, level) for every level below the top, until one returns false.
  template <class Visit>
  static void for_each_level(std::span<const ValueCount> values, const ReferenceDistribution& reference,
                             Visit visit) {
    const std::vector<std::vector<std::uint32_t>>& parents = reference.column().parents;
    thread_local std::vector<std::uint64_t> counts;  // of nodes above, all 0 between uses
    thread_local std::vector<ValueCount> nodes;
    thread_local std::vector<ValueCount> above;
    nodes.assign(values.begin(), values.end());
    for (std::size_t level = 0; level < parents.size(); ++level) {
      if (!visit(nodes, level) || level + 1 == parents.size()) return;
      const std::vector<std::uint32_t>& up = parents[level];
      counts.resize(std::max(counts.size(), parents[level + 1].size()), 0);
      above.clear();
      for (const ValueCount& node : nodes) {
        if (counts[up[node.value]] == 0) above.push_back({up[node.value], 0});
        counts[up[node.value]] += node.count;
      }
      for (ValueCount& node : above) node.count = std::exchange(counts[node.value], 0);
      nodes.swap(above);
    }
  }
};

}  // namespace

Result<std::unique_ptr<ClassCriterion>> make_criterion(const TCloseness& rule, const SensitiveColumn& column) {
  switch (rule.distance) {
    case Distance::equal:
      return std::make_unique<EqualDistance>(rule);
    case Distance::ordered:
      return std::make_unique<OrderedDistance>(rule);
    case Distance::hierarchical:
      if (column.parents.empty())
        return asking_for(
            "hierarchy",
            invalid_parameter("hierarchical distance needs a hierarchy of {}: give one, by itself or in the policy",
                              column.name));
      return std::make_unique<HierarchicalDistance>(rule);
  }
  return make_error(ErrorCode::internal, "unknown distance");
}

}  // namespace gauze::anonymize
