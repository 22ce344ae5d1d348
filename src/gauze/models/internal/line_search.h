#pragma once

namespace gauze::models::internal {

/// What both minimisers ask of a step along their direction.
inline constexpr int kMaxHalvings = 60;
inline constexpr double kSufficientDecrease = 1e-4;
inline constexpr double kRounding = 1e-12;  ///< of the value: what a sum over many rows may be off by

}  // namespace gauze::models::internal
