// de: the value itself, or another one.
#include "gauze/collect/count/count_direct.h"
#include "gauze/collect/internal/frequency_parts.h"
#include "gauze/collect/internal/listed_mechanisms.h"

namespace gauze::collect {
namespace direct {

std::optional<SupportChances> chances(const LawOfValues& law) {
  const double a = weight_ratio(law.law);
  const double all = a + (law.size - 1.0);
  return SupportChances{a / all, 1 / all};
}

/// A report is one value: the number of reports in a set is a sum of coins with p + (|S| - 1) q where the device's value is in the set, else
/// |S| q.
double variance_of_sum(const LawOfValues& law, std::span<const std::uint32_t> set,
                       std::span<const double> estimates) {
  const auto [p, q] = *chances(law);
  double share = 0;
  for (const std::uint32_t value : set) share += estimates[value];
  share = as_share(share);
  const double others = static_cast<double>(set.size()) - 1;
  const double in = p + others * q;
  const double out = (others + 1) * q;
  return (share * in * (1 - in) + (1 - share) * out * (1 - out)) / ((p - q) * (p - q));
}

/// +1 for a, -1 for b.
double variance_of_difference(const LawOfValues& law, std::uint32_t a, std::uint32_t b,
                              std::span<const double> estimates) {
  const auto [p, q] = *chances(law);
  const double share = as_share(estimates[a] + estimates[b]);
  const double of_either = p + q - (p - q) * (p - q);
  return (share * of_either + (1 - share) * 2 * q) / ((p - q) * (p - q));
}

constexpr FrequencyMechanism kFrequency = {chances, cells_as_they_are, variance_by_chances<chances>, variance_of_sum,
                                           variance_of_difference};

}  // namespace direct

const LocalMechanism kDirectEncoding = {
    .name = "de",
    .number = GAUZE_DE,
    .law = [](std::uint64_t epsilon_nano, std::uint32_t) { return weights_law(epsilon_nano); },
    .refusal = always_allowed,
    .payload_bytes = [](const LawOfValues& law) -> std::uint64_t { return index_bytes(law.size); },
    .parameters = no_parameters,
    .cells = a_cell_a_value,
    .count = count_direct,
    .frequency = &direct::kFrequency};

}  // namespace gauze::collect
