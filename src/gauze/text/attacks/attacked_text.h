#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gauze/text/sanitize/document_plan.h"
#include "gauze/text/sanitize/word_replacer.h"

namespace gauze::text {

/// In place of a word's number: the vocabulary does not have it, or nobody can see it.
inline constexpr std::uint32_t kNoWord = 0xFFFF'FFFF;

/// How a token of the clean text looks to whoever reads the sanitised one.
enum class TokenSight : std::uint8_t {
  drawn,   ///< as a word that the mechanism drew: this is what is attacked
  kept,    ///< as itself
  hidden,  ///< as a mask, or as something the vocabulary does not have
  absent,  ///< not at all: it was dropped
};

struct AttackedToken {
  TokenSight sight = TokenSight::hidden;
  std::uint32_t original = kNoWord;  ///< what the owner knows; kNoWord cannot be recovered
  std::uint32_t seen = kNoWord;      ///< what the attacker sees: of drawn and kept tokens
  friend bool operator==(const AttackedToken&, const AttackedToken&) = default;
};

/// Clean documents beside what is seen of them. Private: it is for the owner alone.
struct AttackedText {
  std::vector<std::vector<AttackedToken>> documents;  ///< all tokens but layout
  std::uint64_t unaligned_documents = 0;              ///< left out: clean and sanitised tokens do not pair up
};

/// Reads documents for attacks: the owner's by the policy they are sanitised with, everybody else's word by word.
/// A document that is not UTF-8 is `bad_data`, named by its number from 1.
///
/// Thread safety: const members may be called concurrently.
class AttackReader {
 public:
  /// Vectors and dictionary must outlive the reader.
  AttackReader(const WordVectors& vectors, const SegmentationDictionary* dictionary, SanitizePolicy policy);

  /// Draws replacements for the clean documents from a seed.
  [[nodiscard]] Result<AttackedText> simulate(std::span<const std::string> clean, WordReplacer& replacer,
                                              std::uint64_t seed) const;
  /// Pairs clean documents with sanitised ones, as many, token by token; *** is a token. A document with another number of
  /// tokens is left out and counted: a drawn word may itself hold a blank or be punctuation.
  [[nodiscard]] Result<AttackedText> align(std::span<const std::string> clean,
                                           std::span<const std::string> sanitised) const;
  /// The words of public documents, as they would be before they are drawn: what the policy masks is kNoWord, what it drops
  /// is not there.
  [[nodiscard]] Result<std::vector<std::vector<std::uint32_t>>> words_of(
      std::span<const std::string> documents) const;

 private:
  struct CleanDocument;
  class Planners;
  const WordVectors& vectors_;
  const SegmentationDictionary* dictionary_;
  SanitizePolicy policy_;
  std::optional<SimilarSpelling> spelling_;
};

}  // namespace gauze::text
