#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gauze/learn/plan/training_plan.h"
#include "gauze/learn/rows/learning_rows.h"
#include "gauze/learn/step/streams.h"

namespace gauze::learn {

/// How many bins a histogram of numbers has between its bounds, besides one for "missing".
inline constexpr std::size_t kEntropyBins = 16;

/// The cell of a feature's histogram that a code falls into, and how many there are: listed values and "other"; bins and "missing".
[[nodiscard]] std::size_t histogram_cells(const schema::LearnFeature& feature);
[[nodiscard]] std::size_t histogram_cell(const schema::LearnFeature& feature, std::uint32_t code);

/// - sum p ln p of counts that may be negative (they count as 0); 0 without mass.
[[nodiscard]] double entropy_of(std::span<const std::int64_t> counts);

/// The entropies of the sensitive features, in their order: those of the policy, or from one noisy histogram each over at most max_rows
/// rows of the units that `included` marks (empty: all). The noise is the exact normal law, rounded.
[[nodiscard]] Result<std::vector<double>> entropies_for(const TrainingPlan& plan, const schema::LearnPolicy& policy,
                                                        const LearningRows& rows,
                                                        std::span<const std::uint8_t> included, Streams& streams);

/// s = 2 - exp(-(H - least H)) for the inputs of sensitive features, 1 for others; one an input.
[[nodiscard]] std::vector<double> input_scales(const schema::LearnPolicy& policy, std::span<const double> entropies);

}  // namespace gauze::learn
