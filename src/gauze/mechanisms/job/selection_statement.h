#pragma once

#include <cstdint>
#include <string>

#include "gauze/base/words.h"
#include "gauze/files/json.h"
#include "gauze/label/privacy_cost.h"
#include "gauze/mechanisms/selection/partition_selection.h"
#include "gauze/mechanisms/selection/selection.h"

namespace gauze {

inline constexpr Words<SelectionMechanism::Kind, 4> kSelectionWords = {
    {{SelectionMechanism::Kind::exponential, "exponential"},
     {SelectionMechanism::Kind::base2_exponential, "base2-exponential"},
     {SelectionMechanism::Kind::permute_and_flip, "permute-and-flip"},
     {SelectionMechanism::Kind::noisy_max, "noisy-max"}}};
inline constexpr Words<PartitionSelection::Noise, 4> kPartitionNoiseWords = {
    {{PartitionSelection::Noise::laplace, "laplace"},
     {PartitionSelection::Noise::gaussian, "gaussian"},
     {PartitionSelection::Noise::geometric, "geometric"},
     {PartitionSelection::Noise::optimal, "optimal"}}};

/// What so many private choices cost together.
[[nodiscard]] PrivacyCost cost_of(const SelectionMechanism::Options& options, std::int64_t count, std::string unit);
/// What is promised about them.
[[nodiscard]] PrivacyLabel label_of(const SelectionMechanism::Options& options, const PrivacyCost& cost,
                                    std::int64_t count);
/// Takes the promise back: whoever sees probabilities computed from the true scores learns the scores.
void mark_as_probabilities(PrivacyLabel& label);

/// threshold, keep_probability, mechanism, parameters. Nothing private: it follows from the options alone.
[[nodiscard]] Json to_json(const PartitionSelection& selection, const PartitionSelection::Options& options,
                           std::optional<double> keep_probability);

}  // namespace gauze
