// she, laplace: discrete Laplace noise on figures in units of 2^-10.
#include "gauze/collect/count/count_figures.h"
#include "gauze/collect/internal/frequency_parts.h"
#include "gauze/collect/internal/listed_mechanisms.h"

namespace gauze::collect {
namespace noisy_figures {

constexpr double kUnit = 1.0 / GAUZE_FIGURE_ONE;

/// Of the noise: 2 r / (1 - r)^2 with r = e^(-1 / scale), scale = 2^11 / epsilon units.
double noise_variance(const LawOfValues& law) {
  const double step = static_cast<double>(law.law.numbers[0]) * 1e-9 / (2.0 * GAUZE_FIGURE_ONE);
  const double gap = -std::expm1(-step);
  return 2 * std::exp(-step) / (gap * gap) * kUnit * kUnit;
}

LocalLaw epsilon_law(std::uint64_t epsilon_nano, std::uint32_t) { return {{epsilon_nano, 0, 0}, 0}; }

Json scale_parameter(const LawOfValues&, std::uint64_t epsilon_nano) {
  return Json::object({{"scale", 2e9 / static_cast<double>(epsilon_nano)}});
}

constexpr FrequencyMechanism kFrequency = {
    [](const LawOfValues&) { return std::optional<SupportChances>(); }, cells_as_they_are,
    [](const LawOfValues& law, double) { return noise_variance(law); },
    [](const LawOfValues& law, std::span<const std::uint32_t> set, std::span<const double>) {
      return static_cast<double>(set.size()) * noise_variance(law);
    },
    [](const LawOfValues& law, std::uint32_t, std::uint32_t, std::span<const double>) {
      return 2 * noise_variance(law);
    }};

/// Besides the noise a number was rounded to one of two units; at most a quarter of a unit's square.
double number_variance(const LawOfValues& law, double) { return noise_variance(law) + kUnit * kUnit / 4; }

constexpr MeanMechanism kMean = {
    number_variance, [](std::span<const std::int64_t> cells, std::uint64_t reports, const LawOfValues& law) {
      const double mean = static_cast<double>(cells[0]) * kUnit / static_cast<double>(reports);
      return MeanFigures{mean, number_variance(law, 0)};
    }};

}  // namespace noisy_figures

const LocalMechanism kSummedHistogram = {
    .name = "she",
    .number = GAUZE_SHE,
    .law = noisy_figures::epsilon_law,
    .refusal = always_allowed,
    .payload_bytes = [](const LawOfValues& law) { return std::uint64_t{4} * law.size; },
    .parameters = noisy_figures::scale_parameter,
    .cells = a_cell_a_value,
    .count = count_figures,
    .frequency = &noisy_figures::kFrequency,
    .law_names = {"epsilon_nano", "", ""}};
const LocalMechanism kLaplace = {.name = "laplace",
                                 .number = GAUZE_LAPLACE,
                                 .question = Question::mean,
                                 .law = noisy_figures::epsilon_law,
                                 .refusal = always_allowed,
                                 .payload_bytes = [](const LawOfValues&) { return std::uint64_t{4}; },
                                 .parameters = noisy_figures::scale_parameter,
                                 .cells = [](const LawOfValues&) { return std::size_t{1}; },
                                 .count = count_figure,
                                 .mean = &noisy_figures::kMean,
                                 .law_names = {"epsilon_nano", "", ""}};

}  // namespace gauze::collect
