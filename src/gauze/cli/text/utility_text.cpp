#include "gauze/cli/text/utility_text.h"

#include <fmt/format.h>

#include "gauze/base/joined.h"
#include "gauze/cli/core/text_table.h"

namespace gauze::cli {

using namespace text;  // the vocabulary of this file

namespace {

constexpr std::string_view kIntervals = "In brackets: the middle 95 % of the repetitions of sanitising.";

/// "0.815 (0.808-0.822)"
std::string with_interval(const RepeatedFigure& figure) {
  return fmt::format("{:.3f} ({:.3f}-{:.3f})", figure.mean, figure.low, figure.high);
}

std::string share_text(double share) { return fmt::format("{:.1f} %", 100 * share); }

}  // namespace

std::string utility_text(const ClassificationCurve& results, Style style) {
  const ClassificationTask& task = results.task;
  std::string text = fmt::format("{}, {}, {}, {}\n", counted(task.train.size(), "training text"),
                                 counted(task.test.size(), "test text"), counted(task.labels.size(), "label"),
                                 counted(static_cast<std::size_t>(results.repetitions), "repetition"));
  text +=
      fmt::format("accuracy of always answering the most frequent training label: {:.3f}\n", task.majority_accuracy);
  for (std::size_t m = 0; m < results.models.size(); ++m) {
    const bool words = results.models[m] == TextModel::logistic;
    const ClassificationStudy::Cell& clean = results.outcomes.front().models[m].clean_clean;
    text += fmt::format(
        "\n{}: {}; accuracy on clean texts, trained on clean texts: {:.3f} (balanced {:.3f})\n",
        style.bold(to_string(results.models[m])),
        words ? "a linear model of a text's words" : "a linear model of the mean of its words' trained vectors",
        clean.accuracy.mean, clean.balanced_accuracy.mean);
    TextTable table;
    table.add({"epsilon", "trained sanitised", "tested sanitised", "both sanitised", "unchanged", "masked"});
    for (std::size_t e = 0; e < results.outcomes.size(); ++e) {
      const ClassificationStudy::Outcome& outcome = results.outcomes[e];
      const ClassificationStudy::Cells& cells = outcome.models[m];
      table.add({results.epsilons[e].to_decimal(), with_interval(cells.sanitized_clean.accuracy),
                 with_interval(cells.clean_sanitized.accuracy), with_interval(cells.sanitized_sanitized.accuracy),
                 share_text(outcome.unchanged_share), share_text(outcome.masked_share)});
    }
    text += table.text(style);
  }
  return text + fmt::format("\n{}\n", kIntervals);
}

std::string utility_text(const RankingCurve& results, Style style) {
  std::string text = fmt::format("{}, {}, {}\n", counted(results.task.queries.size(), "query", "queries"),
                                 counted(results.task.rows, "pair"),
                                 counted(static_cast<std::size_t>(results.repetitions), "repetition"));
  text += fmt::format("candidates in random order: MAP {:.3f}, MRR {:.3f}\n", results.random.map, results.random.mrr);
  const RankingStudy::Cell& clean = results.outcomes.front().clean_clean;
  text += fmt::format("all clean: MAP {:.3f}, MRR {:.3f}\n\n", clean.map.mean, clean.mrr.mean);
  TextTable table;
  table.add({"epsilon", "", "queries sanitised", "candidates sanitised", "both sanitised", "unchanged", "masked"});
  for (std::size_t e = 0; e < results.outcomes.size(); ++e) {
    const RankingStudy::Outcome& outcome = results.outcomes[e];
    for (const bool map : {true, false}) {
      const auto of = [&](const RankingStudy::Cell& cell) { return with_interval(map ? cell.map : cell.mrr); };
      std::vector<std::string> row = {map ? results.epsilons[e].to_decimal() : "", map ? "MAP" : "MRR",
                                      of(outcome.sanitized_clean), of(outcome.clean_sanitized),
                                      of(outcome.sanitized_sanitized)};
      if (map) row.insert(row.end(), {share_text(outcome.unchanged_share), share_text(outcome.masked_share)});
      table.add(std::move(row));
    }
  }
  return text + table.text(style) + fmt::format("\n{}\n", kIntervals);
}

}  // namespace gauze::cli
