#pragma once

#include <string>
#include <string_view>

#include "gauze/text/tokens/tokenizer.h"

namespace gauze::text {

/// The form in which a word of a text is looked for in a vocabulary: normalisation form C, full-width and half-width forms
/// folded. The text must be UTF-8.
[[nodiscard]] std::string lookup_form(std::string_view word);
/// The same in small letters, for words that are not found as they stand.
[[nodiscard]] std::string small_letters(std::string_view word);

/// Whether a letter of the language's script is in the word: Latin for English, Han for Chinese; either for automatic.
[[nodiscard]] bool has_letter_of(std::string_view word, Language language);

/// The replacement in the case of what it replaces: CAPITALS (two letters at least, or a clitic: 'S), Capitalised, or
/// as it is.
[[nodiscard]] std::string in_the_case_of(std::string_view original, std::string_view replacement);

}  // namespace gauze::text
