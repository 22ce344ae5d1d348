#include "gauze/text/sanitize/word_lookup.h"

#include <fmt/format.h>

#include <algorithm>

#include "gauze/text/tokens/clitics.h"
#include "gauze/text/tokens/word_shape.h"
#include "gauze/text/vectors/word_form.h"
#include "gauze/text/vectors/word_list.h"

namespace gauze::text {

namespace {

/// As it is written, in small letters, and with ' for ’ in either.
std::optional<std::uint32_t> find_form(const WordVectors& vectors, const std::string& form) {
  if (const auto word = vectors.find(form)) return word;
  const std::string small = small_letters(form);
  const auto word = vectors.find(small);
  if (word || form.find(kCurlyApostrophe) == std::string::npos) return word;
  return find_form(vectors, straight_apostrophes(form));
}

}  // namespace

std::optional<std::uint32_t> find_word(const WordVectors& vectors, std::string_view token, bool* simplified) {
  const std::string form = lookup_form(token);
  auto word = find_form(vectors, form);
  if (simplified != nullptr) *simplified = false;
  if (word) return word;
  const std::string simple = simplified_chinese(form);
  if (simple == form) return word;
  word = find_form(vectors, simple);
  if (simplified != nullptr) *simplified = word.has_value();
  return word;
}

std::string list_form(std::string_view token) { return straight_apostrophes(small_letters(lookup_form(token))); }

Result<FoundWords> find_listed(std::string_view list, const std::string& name, const WordVectors& vectors) {
  GAUZE_TRY(const std::vector<std::string_view> entries, words_of_list(list, name));
  FoundWords found;
  for (const std::string_view entry : entries) {
    const auto word = find_word(vectors, entry);
    if (!word)
      ++found.unknown;
    else if (std::find(found.words.begin(), found.words.end(), *word) == found.words.end())
      found.words.push_back(*word);
  }
  if (found.words.empty()) return make_error(ErrorCode::bad_data, "{} has no word of the vectors", name);
  return found;
}

std::optional<Warning> misfit_of_text(std::uint64_t unknown, std::uint64_t tokens, TokenPolicy policy) {
  if (2 * unknown <= tokens) return std::nullopt;
  const double share = 100 * static_cast<double>(unknown) / static_cast<double>(tokens);
  const std::string message = fmt::format(
      "{:.0f} % of the tokens are words that the vectors do not have: they do not fit the language of the text",
      share);
  if (policy == TokenPolicy::keep)
    return Warning::of_privacy("language_misfit", message + ", and such words are printed as they are");
  return Warning{"language_misfit", message};
}

bool has_words_of(const WordVectors& vectors, Language language) {
  for (std::size_t i = 0; i < vectors.size(); ++i)
    if (has_letter_of(vectors.word(i), language)) return true;
  return false;
}

}  // namespace gauze::text
