#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gauze {

/// How many letters must be added, dropped, changed or swapped with their neighbour to turn one word into the other.
[[nodiscard]] int edit_distance(std::string_view a, std::string_view b);

/// The candidate that a mistyped word most likely meant; empty when none is near.
[[nodiscard]] std::string closest(std::string_view word, const std::vector<std::string>& candidates);

/// "; did you mean 'noise'?", or nothing.
[[nodiscard]] std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates,
                                       std::string_view prefix = "");

/// A mistyped word as a message may show it: in quotes when it looks like a name, else empty. What does not look like
/// a name may be data that slipped out of its place.
[[nodiscard]] std::string quoted_name(std::string_view word);

}  // namespace gauze
