#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gauze::text {

/// Where the clitic at the end of an English word begins, in bytes, as the Penn treebank divides words: do|n't, it|'s,
/// they|'re, we|'ll, I|'m, they|'ve, he|'d, and 't of texts with "don 't". In capitals, too, and with ' or ’ (U+2019). 0: the
/// word is nothing but a clitic. At most one is found, the last: "rock'n'roll", "O'Neil" and "gonna" have none.
[[nodiscard]] std::optional<std::size_t> find_clitic(std::string_view word);
[[nodiscard]] inline bool is_clitic(std::string_view word) { return find_clitic(word) == std::size_t{0}; }

inline constexpr std::string_view kCurlyApostrophe = "\xE2\x80\x99";
[[nodiscard]] inline bool is_apostrophe(std::string_view text) { return text == "'" || text == kCurlyApostrophe; }
/// The word with ' for every ’: vocabularies and lists hold the former.
[[nodiscard]] std::string straight_apostrophes(std::string word);

}  // namespace gauze::text
