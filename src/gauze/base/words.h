#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "gauze/base/error.h"

namespace gauze {

/// The values of an enumeration, each with the word that people write for it. The one way from words to values and back.
template <class Value, std::size_t N>
using Words = std::array<std::pair<Value, std::string_view>, N>;

/// The word of a value: word_of(kMetricWords, Metric::loss) is "loss". Every value has one.
template <class Value, std::size_t N>
[[nodiscard]] constexpr std::string_view word_of(const Words<Value, N>& words, std::type_identity_t<Value> value) {
  for (const auto& [candidate, word] : words) {
    if (candidate == value) return word;
  }
  GAUZE_CHECK(false);
  return {};
}

/// The value of a word; nothing when there is no such word.
template <class Value, std::size_t N>
[[nodiscard]] constexpr std::optional<Value> value_of(const Words<Value, N>& words, std::string_view word) {
  for (const auto& [value, candidate] : words) {
    if (candidate == word) return value;
  }
  return std::nullopt;
}

/// All words, in their order.
template <class Value, std::size_t N>
[[nodiscard]] std::vector<std::string> all_words(const Words<Value, N>& words) {
  std::vector<std::string> list;
  for (const auto& one : words) list.emplace_back(one.second);
  return list;
}

/// "the metric must be loss, aecs or entropy; did you mean 'loss'?"
[[nodiscard]] Error wrong_word(std::string_view what, const std::vector<std::string>& words, std::string_view given);

}  // namespace gauze
