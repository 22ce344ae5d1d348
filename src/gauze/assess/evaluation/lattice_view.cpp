#include "gauze/assess/evaluation/lattice_view.h"

#include <cmath>
#include <cstdlib>

namespace gauze::assess {
namespace {

constexpr std::size_t kMostNodes = 400;
constexpr std::uint64_t kMostWork = 20'000'000;  // nodes x tuples

Result<Json> describe_node(const EvaluationSetting& setting, const EvaluationData& data,
                           const ReleasedColumns& columns, const std::vector<int>& levels, bool chosen) {
  std::vector<schema::Domain::Axis> axes;
  for (std::size_t i = 0; i < levels.size(); ++i) axes.push_back({columns.quasi[i], levels[i]});
  const schema::CodedTuples coded = schema::CodedTuples::observed(axes, data.tuples);
  const schema::Histogram histogram = schema::count_rows(coded, data.tuples.counts);
  std::uint64_t smallest = 0;
  double below = static_cast<double>(histogram.outside);
  for (const schema::CellCount& one : histogram.cells) {
    smallest = smallest == 0 ? one.count : std::min(smallest, one.count);
    if (one.count < setting.policy.privacy.k) below += static_cast<double>(one.count);
  }
  double loss = 0;
  double weights = 0;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const std::vector<double> losses = value_losses(*columns.quasi[i], data.tuples.dictionaries[i], levels[i]);
    const double weight = setting.policy.find(columns.quasi[i]->name())->weight.to_double();
    weights += weight;
    for (std::size_t tuple = 0; tuple < data.tuples.size(); ++tuple)
      loss += weight * losses[data.tuples.codes[i][tuple]] * static_cast<double>(data.tuples.counts[tuple]);
  }
  Json list = Json::array();
  for (const int level : levels) list.push(level);
  const auto rows = static_cast<double>(data.rows);
  return Json::object({{"levels", std::move(list)},
                       {"classes", histogram.cells.size()},
                       {"smallest", smallest},
                       {"below_k", below / rows},
                       {"loss", loss / rows / weights},
                       {"chosen", chosen}});
}

}  // namespace

Result<Json> describe_lattice(const EvaluationSetting& setting, const EvaluationData& data,
                              const ReleasedColumns& columns, const LevelView& chosen) {
  std::size_t nodes = 1;
  for (const auto& column : columns.quasi) {
    nodes *= static_cast<std::size_t>(column->height() - column->lowest() + 1);
    if (nodes > 1'000'000) break;
  }
  const std::size_t affordable = std::min<std::size_t>(
      kMostNodes, static_cast<std::size_t>(kMostWork / std::max<std::size_t>(1, data.tuples.size())));
  const bool complete = nodes <= std::max<std::size_t>(1, affordable);
  Json names = Json::array();
  Json heights = Json::array();
  for (const auto& column : columns.quasi) {
    names.push(column->name());
    heights.push(column->height());
  }
  Json list = Json::array();
  std::size_t described = 0;
  const auto visit = [&](const std::vector<int>& levels) -> Result<void> {
    if (described++ >= std::max<std::size_t>(1, affordable)) return {};
    GAUZE_TRY(Json node, describe_node(setting, data, columns, levels, levels == chosen.levels));
    list.push(std::move(node));
    return {};
  };
  if (complete) {
    std::vector<int> levels;
    for (const auto& column : columns.quasi) levels.push_back(column->lowest());
    for (std::size_t i = 0; i < nodes; ++i) {
      GAUZE_TRY_VOID(visit(levels));
      for (std::size_t c = levels.size(); c-- > 0;) {
        if (++levels[c] <= columns.quasi[c]->height()) break;
        levels[c] = columns.quasi[c]->lowest();
      }
    }
  } else {
    GAUZE_TRY_VOID(visit(chosen.levels));
    for (std::size_t c = 0; c < chosen.levels.size(); ++c) {
      for (const int step : {-1, 1}) {
        std::vector<int> levels = chosen.levels;
        levels[c] += step;
        if (levels[c] >= columns.quasi[c]->lowest() && levels[c] <= columns.quasi[c]->height())
          GAUZE_TRY_VOID(visit(levels));
      }
    }
  }
  return Json::object({{"columns", std::move(names)},
                       {"heights", std::move(heights)},
                       {"complete", complete},
                       {"nodes", std::move(list)}});
}

}  // namespace gauze::assess
