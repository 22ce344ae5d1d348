#pragma once

#include "gauze/text/attacks/word_attacks.h"

namespace gauze::text {

/// An attacker who knows the mechanism and reads in context: the clean words are a Markov chain of a public language, the
/// printed ones its emissions. Forward-backward (Baum et al. 1970) gives the posterior of every word from the whole
/// document; the guess is its maximum, the first of equals.
///
/// A masked token is known to be none of the words: the language has a symbol for that, as for a token that is kept and not in
/// the vocabulary. Other kept ones say all, a dropped one is not there. A printed word that the mechanism cannot have printed
/// says nothing. A step takes O(V + pairs of the language) of time. Messages are scaled at every step, and
/// columns of emissions are kept for the words of as many documents as fit.
/// The result does not depend on the number of threads.
struct HiddenMarkovOptions {
  std::size_t column_bytes = std::size_t{256} << 20;  ///< emissions that are held at the same time
  std::size_t message_bytes = std::size_t{64} << 20;  ///< a thread: a document for which messages take more is cut
  Progress* progress = nullptr;
};
[[nodiscard]] Result<Guesses> hidden_markov_attack(const AttackedText& text, const Emission& emission,
                                                   const PublicLanguage& language,
                                                   const HiddenMarkovOptions& options);
[[nodiscard]] inline Result<Guesses> hidden_markov_attack(const AttackedText& text, const Emission& emission,
                                                          const PublicLanguage& language) {
  return hidden_markov_attack(text, emission, language, HiddenMarkovOptions{});
}

}  // namespace gauze::text
