#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/files/json.h"
#include "gauze/text/tokens/tokenizer.h"
#include "gauze/text/vectors/word_vectors.h"

namespace gauze::text {

/// What stands beside figures that name words of a private text.
inline constexpr std::string_view kOwnWordsNotice = "INTERNAL: names words of a private text, not to be published";

/// A word of the vocabulary, and how often a text has it.
struct WordCount {
  std::uint32_t word = 0;
  std::uint64_t count = 0;
};

/// The words of the owner's documents that a mechanism would be asked to replace.
struct TextWords {
  std::vector<WordCount> known;  ///< each once, by number
  std::uint64_t unknown = 0;     ///< tokens that are words, but none of the vocabulary
  [[nodiscard]] std::uint64_t known_tokens() const;
};
/// Divided as text is sanitised; numbers and addresses are no words. The dictionary may be null. `bad_data` with the number of the
/// document, from 1, for one that is not UTF-8.
[[nodiscard]] Result<TextWords> words_of_text(const WordVectors& vectors, const SegmentationDictionary* dictionary,
                                              Language language, std::span<const std::string> documents);

/// A word of the owner's text and the chance that it stays as it is. Private.
struct OwnWord {
  std::uint32_t word = 0;
  std::uint64_t count = 0;
  double stays = 0;
};
/// At most so many, those likeliest to stay first; of equal ones the more frequent.
[[nodiscard]] std::vector<OwnWord> likeliest_to_stay(std::span<const WordCount> words,
                                                     const std::function<double(std::uint32_t word)>& stays,
                                                     std::size_t most);
/// For the owner's programs (docs/formats/json-output.md).
[[nodiscard]] Json to_json(const std::vector<OwnWord>& words, const WordVectors& vectors);

}  // namespace gauze::text
