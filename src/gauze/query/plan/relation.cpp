#include "gauze/query/plan/relation.h"

#include <algorithm>

namespace gauze::query {
namespace {

struct ConstantText {
  std::string operator()(std::monostate) const { return "null"; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(const Rational& value) const { return value.to_decimal(); }
  std::string operator()(const std::string& value) const { return fmt::format("{}'{}", value.size(), value); }
  std::string operator()(const TimeSpan& value) const {
    return fmt::format("{}m{}d{}u", value.months, value.days, value.microseconds);
  }
};

}  // namespace

const RelationColumn* Relation::find(ColumnId id) const {
  const auto found =
      std::find_if(columns.begin(), columns.end(), [&](const auto& column) { return column.id == id; });
  return found == columns.end() ? nullptr : &*found;
}

std::string_view to_string(Aggregate::Kind kind) {
  using Kind = Aggregate::Kind;
  static constexpr Words<Kind, 14> kWords = {{{Kind::count_rows, "count"},
                                              {Kind::count, "count"},
                                              {Kind::count_distinct, "distinct"},
                                              {Kind::count_units, "units"},
                                              {Kind::sum, "sum"},
                                              {Kind::average, "avg"},
                                              {Kind::var_pop, "var_pop"},
                                              {Kind::var_samp, "var_samp"},
                                              {Kind::stddev_pop, "stddev_pop"},
                                              {Kind::stddev_samp, "stddev_samp"},
                                              {Kind::minimum, "min"},
                                              {Kind::maximum, "max"},
                                              {Kind::quantile, "quantile"},
                                              {Kind::mode, "mode"}}};
  return word_of(kWords, kind);
}

std::string fingerprint(const Expression& expression) {
  std::string text = fmt::format("{}/{}.{}(", static_cast<int>(expression.operation),
                                 static_cast<int>(expression.shape.type), expression.shape.scale);
  switch (expression.operation) {
    case Operation::column:
      text += fmt::format("c{}", expression.column);
      break;
    case Operation::constant:
      text += std::visit(ConstantText(), expression.constant);
      break;
    default:
      text += expression.name;
  }
  for (const ExpressionPtr& argument : expression.arguments) text += ',' + fingerprint(*argument);
  if (expression.relation) text += fmt::format("@{}", static_cast<const void*>(expression.relation.get()));
  return text + ')';
}

}  // namespace gauze::query
