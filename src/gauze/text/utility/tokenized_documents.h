#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/base/progress.h"
#include "gauze/text/sanitize/sanitize_policy.h"
#include "gauze/text/sanitize/word_replacer.h"
#include "gauze/text/tokens/tokenizer.h"
#include "gauze/text/vectors/word_vectors.h"

namespace gauze::text {

/// The tokens of many documents, by number, one document after the other. Their order within a document has no meaning:
/// what is measured with them looks at which words a document has, not where.
struct DocumentBags {
  std::vector<std::size_t> starts = {0};
  std::vector<std::uint32_t> tokens;  ///< the number of a word; WordVectors::size() for anything else

  [[nodiscard]] std::size_t size() const { return starts.size() - 1; }
  [[nodiscard]] std::span<const std::uint32_t> operator[](std::size_t i) const {
    return std::span(tokens).subspan(starts[i], starts[i + 1] - starts[i]);
  }
  void end_document() { starts.push_back(tokens.size()); }
};

/// Documents divided into words once, to be sanitised many times and compared with what they were.
///
/// Clean text    : a word is its number in the vocabulary; unknown words, numbers (unless the policy replaces them and the
///                 vocabulary has them), addresses and telephone numbers are one token, "anything else", in common.
/// Sanitised text: a replaced word is what was drawn, a masked token "anything else", a dropped one is not there, a kept one
///                 is what it was. So a mechanism that changes no word, with nothing dropped, gives the clean text.
/// Not covered   : privacy. Simulations for the owner's eyes: draws come from a seed.
class TokenizedDocuments {
 public:
  /// `bad_data` with the number of the document, from 1, for text that is not UTF-8; `name` is what messages call the set.
  /// The dictionary may be absent.
  [[nodiscard]] static Result<TokenizedDocuments> make(const WordVectors& vectors,
                                                       const SegmentationDictionary* dictionary,
                                                       const SanitizePolicy& policy,
                                                       std::span<const std::string> documents, std::string_view name);

  [[nodiscard]] std::size_t size() const { return clean_.size(); }
  [[nodiscard]] const DocumentBags& clean() const { return clean_; }

  struct Sanitized {
    DocumentBags bags;
    std::uint64_t unchanged = 0;  ///< words that were drawn as themselves
  };
  /// The documents sanitised by draws from this seed: the same whatever the number of threads, independent for different
  /// seeds.
  /// `interrupted` soon after the progress was asked to stop.
  [[nodiscard]] Result<Sanitized> sanitized(WordReplacer& replacer, std::uint64_t seed,
                                            const Progress& progress) const;

  [[nodiscard]] std::uint64_t tokens() const { return clean_.tokens.size(); }  ///< all but layout
  [[nodiscard]] std::uint64_t masked() const { return masked_; }               ///< masked or dropped by the policy
  [[nodiscard]] std::uint64_t kept() const { return kept_; }                   ///< kept by the policy

 private:
  DocumentBags clean_;
  DocumentBags drawn_;  ///< what the mechanism is asked to replace
  DocumentBags fixed_;  ///< what is in the sanitised text whatever is drawn
  std::uint64_t masked_ = 0;
  std::uint64_t kept_ = 0;
};

}  // namespace gauze::text
