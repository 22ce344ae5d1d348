#include "gauze/patterns/hiding/hiding_json.h"

#include <algorithm>

#include "gauze/patterns/baskets/item_names.h"

namespace gauze::patterns {

Json to_json(const Database& database, const std::vector<HiddenPattern>& patterns) {
  Json list = Json::array();
  for (const HiddenPattern& one : patterns) {
    Json object = Json::object(
        {{"items", names_json(database, one.pattern.items)},
         {"before", one.before.definite},
         {"after", Json::array({Json(one.after.definite), Json(one.after.definite + one.after.undetermined)})},
         {"min_count", one.threshold.count},
         {"level", word_of(kLevelWords, one.level)}});
    if (!one.pattern.left.empty()) object.set("if", names_json(database, one.pattern.left));
    list.push(std::move(object));
  }
  return list;
}

Json trace_json(const Database& database, const HidingResult& result) {
  Json list = Json::array();
  for (const TraceStep& step : result.trace) {
    Json object = Json::object({{"victim", database.names[step.victim]}});
    if (step.pattern) {
      object.set("pattern", names_json(database, result.patterns[*step.pattern].pattern.items));
      object.set("support", step.support);
    } else {
      object.set("hides", step.support);
    }
    if (!step.shared.empty()) {
      Json shared = Json::object();
      for (const auto& [item, count] : step.shared) shared.set(database.names[item], count);
      object.set("shared", std::move(shared));
    }
    if (!step.order.empty()) {
      Json order = Json::array();
      for (const auto& [row, conflicts] : step.order) order.push(Json::array({Json(row + 1), Json(conflicts)}));
      object.set("order", std::move(order));
    }
    Json rows = Json::array();
    for (const std::size_t row : step.changed) rows.push(row + 1);
    object.set("rows", std::move(rows));
    if (step.price) object.set("price", *step.price);
    list.push(std::move(object));
  }
  return list;
}

double hiding_failure(const std::vector<HiddenPattern>& patterns) {
  if (patterns.empty()) return 0;
  const auto failed = std::count_if(patterns.begin(), patterns.end(), [](const HiddenPattern& one) {
    HidingThreshold threshold = one.threshold;
    threshold.margin = 0;
    return level_of(one.after, threshold, ~std::uint64_t{0} >> 1) == HidingLevel::none;
  });
  return static_cast<double>(failed) / static_cast<double>(patterns.size());
}

}  // namespace gauze::patterns
