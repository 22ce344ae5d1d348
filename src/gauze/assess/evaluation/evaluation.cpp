#include "gauze/assess/evaluation/evaluation.h"

#include <algorithm>
#include <cmath>

#include "gauze/assess/evaluation/epsilon_range.h"
#include "gauze/assess/evaluation/lattice_view.h"
#include "gauze/base/joined.h"
#include "gauze/schema/cleaning/cleaned_source.h"

namespace gauze::assess {
namespace {

/// Advice is held against a sweep that has its epsilons, where they can be released.
void add_advised(EvaluationSetting& setting) {
  for (const Rational& epsilon : advised_epsilons())
    if (release::ReleasePlan::make(setting.policy, {.epsilon = epsilon, .delta = setting.delta}))
      setting.epsilons.push_back(epsilon);
  std::sort(setting.epsilons.begin(), setting.epsilons.end());
  setting.epsilons.erase(std::unique(setting.epsilons.begin(), setting.epsilons.end()), setting.epsilons.end());
}

/// Rows that no class of the domain can hold, column by column: what they add up to is lost before any noise.
void warn_of_rows_outside(const LevelView& view, EvaluationData& data) {
  if (view.histogram.outside == 0) return;
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < data.quasi; ++i) {
    const schema::Domain::Axis& axis = view.domain->axis(i);
    const auto codes = axis.column->encode(data.tuples.dictionaries[i], axis.level);
    std::uint64_t rows = 0;
    for (std::size_t tuple = 0; tuple < data.tuples.size(); ++tuple)
      if (codes[data.tuples.codes[i][tuple]] == schema::kOutside) rows += data.tuples.counts[tuple];
    if (rows > 0) parts.push_back(fmt::format("{} {}", axis.column->name(), rows));
  }
  data.warnings.push_back(
      {"rows_outside",
       fmt::format("{} of {} rows lie outside the declared domain and count as `(other)` (by column: {}); `gauze "
                   "hierarchy check` names their values",
                   view.histogram.outside, data.rows, joined(parts))});
}

/// Too few of an outcome, in the test rows or in a group of them, for rates that mean something.
void warn_of_few_outcomes(const LevelView& view, const EvaluationSetting& setting, EvaluationData& data) {
  const double fewest = setting.minimum_group;
  if (const double rarer = view.test->rarer_outcome(); rarer < fewest) {
    data.warnings.push_back(
        {"few_outcomes", fmt::format("of the rarer outcome of {} there are {:.0f} test rows, fewer than {:.0f}: {}",
                                     *setting.target, rarer, fewest,
                                     setting.as_published ? "rates of groups say little (scored as published)"
                                                          : "fairness is not scored")});
    return;
  }
  std::vector<std::string> few;
  for (std::size_t g = 0; g < data.groupings.size(); ++g) {
    if (data.groupings[g].intersection) continue;
    for (std::size_t group = 0; group < data.groupings[g].groups.size(); ++group) {
      const auto [rows, rarer] = data.outcomes_in_group(g, static_cast<std::uint32_t>(group));
      if (rows >= fewest && rarer < fewest)
        few.push_back(fmt::format("{} = {}", data.groupings[g].name, data.groupings[g].groups[group]));
    }
  }
  if (!few.empty())
    data.warnings.push_back(
        {"few_outcomes_in_group",
         fmt::format("fewer than {:.0f} test rows of one outcome of {} in the group{} {}: differences of rates there "
                     "are mostly chance",
                     fewest, *setting.target, few.size() == 1 ? "" : "s", joined(few))});
}

/// Models that treat everybody alike, whose groups are then treated alike too.
void warn_of_degenerate_models(const Evaluation& evaluation, std::vector<Warning>& warnings) {
  const EvaluationSetting& setting = evaluation.setting();
  const char* scored = setting.as_published ? "what is fair about them says nothing (scored as published)"
                                            : "these repetitions have no fairness and no score, and cannot win";
  if (is_degenerate(evaluation.baselines()->unprotected.logistic)) {
    warnings.push_back({"degenerate_model",
                        "even without protection the logistic regression treats everybody (nearly) alike "
                        "(balanced accuracy 0.50): these columns do not predict the target"});
  }
  if (!evaluation.runs()) return;
  std::vector<std::string> where;
  for (std::size_t i = 0; i < evaluation.candidates().size(); ++i) {
    const auto share = evaluation.runs()->estimate_of(i, {"utility", "models", "logistic", "degenerate"});
    if (share && share->mean > 0.05)
      where.push_back(fmt::format("{} ({:.0f} %)", evaluation.name_of(i), 100 * share->mean));
  }
  if (!where.empty())
    warnings.push_back(
        {"degenerate_model",
         fmt::format("at epsilon {} of the repetitions the logistic regression treats everybody (nearly) alike "
                     "(balanced accuracy 0.50): {}",
                     enumerated(where), scored)});
}

}  // namespace

Result<Evaluation> Evaluation::run(table::Source& raw, EvaluationSetting setting, bool with_sweep,
                                   Progress& progress) {
  GAUZE_TRY_VOID(setting.check());
  const double sum = setting.weights.privacy + setting.weights.utility + setting.weights.fairness;
  setting.weights = {setting.weights.privacy / sum, setting.weights.utility / sum, setting.weights.fairness / sum};
  if (!setting.policy.release) setting.policy.release.emplace();
  Evaluation evaluation;
  const bool hierarchies_from_data = setting.policy.provenance.hierarchies == Provenance::data;
  const bool cleaning_from_data =
      setting.policy.cleans() && setting.policy.provenance.cleaning != Provenance::public_knowledge;
  // An evaluation is for the owner: a policy that a release would refuse for its origins may be tried out.
  setting.policy.provenance.hierarchies = Provenance::public_knowledge;
  setting.policy.provenance.cleaning = Provenance::public_knowledge;
  evaluation.setting_ = std::make_unique<EvaluationSetting>(std::move(setting));
  const EvaluationSetting& used = *evaluation.setting_;
  if (used.policy.names_with(schema::Role::quasi).empty())
    return invalid_parameter("the policy names no quasi-identifier: there is nothing to count by");
  if (!used.as_published) {
    // What a policy cannot release is said before the table is read; epsilons that are to be found stand for 1 here.
    for (const Rational& epsilon : used.epsilons.empty() ? std::vector{Rational(1)} : used.epsilons)
      GAUZE_TRY_VOID(release::ReleasePlan::make(used.policy, {.epsilon = epsilon, .delta = used.delta}));
  }
  // As a release would read it: its policy says how numbers are written.
  GAUZE_TRY(const auto cleaned,
            schema::CleanedSource::make(raw, used.policy,
                                        {.decimal = used.policy.input.decimal.value_or(table::DecimalSign::point)}));
  GAUZE_TRY(EvaluationData data, EvaluationData::read(*cleaned, used, progress));
  evaluation.data_ = std::make_shared<EvaluationData>(std::move(data));
  std::vector<Warning>& warnings = evaluation.data_->warnings;
  if (hierarchies_from_data && !used.as_published)
    warnings.push_back(Warning::of_privacy(
        "hierarchies_from_data",
        "the policy does not say that its hierarchies are public: `gauze release` would refuse it"));
  if (cleaning_from_data && !used.as_published)
    warnings.push_back(Warning::of_privacy(
        "cleaning_from_data",
        "the policy does not say that `same` and `valid` are public: `gauze release` would refuse it"));
  if (used.policy.release->unit && !used.as_published)
    warnings.push_back(
        {"unit_not_simulated",
         "the noise is that for persons, but rows are counted as they are: cutting persons to their bounds is not "
         "simulated"});
  if (!used.counts_only && !used.target)
    warnings.push_back({"no_target", "the policy has no target: models and fairness are left out"});
  if (used.measures_models() && used.protected_columns.empty())
    warnings.push_back({"no_protected", "the policy has no protected columns: fairness is left out"});
  GAUZE_TRY(ReleasedColumns columns, ReleasedColumns::make(used, *evaluation.data_));
  evaluation.columns_ = std::make_shared<ReleasedColumns>(std::move(columns));
  if (used.epsilons.empty()) {
    GAUZE_TRY(evaluation.setting_->epsilons, find_epsilons(used, *evaluation.data_, *evaluation.columns_, progress));
    evaluation.setting_->epsilons_found = true;
    if (used.scenario != nullptr) add_advised(*evaluation.setting_);
  }
  for (const std::uint64_t k : used.ks)
    if (k > evaluation.data_->rows)
      return make_error(ErrorCode::infeasible, "the table has {} rows: no class can have k = {}",
                        evaluation.data_->rows, k);
  evaluation.baselines_ = measure_baselines(used, *evaluation.data_);
  GAUZE_TRY_VOID(evaluation.prepare());
  warn_of_rows_outside(evaluation.view(), *evaluation.data_);
  const bool has_outcomes = std::none_of(warnings.begin(), warnings.end(),
                                         [](const Warning& one) { return one.code == "target_undefined"; });
  if (used.measures_fairness() && has_outcomes) warn_of_few_outcomes(evaluation.view(), used, *evaluation.data_);
  if (with_sweep) {
    GAUZE_TRY(evaluation.runs_, evaluation.sweep_->run(progress));
    if (!used.requirements.empty()) GAUZE_TRY_VOID(evaluation.check_requirements(progress));
    // What is described besides is that of the k which is recommended.
    evaluation.setting_->policy.privacy.k = evaluation.candidates_[evaluation.choice().winner].k;
    GAUZE_TRY(evaluation.lattice_,
              describe_lattice(used, *evaluation.data_, *evaluation.columns_, evaluation.view()));
  }
  if (used.measures_models() && evaluation.view().test->rarer_outcome() >= used.minimum_group)
    warn_of_degenerate_models(evaluation, warnings);
  const Rational compared =
      with_sweep ? evaluation.candidates_[evaluation.choice().winner].epsilon : used.epsilons.front();
  GAUZE_TRY(evaluation.comparison_,
            compare(used, *evaluation.data_, evaluation.view(), compared, evaluation.baselines_, progress));
  return evaluation;
}

Result<void> Evaluation::prepare() {
  std::optional<double> auc;
  if (baselines_) auc = baselines_->unprotected.logistic.auc;
  candidates_ = setting_->candidates();
  if (setting_->scenario != nullptr) {
    for (const Candidate& one : candidates_) eligible_.push_back(setting_->is_allowed(one.epsilon) ? 1 : 0);
    if (std::find(eligible_.begin(), eligible_.end(), 1) == eligible_.end())
      return invalid_parameter(
          "all epsilons lie above {}, which the profile {} of T/TAF 137 lets a release spend: try a smaller one",
          ceiling_of(*setting_->scenario)->to_decimal(), setting_->scenario->profile);
  }
  sweep_ = std::make_unique<Sweep>(*setting_, *data_, *columns_, auc);
  return sweep_->prepare();
}

std::string Evaluation::name_of(std::size_t candidate) const {
  const Candidate& one = candidates_[candidate];
  if (setting_->ks.empty()) return one.epsilon.to_decimal();
  return fmt::format("{} with k = {}", one.epsilon.to_decimal(), one.k);
}

Choice Evaluation::choice() const { return choose(runs_->scores, setting_->weights, eligible_); }

std::string Evaluation::recommendation_text() const {
  const Choice best = choice();
  const std::string winner = name_of(best.winner);
  const std::string share = fmt::format("{:.0f} % of {} repetition{}", 100 * best.win_rate.mean,
                                        setting_->repetitions, setting_->repetitions == 1 ? "" : "s");
  if (candidates_.size() == 1) return fmt::format("Only epsilon {} was evaluated.", winner);
  const bool smallest =
      candidates_[best.winner].epsilon == setting_->epsilons.front() && setting_->epsilons.size() > 1;
  const char* edge = smallest ? " It is the smallest that was tried." : "";
  if (best.clear) return fmt::format("Epsilon {} has the highest score in {}.{}", winner, share, edge);
  std::vector<std::string> names;
  for (const std::size_t i : best.candidates) names.push_back(name_of(i));
  if (names.size() < 2) names.push_back(name_of(best.runner_up));
  return fmt::format("No clear winner among {}: epsilon {} is ahead, with the highest score in {}.",
                     enumerated(names), winner, share);
}

PrivacyLabel Evaluation::label() const {
  PrivacyLabel label;
  label.warning = "INTERNAL: compares with the raw data, so it is not private at any epsilon";
  label.released.kind = "evaluation";
  label.mechanism = "simulated releases, measured against the raw data";
  Json epsilons = Json::array();
  for (const Rational& epsilon : setting_->epsilons) epsilons.push(Json::number(epsilon.to_decimal()));
  label.parameters = Json::object({{"epsilons", std::move(epsilons)}, {"repetitions", setting_->repetitions}});
  label.privacy_unit = "none";
  label.definition = Definition::internal;
  label.does_not_cover = {
      "anything: every figure is computed from the raw data",
      "an epsilon chosen by it: a release with that epsilon must say that it was chosen on this data"};
  return label;
}

}  // namespace gauze::assess
