#include "gauze/assess/evaluation/mechanism.h"

#include <algorithm>
#include <cmath>

namespace gauze::assess {

using schema::ReleaseKind;
using schema::ReleaseMode;

namespace {

ClassTable to_class_table(const release::ReleasedHistogram& released) {
  ClassTable table;
  table.classes.reserve(released.cells.size());
  for (const release::ReleasedCell& one : released.cells)
    if (one.count > 0) table.classes.push_back({one.cell, static_cast<double>(one.count)});
  table.rest = static_cast<double>(released.remainder);
  return table;
}

release::UnitBounds bounds_of(const schema::PolicyRelease& release) {
  if (!release.unit) return {};
  return {release.unit->max_classes, release.unit->max_rows};
}

}  // namespace

Result<Mechanism> Mechanism::make(const EvaluationSetting& setting, const LevelView& view, const Rational& epsilon,
                                  std::optional<std::uint64_t> k) {
  const std::uint64_t used_k = k.value_or(setting.policy.privacy.k);
  if (setting.as_published) {
    GAUZE_TRY(release::PublishedRelease published,
              release::PublishedRelease::make({.epsilon = epsilon, .noise_scale = setting.noise_scale, .k = used_k}));
    return Mechanism(std::move(published), used_k);
  }
  const schema::PolicyRelease& policy = *setting.policy.release;
  const release::UnitBounds bounds = bounds_of(policy);
  GAUZE_TRY(const release::ReleaseBudget budget,
            release::divide_budget(policy, bounds, {.epsilon = epsilon, .delta = setting.delta}));
  release::HistogramRelease::Options options{.release = policy,
                                             .k = used_k,
                                             .budget = budget,
                                             .delta_per_class = setting.delta,
                                             .cells = view.released_cells()};
  const bool replace = policy.neighbours == Neighbours::replace_one;
  options.delta_per_class /= Rational(static_cast<std::int64_t>(bounds.max_classes * (replace ? 2 : 1)));
  options.release.kind = view.records ? ReleaseKind::records : ReleaseKind::counts;
  GAUZE_TRY(release::HistogramRelease counts, release::HistogramRelease::make(options));
  const auto attacked = [&]() -> Result<Mode> {
    if (policy.mode == ReleaseMode::stability) {
      GAUZE_TRY(release::StabilityRelease mode,
                release::StabilityRelease::make(
                    {.k = used_k, .noise = budget.cell_noise, .delta_per_class = options.delta_per_class}));
      return Mode(std::move(mode));
    }
    GAUZE_TRY(release::GridRelease mode,
              release::GridRelease::make({.k = used_k,
                                          .cells = kAttackTargets,
                                          .noise = budget.cell_noise,
                                          .cut = static_cast<std::uint64_t>(counts.cut())}));
    return Mode(std::move(mode));
  };
  GAUZE_TRY(Mode mode, attacked());
  Mechanism mechanism(std::move(mode), used_k);
  mechanism.counts_ = std::move(counts);
  mechanism.law_ = budget.cell_noise.law;
  if (setting.measures_models()) {
    if (view.domain->size() > schema::Domain::kMostCells / view.cells_a_class)
      return invalid_parameter("the domain with outcomes has more than {} cells: choose coarser levels",
                               schema::Domain::kMostCells);
    options.cells = view.domain->size() * view.cells_a_class;
    options.release.kind = ReleaseKind::records;
    GAUZE_TRY(mechanism.joint_, release::HistogramRelease::make(options));
  }
  return mechanism;
}

CountRun Mechanism::counts(SeededRandom& random, const LevelView& view) const {
  CountRun run;
  if (counts_) {
    const auto released = counts_->simulate(random, view.released(), &run.absolute_noise);
    run.released = view.records ? view.records->by_class(released) : to_class_table(released);
    return run;
  }
  const auto classes =
      std::get<release::PublishedRelease>(attacked_).draw(random, view.histogram, &run.absolute_noise);
  for (const auto& one : classes) run.released.classes.push_back({one.cell, static_cast<double>(one.count)});
  return run;
}

ClassTable Mechanism::training(SeededRandom& random, const LevelView& view) const {
  if (joint_) return to_class_table(joint_->simulate(random, view.joint));
  ClassTable table;
  for (const auto& one : std::get<release::PublishedRelease>(attacked_).draw(random, view.train_classes)) {
    // The real rows of the class, drawn again.
    const LevelView::Outcomes& rows = view.train_outcomes.at(one.cell);
    const auto drawn =
        release::resample(random, {rows.positive, rows.negative}, static_cast<std::uint64_t>(one.count));
    for (std::uint64_t outcome = 0; outcome < 2; ++outcome)
      if (drawn[outcome] > 0)
        table.classes.push_back({one.cell * view.cells_a_class + outcome, static_cast<double>(drawn[outcome])});
  }
  return table;
}

double Mechanism::membership_advantage(SeededRandom& random, const LevelView& view, std::size_t targets) const {
  const schema::Histogram& cells = view.released();
  const std::uint64_t inside = cells.total - cells.outside;
  if (inside == 0 || targets == 0) return std::nan("");
  // Each target gets a cell of its own, with or without it.
  schema::Histogram trial;
  std::vector<std::uint64_t> sizes;
  std::vector<bool> present;
  std::vector<bool> coins;
  for (std::size_t i = 0; i < targets; ++i) {
    const std::uint64_t record = random.below(inside);
    const auto place = std::upper_bound(view.cell_ends.begin(), view.cell_ends.end(), record);
    sizes.push_back(cells.cells[static_cast<std::size_t>(place - view.cell_ends.begin())].count);
    const std::uint64_t word = random.next();
    present.push_back((word & 1) != 0);
    coins.push_back((word & 2) != 0);
    trial.add(i, sizes.back() - (present.back() ? 0 : 1), targets);
  }
  std::vector<double> seen(targets, -1);
  if (const auto* published = std::get_if<release::PublishedRelease>(&attacked_)) {
    for (const auto& one : published->draw(random, trial)) seen[one.cell] = static_cast<double>(one.count);
  } else if (const auto* grid = std::get_if<release::GridRelease>(&attacked_)) {
    for (const auto& one : grid->simulate(random, trial)) seen[one.cell] = static_cast<double>(one.value);
  } else {
    for (const auto& one : std::get<release::StabilityRelease>(attacked_).simulate(random, trial))
      seen[one.cell] = static_cast<double>(one.value);
  }
  double right = 0;
  for (std::size_t i = 0; i < targets; ++i) {
    const bool tells_nothing = sizes[i] < k_;  // with or without: treated as empty
    const bool guess = tells_nothing ? coins[i] : seen[i] >= static_cast<double>(sizes[i]);
    right += guess == present[i] ? 1 : 0;
  }
  return 2 * right / static_cast<double>(targets) - 1;
}

double Mechanism::expected_raw_distance(const LevelView& view) const {
  if (!law_) return std::nan("");
  const double cells =
      std::holds_alternative<release::GridRelease>(attacked_)
          ? static_cast<double>(view.released_cells())
          : static_cast<double>(std::count_if(view.released().cells.begin(), view.released().cells.end(),
                                              [&](const auto& one) { return one.count >= k_; }));
  return cells * release::mean_absolute(*law_) / (2 * static_cast<double>(view.histogram.total));
}

}  // namespace gauze::assess
