#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gauze/text/vectors/word_vectors.h"

namespace gauze::text {

/// Finds the word of a public vocabulary that is spelt most like a given one: the word with the largest share of common
/// pieces of three characters of "<word>" (Dice's coefficient), of two where none of three is common; the first of
/// equals. A public function of the word, so what the mechanism promises for its result is promised for the word: the
/// distance of two unknown words is that of the words they are taken for.
///
/// Thread safety: const members may be called concurrently.
class SimilarSpelling {
 public:
  /// The vectors must outlive the index; O(letters of the vocabulary) of memory.
  explicit SimilarSpelling(const WordVectors& vectors);

  /// Nothing when no word shares a piece. The word must be UTF-8.
  [[nodiscard]] std::optional<std::uint32_t> nearest(std::string_view word) const;

 private:
  struct Pieces {
    int length = 0;
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> words;  ///< by hash of the piece, ascending
    std::vector<std::uint16_t> counts;                                    ///< different pieces of each word
  };
  void add(Pieces& pieces, const WordVectors& vectors) const;
  [[nodiscard]] static std::optional<std::uint32_t> best(const Pieces& pieces, std::string_view word);

  std::size_t size_;
  Pieces threes_;
  Pieces twos_;
};

}  // namespace gauze::text
