#include "gauze/collect/central/central_answer.h"

#include <algorithm>

namespace gauze::collect {
namespace {

Json exact(const Rational& value) { return Json::number(value.to_decimal()); }

}  // namespace

Json CentralAnswer::to_json() const {
  std::vector<Json> drawn;
  std::vector<Json> intervals;
  std::vector<Json> consistent;
  for (const Rational& value : values) {
    drawn.push_back(exact(value));
    consistent.push_back(exact(std::max(value, Rational(0))));
  }
  for (const auto& [low, high] : interval95) intervals.push_back(Json::array({exact(low), exact(high)}));
  Json object = Json::object();
  if (is_list) {
    object.set("values", Json::array(std::move(drawn))).set("interval95", Json::array(std::move(intervals)));
    object.set("consistent", Json::array(std::move(consistent)));
    return object;
  }
  object.set("value", std::move(drawn.front()));
  object.set("interval95", intervals.empty() ? Json() : std::move(intervals.front()));
  if (is_count) object.set("consistent", std::move(consistent.front()));
  return object;
}

}  // namespace gauze::collect
