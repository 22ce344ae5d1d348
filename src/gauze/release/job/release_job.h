#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "gauze/base/progress.h"
#include "gauze/release/job/bounded_units.h"
#include "gauze/release/job/release_plan.h"
#include "gauze/release/modes/histogram_release.h"
#include "gauze/release/modes/level_selection.h"
#include "gauze/table/declared_source.h"

namespace gauze::release {

/// What is published, before it is written.
struct Release {
  std::shared_ptr<const schema::Domain> domain;  ///< of the columns of the plan, at the levels that hold
  std::vector<int> levels;                       ///< of the quasi-identifiers
  ReleasedHistogram histogram;
  std::int64_t cut = 0;               ///< a cell was released iff its noisy value reached this
  double expected_phantom_cells = 0;  ///< of a grid: cells x P[Z >= cut]; public
};

/// What a release reads: the columns of the plan, then the id where persons are counted. An id that cannot be read is a
/// missing one.
[[nodiscard]] std::vector<table::DeclaredColumn> declared_columns(const ReleasePlan& plan);

/// A table that is about to be released: what does not depend on chance is done once, however often it is drawn. Its cells are
/// cleaned first, by the public rules of the plan, each by itself.
///
/// Guarantee      : that of the plan, for each draw; what several draws cost adds up. Plan and tuples must outlive it.
/// Not covered    : time and memory; what is prepared is as private as the table.
/// Thread safety  : const members may be called concurrently.
class PreparedRelease {
 public:
  [[nodiscard]] static Result<PreparedRelease> make(const table::TupleCounts& tuples, const ReleasePlan& plan);

  [[nodiscard]] Result<Release> release(SecureRandom& random) const;
  /// The same with a seed: no guarantee.
  [[nodiscard]] Result<Release> simulate(SeededRandom& random) const;

 private:
  /// The table at one combination of levels.
  struct AtLevels {
    schema::CodedTuples coded;
    std::optional<BoundedUnits> units;  ///< where persons are counted
    schema::Histogram histogram;        ///< else
    std::optional<HistogramRelease> mechanism;
  };
  explicit PreparedRelease(const ReleasePlan& plan) : plan_(&plan) {}
  [[nodiscard]] const table::TupleCounts& tuples() const { return owned_ ? *owned_ : *all_; }
  [[nodiscard]] Result<std::shared_ptr<const AtLevels>> at(const std::vector<int>& levels) const;
  [[nodiscard]] Result<std::shared_ptr<const AtLevels>> prepare(const std::vector<int>& levels) const;
  template <class Random>
  [[nodiscard]] Result<std::vector<int>> choose_levels(Random& random) const;
  template <class Random>
  [[nodiscard]] Result<Release> draw(Random& random) const;

  const ReleasePlan* plan_;
  const table::TupleCounts* all_ = nullptr;
  std::unique_ptr<const table::TupleCounts>
      owned_;                                // where cells are cleaned, or some rows are nobody's: what is left
  std::optional<LevelSelection> selection_;  // of mode select
  std::vector<Rational> scores_;             // of its candidates, where rows are counted
  struct Known {
    std::mutex mutex;
    std::map<std::vector<int>, std::shared_ptr<const AtLevels>> levels;
  };
  std::unique_ptr<Known> known_ = std::make_unique<Known>();
};

/// Everything at once: bounds what persons may touch, chooses levels where the plan says so, draws the noise. Cannot fail
/// for a reason that lies in the data. Where persons are counted, rows without an id belong to nobody and are left out.
[[nodiscard]] Result<Release> make_release(SecureRandom& random, const table::TupleCounts& tuples,
                                           const ReleasePlan& plan);
/// The same with a seed: no guarantee.
[[nodiscard]] Result<Release> simulate_release(SeededRandom& random, const table::TupleCounts& tuples,
                                               const ReleasePlan& plan);

}  // namespace gauze::release
