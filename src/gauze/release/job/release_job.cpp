#include "gauze/release/job/release_job.h"

#include "gauze/release/modes/level_selection.h"
#include "gauze/schema/cleaning/cell_cleaning.h"

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

/// So many combinations of levels stay prepared.
constexpr std::size_t kMostKept = 64;

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

}  // namespace

Result<PreparedRelease> PreparedRelease::make(const table::TupleCounts& tuples, const ReleasePlan& plan) {
  PreparedRelease prepared(plan);
  prepared.all_ = &tuples;
  if (plan.cleans()) prepared.owned_ = std::make_unique<const table::TupleCounts>(clean(tuples, plan.cleaning));
  if (plan.counts_persons() && tuples.dictionaries.back().missing)
    prepared.owned_ = std::make_unique<const table::TupleCounts>(with_owner(prepared.tuples()));
  if (plan.release.mode == ReleaseMode::select) {
    GAUZE_TRY(prepared.selection_, plan.level_selection());
    if (!plan.counts_persons())
      prepared.scores_ = prepared.selection_->scores(prepared.tuples(), prepared.tuples().counts);
  }
  return prepared;
}

template <class Random>
Result<std::vector<int>> PreparedRelease::choose_levels(Random& random) const {
  if (!selection_)
    return std::vector<int>(plan_->levels.begin(),
                            plan_->levels.begin() + static_cast<std::ptrdiff_t>(plan_->quasi.size()));
  if (!plan_->counts_persons()) return Draw<Random>::levels(*selection_, random, scores_);
  const std::vector<std::uint64_t> counts =
      cap_rows(random, tuples().counts, tuples().codes.back(), plan_->bounds.most_rows());
  return Draw<Random>::levels(*selection_, random, selection_->scores(tuples(), counts));
}

Result<std::shared_ptr<const PreparedRelease::AtLevels>> PreparedRelease::prepare(
    const std::vector<int>& levels) const {
  auto made = std::make_shared<AtLevels>();
  std::vector<Domain::Axis> axes = axes_of(*plan_, tuples(), levels);
  if (plan_->is_stability()) {
    made->coded = CodedTuples::observed(std::move(axes), tuples());
  } else {
    GAUZE_TRY(Domain domain, Domain::product(std::move(axes)));
    made->coded = CodedTuples::in(std::make_shared<const Domain>(std::move(domain)), tuples());
  }
  if (plan_->counts_persons())
    made->units.emplace(made->coded, tuples().counts, tuples().codes.back());
  else
    made->histogram = count_rows(made->coded, tuples().counts);
  GAUZE_TRY(made->mechanism, plan_->histogram_release(made->coded.domain->size()));
  return made;
}

Result<std::shared_ptr<const PreparedRelease::AtLevels>> PreparedRelease::at(const std::vector<int>& levels) const {
  {
    const std::lock_guard lock(known_->mutex);
    if (const auto known = known_->levels.find(levels); known != known_->levels.end()) return known->second;
  }
  GAUZE_TRY(std::shared_ptr<const AtLevels> made, prepare(levels));
  const std::lock_guard lock(known_->mutex);
  if (known_->levels.size() >= kMostKept) return made;
  return known_->levels.emplace(levels, std::move(made)).first->second;
}

template <class Random>
Result<Release> PreparedRelease::draw(Random& random) const {
  Release result;
  GAUZE_TRY(result.levels, choose_levels(random));
  GAUZE_TRY(const std::shared_ptr<const AtLevels> table, at(result.levels));
  result.domain = table->coded.domain;
  result.cut = table->mechanism->cut();
  result.expected_phantom_cells = table->mechanism->expected_phantom_cells();
  if (!table->units) {
    result.histogram = Draw<Random>::histogram(*table->mechanism, random, table->histogram);
    return result;
  }
  // Stability names classes by the number of persons in them, so each counts once.
  UnitBounds bounds = plan_->bounds;
  if (plan_->is_stability()) bounds.max_rows = 1;
  result.histogram =
      Draw<Random>::histogram(*table->mechanism, random, Draw<Random>::count(*table->units, random, bounds));
  return result;
}

Result<Release> PreparedRelease::release(SecureRandom& random) const { return draw(random); }

Result<Release> PreparedRelease::simulate(SeededRandom& random) const { return draw(random); }

std::vector<table::DeclaredColumn> declared_columns(const ReleasePlan& plan) {
  std::vector<table::DeclaredColumn> columns;
  for (const std::string& name : plan.columns) columns.push_back({.name = name});
  if (plan.release.unit) columns.push_back({.name = plan.release.unit->id, .unreadable = ""});
  return columns;
}

Result<Release> make_release(SecureRandom& random, const table::TupleCounts& tuples, const ReleasePlan& plan) {
  GAUZE_TRY(const PreparedRelease prepared, PreparedRelease::make(tuples, plan));
  return prepared.release(random);
}

Result<Release> simulate_release(SeededRandom& random, const table::TupleCounts& tuples, const ReleasePlan& plan) {
  GAUZE_TRY(const PreparedRelease prepared, PreparedRelease::make(tuples, plan));
  return prepared.simulate(random);
}

}  // namespace gauze::release
