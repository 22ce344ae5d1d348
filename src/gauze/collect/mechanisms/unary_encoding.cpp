// sue, oue, the: a bit for every value.
#include "gauze/collect/count/count_bits.h"
#include "gauze/collect/internal/frequency_parts.h"
#include "gauze/collect/internal/listed_mechanisms.h"

namespace gauze::collect {
namespace unary_bits {

std::optional<SupportChances> chances(const LawOfValues& law) {
  return SupportChances{share_of_word(law.law.numbers[0]), share_of_word(law.law.numbers[1])};
}

constexpr FrequencyMechanism kFrequency = {chances, cells_as_they_are, variance_by_chances<chances>,
                                           added_variances<chances>, added_difference<chances>};

constexpr LocalMechanism unary(std::string_view name, unsigned char number,
                               LocalLaw (*law)(std::uint64_t, std::uint32_t),
                               Json (*parameters)(const LawOfValues&, std::uint64_t)) {
  return {.name = name,
          .number = number,
          .law = law,
          .refusal = always_allowed,
          .payload_bytes = a_bit_a_value,
          .parameters = parameters,
          .cells = a_cell_a_value,
          .count = count_bits,
          .frequency = &kFrequency,
          .law_names = {"T1", "T0", ""}};
}

}  // namespace unary_bits

const LocalMechanism kSymmetricUnary = unary_bits::unary(
    "sue", GAUZE_SUE, [](std::uint64_t epsilon_nano, std::uint32_t) { return symmetric_bits_law(epsilon_nano); },
    no_parameters);
const LocalMechanism kOptimisedUnary = unary_bits::unary(
    "oue", GAUZE_OUE, [](std::uint64_t epsilon_nano, std::uint32_t) { return optimised_bits_law(epsilon_nano); },
    no_parameters);
const LocalMechanism kThresholdHistogram = unary_bits::unary(
    "the", GAUZE_THE, [](std::uint64_t epsilon_nano, std::uint32_t) { return threshold_bits_law(epsilon_nano); },
    [](const LawOfValues&, std::uint64_t epsilon_nano) {
      return Json::object({{"theta", best_threshold(static_cast<double>(epsilon_nano) * 1e-9)}});
    });

}  // namespace gauze::collect
