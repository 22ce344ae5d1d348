#include "gauze/release/job/release_label.h"

#include "gauze/base/joined.h"
#include "gauze/schema/policy/criterion_text.h"

namespace gauze::release {

using namespace schema;  // the vocabulary of this file

namespace {

Json number(const Rational& value) { return Json::number(value.to_decimal()); }

Json level_object(const ReleasePlan& plan, const std::vector<int>& levels) {
  Json object = Json::object();
  for (std::size_t i = 0; i < plan.quasi.size(); ++i) object.set(plan.quasi[i], levels[i]);
  return object;
}

/// What the policy says was chosen by looking at this data.
std::vector<std::string> chosen_on_data(const PolicyProvenance& provenance, bool levels_selected) {
  std::vector<std::string> names;
  if (provenance.quasi == Provenance::data) names.emplace_back("the quasi-identifiers");
  if (provenance.levels == Provenance::data && !levels_selected) names.emplace_back("the levels");
  if (provenance.k == Provenance::data) names.emplace_back("k");
  if (provenance.epsilon == Provenance::data) names.emplace_back("epsilon");
  return names;
}

Json parameters(const ReleasePlan& plan, const Release& release) {
  const ReleaseBudget& budget = plan.budget;
  const bool gaussian = plan.release.noise == ReleaseNoise::gaussian;
  Json columns = Json::array();
  for (const std::string& name : plan.columns) columns.push(name);
  Json object = Json::object({{"mode", word_of(kReleaseModeWords, plan.release.mode)},
                              {"kind", word_of(kReleaseKindWords, plan.release.kind)},
                              {"k", plan.k},
                              {"columns", std::move(columns)},
                              {"levels", level_object(plan, release.levels)},
                              {"noise", gaussian ? "discrete Gaussian" : "discrete Laplace"},
                              {gaussian ? "sigma" : "scale", number(budget.spread)}});
  if (plan.is_stability()) {
    object.set("threshold", release.cut);
  } else {
    object.set("domain_size", release.domain->size());
    object.set("cut", release.cut);
    object.set("expected_phantom_cells", release.expected_phantom_cells);
    object.set("fit", word_of(kReleaseFitWords, plan.release.fit));
  }
  if (gaussian) {
    object.set("rho_counts", Json::number(budget.rho_cells.to_decimal_up()));
    if (budget.total_noise) object.set("rho_total", Json::number(budget.rho_total.to_decimal_up()));
  } else {
    object.set("epsilon_counts", number(budget.epsilon_cells));
    if (budget.total_noise) object.set("epsilon_total", number(budget.epsilon_total));
  }
  if (budget.total_noise) object.set(gaussian ? "sigma_total" : "scale_total", number(budget.total_spread));
  if (plan.release.unit) {
    object.set("unit_column", plan.release.unit->id).set("max_classes", plan.release.unit->max_classes);
    if (!plan.is_stability()) object.set("max_rows", plan.release.unit->max_rows);
  }
  if (plan.release.mode == ReleaseMode::select) object.set("epsilon_select", number(budget.epsilon_select));
  Json cleaned = Json::array();
  for (std::size_t i = 0; i < plan.columns.size(); ++i)
    if (plan.cleaning[i]) cleaned.push(plan.columns[i]);
  if (!cleaned.elements()->empty()) object.set("columns_cleaned", std::move(cleaned));
  return object;
}

void describe_limits(const ReleasePlan& plan, const Policy& policy, PrivacyLabel& label) {
  std::vector<std::string>& limits = label.does_not_cover;
  const auto chosen = chosen_on_data(policy.provenance, plan.release.mode == ReleaseMode::select);
  if (!chosen.empty())
    limits.push_back(fmt::format(
        "{} {} chosen on this data: that choice is outside the guarantee", enumerated(chosen),
        chosen.size() == 1 && chosen[0] != "the levels" && chosen[0] != "the quasi-identifiers" ? "was" : "were"));
  if (plan.release.neighbours == Neighbours::replace_one && !plan.release.unit)
    limits.emplace_back("the number of rows: it is public");
  if (plan.release.unit)
    limits.push_back(
        fmt::format("rows without a readable {}: they belong to nobody and were left out", plan.release.unit->id));
  if (plan.is_stability())
    limits.push_back(
        fmt::format("k-anonymity of anything else: only that no class of fewer than {} was named", plan.k));
  else
    limits.emplace_back("k-anonymity: a class in the output may hold no record at all");
  if (plan.release.kind == ReleaseKind::records && plan.release.fit == ReleaseFit::total)
    limits.push_back(
        "the size of classes: counts of single combinations were fitted to a total, so that a class may have fewer "
        "rows than k");
  for (const Warning& warning : plan.warnings)
    if (warning.subject == Warning::Subject::privacy) limits.push_back(warning.message);
  limits.emplace_back("other releases from the same data: their costs add up");
  limits.emplace_back("facts that are true of a whole group: they can be learnt without any one person");
}

}  // namespace

PrivacyLabel make_label(const ReleasePlan& plan, const Policy& policy, const Release& release) {
  const ReleaseBudget& budget = plan.budget;
  const bool records = plan.release.kind == ReleaseKind::records;
  PrivacyLabel label;
  label.released.kind = records ? "table of records drawn from noisy counts" : "table of noisy counts";
  label.mechanism =
      fmt::format("{} with exact {} noise", word_of(kReleaseModeWords, plan.release.mode),
                  plan.release.noise == ReleaseNoise::gaussian ? "discrete Gaussian" : "discrete Laplace");
  label.parameters = parameters(plan, release);
  label.privacy_unit = plan.unit_name();
  label.neighbours = plan.release.neighbours;
  label.definition = budget.delta.sign() > 0 ? Definition::approximate : Definition::pure;
  label.cost.epsilon = budget.epsilon.to_decimal_up();
  if (budget.delta.sign() > 0) label.cost.delta = budget.delta.to_decimal_up();
  const std::string cells = records ? "combination of values" : "class";
  if (plan.is_stability()) {
    label.covers = {
        fmt::format("the counts, and which classes are named: a class of fewer than {} is never named", plan.k)};
  } else {
    label.covers = {
        fmt::format("the counts of every {} of the declared domain, empty ones included: one with fewer "
                    "than {} records is treated exactly as an empty one",
                    cells, plan.k)};
  }
  if (plan.release.mode == ReleaseMode::select) label.covers.emplace_back("the choice of the levels");
  if (records) label.covers.emplace_back("the records: they are drawn from noisy counts, none is copied");
  if (budget.total_noise) label.covers.emplace_back("the total: it is noisy, with its own share of epsilon");
  describe_limits(plan, policy, label);
  label.provenance = {
      {"quasi_identifiers", policy.provenance.quasi},
      {"hierarchies", policy.provenance.hierarchies},
      {"levels", plan.release.mode == ReleaseMode::select ? Provenance::selected : policy.provenance.levels},
      {"k", policy.provenance.k},
      {"epsilon", policy.provenance.epsilon}};
  if (policy.cleans()) label.provenance.emplace("cleaning", policy.provenance.cleaning);
  return label;
}

PrivacyLabel make_published_label(const Policy& policy, const Rational& epsilon, const Rational& noise_scale) {
  PrivacyLabel label;
  label.warning = "as published: no DP guarantee for the release";
  label.released.kind = "table of resampled rows";
  label.mechanism = "k-anonymous classes with Laplace noise on their counts, as published";
  Json quasi = Json::array();
  for (const std::string& name : policy.names_with(Role::quasi)) quasi.push(name);
  label.parameters = Json::object({{"mode", "as-published"},
                                   {"k", policy.privacy.k},
                                   {"columns", std::move(quasi)},
                                   {"claimed_epsilon", number(epsilon)},
                                   {"noise_scale", number(noise_scale)}});
  label.privacy_unit = "one row";
  label.definition = Definition::none;
  label.does_not_cover = {
      "which classes occur: only classes that hold records get noise, so that a class that is missing tells",
      "which classes reach k: they are judged by their true size, before any noise",
      "the rows: they are real ones, drawn again with replacement, with all their other columns",
      "replacing a record: it moves two counts, and the noise is made for one",
      "how quasi-identifiers, levels and epsilon were chosen",
  };
  label.provenance = {{"quasi_identifiers", policy.provenance.quasi},
                      {"hierarchies", policy.provenance.hierarchies},
                      {"levels", policy.provenance.levels},
                      {"k", policy.provenance.k},
                      {"epsilon", policy.provenance.epsilon}};
  if (policy.cleans()) label.provenance.emplace("cleaning", policy.provenance.cleaning);
  return label;
}

}  // namespace gauze::release
