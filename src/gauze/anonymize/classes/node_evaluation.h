#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "gauze/anonymize/classes/class_grouping.h"
#include "gauze/anonymize/classes/class_values.h"
#include "gauze/anonymize/classes/criteria_set.h"
#include "gauze/anonymize/classes/record_layers.h"

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
  /// Records that are suppressed here and at every node below, whatever is kept there. Filled when what
  /// fails against all records is within the limit.
  SuppressedRecords lasting;
  /// So many further records are suppressed here and at every node below: it is not known which.
  std::uint64_t lasting_further = 0;
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
    std::vector<std::uint8_t> kept;            // by slot
    std::uint64_t suppressed = 0;              // records of classes that are not kept
    std::vector<std::uint8_t> may_recover;     // by slot: suppressed here, but parts of it may be kept at nodes below
    std::vector<std::uint32_t> population;     // by slot
    std::vector<std::uint32_t> matching;       // by slot: records that cannot be told apart when missing matches all
    std::vector<std::uint32_t> classes;        // slots that the criteria on columns look at
    std::vector<ClassValues::Scratch> values;  // of each sensitive column that a criterion names
    std::vector<ReferenceDistribution> references;  // over what is kept
    std::vector<std::uint64_t> totals;
    std::vector<std::uint8_t> listed;   // by slot: in the list that is made
    std::vector<std::uint32_t> tuples;  // of that list
    struct Failure {
      std::uint32_t slot = 0;
      std::uint32_t column = 0;
      const ClassCriterion* criterion = nullptr;
    };
    std::vector<Failure> failures;  // classes that fail a criterion on a column
  };

  /// `describes_classes` fills the figures of NodeOutcome about sizes; a search that does not need them saves a pass.
  NodeEvaluation(const Records& records, const CriteriaSet& criteria, std::uint64_t suppression_limit,
                 bool describes_classes);

  /// Whether a node at which at least so many records are suppressed may still be the answer; `list` says which they are, at
  /// the price of a pass over all tuples.
  using MayBeBest =
      std::function<bool(std::uint64_t suppressed, const std::function<const SuppressedRecords&()>& list)>;
  /// A node that cannot be the answer by the sizes of its classes alone is told as infeasible before its sensitive values are
  /// counted.
  [[nodiscard]] NodeOutcome evaluate(const Levels& levels, Scratch& scratch, const MayBeBest& may_be_best = {}) const;
  /// Groups at the node and fills scratch.kept: which classes satisfy all criteria, with all others suppressed.
  void judge(const Levels& levels, Scratch& scratch) const;
  /// The same for each class by itself, against the distribution of all records.
  void judge_each(const Levels& levels, Scratch& scratch) const;

  [[nodiscard]] const ClassGrouping& grouping() const { return layers_.whole().grouping; }
  [[nodiscard]] const Records& records() const { return records_; }
  [[nodiscard]] const CriteriaSet& criteria() const { return criteria_; }
  [[nodiscard]] std::uint64_t suppression_limit() const { return limit_; }

 private:
  using Layer = RecordLayers::Layer;
  /// A sensitive column, and the criteria on it.
  struct Column {
    std::size_t column = 0;
    ReferenceDistribution everyone;
    std::vector<const ClassCriterion*> criteria;
  };
  /// Suppresses classes by their sizes: those below fewest_, and what the population says.
  void judge_sizes(bool lasting_only, const Layer& layer, Scratch& scratch) const;
  /// Whether a class of the population has no kept records, where that matters.
  [[nodiscard]] bool somebody_is_absent(const Scratch& scratch) const;
  void match_missing(const Levels& levels, Scratch& scratch) const;
  /// Counts the sensitive values of the kept classes.
  void count_values(const Layer& layer, Scratch& scratch) const;
  /// Suppresses the classes that fail against all records. Returns at least how many of their records are suppressed at
  /// every node below, too; ends early when that is more than `most`.
  [[nodiscard]] std::uint64_t judge_against_everyone(std::uint64_t most, Scratch& scratch) const;
  /// Suppresses the classes that fail against the kept records; whether there was any. Ends early when more than `most` are
  /// suppressed.
  bool judge_against_kept(std::uint64_t most, Scratch& scratch) const;
  static void suppress(std::uint32_t slot, Scratch& scratch);
  [[nodiscard]] std::uint64_t count_below_fewest(const Scratch& scratch) const;
  /// `lasting`: those alone that do not recover below.
  [[nodiscard]] SuppressedRecords list_suppressed(bool lasting, const Layer& layer, Scratch& scratch) const;
  void describe_classes(const Scratch& scratch, NodeOutcome& outcome) const;

  const Records& records_;
  const CriteriaSet& criteria_;
  std::vector<Column> columns_;
  RecordLayers layers_;
  std::uint64_t limit_;
  std::uint64_t fewest_ = 1;  // no class with fewer records satisfies k and the criteria on columns
  bool monotone_;             // an infeasible node always makes the ones below infeasible
  bool missing_matters_ = false;
  bool describes_classes_;
};

}  // namespace gauze::anonymize
