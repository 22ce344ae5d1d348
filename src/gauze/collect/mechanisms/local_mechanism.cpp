#include "gauze/collect/mechanisms/local_mechanism.h"

#include <algorithm>

#include "gauze/collect/internal/listed_mechanisms.h"
#include "gauze/encoder/law_cost.h"
#include "gauze/encoder/task_block.h"

namespace gauze::collect {

std::span<const LocalMechanism* const> local_mechanisms() {
  static constexpr const LocalMechanism* kAll[] = {
      &kDirectEncoding,  &kSummedHistogram, &kThresholdHistogram, &kSymmetricUnary,
      &kOptimisedUnary,  &kBinaryHashing,   &kOptimisedHashing,   &kHadamardResponse,
      &kSubsetSelection, &kDuchi,           &kPiecewise,          &kHybrid,
      &kLaplace};
  return kAll;
}

const LocalMechanism* find_local_mechanism(std::string_view name) {
  const auto all = local_mechanisms();
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto* one) { return one->name == name; });
  return found == all.end() ? nullptr : *found;
}

const LocalMechanism* find_local_mechanism(unsigned char number) {
  const auto all = local_mechanisms();
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto* one) { return one->number == number; });
  return found == all.end() ? nullptr : *found;
}

std::vector<std::string> names_of_mechanisms(Question question) {
  std::vector<std::string> names;
  for (const LocalMechanism* one : local_mechanisms())
    if (one->question == question) names.emplace_back(one->name);
  return names;
}

ReportShape shape_of(const LocalMechanism& mechanism, const LawOfValues& law) {
  ReportShape shape;
  shape.size = law.size;
  shape.parameter = law.law.parameter;
  shape.payload_bytes = mechanism.payload_bytes(law);
  // Noise on figures is clamped at 1 + 80 / epsilon; other laws do not look at it.
  if (law.law.numbers[0] != 0)
    shape.clamp = GAUZE_FIGURE_ONE + static_cast<std::int64_t>(81'920'000'000'000 / law.law.numbers[0]);
  return shape;
}

std::uint64_t cost_of_law(const LocalMechanism& mechanism, const LocalLaw& law) {
  return gauze_law_cost(mechanism.number, law.numbers.data());
}

}  // namespace gauze::collect
