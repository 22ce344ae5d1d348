#include "gauze/query/run/formula_boxes.h"

#include <algorithm>
#include <cmath>

namespace gauze::query {
namespace {

constexpr std::size_t kMostCellsOfShares = 1'000;

const Expression& without_casts(const Expression& expression) {
  return expression.operation == Operation::cast && is_number(expression.shape.type)
             ? without_casts(*expression.arguments[0])
             : expression;
}

Box product_of(const Box& a, const Box& b) {
  const auto [low, high] = std::minmax({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
  return {low, high};
}

}  // namespace

bool is_share(const Expression& formula) {
  const Expression& outer = without_casts(formula);
  if (outer.operation != Operation::divide) return false;
  const Expression& whole = without_casts(*outer.arguments[1]);
  return whole.operation == Operation::window_sum &&
         fingerprint(without_casts(*outer.arguments[0])) == fingerprint(without_casts(*whole.arguments[0]));
}

std::optional<std::size_t> FormulaBoxes::aggregate_of(ColumnId id) const {
  const Answer& answer = plan_.question.answer;
  for (std::size_t i = answer.keys.size(); i < answer.table->columns.size(); ++i)
    if (answer.table->columns[i].id == id) return i - answer.keys.size();
  return std::nullopt;
}

std::optional<Box> FormulaBoxes::box(const ExpressionPtr& formula, std::size_t row) const {
  std::set<std::size_t> measurements;
  bool over_all = false;
  for_each_part(formula, [&](const Expression& part) {
    over_all = over_all || part.operation == Operation::window_sum;
    if (part.operation != Operation::column) return;
    if (const auto aggregate = aggregate_of(part.column))
      for (const std::size_t one : values_.measurements_of(*aggregate)) measurements.insert(one);
  });
  if (over_all && table_.rows.size() > kMostCellsOfShares) return std::nullopt;
  std::size_t k = std::max<std::size_t>(measurements.size(), 1);
  if (over_all) k *= std::max<std::size_t>(table_.rows.size(), 1);
  return evaluate(*formula, row, Rational(1) - Rational(1, 20) / Rational(static_cast<std::int64_t>(k)));
}

std::optional<Box> FormulaBoxes::column(ColumnId id, std::size_t row, const Rational& level) const {
  if (const auto aggregate = aggregate_of(id)) return values_.box(*aggregate, row, level);
  const auto& columns = plan_.question.answer.table->columns;
  for (std::size_t i = 0; i < plan_.question.answer.keys.size(); ++i) {
    if (columns[i].id != id || !table_.rows[row].keys[i]) continue;
    const auto number = Rational::parse(*table_.rows[row].keys[i]);
    if (number && is_number(columns[i].shape.type)) return Box{number->to_double(), number->to_double()};
  }
  return std::nullopt;
}

std::optional<Box> FormulaBoxes::divided(const Expression& formula, std::size_t row, const Rational& level) const {
  const auto a = evaluate(*formula.arguments[0], row, level);
  if (!a) return std::nullopt;
  if (is_share(formula)) {
    // x / (x + rest), which rises with x and falls with the rest
    Box rest{0, 0};
    for (std::size_t other = 0; other < table_.rows.size(); ++other) {
      if (other == row) continue;
      const auto one = evaluate(*formula.arguments[0], other, level);
      if (!one) return std::nullopt;
      rest = {rest.low + std::max(one->low, 0.0), rest.high + std::max(one->high, 0.0)};
    }
    const auto share = [](double x, double others) { return x + others <= 0 ? 0 : x / (x + others); };
    return Box{share(std::max(a->low, 0.0), rest.high), share(std::max(a->high, 0.0), rest.low)};
  }
  const auto b = evaluate(*formula.arguments[1], row, level);
  if (!b || (b->low <= 0 && b->high >= 0)) return std::nullopt;
  return product_of(*a, {1 / b->high, 1 / b->low});
}

std::optional<Box> FormulaBoxes::function(const Expression& formula, std::size_t row, const Rational& level) const {
  const auto x = evaluate(*formula.arguments[0], row, level);
  if (!x) return std::nullopt;
  const std::string& name = formula.name;
  const auto rising = [&](auto f) { return Box{f(x->low), f(x->high)}; };
  if (name == "abs") {
    const double least = x->low <= 0 && x->high >= 0 ? 0 : std::min(std::fabs(x->low), std::fabs(x->high));
    return Box{least, std::max(std::fabs(x->low), std::fabs(x->high))};
  }
  const double steps = std::pow(10.0, formula.shape.scale);
  if (name == "floor") return rising([](double v) { return std::floor(v); });
  if (name == "ceil") return rising([](double v) { return std::ceil(v); });
  if (name == "round") return rising([&](double v) { return std::round(v * steps) / steps; });
  if (name == "trunc") return rising([&](double v) { return std::trunc(v * steps) / steps; });
  if (name == "exp") return rising([](double v) { return std::exp(v); });
  if (name == "sqrt" && x->low >= 0) return rising([](double v) { return std::sqrt(v); });
  if (name == "ln" && x->low > 0) return rising([](double v) { return std::log(v); });
  if (name == "log" && x->low > 0) return rising([](double v) { return std::log10(v); });
  return std::nullopt;
}

std::optional<Box> FormulaBoxes::evaluate(const Expression& formula, std::size_t row, const Rational& level) const {
  const auto part = [&](std::size_t i) { return evaluate(*formula.arguments[i], row, level); };
  switch (formula.operation) {
    case Operation::column:
      return column(formula.column, row, level);
    case Operation::constant: {
      const auto number = constant_number(formula);
      if (!number || !is_number(formula.shape.type)) return std::nullopt;
      return Box{number->to_double(), number->to_double()};
    }
    case Operation::add:
    case Operation::subtract:
    case Operation::multiply: {
      const auto a = part(0);
      const auto b = part(1);
      if (!a || !b) return std::nullopt;
      if (formula.operation == Operation::add) return Box{a->low + b->low, a->high + b->high};
      if (formula.operation == Operation::subtract) return Box{a->low - b->high, a->high - b->low};
      return product_of(*a, *b);
    }
    case Operation::negate: {
      const auto a = part(0);
      return a ? std::optional<Box>(Box{-a->high, -a->low}) : std::nullopt;
    }
    case Operation::divide:
      return divided(formula, row, level);
    case Operation::integer_divide: {
      const auto made = divided(formula, row, level);
      return made ? std::optional<Box>(Box{std::trunc(made->low), std::trunc(made->high)}) : std::nullopt;
    }
    case Operation::cast: {
      const auto a = is_number(formula.shape.type) ? part(0) : std::nullopt;
      if (!a || formula.shape.type == Type::real) return a;
      const double steps = std::pow(10.0, formula.shape.scale);
      return Box{std::floor(a->low * steps) / steps, std::ceil(a->high * steps) / steps};
    }
    case Operation::greatest:
    case Operation::least: {
      std::optional<Box> all;
      for (std::size_t i = 0; i < formula.arguments.size(); ++i) {
        const auto one = part(i);
        if (!one) return std::nullopt;
        if (!all) all = one;
        all = formula.operation == Operation::greatest
                  ? Box{std::max(all->low, one->low), std::max(all->high, one->high)}
                  : Box{std::min(all->low, one->low), std::min(all->high, one->high)};
      }
      return all;
    }
    case Operation::coalesce:
      return part(0);
    case Operation::function:
      return function(formula, row, level);
    case Operation::window_sum: {
      Box all{0, 0};
      for (std::size_t other = 0; other < table_.rows.size(); ++other) {
        const auto one = evaluate(*formula.arguments[0], other, level);
        if (!one) return std::nullopt;
        all = {all.low + one->low, all.high + one->high};
      }
      return all;
    }
    default:
      return std::nullopt;
  }
}

}  // namespace gauze::query
