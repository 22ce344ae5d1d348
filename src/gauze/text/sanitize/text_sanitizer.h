#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "gauze/text/sanitize/word_replacer.h"
#include "gauze/text/tokens/tokenizer.h"
#include "gauze/text/vectors/word_vectors.h"

namespace gauze::text {

/// What is printed for a token that no mechanism replaces.
enum class TokenPolicy {
  mask,  ///< ***
  drop,  ///< nothing
  keep,  ///< the token itself: whoever reads the output reads it
};
inline constexpr std::string_view kMask = "***";

struct SanitizePolicy {
  TokenPolicy unknown = TokenPolicy::mask;          ///< words that the vocabulary does not have
  TokenPolicy numbers = TokenPolicy::mask;          ///< numbers
  TokenPolicy addresses = TokenPolicy::mask;        ///< e-mail and web addresses, telephone numbers
  std::unordered_set<std::string> kept_words = {};  ///< public stop words, in small letters, printed as they are
};

/// Counts over private text: for the owner.
struct SanitizeCounts {
  std::uint64_t documents = 0;
  std::uint64_t tokens = 0;     ///< all but layout
  std::uint64_t replaced = 0;   ///< drawn by the mechanism
  std::uint64_t unchanged = 0;  ///< of these, those that became themselves
  std::uint64_t kept = 0;       ///< printed as they are by a policy
  std::uint64_t unknown = 0;    ///< not in the vocabulary
  std::uint64_t masked = 0;     ///< masked or dropped
};

/// Replaces the words of documents and leaves their layout as it is: blanks, punctuation, and the case of letters around
/// replaced words.
///
/// A word is looked for as it is written and then in small letters; only a word of the vocabulary can be printed, unless a
/// policy keeps others. Documents are independent of each other.
class TextSanitizer {
 public:
  /// Vectors, replacer and dictionary must outlive the sanitizer.
  TextSanitizer(const WordVectors& vectors, WordReplacer& replacer, const SegmentationDictionary* dictionary,
                SanitizePolicy policy)
      : vectors_(vectors), replacer_(replacer), dictionary_(dictionary), policy_(std::move(policy)) {}

  /// Replaces each document by its sanitised form. `seed` is for demonstrations. A document that is not UTF-8 is
  /// `bad_data`, named by its number from 1.
  [[nodiscard]] Result<void> run(std::span<std::string> documents, std::optional<std::uint64_t> seed);
  [[nodiscard]] const SanitizeCounts& counts() const { return counts_; }

 private:
  struct Plan;
  [[nodiscard]] Plan plan_for(Tokenizer& tokenizer, std::string_view text) const;
  [[nodiscard]] std::string text_of(const Plan& plan, std::string_view text, SanitizeCounts& counts) const;
  [[nodiscard]] std::optional<std::uint32_t> number_of(std::string_view word) const;

  const WordVectors& vectors_;
  WordReplacer& replacer_;
  const SegmentationDictionary* dictionary_;
  SanitizePolicy policy_;
  SanitizeCounts counts_;
};

}  // namespace gauze::text
