#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "gauze/anonymize/classes/class_grouping.h"
#include "gauze/anonymize/classes/criteria_set.h"

namespace gauze::anonymize {

/// Records that are suppressed at a node: how many, and how many of them have each ground value.
struct SuppressedRecords {
  std::uint64_t records = 0;
  std::vector<std::vector<std::uint64_t>> by_ground;  ///< [quasi][row of the hierarchy]
};

/// What the classes of a node are like.
struct NodeOutcome {
  bool feasible = false;  ///< at most the limit is suppressed
  /// Everything below the node is infeasible too.
  bool prunes_below = false;
  /// Records that are suppressed here and, because the criteria concerned survive any merge, at every node below.
  SuppressedRecords lasting;
  /// All that is suppressed here. Filled when the node is feasible.
  SuppressedRecords suppressed;
  std::uint64_t kept_classes = 0;
  std::uint64_t smallest_class = 0;
  std::uint64_t largest_class = 0;
  double sum_of_squares = 0;  ///< over kept classes; exact below 2^53
  /// Sum over all records of max(size of its class, k): no node above has a smaller sum of squares and penalties.
  double least_squares_above = 0;
  std::uint64_t most_classes_above = 0;  ///< no node above keeps more classes
};

/// Asks nodes whether their classes satisfy the criteria.
/// Thread safety: const members may be called concurrently, each with its own Scratch.
class NodeEvaluation {
 public:
  struct Scratch {
    ClassGrouping::Scratch groups;
    std::vector<std::uint8_t> kept;           // by slot
    std::vector<std::uint32_t> population;    // by slot
    std::vector<std::uint32_t> matching;      // by slot: records that cannot be told apart when missing matches all
    std::vector<std::uint32_t> starts;        // by slot: where its tuples begin in `order`
    std::vector<std::uint32_t> order;         // tuples by slot
    std::vector<std::uint64_t> value_counts;  // by sensitive code
    std::vector<ValueCount> values;
  };
  enum class Depth { lasting, everything };

  /// `describes_classes` fills the figures of NodeOutcome about sizes; a search that does not need them saves a pass.
  NodeEvaluation(const Records& records, const CriteriaSet& criteria, std::uint64_t suppression_limit,
                 bool describes_classes);

  [[nodiscard]] NodeOutcome evaluate(const Levels& levels, Depth depth, Scratch& scratch) const;
  /// Groups at the node and fills scratch.kept: which classes satisfy all criteria.
  void judge(const Levels& levels, Scratch& scratch) const;

  [[nodiscard]] const ClassGrouping& grouping() const { return grouping_; }
  [[nodiscard]] const Records& records() const { return records_; }
  [[nodiscard]] const CriteriaSet& criteria() const { return criteria_; }
  [[nodiscard]] std::uint64_t suppression_limit() const { return limit_; }
  /// Whether an infeasible node always makes the ones below infeasible, so that no second look is needed.
  [[nodiscard]] bool monotone() const { return monotone_; }

 private:
  /// The records with one quasi-identifier already at a level: fewer tuples, so that most nodes are refused quickly.
  struct Layer {
    std::once_flag made;
    Records records;
    std::optional<ClassGrouping> grouping;
  };
  [[nodiscard]] const Layer& layer(int level, Scratch& scratch) const;
  /// Whether more records than the limit are in classes below k.
  [[nodiscard]] bool too_many_below_k(const Levels& levels, Scratch& scratch) const;
  void judge_sizes(bool lasting_only, Scratch& scratch) const;
  void match_missing(const Levels& levels, Scratch& scratch) const;
  /// Applies the criteria on sensitive columns [first, last) to the classes still kept.
  void judge_columns(std::size_t first, std::size_t last, Scratch& scratch) const;
  void order_by_class(Scratch& scratch) const;
  [[nodiscard]] std::uint64_t count_suppressed(const Scratch& scratch) const;
  [[nodiscard]] std::uint64_t count_below_k(const Scratch& scratch) const;
  [[nodiscard]] SuppressedRecords list_suppressed(std::uint64_t records, const Scratch& scratch) const;
  void describe_classes(const Scratch& scratch, NodeOutcome& outcome) const;

  const Records& records_;
  const CriteriaSet& criteria_;
  ClassGrouping grouping_;
  std::uint64_t limit_;
  bool monotone_;
  std::size_t lasting_columns_ = 0;  // criteria on columns that survive any merge come first
  bool missing_matters_ = false;
  bool describes_classes_;
  std::size_t pivot_ = 0;            // the quasi-identifier with most values
  std::unique_ptr<Layer[]> layers_;  // one for each of its levels above 0, made when first used
};

}  // namespace gauze::anonymize
