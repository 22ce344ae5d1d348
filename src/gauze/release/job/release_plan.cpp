#include "gauze/release/job/release_plan.h"

#include <algorithm>

#include "gauze/schema/cleaning/cleaned_source.h"
#include "gauze/schema/policy/criterion_text.h"
#include "gauze/schema/policy/policy_rules.h"

namespace gauze::release {

using namespace schema;  // the vocabulary of this file

namespace {

constexpr std::uint64_t kMostPerUnit = 1'000'000;

Result<int> level_of(const PolicyRelease& release, const PolicyColumn& column, const DomainColumn* domain) {
  const auto given = std::find_if(release.levels.begin(), release.levels.end(),
                                  [&](const auto& one) { return one.first == column.name; });
  if (given != release.levels.end()) return given->second;
  if (domain == nullptr || domain->height() == 0 || release.mode == ReleaseMode::select) return 0;
  return invalid_parameter("`release: levels` has no level for {}: give one, from {} to {}", column.name,
                           domain->lowest(), domain->height());
}

std::vector<std::string> criteria_not_applied(const Criteria& criteria) {
  std::vector<std::string> names;
  for (const auto& rule : criteria.l_diversity) names.push_back("l-diversity " + format_criterion(rule));
  for (const auto& rule : criteria.t_closeness) names.push_back("t-closeness " + format_criterion(rule));
  for (const auto& rule : criteria.delta_disclosure) names.push_back("delta-disclosure " + format_criterion(rule));
  for (const auto& rule : criteria.beta_likeness) names.push_back("beta-likeness " + format_criterion(rule));
  if (criteria.k_map) names.emplace_back("k-map");
  if (criteria.delta_presence) names.emplace_back("delta-presence");
  return names;
}

/// The columns of the histogram: quasi-identifiers, and for records sensitive columns and the target besides.
std::vector<const PolicyColumn*> histogram_columns(const Policy& policy, ReleaseKind output) {
  std::vector<const PolicyColumn*> columns;
  for (const PolicyColumn& column : policy.columns)
    if (column.has(Role::quasi)) columns.push_back(&column);
  if (output == ReleaseKind::records)
    for (const PolicyColumn& column : policy.columns)
      if (!column.has(Role::quasi) && (column.has(Role::sensitive) || column.has(Role::target)))
        columns.push_back(&column);
  return columns;
}

/// A domain that is too large for its noise, by public figures alone: much of what it names will hold nobody.
void warn_of_phantoms(ReleasePlan& plan, std::uint64_t cells, double expected) {
  constexpr std::uint64_t kFewCells = 20;
  if (cells <= kFewCells || expected * 20 <= static_cast<double>(cells)) return;
  const Interval share(Rational(1) / Rational(static_cast<std::int64_t>(cells)), 160);
  plan.warnings.push_back(
      {"phantom_cells",
       fmt::format(
           "of {} cells {:.3g} % of those that hold nobody will be named all the same (about {:.0f}, were all empty): "
           "choose coarser levels, a larger epsilon, or a larger cut (with `cut: {}` about one would be)",
           cells, 100 * expected / static_cast<double>(cells), expected,
           plan.budget.cell_noise.law->smallest_with_tail_at_most(share))});
}

}  // namespace

Result<ReleasePlan> ReleasePlan::make(const Policy& policy, const ReleaseTarget& target) {
  ReleasePlan plan;
  plan.release = policy.release.value_or(PolicyRelease{});
  plan.k = policy.privacy.k;
  if (policy.provenance.hierarchies == Provenance::data)
    return make_error(
        ErrorCode::not_private,
        "the policy says that its hierarchies came from the data, or does not say where they came from: "
        "if they are public knowledge, write `provenance: {{hierarchies: public}}`");
  if (policy.cleans() && policy.provenance.cleaning != Provenance::public_knowledge)
    return make_error(
        ErrorCode::not_private,
        "the policy does not say that `same` and `valid` are public, and no release pays for rules that were made from the "
        "data: if spellings and bounds are public knowledge, write `provenance: {{cleaning: public}}`");
  if (plan.release.unit) {
    GAUZE_TRY_VOID(check_id_column(policy, *plan.release.unit));
    plan.bounds = {plan.release.unit->max_classes, plan.release.unit->max_rows};
    if (std::max(plan.bounds.max_classes, plan.bounds.max_rows) > kMostPerUnit)
      return invalid_parameter("max_classes and max_rows must be at most {}", kMostPerUnit);
  }
  GAUZE_TRY(plan.budget, divide_budget(plan.release, plan.bounds, target));
  if (plan.is_stability()) {
    const bool replace = plan.release.neighbours == Neighbours::replace_one;
    plan.delta_per_class =
        target.delta / Rational(static_cast<std::int64_t>(plan.bounds.max_classes * (replace ? 2 : 1)));
  }
  const std::vector<const PolicyColumn*> columns = histogram_columns(policy, plan.release.kind);
  for (const PolicyColumn* column : columns) {
    std::shared_ptr<const DomainColumn> domain;
    if (!plan.is_stability() || column->hierarchy || !column->values.empty()) {
      GAUZE_TRY(DomainColumn made, DomainColumn::make(*column, policy.input.null_tokens,
                                                      policy.input.decimal.value_or(table::DecimalSign::point)));
      domain = std::make_shared<const DomainColumn>(std::move(made));
    }
    int level = domain ? domain->lowest() : 0;
    if (column->has(Role::quasi)) {
      GAUZE_TRY(level, level_of(plan.release, *column, domain.get()));
      if (!domain && (level < 0 || level > 1))
        return invalid_parameter("the column {} has the levels 0 and 1 for a release, not {}", column->name, level);
      if (domain && plan.release.mode != ReleaseMode::select)
        GAUZE_TRY_VOID(Domain::product({{domain, level}}));  // whether it has the level
      plan.quasi.push_back(column->name);
      plan.weights.push_back(column->weight);
    }
    if (plan.release.kind == ReleaseKind::counts &&
        (column->name == "count" || column->name == "low" || column->name == "high"))
      return invalid_parameter("a column of the counts is called {} already: give the quasi-identifier another name",
                               column->name);
    plan.columns.push_back(column->name);
    plan.cleaning.push_back(cleaning_of(*column, policy.input.decimal.value_or(table::DecimalSign::point)));
    plan.levels.push_back(level);
    plan.domains.push_back(std::move(domain));
  }
  if (plan.quasi.empty())
    return invalid_parameter("the policy names no quasi-identifier: there is nothing to count by");
  // Whatever depends on the parameters alone is tried out now.
  if (plan.release.mode == ReleaseMode::select) {
    GAUZE_TRY_VOID(plan.level_selection());
  } else if (plan.is_stability()) {
    GAUZE_TRY_VOID(plan.histogram_release(1));
  } else {
    std::vector<Domain::Axis> axes;
    for (std::size_t i = 0; i < plan.columns.size(); ++i) axes.push_back({plan.domains[i], plan.levels[i]});
    GAUZE_TRY(const Domain domain, Domain::product(std::move(axes)));
    GAUZE_TRY(const HistogramRelease release, plan.histogram_release(domain.size()));
    warn_of_phantoms(plan, domain.size(), release.expected_phantom_cells());
  }
  for (const std::string& name : criteria_not_applied(policy.privacy))
    plan.warnings.push_back(Warning::of_privacy("criterion_not_applied",
                                                name + " is not applied: on true classes it has no finite epsilon"));
  return plan;
}

Result<LevelSelection> ReleasePlan::level_selection() const {
  std::uint64_t other_cells = 1;
  for (std::size_t i = quasi.size(); i < columns.size(); ++i) {
    if (domains[i]->size(levels[i]) > Domain::kMostCells / other_cells)
      return invalid_parameter("the sensitive columns and the target have more than {} combinations of values",
                               Domain::kMostCells);
    other_cells *= domains[i]->size(levels[i]);
  }
  // With a cut of its own, a domain may be so large that too many empty cells pass.
  std::uint64_t most_cells = Domain::kMostCells;
  if (release.cut) {
    const double passing = budget.cell_noise.law->upper_tail(static_cast<std::int64_t>(*release.cut)).high();
    most_cells = static_cast<std::uint64_t>(
        std::min(static_cast<double>(Domain::kMostCells), GridRelease::kMostEmptyCells / passing * 0.999));
  }
  return LevelSelection::make(
      {.quasi = {domains.begin(), domains.begin() + static_cast<std::ptrdiff_t>(quasi.size())},
       .weights = weights,
       .other_cells = other_cells,
       .most_cells = most_cells,
       .mean_noise = mean_absolute(*budget.cell_noise.law),
       .epsilon = budget.epsilon_select,
       .most_rows = bounds.most_rows(),
       .neighbours = release.neighbours});
}

Result<HistogramRelease> ReleasePlan::histogram_release(std::uint64_t cells) const {
  return HistogramRelease::make(
      {.release = release, .k = k, .budget = budget, .delta_per_class = delta_per_class, .cells = cells});
}

bool ReleasePlan::cleans() const {
  return std::any_of(cleaning.begin(), cleaning.end(), [](const auto& one) { return one != nullptr; });
}

std::string ReleasePlan::unit_name() const { return release.unit ? release.unit->privacy_unit() : "one row"; }

PrivacyCost ReleasePlan::cost() const {
  PrivacyCost cost = PrivacyCost::of_epsilon(budget.epsilon, budget.delta);
  cost.unit = unit_name();
  cost.neighbours = release.neighbours;
  if (release.noise == schema::ReleaseNoise::gaussian && release.mode == schema::ReleaseMode::grid)
    cost.rho = budget.rho_cells + budget.rho_total;
  return cost;
}

}  // namespace gauze::release
