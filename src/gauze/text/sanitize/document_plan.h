#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "gauze/text/sanitize/sanitize_policy.h"
#include "gauze/text/sanitize/similar_spelling.h"
#include "gauze/text/tokens/tokenizer.h"
#include "gauze/text/vectors/word_vectors.h"

namespace gauze::text {

enum class TokenFate : std::uint8_t {
  layout,   ///< blanks and punctuation: stay
  replace,  ///< drawn by the mechanism
  mask,
  drop,
  keep,
};

/// What becomes of each token of a text, before anything is drawn.
struct DocumentPlan {
  struct Step {
    std::size_t begin = 0;
    std::size_t end = 0;
    TokenFate fate = TokenFate::layout;
    bool unknown = false;  ///< a word that the vocabulary does not have
  };
  std::vector<Step> steps;           ///< cover the text without a gap
  std::vector<std::uint32_t> words;  ///< the number of the word, for each step that is replaced
};

/// Divides texts into tokens and looks their words up: as they are written, then in small letters. Thread safety: one
/// object a thread.
class DocumentPlanner {
 public:
  /// Vectors, dictionary, policy and spelling must outlive the planner. `spelling` is needed where the policy replaces
  /// unknown words; without it they are masked.
  DocumentPlanner(const WordVectors& vectors, const SegmentationDictionary* dictionary, const SanitizePolicy& policy,
                  const SimilarSpelling* spelling = nullptr)
      : vectors_(vectors), policy_(policy), spelling_(spelling), tokenizer_(dictionary) {}

  /// The text must be UTF-8.
  [[nodiscard]] DocumentPlan plan(std::string_view text);

 private:
  [[nodiscard]] TokenFate fate_of_word(std::string_view word, DocumentPlan& plan, bool& unknown) const;

  const WordVectors& vectors_;
  const SanitizePolicy& policy_;
  const SimilarSpelling* spelling_;
  Tokenizer tokenizer_;
  std::vector<Token> tokens_;
};

/// The text with replacements (one for each word of the plan) in their places, in the case of what they replace.
[[nodiscard]] std::string carry_out(const DocumentPlan& plan, std::string_view text, const WordVectors& vectors,
                                    std::span<const std::uint32_t> replacements);

}  // namespace gauze::text
