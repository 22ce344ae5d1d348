#include "gauze/query/run/answer_values.h"

#include <algorithm>
#include <cmath>

#include "gauze/mechanisms/selection/named_count.h"

namespace gauze::query {
namespace {

using Asked = Aggregate::Kind;

/// c / n for n that may be anything from its box, at least 1.
Box ratio(const Box& c, const Box& n) {
  const double least = std::max(n.low, 1.0);
  const double most = std::max(n.high, 1.0);
  return {.low = c.low < 0 ? c.low / least : c.low / most, .high = c.high > 0 ? c.high / least : c.high / most};
}

Box clamped(Box box, double low, double high) {
  return {.low = std::clamp(box.low, low, high), .high = std::clamp(box.high, low, high)};
}

bool is_variance(Asked kind) {
  return kind == Asked::var_pop || kind == Asked::var_samp || kind == Asked::stddev_pop || kind == Asked::stddev_samp;
}

/// From the variance of all to what was asked for.
double final_variance(double variance, double n, Asked kind) {
  if (kind == Asked::var_samp || kind == Asked::stddev_samp) variance *= std::max(n, 1.0) / std::max(n - 1, 1.0);
  return kind == Asked::stddev_pop || kind == Asked::stddev_samp ? std::sqrt(std::max(variance, 0.0)) : variance;
}

}  // namespace

double AnswerValues::measured(std::size_t measurement, std::size_t row) const {
  const Rational step = plan_.noise.measurements[measurement].step(plan_.measurements.all[measurement]);
  return (to_rational(table_.rows[row].steps[measurement]) * step).to_double();
}

double AnswerValues::radius(std::size_t measurement, const Rational& level) const {
  const MeasurementNoise& noise = plan_.noise.measurements[measurement];
  if (!noise.law) return 0;
  const auto [found, is_new] = radii_.try_emplace({measurement, level.to_decimal()}, 0);
  if (is_new)
    found->second =
        (Rational(noise.law->interval_radius(level)) * noise.step(plan_.measurements.all[measurement])).to_double();
  return found->second;
}

Box AnswerValues::measured_box(std::size_t measurement, std::size_t row, const Rational& level) const {
  const double value = measured(measurement, row);
  if (!plan_.keys.are_public && plan_.measurements.naming == measurement) {
    const MeasurementNoise& noise = plan_.noise.measurements[measurement];
    const NamedCount count({.noise = plan_.noise.kind == NoiseKind::laplace ? NamedCount::Noise::discrete_laplace
                                                                            : NamedCount::Noise::rounded_gaussian,
                            .spread = noise.spread.to_double(),
                            .threshold = to_rational(*plan_.noise.threshold).to_double(),
                            .least = static_cast<double>(plan_.schema->min_group),
                            .miss = (Rational(1) - level).to_double()});
    const NamedCount::Interval interval = count.interval(value);
    return {.low = interval.low, .high = interval.high};
  }
  const double reach = radius(measurement, level);
  return {.low = value - reach, .high = value + reach};
}

double AnswerValues::candidate(std::size_t measurement, std::size_t row) const {
  const Candidates& candidates = table_.candidates[measurement];
  const auto index = static_cast<std::uint64_t>(table_.rows[row].steps[measurement]);
  return (candidate_edge(candidates, index) * plan_.measurements.all[measurement].fixed.granule).to_double();
}

double AnswerValues::value(std::size_t aggregate, std::size_t row) const {
  const AggregateParts& parts = plan_.measurements.parts[aggregate];
  switch (parts.kind) {
    case Asked::count_rows:
    case Asked::count:
    case Asked::count_units:
    case Asked::count_distinct:
      return std::round(measured(*parts.main, row));
    case Asked::sum:
      return measured(*parts.main, row);
    case Asked::average: {
      if (parts.range.is_empty()) return NAN;
      const double n = std::max(measured(*parts.count, row), 1.0);
      const double mean = parts.centred ? parts.middle.to_double() + measured(*parts.centred, row) / n
                                        : measured(*parts.main, row) / n;
      return std::clamp(mean, parts.range.low.to_double(), parts.range.high.to_double());
    }
    case Asked::var_pop:
    case Asked::var_samp:
    case Asked::stddev_pop:
    case Asked::stddev_samp: {
      const double n = measured(*parts.count, row);
      const double divisor = std::max(n, 1.0);
      const double c = measured(*parts.centred, row) / divisor;
      const double half = parts.half.to_double();
      return final_variance(std::clamp(measured(*parts.squares, row) / divisor - c * c, 0.0, half * half), n,
                            parts.kind);
    }
    default:
      return candidate(*parts.main, row);
  }
}

std::vector<double> AnswerValues::values(std::size_t aggregate, std::size_t row) const {
  std::vector<double> all;
  for (const std::size_t one : plan_.measurements.parts[aggregate].list) all.push_back(candidate(one, row));
  return all;
}

CellValue AnswerValues::chosen(std::size_t aggregate, std::size_t row) const {
  const std::size_t measurement = *plan_.measurements.parts[aggregate].main;
  const auto& values = table_.candidates[measurement].values;
  const auto index = static_cast<std::size_t>(table_.rows[row].steps[measurement]);
  return index < values.size() ? CellValue(values[index]) : CellValue();
}

std::vector<std::size_t> AnswerValues::measurements_of(std::size_t aggregate) const {
  const AggregateParts& parts = plan_.measurements.parts[aggregate];
  std::vector<std::size_t> all;
  for (const auto& one : {parts.main, parts.count, parts.centred, parts.squares})
    if (one && !plan_.measurements.all[*one].is_constant()) all.push_back(*one);
  return all;
}

std::optional<Box> AnswerValues::box(std::size_t aggregate, std::size_t row, const Rational& level) const {
  const AggregateParts& parts = plan_.measurements.parts[aggregate];
  const double low = parts.range.low.to_double();
  const double high = parts.range.high.to_double();
  switch (parts.kind) {
    case Asked::count_rows:
    case Asked::count:
    case Asked::count_units:
    case Asked::count_distinct:
    case Asked::sum:
      return measured_box(*parts.main, row, level);
    case Asked::average: {
      if (parts.range.is_empty()) return std::nullopt;
      const Box n = measured_box(*parts.count, row, level);
      if (n.low <= 0) return Box{low, high};
      Box mean = ratio(measured_box(parts.centred ? *parts.centred : *parts.main, row, level), n);
      if (parts.centred) mean = {mean.low + parts.middle.to_double(), mean.high + parts.middle.to_double()};
      return clamped(mean, low, high);
    }
    default:
      if (!is_variance(parts.kind)) return std::nullopt;
  }
  const double half = parts.half.to_double();
  const Box n = measured_box(*parts.count, row, level);
  Box variance{0, half * half};
  if (n.low > 0) {
    const Box squares = ratio(measured_box(*parts.squares, row, level), n);
    const Box c = ratio(measured_box(*parts.centred, row, level), n);
    const double most = std::max(c.low * c.low, c.high * c.high);
    const double least = c.low <= 0 && c.high >= 0 ? 0 : std::min(c.low * c.low, c.high * c.high);
    variance = clamped({squares.low - most, squares.high - least}, 0, half * half);
  }
  return Box{final_variance(variance.low, n.high, parts.kind),
             final_variance(variance.high, std::max(n.low, 1.0), parts.kind)};
}

std::optional<double> AnswerValues::rank_error(std::size_t aggregate) const {
  const AggregateParts& parts = plan_.measurements.parts[aggregate];
  if (!parts.main || !plan_.measurements.all[*parts.main].is_selection()) return std::nullopt;
  double worst = 0;
  for (const std::size_t one : parts.list.empty() ? std::vector<std::size_t>{*parts.main} : parts.list) {
    const Measurement& measurement = plan_.measurements.all[one];
    const double fraction = measurement.kind == Measurement::Kind::quantile ? measurement.fraction.to_double() : 1;
    const double epsilon = plan_.noise.measurements[one].epsilon_per_group.to_double();
    const double reach = 2 * static_cast<double>(plan_.limits.rows) * std::max(fraction, 1 - fraction) / epsilon;
    worst = std::max(
        worst, reach * (std::log(static_cast<double>(std::max<std::uint64_t>(table_.candidates[one].count, 1))) +
                        std::log(20.0)));
  }
  return worst;
}

}  // namespace gauze::query
