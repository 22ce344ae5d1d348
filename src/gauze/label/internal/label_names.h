#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "gauze/label/label.h"

namespace gauze::internal {

inline constexpr std::string_view kLabelFormat = "gauze-label";
inline constexpr int kLabelVersion = 1;
inline constexpr std::string_view kCommitmentScheme = "hmac-sha256";

inline constexpr std::array<std::pair<Definition, std::string_view>, 11> kDefinitionNames = {{
    {Definition::pure, "pure"},
    {Definition::approximate, "approximate"},
    {Definition::zcdp, "zcdp"},
    {Definition::renyi, "renyi"},
    {Definition::gaussian, "gaussian"},
    {Definition::metric, "metric"},
    {Definition::umldp, "umldp"},
    {Definition::k_anonymity, "k-anonymity"},
    {Definition::pattern_hiding, "pattern-hiding"},
    {Definition::none, "none"},
    {Definition::internal, "internal"},
}};

inline constexpr std::array<std::pair<Neighbours, std::string_view>, 4> kNeighboursNames = {{
    {Neighbours::add_remove, "add-remove"},
    {Neighbours::replace_one, "replace-one"},
    {Neighbours::any_two_inputs, "any-two-inputs"},
    {Neighbours::not_applicable, "not-applicable"},
}};

inline constexpr std::array<std::pair<Provenance, std::string_view>, 3> kProvenanceNames = {{
    {Provenance::public_knowledge, "public"},
    {Provenance::selected, "selected"},
    {Provenance::data, "data"},
}};

template <class Names, class Value>
[[nodiscard]] constexpr std::string_view name_in(const Names& names, Value value) {
  for (const auto& [candidate, name] : names) {
    if (candidate == value) return name;
  }
  return {};
}

template <class Names>
[[nodiscard]] constexpr auto value_in(const Names& names, std::string_view text)
    -> std::optional<typename Names::value_type::first_type> {
  for (const auto& [value, name] : names) {
    if (name == text) return value;
  }
  return std::nullopt;
}

/// Whether the text is a number as JSON writes it: no leading zeros or plus, digits on both sides of a point.
[[nodiscard]] bool is_json_number(std::string_view text);

}  // namespace gauze::internal
