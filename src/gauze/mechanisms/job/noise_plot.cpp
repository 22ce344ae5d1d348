#include "gauze/mechanisms/job/noise_plot.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace gauze {
namespace {

constexpr std::int64_t kBins = 61;
constexpr std::size_t kQuantiles = 99;

const Rational& nearly_all() {
  static const Rational level(999, 1000);
  return level;
}

double at_least(const NoiseLaw& law, std::int64_t units) { return law.tail(units).middle(); }

/// The smallest whole number of units at or below which at least this share of the law lies.
std::int64_t law_quantile(const NoiseLaw& law, double share, std::int64_t reach) {
  std::int64_t low = -reach;
  std::int64_t high = reach;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (1 - at_least(law, middle + 1) >= share)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

/// Parts of equal width over nearly all of the law, with all that lies beyond in the first and the last.
std::vector<NoisePlot::Bin> bins_of(const NoiseShape& shape, std::span<const double> sorted) {
  const std::int64_t reach = std::max<std::int64_t>(shape.law->interval_radius(nearly_all()), 1);
  const std::int64_t width = std::max<std::int64_t>((2 * reach + 1 + kBins - 1) / kBins, 1);
  const std::int64_t count = (2 * reach + width) / width;
  const auto draws = static_cast<double>(sorted.size());
  std::vector<NoisePlot::Bin> bins;
  std::int64_t begin = -(count * width / 2);
  double above = 1;  // the share of the law that lies at or above the part
  std::size_t place = 0;
  for (std::int64_t i = 0; i < count; ++i, begin += width) {
    const bool is_last = i + 1 == count;
    const double beyond = is_last ? 0 : at_least(*shape.law, begin + width);
    const double end = shape.step * (static_cast<double>(begin + width) - 0.5);
    const std::size_t first = place;
    while (place < sorted.size() && (is_last || sorted[place] < end)) ++place;
    bins.push_back({.low = shape.step * (static_cast<double>(begin) - 0.5),
                    .high = end,
                    .drawn = place - first,
                    .expected = draws * (above - beyond)});
    above = beyond;
  }
  return bins;
}

std::vector<NoisePlot::Quantile> quantiles_of(const NoiseShape& shape, std::span<const double> sorted) {
  const std::int64_t reach = 2 * shape.law->interval_radius(nearly_all()) + 2;
  std::vector<NoisePlot::Quantile> quantiles;
  for (std::size_t i = 1; i <= kQuantiles; ++i) {
    const double share = static_cast<double>(i) / (kQuantiles + 1);
    const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(sorted.size()))) - 1;
    quantiles.push_back({.share = share,
                         .law = shape.step * static_cast<double>(law_quantile(*shape.law, share, reach)),
                         .drawn = sorted[rank]});
  }
  return quantiles;
}

template <class Random>
std::string one_draw(const NoiseJob& job, Random& random) {
  std::string line;
  if constexpr (std::is_same_v<Random, SecureRandom>) {
    line = job.release(random, 1);
  } else {
    line = job.simulate(random, 1);
  }
  line.pop_back();  // the end of the line
  return line;
}

template <class Random>
void fill(const NoiseJob& job, Random& random, std::span<double> draws) {
  if constexpr (std::is_same_v<Random, SecureRandom>) {
    job.release(random, draws);
  } else {
    job.simulate(random, draws);
  }
}

}  // namespace

std::span<const std::int64_t> NoisePlot::example_values() {
  static constexpr std::array<std::int64_t, 5> kValues = {0, 1, 10, 100, 1000};
  return kValues;
}

template <class Random>
Result<NoisePlot> NoisePlot::draw(NoiseRequest request, std::span<const Rational> epsilons, Random& random) {
  if (epsilons.empty()) return invalid_parameter("at least one epsilon is needed");
  if (request.scale.sign() != 0 || request.sigma.sign() != 0)
    return invalid_parameter("the noise is drawn for several epsilons: give these, not an amount of noise");
  NoisePlot plot;
  plot.mechanism_ = request.mechanism;
  plot.sensitivity_ = request.sensitivity;
  request.count = 1;
  for (const Rational& epsilon : epsilons) {
    request.epsilon = epsilon;
    request.value = 0;
    GAUZE_TRY(const NoiseJob job, NoiseJob::make(request));
    const auto& shape = job.shape();
    if (!shape)
      return invalid_parameter("{} has no law on a grid that could be drawn beside its draws", request.mechanism);
    std::vector<double> draws(kDraws);
    fill(job, random, draws);
    std::sort(draws.begin(), draws.end());
    Panel panel{.epsilon = epsilon, .variance = job.variance(), .radius95 = job.radius95()};
    panel.bins = bins_of(*shape, draws);
    panel.quantiles = quantiles_of(*shape, draws);
    for (const std::int64_t value : example_values()) {
      request.value = value;
      GAUZE_TRY(const NoiseJob around, NoiseJob::make(request));
      panel.examples.push_back(one_draw(around, random));
    }
    const auto cost = job.cost().times(kDraws);
    if (cost && !(cost->delta && *cost->delta >= Rational(1))) panel.cost_of_draws = *cost;
    plot.panels_.push_back(std::move(panel));
  }
  return plot;
}

Result<NoisePlot> NoisePlot::make(NoiseRequest request, std::span<const Rational> epsilons, SecureRandom& random) {
  return draw(std::move(request), epsilons, random);
}

Result<NoisePlot> NoisePlot::simulate(NoiseRequest request, std::span<const Rational> epsilons,
                                      SeededRandom& random) {
  return draw(std::move(request), epsilons, random);
}

Json NoisePlot::to_json() const {
  Json panels = Json::array();
  for (const Panel& panel : panels_) {
    Json bins = Json::array();
    for (const Bin& bin : panel.bins)
      bins.push(
          Json::object({{"low", bin.low}, {"high", bin.high}, {"drawn", bin.drawn}, {"expected", bin.expected}}));
    Json quantiles = Json::array();
    for (const Quantile& one : panel.quantiles)
      quantiles.push(Json::object({{"share", one.share}, {"law", one.law}, {"drawn", one.drawn}}));
    Json examples = Json::array();
    for (std::size_t i = 0; i < panel.examples.size(); ++i)
      examples.push(Json::object({{"before", example_values()[i]}, {"after", Json::number(panel.examples[i])}}));
    Json cost;
    if (panel.cost_of_draws) {
      const auto figure = [](const std::optional<Rational>& value) {
        return value ? Json::number(value->to_decimal_up(12)) : Json();
      };
      cost = Json::object(
          {{"epsilon", figure(panel.cost_of_draws->epsilon)}, {"delta", figure(panel.cost_of_draws->delta)}});
    }
    panels.push(Json::object({{"epsilon", Json::number(panel.epsilon.to_decimal())},
                              {"variance", panel.variance},
                              {"interval95", Json::array({-panel.radius95, panel.radius95})},
                              {"bins", std::move(bins)},
                              {"quantiles", std::move(quantiles)},
                              {"examples", std::move(examples)},
                              {"cost_of_draws", std::move(cost)}}));
  }
  return Json::object({{"kind", "noise-plot"},
                       {"mechanism", mechanism_},
                       {"sensitivity", Json::number(sensitivity_.to_decimal())},
                       {"draws", kDraws},
                       {"panels", std::move(panels)}});
}

}  // namespace gauze
