#pragma once

#include <optional>
#include <string_view>

#include "gauze/base/words.h"

namespace gauze {

/// Which two inputs a guarantee, and the sensitivity it stands on, is about: one privacy unit added or removed, one replaced by
/// another, any two inputs of a device, or none (a guarantee that is not about pairs).
enum class Neighbours { add_remove, replace_one, any_two_inputs, not_applicable };

inline constexpr Words<Neighbours, 4> kNeighboursWords = {{{Neighbours::add_remove, "add-remove"},
                                                           {Neighbours::replace_one, "replace-one"},
                                                           {Neighbours::any_two_inputs, "any-two-inputs"},
                                                           {Neighbours::not_applicable, "not-applicable"}}};
/// Those that differ in one unit of a table: what a sensitivity can be about.
inline constexpr Words<Neighbours, 2> kOneUnitWords = {{kNeighboursWords[0], kNeighboursWords[1]}};
/// Refuses the others.
[[nodiscard]] Result<void> check_one_unit(Neighbours neighbours);

[[nodiscard]] constexpr std::string_view to_string(Neighbours neighbours) {
  return word_of(kNeighboursWords, neighbours);
}

}  // namespace gauze
