#include "gauze/release/job/release_job.h"

#include "gauze/release/modes/level_selection.h"

namespace gauze::release {

using namespace schema;  // the vocabulary of this file

using schema::ReleaseMode;

namespace {

/// The same steps for both kinds of randomness; which one it is stays visible in the signatures.
template <class Random>
struct Draw;
template <>
struct Draw<SecureRandom> {
  static auto count(const BoundedUnits& units, SecureRandom& random, const UnitBounds& bounds) {
    return units.release(random, bounds);
  }
  static auto levels(const LevelSelection& selection, SecureRandom& random, const std::vector<Rational>& scores) {
    return selection.release(random, scores);
  }
  static auto histogram(const HistogramRelease& release, SecureRandom& random, const Histogram& histogram) {
    return release.release(random, histogram);
  }
};
template <>
struct Draw<SeededRandom> {
  static auto count(const BoundedUnits& units, SeededRandom& random, const UnitBounds& bounds) {
    return units.simulate(random, bounds);
  }
  static auto levels(const LevelSelection& selection, SeededRandom& random, const std::vector<Rational>& scores) {
    return selection.simulate(random, scores);
  }
  static auto histogram(const HistogramRelease& release, SeededRandom& random, const Histogram& histogram) {
    return release.simulate(random, histogram);
  }
};

std::vector<Domain::Axis> axes_of(const ReleasePlan& plan, const table::TupleCounts& tuples,
                                  const std::vector<int>& quasi_levels) {
  std::vector<Domain::Axis> axes;
  for (std::size_t i = 0; i < plan.columns.size(); ++i) {
    std::shared_ptr<const DomainColumn> column = plan.domains[i];
    if (!column)
      column = std::make_shared<const DomainColumn>(DomainColumn::observed(plan.columns[i], tuples.dictionaries[i]));
    axes.push_back({column, i < quasi_levels.size() ? quasi_levels[i] : plan.levels[i]});
  }
  return axes;
}

template <class Random>
Result<std::vector<int>> choose_levels(Random& random, const table::TupleCounts& tuples, const ReleasePlan& plan) {
  const std::vector<int> fixed(plan.levels.begin(),
                               plan.levels.begin() + static_cast<std::ptrdiff_t>(plan.quasi.size()));
  if (plan.release.mode != ReleaseMode::select) return fixed;
  GAUZE_TRY(const LevelSelection selection, plan.level_selection());
  std::vector<std::uint64_t> counts = tuples.counts;
  if (plan.counts_persons()) counts = cap_rows(random, tuples.counts, tuples.codes.back(), plan.bounds.most_rows());
  return Draw<Random>::levels(selection, random, selection.scores(tuples, counts));
}

/// The tuples that have an id, which is their last column.
table::TupleCounts with_owner(const table::TupleCounts& all) {
  table::TupleCounts owned;
  owned.dictionaries = all.dictionaries;
  owned.codes.resize(all.codes.size());
  const auto& ids = all.codes.back();
  const auto& nobody = all.dictionaries.back().missing;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (ids[i] == nobody) continue;
    for (std::size_t column = 0; column < all.codes.size(); ++column)
      owned.codes[column].push_back(all.codes[column][i]);
    owned.counts.push_back(all.counts[i]);
  }
  return owned;
}

template <class Random>
Result<Release> draw_release(Random& random, const table::TupleCounts& all, const ReleasePlan& plan) {
  const bool some_are_nobodys = plan.counts_persons() && all.dictionaries.back().missing;
  const table::TupleCounts owned = some_are_nobodys ? with_owner(all) : table::TupleCounts();
  const table::TupleCounts& tuples = some_are_nobodys ? owned : all;
  Release result;
  GAUZE_TRY(result.levels, choose_levels(random, tuples, plan));
  std::vector<Domain::Axis> axes = axes_of(plan, tuples, result.levels);
  CodedTuples coded;
  if (plan.is_stability()) {
    coded = CodedTuples::observed(std::move(axes), tuples);
  } else {
    GAUZE_TRY(Domain domain, Domain::product(std::move(axes)));
    coded = CodedTuples::in(std::make_shared<const Domain>(std::move(domain)), tuples);
  }
  result.domain = coded.domain;
  Histogram histogram;
  if (plan.counts_persons()) {
    // Stability names classes by the number of persons in them, so each counts once.
    UnitBounds bounds = plan.bounds;
    if (plan.is_stability()) bounds.max_rows = 1;
    histogram = Draw<Random>::count(BoundedUnits(coded, tuples.counts, tuples.codes.back()), random, bounds);
  } else {
    histogram = count_rows(coded, tuples.counts);
  }
  GAUZE_TRY(const HistogramRelease release, plan.histogram_release(coded.domain->size()));
  result.cut = release.cut();
  result.expected_phantom_cells = release.expected_phantom_cells();
  result.histogram = Draw<Random>::histogram(release, random, histogram);
  return result;
}

}  // namespace

std::vector<table::DeclaredColumn> declared_columns(const ReleasePlan& plan) {
  std::vector<table::DeclaredColumn> columns;
  for (const std::string& name : plan.columns) columns.push_back({.name = name});
  if (plan.release.unit) columns.push_back({.name = plan.release.unit->id, .unreadable = ""});
  return columns;
}

Result<Release> make_release(SecureRandom& random, const table::TupleCounts& tuples, const ReleasePlan& plan) {
  return draw_release(random, tuples, plan);
}

Result<Release> simulate_release(SeededRandom& random, const table::TupleCounts& tuples, const ReleasePlan& plan) {
  return draw_release(random, tuples, plan);
}

}  // namespace gauze::release
