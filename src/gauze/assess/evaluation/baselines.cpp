#include "gauze/assess/evaluation/baselines.h"

#include <algorithm>
#include <map>

namespace gauze::assess {

std::optional<Baselines> measure_baselines(const EvaluationSetting& setting, const EvaluationData& data) {
  if (!setting.measures_models()) return std::nullopt;
  std::vector<std::uint32_t> cardinalities;
  for (std::size_t i = 0; i < data.quasi; ++i)
    cardinalities.push_back(static_cast<std::uint32_t>(data.tuples.dictionaries[i].values.size()));
  models::Examples training;
  training.cardinalities = cardinalities;
  training.codes.resize(data.quasi);
  std::map<std::vector<std::uint32_t>, std::uint32_t> features;
  std::vector<ModelTest::Unit> units;
  double positive = 0;
  double all = 0;
  for (std::size_t tuple = 0; tuple < data.tuples.size(); ++tuple) {
    if (data.outcome[tuple] == 2) continue;
    const bool is_positive = data.outcome[tuple] == 1;
    std::vector<std::uint32_t> codes;
    for (std::size_t i = 0; i < data.quasi; ++i) codes.push_back(data.tuples.codes[i][tuple]);
    const auto [found, added] = features.emplace(codes, static_cast<std::uint32_t>(features.size()));
    if (added) {
      for (std::size_t i = 0; i < data.quasi; ++i) training.codes[i].push_back(codes[i]);
      training.positive.push_back(0);
      training.negative.push_back(0);
    }
    (is_positive ? training.positive : training.negative)[found->second] += static_cast<double>(data.train[tuple]);
    if (data.test[tuple] == 0) continue;
    ModelTest::Unit unit{.features = found->second, .positive = 0, .negative = 0, .groups = {}};
    (is_positive ? unit.positive : unit.negative) = static_cast<double>(data.test[tuple]);
    for (const Grouping& grouping : data.groupings) unit.groups.push_back(grouping.codes[tuple]);
    units.push_back(std::move(unit));
    all += static_cast<double>(data.test[tuple]);
    positive += is_positive ? static_cast<double>(data.test[tuple]) : 0;
  }
  std::vector<std::uint32_t> group_counts;
  for (const Grouping& grouping : data.groupings)
    group_counts.push_back(static_cast<std::uint32_t>(grouping.groups.size()));
  const ModelTest test(cardinalities, training.codes, std::move(units), std::move(group_counts));
  Baselines baselines;
  if (all > 0) baselines.majority_accuracy = std::max(positive, all - positive) / all;
  baselines.unprotected = test.run(training, test.plain_weights(), {.minimum_group = setting.minimum_group});
  return baselines;
}

}  // namespace gauze::assess
