#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/text/sanitize/document_plan.h"
#include "gauze/text/sanitize/word_replacer.h"
#include "gauze/text/vectors/word_vectors.h"

namespace gauze::text {

/// Counts over private text: for the owner.
struct SanitizeCounts {
  std::uint64_t documents = 0;
  std::uint64_t tokens = 0;      ///< all but layout
  std::uint64_t replaced = 0;    ///< drawn by the mechanism
  std::uint64_t unchanged = 0;   ///< of these, those that became themselves
  std::uint64_t kept = 0;        ///< printed as they are by a policy
  std::uint64_t unknown = 0;     ///< not in the vocabulary
  std::uint64_t masked = 0;      ///< masked or dropped
  std::uint64_t simplified = 0;  ///< Traditional Chinese words that the vocabulary has in Simplified characters alone
};

/// Replaces the words of documents and leaves their layout as it is: blanks, punctuation, and the case of letters around
/// replaced words.
///
/// A word is looked for as it is written and then in small letters; only a word of the vocabulary can be printed, unless a
/// policy keeps others. Documents are independent of each other. Long ones are worked on piece by piece (document_pieces.h).
class TextSanitizer {
 public:
  /// Vectors, replacer and dictionary must outlive the sanitizer.
  TextSanitizer(const WordVectors& vectors, WordReplacer& replacer, const SegmentationDictionary* dictionary,
                SanitizePolicy policy);

  /// Replaces each document by its sanitised form. `seed` is for demonstrations. A document that is not UTF-8 is
  /// `bad_data`, named by its number from 1.
  [[nodiscard]] Result<void> run(std::span<std::string> documents, std::optional<std::uint64_t> seed);
  [[nodiscard]] const SanitizeCounts& counts() const { return counts_; }

 private:
  struct Piece;
  [[nodiscard]] Result<void> run_pieces(std::span<Piece> pieces, std::optional<std::uint64_t> seed);

  const WordVectors& vectors_;
  WordReplacer& replacer_;
  const SegmentationDictionary* dictionary_;
  SanitizePolicy policy_;
  std::optional<SimilarSpelling> spelling_;
  SanitizeCounts counts_;
};

}  // namespace gauze::text
