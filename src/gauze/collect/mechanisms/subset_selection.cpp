// ss: a subset of the values.
#include "gauze/collect/count/count_bits.h"
#include "gauze/collect/internal/frequency_parts.h"
#include "gauze/collect/internal/listed_mechanisms.h"

namespace gauze::collect {
namespace subsets {

std::optional<SupportChances> chances(const LawOfValues& law) {
  const double a = weight_ratio(law.law);
  const double w = law.law.parameter;
  const double d = law.size;
  const double p = w * a / (w * a + (d - w));
  return SupportChances{p, (p * (w - 1) + (1 - p) * w) / (d - 1)};
}

/// Of how many of `marked` among `all` are drawn when `drawn` are.
double hypergeometric_variance(double all, double marked, double drawn) {
  if (all <= 1) return 0;
  const double share = marked / all;
  return drawn * share * (1 - share) * (all - drawn) / (all - 1);
}

/// Given whether the device's value is in the subset, the rest is drawn without replacement from the other d - 1 values.
double variance_of_sum(const LawOfValues& law, std::span<const std::uint32_t> set,
                       std::span<const double> estimates) {
  const auto [p, q] = *chances(law);
  const double w = law.law.parameter;
  const double others = law.size - 1.0;
  const double s = static_cast<double>(set.size());
  double share = 0;
  for (const std::uint32_t value : set) share += estimates[value];
  share = as_share(share);
  const auto given = [&](double marked, double own) {
    const double drawn =
        p * hypergeometric_variance(others, marked, w - 1) + (1 - p) * hypergeometric_variance(others, marked, w);
    const double step = own - marked / others;
    return drawn + p * (1 - p) * step * step;
  };
  const double in = share > 0 ? given(s - 1, 1) : 0;
  const double out = share < 1 ? given(std::fmin(s, others), 0) : 0;
  return (share * in + (1 - share) * out) / ((p - q) * (p - q));
}

double variance_of_difference(const LawOfValues& law, std::uint32_t a, std::uint32_t b,
                              std::span<const double> estimates) {
  const auto [p, q] = *chances(law);
  const double w = law.law.parameter;
  const double others = law.size - 1.0;
  const double share = as_share(estimates[a] + estimates[b]);
  // The device has a: x = 1[a] - 1[b]. With a in the subset b is one of w - 1 out of d - 1, else one of w.
  const double with = (w - 1) / others;
  const double without = w / others;
  const double square = p * (1 - with) + (1 - p) * without;  // x is 1, 0 or -1
  const double mean = p * (1 - with) - (1 - p) * without;
  const double of_either = square - mean * mean;
  // It has neither: one of the two is in and the other is not.
  const auto one_of_two = [&](double drawn) {
    return others <= 1 ? 0 : 2 * drawn * (others - drawn) / (others * (others - 1));
  };
  const double of_none = p * one_of_two(w - 1) + (1 - p) * one_of_two(w);
  return (share * of_either + (1 - share) * of_none) / ((p - q) * (p - q));
}

constexpr FrequencyMechanism kFrequency = {chances, cells_as_they_are, variance_by_chances<chances>, variance_of_sum,
                                           variance_of_difference};

}  // namespace subsets

const LocalMechanism kSubsetSelection = {
    .name = "ss",
    .number = GAUZE_SS,
    .law =
        [](std::uint64_t epsilon_nano, std::uint32_t size) {
          const double share = 1 / (std::exp(static_cast<double>(epsilon_nano) * 1e-9) + 1);
          return weights_law(epsilon_nano, static_cast<std::uint32_t>(std::fmax(1, std::nearbyint(size * share))));
        },
    .refusal = always_allowed,
    .payload_bytes = a_bit_a_value,
    .parameters =
        [](const LawOfValues& law, std::uint64_t) {
          return Json::object({{"w", law.law.parameter}});
        },
    .cells = a_cell_a_value,
    .count = count_subsets,
    .frequency = &subsets::kFrequency};

}  // namespace gauze::collect
