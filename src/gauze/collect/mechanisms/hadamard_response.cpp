// hr: a column of a Hadamard matrix in which the row of the value has a 1.
#include <algorithm>
#include <bit>

#include "gauze/collect/count/count_hadamard.h"
#include "gauze/collect/count/internal/walsh_hadamard.h"
#include "gauze/collect/internal/frequency_parts.h"
#include "gauze/collect/internal/listed_mechanisms.h"

namespace gauze::collect {
namespace hadamard {

std::optional<SupportChances> chances(const LawOfValues& law) {
  const double a = weight_ratio(law.law);
  return SupportChances{a / (a + 1), 0.5};
}

/// For two values u, v of a set, and r the row that is the sum of theirs: a report of a device whose row is r supports both or none more
/// often than not. With signs chi = +-1 of a row and rho = 2 p - 1: E[chi_u chi_v] = E[chi_(u xor v)] = rho where u xor v = r,
/// else 0. The number of pairs (u, v) of the set with that sum is an autocorrelation, which the Walsh-Hadamard transform turns into
/// squares.
double variance_of_sum(const LawOfValues& law, std::span<const std::uint32_t> set,
                       std::span<const double> estimates) {
  const SupportChances both = *chances(law);
  double sum = 0;
  for (const std::uint32_t value : set) sum += support_variance(both, as_share(estimates[value]));
  std::vector<double> pairs(law.law.parameter, 0.0);
  for (const std::uint32_t value : set) pairs[value + 1] = 1;
  walsh_hadamard<double>(pairs);
  for (double& entry : pairs) entry = entry * entry / static_cast<double>(pairs.size());
  walsh_hadamard<double>(pairs);
  double shares = 0;
  double most = 0;
  for (std::uint32_t value = 0; value < law.size; ++value) {
    shares += pairs[value + 1] * estimates[value];
    most = std::max(most, pairs[value + 1]);
  }
  const double rho = 2 * both.p - 1;
  const double gap = both.p - both.q;
  return sum + std::clamp(shares, 0.0, most) * rho / 4 / (gap * gap);
}

double variance_of_difference(const LawOfValues& law, std::uint32_t a, std::uint32_t b,
                              std::span<const double> estimates) {
  const SupportChances both = *chances(law);
  const double apart =
      support_variance(both, as_share(estimates[a])) + support_variance(both, as_share(estimates[b]));
  const std::uint32_t row = (a + 1) ^ (b + 1);
  if (row > law.size) return apart;
  const double rho = 2 * both.p - 1;
  const double gap = both.p - both.q;
  return apart - 2 * as_share(estimates[row - 1]) * rho / 4 / (gap * gap);
}

constexpr FrequencyMechanism kFrequency = {
    chances,
    [](std::span<const std::int64_t> cells, const LawOfValues& law) { return hadamard_supports(cells, law.size); },
    variance_by_chances<chances>, variance_of_sum, variance_of_difference};

}  // namespace hadamard

const LocalMechanism kHadamardResponse = {
    .name = "hr",
    .number = GAUZE_HR,
    .law = [](std::uint64_t epsilon_nano,
              std::uint32_t size) { return weights_law(epsilon_nano, std::bit_ceil(size + 1)); },
    .refusal = always_allowed,
    .payload_bytes = [](const LawOfValues& law) -> std::uint64_t { return index_bytes(law.law.parameter); },
    .parameters =
        [](const LawOfValues& law, std::uint64_t) {
          return Json::object({{"K", law.law.parameter}});
        },
    .cells = [](const LawOfValues& law) -> std::size_t { return law.law.parameter; },
    .count = count_hadamard,
    .frequency = &hadamard::kFrequency};

}  // namespace gauze::collect
