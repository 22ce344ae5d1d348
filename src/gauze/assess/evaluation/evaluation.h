#pragma once

#include <memory>
#include <optional>

#include "gauze/assess/evaluation/comparison.h"
#include "gauze/assess/evaluation/requirements_check.h"
#include "gauze/label/label.h"

namespace gauze::assess {

/// A finished evaluation. Everything in it compares with the raw data: it is for the owner's own eyes.
class Evaluation {
 public:
  /// Reads the table, simulates, measures. With `with_sweep` false only the comparison is made, at the first epsilon.
  [[nodiscard]] static Result<Evaluation> run(table::Source& table, EvaluationSetting setting, bool with_sweep,
                                              Progress& progress);

  /// docs/formats/evaluation.md. `file` is the name shown for the table.
  [[nodiscard]] Json to_json(const std::string& file) const;

  [[nodiscard]] const EvaluationSetting& setting() const { return *setting_; }
  [[nodiscard]] const EvaluationData& data() const { return *data_; }
  [[nodiscard]] const std::optional<SweepRuns>& runs() const { return runs_; }
  [[nodiscard]] const std::optional<Baselines>& baselines() const { return baselines_; }
  [[nodiscard]] const Comparison& comparison() const { return *comparison_; }
  [[nodiscard]] const LevelView& view() const { return sweep_->view(); }
  /// Each k at each epsilon, in the order of the runs.
  [[nodiscard]] const std::vector<Candidate>& candidates() const { return candidates_; }
  /// Which of them lie below the ceiling of the scenario; empty: all of them.
  [[nodiscard]] const Eligible& eligible() const { return eligible_; }
  /// "1", or "1 with k = 5" where several k were tried.
  [[nodiscard]] std::string name_of(std::size_t candidate) const;
  /// With the weights of the setting.
  [[nodiscard]] Choice choice() const;
  /// "Epsilon 1 wins in 93 % of the repetitions." or "No clear winner among 1, 1.5 and 2."
  [[nodiscard]] std::string recommendation_text() const;
  /// None where nothing was required.
  [[nodiscard]] const std::optional<RequirementsAnswer>& requirements() const { return requirements_; }
  [[nodiscard]] PrivacyLabel label() const;

 private:
  Evaluation() = default;
  /// Makes the sweep of the setting; needs data, columns and baselines.
  [[nodiscard]] Result<void> prepare();
  /// The same table at other epsilons and some of the ks, for what is required alone.
  [[nodiscard]] Result<Evaluation> at_epsilons(std::vector<Rational> epsilons, std::vector<std::uint64_t> ks,
                                               Progress& progress) const;
  /// [requirement][repetition]; refuses a name that is no figure.
  [[nodiscard]] Result<std::vector<std::vector<double>>> required_values(std::size_t candidate) const;
  [[nodiscard]] Result<void> check_requirements(Progress& progress);
  /// `values`: [candidate][requirement][run].
  [[nodiscard]] Result<std::vector<RequirementsAnswer::Unmet>> find_unmet(
      const std::vector<Series>& series, const std::vector<std::vector<std::vector<double>>>& values) const;
  [[nodiscard]] Json setting_json(const std::string& file) const;
  [[nodiscard]] Json candidate_json(std::size_t candidate) const;
  /// How a document names a candidate: its epsilon, or where several k were tried an object of both.
  [[nodiscard]] Json reference_json(std::size_t candidate) const;
  [[nodiscard]] Json scenario_json() const;
  /// The generalisation loss of section 3.3.2 of the thesis; null but as published.
  [[nodiscard]] Json published_loss_json() const;
  [[nodiscard]] Json recommendation_json() const;
  [[nodiscard]] Json baselines_json() const;
  [[nodiscard]] Json disparity_json() const;
  [[nodiscard]] Json classes_json() const;

  // On the heap: the sweep refers to them.
  std::unique_ptr<EvaluationSetting> setting_;
  std::shared_ptr<EvaluationData> data_;
  std::shared_ptr<ReleasedColumns> columns_;
  std::unique_ptr<Sweep> sweep_;
  std::optional<Baselines> baselines_;
  std::vector<Candidate> candidates_;
  Eligible eligible_;
  std::optional<SweepRuns> runs_;
  std::optional<RequirementsAnswer> requirements_;
  std::optional<Comparison> comparison_;
  Json lattice_;
};

}  // namespace gauze::assess
