#include "gauze/cli/collect/collect_text.h"

#include "gauze/base/joined.h"
#include "gauze/cli/core/text_table.h"
#include "gauze/label/printable_text.h"

namespace gauze::cli {
namespace {

using collect::CollectedResult;
using collect::NoisyFigure;

std::string share_percent(double share) { return fmt::format("{:.2f} %", 100 * share); }

std::string share_interval(const NoisyFigure& figure) {
  return fmt::format("{} to {}", share_percent(figure.low), share_percent(figure.high));
}

std::string values_text(const CollectedResult& result, Style style) {
  constexpr std::uint32_t kShown = 200;
  const collect::ValueList& names = result.task->spec().values;
  TextTable table;
  table.add({"value", "share", "estimate", "95 % interval", "count"});
  for (std::uint32_t i = 0; i < std::min(kShown, names.size()); ++i) {
    if (result.reports == 0) {
      table.add({printable(names.text(i)), "-", "-", "-", "-"});
      continue;
    }
    const collect::ValueEstimate one = result.frequency->value(i);
    table.add({printable(names.text(i)), result.percents ? (*result.percents)[i] + " %" : "-",
               share_percent(one.share.estimate), share_interval(one.share),
               result.consistent_counts ? std::to_string((*result.consistent_counts)[i]) : "-"});
  }
  std::string text = table.text(style);
  if (names.size() > kShown) text += fmt::format("... and {} more: --json has all\n", names.size() - kShown);
  return text;
}

std::string figure_text(const NoisyFigure& figure) {
  return fmt::format("{:.6g}, 95 % interval {:.6g} to {:.6g}", figure.estimate, figure.low, figure.high);
}

}  // namespace

std::string result_text(const CollectedResult& result, Style style) {
  std::string text =
      fmt::format("{} of the task '{}'\n\n", counted(result.reports, "report"), result.task->spec().name);
  if (result.mean) {
    text += fmt::format("{} {}\n", style.bold("mean    "), result.mean->mean ? figure_text(*result.mean->mean) : "-");
    if (result.task->spec().variance)
      text += fmt::format("{} {}\n", style.bold("variance"),
                          result.mean->variance ? figure_text(*result.mean->variance) : "-");
    return text;
  }
  text += values_text(result, style);
  for (const auto& sum : result.sums)
    if (sum.figure)
      text += fmt::format("\n{} {}: {}, 95 % interval {}", style.bold("sum"), printable(joined(sum.values, ", ")),
                          share_percent(sum.figure->estimate), share_interval(*sum.figure));
  for (const auto& one : result.comparisons)
    if (one.figure)
      text += fmt::format("\n{} {} minus {}: {}, 95 % interval {}", style.bold("difference"), printable(one.a),
                          printable(one.b), share_percent(one.figure->estimate), share_interval(*one.figure));
  if (!result.sums.empty() || !result.comparisons.empty()) text += "\n";
  return text;
}

std::string simulation_text(const std::vector<collect::SimulatedMechanism>& results, Style style) {
  TextTable table;
  table.add({"mechanism", "squared error", "theory", "ratio", "coverage", "bytes"});
  for (const auto& one : results)
    table.add({one.mechanism, fmt::format("{:.3g}", one.mse.mean), fmt::format("{:.3g}", one.theory),
               fmt::format("{:.3f}", one.ratio()), fmt::format("{:.1f} %", 100 * one.coverage),
               std::to_string(one.bytes)});
  return table.text(style);
}

}  // namespace gauze::cli
