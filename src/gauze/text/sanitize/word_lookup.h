#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/label/warning.h"
#include "gauze/text/sanitize/sanitize_policy.h"
#include "gauze/text/vectors/word_vectors.h"

namespace gauze::text {

/// The word of the vocabulary that a token of a text is: as it is written, in small letters, with ' for ’ in either, and in
/// Simplified characters where it is Traditional Chinese. The token must be UTF-8. `simplified` is set to whether only the last
/// did.
[[nodiscard]] std::optional<std::uint32_t> find_word(const WordVectors& vectors, std::string_view token,
                                                     bool* simplified = nullptr);

/// The form in which a token is looked for in lists of stop words: small letters, ' for ’.
[[nodiscard]] std::string list_form(std::string_view token);

/// Words of a list, found as tokens of a text are.
struct FoundWords {
  std::vector<std::uint32_t> words;  ///< of the vocabulary, each once, in the order of the list
  std::size_t unknown = 0;           ///< entries that the vocabulary does not have
};
/// Of a list with one word a line (word_list.h). `bad_data` when it is not UTF-8, or has no word of the vectors.
[[nodiscard]] Result<FoundWords> find_listed(std::string_view list, const std::string& name,
                                             const WordVectors& vectors);

/// What the owner of a text is told when most of its tokens are words that the vocabulary does not have: the vectors are of another
/// language. It concerns privacy where such words are kept.
[[nodiscard]] std::optional<Warning> misfit_of_text(std::uint64_t unknown, std::uint64_t tokens, TokenPolicy policy);

/// Whether the vocabulary has a word with a letter of the language's script (word_shape.h).
[[nodiscard]] bool has_words_of(const WordVectors& vectors, Language language);

}  // namespace gauze::text
