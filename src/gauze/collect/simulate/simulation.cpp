#include "gauze/collect/simulate/simulation.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gauze/base/parallel.h"
#include "gauze/collect/encode/draw_reports.h"
#include "gauze/collect/encode/field_value.h"
#include "gauze/collect/estimate/estimates.h"
#include "gauze/collect/job/collected_result.h"
#include "gauze/collect/plan/planner.h"

namespace gauze::collect {
namespace {

constexpr std::size_t kSteps = 1000;
constexpr std::size_t kBatchBytes = std::size_t{1} << 20;

/// Draws from a list of weights.
class Weighted {
 public:
  explicit Weighted(const std::vector<double>& weights) : sums_(weights.size()) {
    std::partial_sum(weights.begin(), weights.end(), sums_.begin());
  }
  [[nodiscard]] std::size_t draw(SeededRandom& random) const {
    const double at = static_cast<double>(random.next() >> 11) * 0x1p-53 * sums_.back();
    const auto found = std::upper_bound(sums_.begin(), sums_.end(), at);
    return std::min<std::size_t>(static_cast<std::size_t>(found - sums_.begin()), sums_.size() - 1);
  }

 private:
  std::vector<double> sums_;
};

Result<std::vector<double>> weights_of(const std::string& distribution, std::size_t count) {
  double power = 0;
  if (distribution.starts_with("zipf:")) {
    const auto given = Rational::parse(distribution.substr(5));
    if (!given || *given < Rational() || *given > Rational(20))
      return invalid_parameter("zipf takes a power between 0 and 20, such as zipf:1.1");
    power = given->to_double();
  } else if (distribution != "uniform") {
    return invalid_parameter("the distribution must be uniform, zipf:POWER or a file");
  }
  std::vector<double> weights(count);
  for (std::size_t i = 0; i < count; ++i) weights[i] = std::pow(static_cast<double>(i + 1), -power);
  return weights;
}

/// The true figures of a population.
struct Truth {
  std::vector<double> shares;  ///< of a frequency
  double mean = 0;             ///< of a number, on [0, 1]
  double mean_square = 0;
};

Truth truth_of(const TaskSpec& spec, const Population& population) {
  Truth truth;
  const double n = static_cast<double>(population.values.size());
  if (spec.question == Question::frequency) {
    truth.shares.resize(spec.size());
    for (const gauze_value& value : population.values) truth.shares[static_cast<std::size_t>(value.number)] += 1 / n;
    return truth;
  }
  for (const gauze_value& value : population.values) {
    const double u = static_cast<double>(value.number - spec.number.low) / static_cast<double>(spec.number.range());
    truth.mean += u / n;
    truth.mean_square += u * u / n;
  }
  return truth;
}

/// The mean variance of an estimate, from the true values.
double theory_of(const Task& task, const Population& population, const Truth& truth) {
  const double n = static_cast<double>(population.values.size());
  if (task.spec().question == Question::frequency) {
    double sum = 0;
    for (const double share : truth.shares) sum += task.mechanism().frequency->variance(task.law(), share);
    return sum / static_cast<double>(truth.shares.size()) / n;
  }
  // The variance of a report is a parabola in t: its mean needs the means of t and t^2 alone.
  const auto at = [&](double t) { return task.mechanism().mean->variance(task.law(), t); };
  const double square = (at(1) + at(-1)) / 2 - at(0);
  const double t = 2 * truth.mean - 1;
  const double t2 = 4 * truth.mean_square - 4 * truth.mean + 1;
  const double noise = (at(0) + (at(1) - at(-1)) / 2 * t + square * t2) / 4;
  const double unit = std::pow(10.0, -task.spec().number.places) * static_cast<double>(task.spec().number.range());
  if (!task.spec().variance) return unit * unit * noise / n;
  // Half of the devices answer for the mean, and which half is chance.
  return unit * unit * (2 * noise / n + (truth.mean_square - truth.mean * truth.mean) / n);
}

/// The reports of the whole population, counted.
Aggregate collect_once(const Task& task, const Population& population, SeededRandom& random) {
  const ReportTask counting = report_task(task);
  Aggregate aggregate;
  aggregate.parts = counting.parts();
  aggregate.cells = counting.cells;
  auto& parts = aggregate.periods[0];
  parts.assign(counting.parts(), PartCounts{0, std::vector<std::int64_t>(counting.cells)});
  const std::size_t bytes = counting.report_bytes();
  const std::size_t batch = std::max<std::size_t>(1, kBatchBytes / bytes);
  std::vector<unsigned char> payloads(batch * bytes);
  const std::span<const gauze_value> all(population.values);
  for (std::size_t at = 0; at < all.size(); at += batch) {
    const auto values = all.subspan(at, std::min(batch, all.size() - at));
    simulate_reports(task, random, values, payloads.data());
    if (!counting.has_part_byte) {
      counting.count(counting.shape, payloads.data(), bytes, values.size(), parts[0].cells);
      parts[0].reports += values.size();
      continue;
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      const unsigned char* report = payloads.data() + i * bytes;
      PartCounts& part = parts[report[0]];
      counting.count(counting.shape, report + 1, bytes, 1, part.cells);
      ++part.reports;
    }
  }
  return aggregate;
}

struct Repetition {
  double squared_error = 0;
  double covered = 0;
};

Repetition repeat(const Task& task, const Population& population, const Truth& truth, SeededRandom& random) {
  const Aggregate aggregate = collect_once(task, population, random);
  const auto result = make_result(task, aggregate, {.consistency = Consistency::none});
  GAUZE_CHECK(result);
  Repetition out;
  const auto judge = [&](const NoisyFigure& figure, double true_value, double weight) {
    const double error = figure.estimate - true_value;
    out.squared_error += weight * error * error;
    if (figure.low <= true_value && true_value <= figure.high) out.covered += weight;
  };
  if (result->mean) {
    const NumberField& field = task.spec().number;
    const double unit = std::pow(10.0, -field.places);
    const double mean = unit * (static_cast<double>(field.low) + truth.mean * static_cast<double>(field.range()));
    if (result->mean->mean) judge(*result->mean->mean, mean, 1);
    return out;
  }
  const double weight = 1 / static_cast<double>(truth.shares.size());
  for (std::uint32_t i = 0; i < truth.shares.size(); ++i)
    judge(result->frequency->value(i).share, truth.shares[i], weight);
  return out;
}

}  // namespace

Result<Population> draw_population(const TaskSpec& spec, const std::string& distribution, std::uint64_t users,
                                   std::uint64_t seed) {
  const bool is_mean = spec.question == Question::mean;
  GAUZE_TRY(const auto weights, weights_of(distribution, is_mean ? kSteps : spec.size()));
  const Weighted weighted(weights);
  SeededRandom random(seed, ~std::uint64_t{0});
  Population population;
  population.values.reserve(users);
  for (std::uint64_t i = 0; i < users; ++i) {
    const std::size_t drawn = weighted.draw(random);
    if (!is_mean) {
      population.values.push_back({0, static_cast<std::int64_t>(drawn), nullptr, 0});
      continue;
    }
    const double place = static_cast<double>(drawn) / static_cast<double>(kSteps - 1);
    const double units = std::floor(place * static_cast<double>(spec.number.range()));
    const auto within = std::min(static_cast<std::uint64_t>(units), spec.number.range());
    population.values.push_back(
        {1, static_cast<std::int64_t>(static_cast<std::uint64_t>(spec.number.low) + within), nullptr, 0});
  }
  return population;
}

Result<Population> population_of_texts(const TaskSpec& spec, const std::vector<std::string>& texts,
                                       std::uint64_t users) {
  std::vector<gauze_value> given;
  for (const std::string& text : texts) {
    gauze_value value = value_of_text(spec, text);
    if (spec.question == Question::mean && value.kind == 1)
      value.number = std::clamp(value.number, spec.number.low, spec.number.high);
    const bool known = value.kind == (spec.question == Question::mean ? 1 : 0);
    if (!known && spec.other) value = {0, static_cast<std::int64_t>(spec.size()) - 1, nullptr, 0};
    if (known || spec.other) given.push_back(value);
  }
  if (given.empty()) return make_error(ErrorCode::bad_data, "the file of the distribution has no value of the task");
  Population population;
  for (std::uint64_t i = 0; i < users; ++i) population.values.push_back(given[i % given.size()]);
  return population;
}

Result<std::vector<SimulatedMechanism>> simulate_collection(const Task& task, const Population& population,
                                                            const SimulationRequest& request, Progress& progress) {
  if (population.values.empty()) return invalid_parameter("a simulation needs at least one device");
  std::vector<std::string> names = request.mechanisms;
  if (names.empty()) names.emplace_back(task.mechanism().name);
  const Truth truth = truth_of(task.spec(), population);
  std::vector<SimulatedMechanism> results;
  progress.begin("simulating", names.size() * request.repetitions);
  for (const std::string& name : names) {
    TaskSpec spec = task.spec();
    spec.mechanism = name;
    GAUZE_TRY(const Task other, Task::make(std::move(spec)));
    std::vector<Repetition> repetitions(request.repetitions);
    parallel_for(repetitions.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        if (progress.stop_requested()) return;
        SeededRandom random(request.seed, (std::uint64_t{other.mechanism().number} << 32) + i);
        repetitions[i] = repeat(other, population, truth, random);
        progress.advance();
      }
    });
    GAUZE_TRY_VOID(progress.check());
    std::vector<double> errors;
    double covered = 0;
    for (const Repetition& one : repetitions) {
      errors.push_back(one.squared_error);
      covered += one.covered / static_cast<double>(repetitions.size());
    }
    SimulatedMechanism result;
    result.mechanism = other.mechanism().name;
    result.mse = *estimate(errors);
    result.theory = theory_of(other, population, truth);
    result.coverage = covered;
    result.bytes = other.payload_bytes();
    results.push_back(std::move(result));
  }
  return results;
}

Json SimulationRecord::to_json() const {
  std::vector<Json> rows;
  for (const SimulatedMechanism& one : results)
    rows.push_back(Json::object({{"mechanism", one.mechanism},
                                 {"mse", gauze::to_json(std::optional(one.mse))},
                                 {"theory", one.theory},
                                 {"ratio", one.ratio()},
                                 {"coverage95", one.coverage},
                                 {"bytes", one.bytes}}));
  const TaskSpec& spec = task->spec();
  return Json::object({{"kind", "collect-simulation"},
                       {"task", spec.name},
                       {"question", word_of(kQuestionWords, spec.question)},
                       {"size", spec.question == Question::frequency ? Json(spec.size()) : Json()},
                       {"epsilon", Json::number(nano_text(spec.epsilon_nano))},
                       {"users", users},
                       {"repetitions", repetitions},
                       {"distribution", distribution},
                       {"results", Json::array(std::move(rows))}});
}

PrivacyLabel SimulationRecord::label() const {
  PrivacyLabel label;
  label.released.kind = "simulation of a collection";
  label.mechanism = "simulation";
  label.definition = Definition::internal;
  label.privacy_unit = "one device's value, in one report";
  label.warning = "internal: a simulation on values that are known; do not publish";
  label.parameters.set("task", task->spec().name).set("task_sha256", task->hash());
  label.parameters.set("repetitions", repetitions);
  label.does_not_cover = {"Anything: the figures are computed from the values of all devices."};
  return label;
}

}  // namespace gauze::collect
