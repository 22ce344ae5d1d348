// duchi, piecewise, hybrid: numbers on [-1, 1].
#include <algorithm>

#include "gauze/collect/count/count_means.h"
#include "gauze/collect/internal/frequency_parts.h"
#include "gauze/collect/internal/grid_law.h"
#include "gauze/collect/internal/listed_mechanisms.h"

namespace gauze::collect {
namespace {

/// What a side stands for, so that it is right on average: +-C.
double side_of(const LawOfValues& law) {
  const double a = weight_ratio(law.law);
  return (a + 1) / (a - 1);
}

LocalLaw grid_law(std::uint64_t epsilon_nano, std::uint32_t) {
  const double s = std::exp(static_cast<double>(epsilon_nano) * 0.5e-9);
  return weights_law(epsilon_nano, static_cast<std::uint32_t>(std::nearbyint(GAUZE_GRID_CELLS / (s + 1))));
}

double duchi_variance(const LawOfValues& law, double t) {
  const double c = side_of(law);
  return c * c - t * t;
}

/// The mean of t^2 cannot be seen in its reports: it is at least the square of the mean.
MeanFigures duchi_figures(std::span<const std::int64_t> cells, std::uint64_t reports, const LawOfValues& law) {
  const double mean = side_of(law) * static_cast<double>(cells[1] - cells[0]) / static_cast<double>(reports);
  return {mean, duchi_variance(law, std::fmin(1, std::fabs(mean)))};
}

double piecewise_variance(const LawOfValues& law, double t) {
  const GridLaw grid(law.law);
  return grid.second_moment(t, t * t) - t * t;
}

MeanFigures piecewise_figures(std::span<const std::int64_t> cells, std::uint64_t reports, const LawOfValues& law) {
  const GridLaw grid(law.law);
  const auto [sum, squares] = grid.sums(cells);
  const double n = static_cast<double>(reports);
  const double mean = sum / n;
  const double square = grid.mean_square(mean, squares / n);
  return {mean, grid.second_moment(mean, square) - square};
}

/// The share of the piecewise branch.
double branch_of(const LawOfValues& law) { return share_of_word(law.law.numbers[2]); }

double hybrid_variance(const LawOfValues& law, double t) {
  const double alpha = branch_of(law);
  return alpha * piecewise_variance(law, t) + (1 - alpha) * duchi_variance(law, t);
}

/// Above epsilon* the variance hardly depends on t; of what is left the larger end of [mean^2, 1] is taken.
MeanFigures hybrid_figures(std::span<const std::int64_t> cells, std::uint64_t reports, const LawOfValues& law) {
  const GridLaw grid(law.law);
  const double sum = grid.sums(cells.first(kGridCells)).first +
                     side_of(law) * static_cast<double>(cells[kGridCells + 1] - cells[kGridCells]);
  const double mean = sum / static_cast<double>(reports);
  const double alpha = branch_of(law);
  const double c = side_of(law);
  const auto variance = [&](double square) {
    return alpha * grid.second_moment(std::clamp(mean, -1.0, 1.0), square) + (1 - alpha) * c * c - square;
  };
  const double least = std::fmin(1, mean * mean);
  return {mean, std::fmax(variance(least), alpha == 0 ? variance(least) : variance(1))};
}

constexpr MeanMechanism kDuchiMean = {duchi_variance, duchi_figures};
constexpr MeanMechanism kPiecewiseMean = {piecewise_variance, piecewise_figures};
constexpr MeanMechanism kHybridMean = {hybrid_variance, hybrid_figures};

Json c_parameter(const LawOfValues&, std::uint64_t epsilon_nano) {
  const double s = std::exp(static_cast<double>(epsilon_nano) * 0.5e-9);
  return Json::object({{"C", (s + 1) / (s - 1)}});
}

}  // namespace

const LocalMechanism kDuchi = {
    .name = "duchi",
    .number = GAUZE_DUCHI,
    .question = Question::mean,
    .law = [](std::uint64_t epsilon_nano, std::uint32_t) { return weights_law(epsilon_nano); },
    .refusal = always_allowed,
    .payload_bytes = [](const LawOfValues&) { return std::uint64_t{1}; },
    .parameters =
        [](const LawOfValues& law, std::uint64_t) {
          return Json::object({{"C", side_of(law)}});
        },
    .cells = [](const LawOfValues&) { return std::size_t{2}; },
    .count = count_sides,
    .mean = &kDuchiMean};

const LocalMechanism kPiecewise = {.name = "piecewise",
                                   .number = GAUZE_PIECEWISE,
                                   .question = Question::mean,
                                   .law = grid_law,
                                   .refusal = always_allowed,
                                   .payload_bytes = [](const LawOfValues&) { return std::uint64_t{2}; },
                                   .parameters = c_parameter,
                                   .cells = [](const LawOfValues&) { return kGridCells; },
                                   .count = count_cells,
                                   .mean = &kPiecewiseMean};

const LocalMechanism kHybrid = {.name = "hybrid",
                                .number = GAUZE_HYBRID,
                                .question = Question::mean,
                                .law =
                                    [](std::uint64_t epsilon_nano, std::uint32_t size) {
                                      LocalLaw law = grid_law(epsilon_nano, size);
                                      law.numbers[2] = hybrid_branch(epsilon_nano);
                                      return law;
                                    },
                                .refusal = always_allowed,
                                .payload_bytes = [](const LawOfValues&) { return std::uint64_t{3}; },
                                .parameters =
                                    [](const LawOfValues& law, std::uint64_t) {
                                      return Json::object({{"alpha", branch_of(law)}});
                                    },
                                .cells = [](const LawOfValues&) { return kGridCells + 2; },
                                .count = count_branches,
                                .mean = &kHybridMean,
                                .law_names = {"A", "B", "T"}};

}  // namespace gauze::collect
