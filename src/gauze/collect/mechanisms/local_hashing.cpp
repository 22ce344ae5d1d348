// blh, olh: the hash of the value, under a hash that every report draws for itself.
#include <fmt/core.h>

#include "gauze/collect/count/count_hashes.h"
#include "gauze/collect/internal/frequency_parts.h"
#include "gauze/collect/internal/listed_mechanisms.h"

namespace gauze::collect {
namespace hashed {

/// The hash is quadratic: supports of different values are independent given the device's value (docs/proofs/local-hashing.md).
std::optional<SupportChances> chances(const LawOfValues& law) {
  const double a = weight_ratio(law.law);
  const double g = law.law.parameter;
  return SupportChances{a / (a + (g - 1)), 1 / g};
}

constexpr FrequencyMechanism kFrequency = {chances, cells_as_they_are, variance_by_chances<chances>,
                                           added_variances<chances>, added_difference<chances>};

std::string refusal(const LawOfValues& law) {
  if (law.law.parameter <= law.size) return {};
  return fmt::format("its {} hash values are more than the {} values: de says more in fewer bytes", law.law.parameter,
                     law.size);
}

constexpr LocalMechanism hashing(std::string_view name, unsigned char number,
                                 LocalLaw (*law)(std::uint64_t, std::uint32_t)) {
  return {.name = name,
          .number = number,
          .law = law,
          .refusal = refusal,
          .payload_bytes = [](const LawOfValues& of) -> std::uint64_t { return 12 + index_bytes(of.law.parameter); },
          .parameters =
              [](const LawOfValues& of, std::uint64_t) {
                return Json::object({{"g", of.law.parameter}});
              },
          .cells = a_cell_a_value,
          .count = count_hashes,
          .frequency = &kFrequency};
}

}  // namespace hashed

const LocalMechanism kBinaryHashing = hashed::hashing(
    "blh", GAUZE_BLH, [](std::uint64_t epsilon_nano, std::uint32_t) { return weights_law(epsilon_nano, 2); });
const LocalMechanism kOptimisedHashing =
    hashed::hashing("olh", GAUZE_OLH, [](std::uint64_t epsilon_nano, std::uint32_t) {
      const double g = std::nearbyint(std::exp(static_cast<double>(epsilon_nano) * 1e-9) + 1);
      return weights_law(epsilon_nano, static_cast<std::uint32_t>(g));
    });

}  // namespace gauze::collect
