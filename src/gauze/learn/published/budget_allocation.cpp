#include "gauze/learn/published/budget_allocation.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace gauze::learn {
namespace {

double column_entropy(const LearningRows& rows, std::size_t feature, EntropyLog log) {
  std::unordered_map<std::uint32_t, std::uint64_t> counts;
  for (std::size_t row = 0; row < rows.rows(); ++row) ++counts[rows.codes(row)[feature]];
  std::vector<std::uint64_t> sorted;  // so that the sum does not depend on the order of a hash table
  for (const auto& [code, count] : counts) sorted.push_back(count);
  std::sort(sorted.begin(), sorted.end());
  double entropy = 0;
  for (const std::uint64_t count : sorted) {
    const double share = static_cast<double>(count) / static_cast<double>(rows.rows());
    entropy -= share * std::log(share);
  }
  return log == EntropyLog::two ? entropy / std::log(2.0) : entropy;
}

}  // namespace

Json BudgetAllocation::to_json() const {
  Json list = Json::array();
  for (const Column& column : columns)
    list.push(Json::object({{"name", column.name},
                            {"sensitive", column.sensitive},
                            {"entropy", column.entropy ? Json(*column.entropy) : Json()},
                            {"epsilon", column.epsilon},
                            {"scale", column.scale}}));
  return Json::object({{"columns", std::move(list)}, {"log", word_of(kEntropyLogWords, log)}});
}

Result<std::vector<std::string>> sensitive_names(const schema::LearnPolicy& policy, const SensitiveChoice& choice) {
  for (const std::string& name : choice.names)
    if (policy.find(name) == nullptr) return invalid_parameter("sensitive: there is no feature '{}'", name);
  if (!choice.names.empty()) return choice.names;
  if (!choice.share && !policy.sensitive.empty()) return policy.sensitive;
  const Rational share = choice.share.value_or(Rational(1, 10));
  if (!(share > Rational() && share <= Rational(1)))
    return invalid_parameter("the sensitive share must lie above 0 and be at most 1");
  const Rational features(static_cast<std::int64_t>(policy.features.size()));
  const auto count = std::max<std::int64_t>(1, *(share * features).floor().to_int64());
  std::vector<std::string> names;
  for (std::int64_t i = 0; i < count; ++i) names.push_back(policy.features[static_cast<std::size_t>(i)].name);
  return names;
}

BudgetAllocation uniform_budgets(const std::vector<schema::LearnFeature>& features,
                                 const std::vector<std::string>& sensitive, const Rational& epsilon_1) {
  BudgetAllocation allocation;
  for (const schema::LearnFeature& feature : features)
    allocation.columns.push_back(
        {.name = feature.name,
         .sensitive = std::find(sensitive.begin(), sensitive.end(), feature.name) != sensitive.end(),
         .epsilon = epsilon_1.to_double()});
  return allocation;
}

BudgetAllocation allocate_budgets(const LearningRows& rows, const std::vector<std::string>& sensitive,
                                  const Rational& epsilon_1, EntropyLog log) {
  BudgetAllocation allocation = uniform_budgets(rows.encoder().features(), sensitive, epsilon_1);
  allocation.log = log;
  double least = HUGE_VAL;
  for (std::size_t i = 0; i < allocation.columns.size(); ++i) {
    if (!allocation.columns[i].sensitive) continue;
    allocation.columns[i].entropy = column_entropy(rows, i, log);
    least = std::min(least, *allocation.columns[i].entropy);
  }
  for (BudgetAllocation::Column& column : allocation.columns) {
    if (!column.sensitive) continue;
    column.scale = 2 - std::exp(-(*column.entropy - least));
    column.epsilon /= column.scale;
  }
  return allocation;
}

}  // namespace gauze::learn
