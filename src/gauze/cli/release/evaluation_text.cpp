#include "gauze/cli/release/evaluation_text.h"

#include <algorithm>
#include <cmath>

#include "gauze/assess/evaluation/advice.h"
#include "gauze/base/joined.h"
#include "gauze/cli/core/text_table.h"
#include "gauze/schema/policy/criterion_text.h"

namespace gauze::cli {
namespace {

using assess::Evaluation;
using assess::FigurePath;

std::string figure(const std::optional<Estimate>& estimate, int digits) {
  return estimate && std::isfinite(estimate->mean) ? fmt::format("{:.{}f}", estimate->mean, digits) : "-";
}

/// "0.815 (0.808-0.822)"
std::string with_interval(const std::optional<Estimate>& estimate) {
  if (!estimate || !std::isfinite(estimate->mean)) return "-";
  return fmt::format("{:.3f} ({:.3f}-{:.3f})", estimate->mean, estimate->low, estimate->high);
}

std::string rate_text(double share) { return fmt::format("{:.0f} %", 100 * share); }

std::string number(double value) { return std::isnan(value) ? "-" : fmt::format("{:.3f}", value); }

std::string ks_text(const assess::EvaluationSetting& setting) {
  if (setting.ks.empty()) return std::to_string(setting.policy.privacy.k);
  std::vector<std::string> texts;
  for (const std::uint64_t k : setting.ks) texts.push_back(std::to_string(k));
  return enumerated(texts);
}

std::string describe_setting(const Evaluation& evaluation) {
  const auto& setting = evaluation.setting();
  const auto& release = *setting.policy.release;
  return fmt::format("{} rows, {} classes at these levels, k = {}, {}, {} repetitions\n", evaluation.data().rows,
                     evaluation.view().histogram.cells.size(), ks_text(setting),
                     setting.as_published ? "as published"
                                          : fmt::format("mode {}", word_of(schema::kReleaseModeWords, release.mode)),
                     setting.repetitions);
}

std::string baselines_text(const Evaluation& evaluation) {
  if (!evaluation.baselines()) return "";
  const auto& baselines = *evaluation.baselines();
  return fmt::format("accuracy without protection {} (trees {}), of always answering the majority {}\n",
                     number(baselines.unprotected.logistic.accuracy.value_or(std::nan(""))),
                     number(baselines.unprotected.trees.accuracy.value_or(std::nan(""))),
                     number(baselines.majority_accuracy));
}

}  // namespace

std::string sweep_text(const Evaluation& evaluation, Style style) {
  const auto& setting = evaluation.setting();
  const auto& runs = *evaluation.runs();
  const auto rates = assess::win_rates(runs.scores, setting.weights, evaluation.eligible());
  TextTable table;
  const bool several = !setting.ks.empty();
  std::vector<std::string> header = {"epsilon", "TVD", "classes", "k", "privacy", "utility"};
  if (several) {
    header[3] = "noisy k";
    header.insert(header.begin(), "k");
  }
  if (setting.measures_models()) header.emplace_back("accuracy");
  if (setting.measures_fairness()) {
    header.emplace_back("fairness");
    for (const std::string& name : setting.protected_columns) header.push_back("EOD " + name);
  }
  header.insert(header.end(), {"score", "wins"});
  table.add(header);
  for (std::size_t e = 0; e < evaluation.candidates().size(); ++e) {
    const assess::Candidate& candidate = evaluation.candidates()[e];
    const char* mark = setting.is_allowed(candidate.epsilon) ? "" : " !";
    const auto of = [&](const FigurePath& path) { return runs.estimate_of(e, path); };
    std::vector<std::string> row = {candidate.epsilon.to_decimal() + mark,
                                    figure(of({"tvd"}), 4),
                                    figure(of({"classes"}), 0),
                                    figure(of({"k_noisy"}), 1),
                                    figure(of({"privacy", "score"}), 3),
                                    figure(of({"utility", "score"}), 3)};
    if (several) row.insert(row.begin(), std::to_string(candidate.k));
    if (setting.measures_models()) row.push_back(figure(of({"utility", "models", "logistic", "accuracy"}), 3));
    if (setting.measures_fairness()) {
      row.push_back(figure(of({"fairness", "score"}), 3));
      for (const std::string& name : setting.protected_columns)
        row.push_back(figure(of({"fairness", name, setting.as_published ? "eod_sum" : "eod_max"}), 3));
    }
    row.push_back(with_interval(of({"score"})));
    row.push_back(rate_text(rates[e].mean));
    table.add(std::move(row));
  }
  std::string text = describe_setting(evaluation) + "\n" + table.text(style) + "\n" + baselines_text(evaluation);
  text += style.bold(evaluation.recommendation_text()) + "\n";
  if (setting.scenario != nullptr) text += assess::advice_text(evaluation) + "\n";
  if (const auto& answer = evaluation.requirements())
    text += answer->text() + (answer->epsilon ? " It was chosen on this data: the policy must say so.\n" : "\n");
  return text;
}

std::string comparison_text(const Evaluation& evaluation, Style style) {
  const assess::Comparison& comparison = evaluation.comparison();
  TextTable table;
  std::vector<std::string> header = {""};
  for (const auto& method : comparison.methods) header.push_back(method.name);
  table.add(header);
  const auto line = [&](const std::string& name, const auto& cell) {
    std::vector<std::string> row = {name};
    for (const auto& method : comparison.methods) row.push_back(cell(method));
    table.add(std::move(row));
  };
  line("k", [](const auto& method) { return method.k ? std::to_string(*method.k) : "-"; });
  line("epsilon", [](const auto& method) { return method.epsilon ? method.epsilon->to_decimal() : "-"; });
  line("generalisation loss", [&](const auto&) { return number(comparison.generalisation_loss); });
  line("suppressed", [](const auto& method) { return fmt::format("{:.3g} %", 100 * method.suppressed); });
  const std::size_t figures = comparison.methods.front().figures.size();
  for (std::size_t i = 0; i < figures; ++i) {
    const FigurePath& path = comparison.methods.front().figures.path(i);
    std::string name;
    for (const std::string& part : path)
      if (part != "models" && part != "fairness") name += (name.empty() ? "" : " ") + part;
    line(name, [&](const auto& method) { return with_interval(estimate(method.values[i])); });
  }
  return describe_setting(evaluation) + "\n" + table.text(style) + "\n" + baselines_text(evaluation);
}

}  // namespace gauze::cli
