#include "gauze/assess/scores/requirements.h"

#include <cmath>

#include "gauze/base/rational.h"
#include "gauze/statistics/binomial_interval.h"

namespace gauze::assess {
namespace {

constexpr double kOneSided = 0.90;  // both sides at 90 %: one side at 95 %

std::string_view trimmed_blanks(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

std::string figure_of(std::string_view name) {
  if (name == "accuracy") return "utility.models.logistic.accuracy";
  if (name.starts_with("eod.")) return fmt::format("fairness.{}.eod_max", name.substr(4));
  return std::string(name);
}

}  // namespace

Result<Requirement> Requirement::parse(std::string_view text) {
  const std::size_t sign = text.find_last_of("<>");
  if (sign == std::string_view::npos || text.substr(sign + 1, 1) != "=")
    return invalid_parameter("the requirement '{}' must be a figure, <= or >=, and a number, such as tvd<=0.05",
                             text);
  const std::string_view name = trimmed_blanks(text.substr(0, sign));
  const auto bound = Rational::parse(trimmed_blanks(text.substr(sign + 2)));
  if (name.empty() || !bound)
    return invalid_parameter("the requirement '{}' must be a figure, <= or >=, and a number, such as tvd<=0.05",
                             text);
  return Requirement{.text = std::string(text),
                     .figure = figure_of(name),
                     .at_most = text[sign] == '<',
                     .bound = bound->to_double()};
}

bool Requirement::met(double value) const {
  return !std::isnan(value) && (at_most ? value <= bound : value >= bound);
}

Confirmation confirm(const std::vector<Requirement>& requirements, const std::vector<std::vector<double>>& values) {
  Confirmation result;
  result.runs = values.empty() ? 0 : values.front().size();
  for (std::size_t run = 0; run < result.runs; ++run) {
    bool all = true;
    for (std::size_t i = 0; i < requirements.size(); ++i) all = all && requirements[i].met(values[i][run]);
    result.hits += all ? 1 : 0;
  }
  if (result.runs > 0) result.low = clopper_pearson(result.hits, result.runs, kOneSided).low;
  return result;
}

std::size_t repetitions_for(double certainty) {
  std::size_t runs = 1;
  while (clopper_pearson(runs, runs, kOneSided).low < certainty) ++runs;
  return runs;
}

std::size_t first_passing(const std::vector<Confirmation>& list, double certainty) {
  std::size_t first = list.size();
  while (first > 0 && list[first - 1].low >= certainty) --first;
  return first;
}

}  // namespace gauze::assess
