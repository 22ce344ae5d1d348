#pragma once
// Small tables that models can learn from, for the tests of this room.

#include <string>
#include <vector>

#include "gauze/learn/rows/learning_rows.h"

namespace gauze::learn {

/// Two numbers between -1 and 1 and a colour; the class follows from the first number and the colour.
inline schema::LearnPolicy separable_policy(std::uint64_t declared) {
  schema::LearnPolicy policy;
  policy.rows = declared;
  policy.features = {{.name = "x", .low = -1, .high = 1},
                     {.name = "z", .low = -1, .high = 1},
                     {.name = "colour", .kind = schema::LearnFeature::Kind::values, .values = {"red", "blue"}}};
  policy.target = {.column = "y", .classes = {{"no", {"no"}}, {"yes", {"yes"}}}};
  return policy;
}

inline LearningRows separable_rows(const schema::LearnPolicy& policy, std::size_t count, RandomWords& random) {
  LearningRows rows(policy, InputEncoding::expanded, table::DecimalSign::point, {});
  for (std::size_t i = 0; i < count; ++i) {
    const auto number = [&] { return static_cast<double>(random.below(2'001)) / 1'000 - 1; };
    const double x = number();
    const bool red = random.below(2) == 0;
    const std::string first = fmt::format("{}", x);
    const std::string second = fmt::format("{}", number());
    const std::vector<std::string_view> cells = {first, second, red ? "red" : "blue",
                                                 x + (red ? 0.3 : -0.3) > 0 ? "yes" : "no"};
    rows.add(cells);
  }
  rows.finish();
  return rows;
}

}  // namespace gauze::learn
