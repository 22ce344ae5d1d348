#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "gauze/text/sanitize/sanitize_policy.h"
#include "gauze/text/sanitize/similar_spelling.h"
#include "gauze/text/tokens/document_pieces.h"
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
    bool unknown = false;     ///< a word that the vocabulary does not have
    bool stop_word = false;   ///< a word of the policy's list, which is not replaced
    bool clitic = false;      ///< the second part of a divided word
    bool simplified = false;  ///< Traditional Chinese, which the vocabulary has in Simplified characters alone
  };
  std::vector<Step> steps;           ///< cover the text without a gap
  std::vector<std::uint32_t> words;  ///< the number of the word, for each step that is replaced
};

/// Divides texts into tokens and looks their words up (word_lookup.h). Thread safety: one object a thread.
///
/// English clitics: vectors in the manner of the Penn treebank (GloVe) have "do" and "n't", not "don't". A word that the
/// vocabulary does not have, while it has its stem, is two words: the stem is drawn, and the clitic is drawn where the
/// vocabulary has it, else an unknown word. Any other word stays one. Not in Chinese texts.
/// Why here and not in the tokenizer: vocabularies that have "don't" (fastText, word2vec) keep the better vector, and of an
/// unknown name ("Zorro's") the whole is masked. Why by the vocabulary and not by the policy: so the steps are a public
/// function of text and vocabulary, the same for every policy. What the mechanism promises is unchanged: it is about texts
/// of the same layout, and that a word was divided belongs to the layout, as the number of words does. Only what is left
/// after dividing is taken for the word spelt most alike.
class DocumentPlanner {
 public:
  /// Vectors, dictionary, policy and spelling must outlive the planner. `spelling` is needed where the policy replaces
  /// unknown words; without it they are masked.
  DocumentPlanner(const WordVectors& vectors, const SegmentationDictionary* dictionary, const SanitizePolicy& policy,
                  const SimilarSpelling* spelling = nullptr)
      : vectors_(vectors),
        dictionary_(dictionary),
        policy_(policy),
        spelling_(spelling),
        tokenizer_(dictionary, policy.language) {}

  /// A long text in pieces that can be planned one by one (document_pieces.h). The text must be UTF-8.
  [[nodiscard]] std::vector<std::string_view> pieces(std::string_view text) const {
    return document_pieces(text, {.dictionary = dictionary_, .language = policy_.language});
  }
  /// The text must be UTF-8.
  [[nodiscard]] DocumentPlan plan(std::string_view text);

 private:
  void divide_word(std::string_view text, const Token& token, DocumentPlan& plan) const;
  void add_word(DocumentPlan::Step step, std::string_view text, std::optional<std::uint32_t> number,
                DocumentPlan& plan) const;
  [[nodiscard]] bool is_stop_word(std::string_view word) const;

  const WordVectors& vectors_;
  const SegmentationDictionary* dictionary_;
  const SanitizePolicy& policy_;
  const SimilarSpelling* spelling_;
  Tokenizer tokenizer_;
  std::vector<Token> tokens_;
};

/// The text with replacements (one for each word of the plan) in their places, in the case of what they replace. Nothing is
/// put between the parts of a divided word ("don't" may become "cann't") but a blank before what is no clitic ("can film"):
/// so they can be told apart by whoever reads or divides the output.
[[nodiscard]] std::string carry_out(const DocumentPlan& plan, std::string_view text, const WordVectors& vectors,
                                    std::span<const std::uint32_t> replacements);

}  // namespace gauze::text
