#pragma once
// What several frequency mechanisms share.

#include <cmath>

#include "gauze/collect/mechanisms/local_mechanism.h"
#include "gauze/encoder/task_block.h"

namespace gauze::collect {

/// e^epsilon as the law has it: A / B.
[[nodiscard]] inline double weight_ratio(const LocalLaw& law) {
  return static_cast<double>(law.numbers[0]) * 0x1p-32;
}

/// A share as it is put into a variance.
[[nodiscard]] inline double as_share(double estimate) { return std::fmin(1, std::fmax(0, estimate)); }

[[nodiscard]] inline std::string always_allowed(const LawOfValues&) { return {}; }
[[nodiscard]] inline Json no_parameters(const LawOfValues&, std::uint64_t) { return Json::object(); }
[[nodiscard]] inline std::size_t a_cell_a_value(const LawOfValues& law) { return law.size; }
[[nodiscard]] inline std::uint64_t a_bit_a_value(const LawOfValues& law) { return (law.size + std::uint64_t{7}) / 8; }
[[nodiscard]] inline std::vector<std::int64_t> cells_as_they_are(std::span<const std::int64_t> cells,
                                                                 const LawOfValues&) {
  return {cells.begin(), cells.end()};
}

/// [q (1 - q) / (p - q)^2 + f (1 - p - q) / (p - q)]: exact for every mechanism that counts supports.
[[nodiscard]] inline double support_variance(SupportChances chances, double f) {
  const double gap = chances.p - chances.q;
  return chances.q * (1 - chances.q) / (gap * gap) + f * (1 - chances.p - chances.q) / gap;
}

/// Where supports of different values are independent given the device's value, variances add up.
template <std::optional<SupportChances> (*chances)(const LawOfValues&)>
[[nodiscard]] double added_variances(const LawOfValues& law, std::span<const std::uint32_t> set,
                                     std::span<const double> estimates) {
  double sum = 0;
  for (const std::uint32_t value : set) sum += support_variance(*chances(law), as_share(estimates[value]));
  return sum;
}
template <std::optional<SupportChances> (*chances)(const LawOfValues&)>
[[nodiscard]] double added_difference(const LawOfValues& law, std::uint32_t a, std::uint32_t b,
                                      std::span<const double> estimates) {
  return support_variance(*chances(law), as_share(estimates[a])) +
         support_variance(*chances(law), as_share(estimates[b]));
}
template <std::optional<SupportChances> (*chances)(const LawOfValues&)>
[[nodiscard]] double variance_by_chances(const LawOfValues& law, double f) {
  return support_variance(*chances(law), f);
}

}  // namespace gauze::collect
