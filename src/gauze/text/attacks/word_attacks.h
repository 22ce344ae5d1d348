#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gauze/base/progress.h"
#include "gauze/text/attacks/attacked_text.h"
#include "gauze/text/attacks/emission.h"
#include "gauze/text/attacks/public_language.h"

namespace gauze::text {

/// For every token of every document the word that an attacker believes stood there; kNoWord where it was not drawn.
using Guesses = std::vector<std::vector<std::uint32_t>>;

/// The exact maximum a posteriori without context: argmax_x prior(x) P[x -> y], the first of equals. No guess from the printed
/// word alone is right more often when words are distributed as the prior says. A word that the mechanism cannot have
/// printed is guessed as the most probable one. O(block x V) of memory, the same result whatever the number of threads.
[[nodiscard]] Result<Guesses> bayes_attack(const AttackedText& text, const Emission& emission,
                                           std::span<const double> prior, Progress* progress = nullptr);

/// A language model that does not look at the printed word: argmax_x p(x | left) p(right | x), left and right the printed
/// neighbours. What masking a word and asking a language model for it measures, with pairs of words for a model.
[[nodiscard]] Guesses mask_attack(const AttackedText& text, const PublicLanguage& language,
                                  Progress* progress = nullptr);

/// Baselines: the word as it is printed; the most probable word, always.
[[nodiscard]] Guesses as_read(const AttackedText& text);
[[nodiscard]] Guesses always_guess(const AttackedText& text, std::span<const double> prior);

/// How an attack fared. Private: it compares with the clean text.
struct AttackScore {
  std::uint64_t tokens = 0;     ///< all but layout
  std::uint64_t attacked = 0;   ///< of these, drawn by the mechanism
  std::uint64_t recovered = 0;  ///< of these, guessed right
  std::uint64_t matches = 0;    ///< recovered, or printed as they are
};
[[nodiscard]] AttackScore score(const AttackedText& text, const Guesses& guesses);

}  // namespace gauze::text
