#include "gauze/text/sanitize/word_lookup.h"

#include "gauze/text/tokens/clitics.h"
#include "gauze/text/tokens/word_shape.h"

namespace gauze::text {

std::optional<std::uint32_t> find_word(const WordVectors& vectors, std::string_view token) {
  const std::string form = lookup_form(token);
  if (const auto word = vectors.find(form)) return word;
  const std::string small = small_letters(form);
  const auto word = vectors.find(small);
  if (word || form.find(kCurlyApostrophe) == std::string::npos) return word;
  return find_word(vectors, straight_apostrophes(form));
}

std::string list_form(std::string_view token) { return straight_apostrophes(small_letters(lookup_form(token))); }

bool has_words_of(const WordVectors& vectors, Language language) {
  for (std::size_t i = 0; i < vectors.size(); ++i)
    if (has_letter_of(vectors.word(i), language)) return true;
  return false;
}

}  // namespace gauze::text
