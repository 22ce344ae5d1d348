#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gauze/text/vectors/word_vectors.h"

namespace gauze::text {

/// What an attacker learns from public text of the same kind: how often words stand, and which follow which.
///
/// Symbols: the words of a vocabulary, and one for everything else, other(): a mask stands for it.
/// Alone  : u(y) = (n(y) + 1) / (N + V + 1).
/// Pairs  : p(y | x) = n(x, y) / (n(x) + K t(x)) + backoff(x) u(y), with backoff(x) = K t(x) / (n(x) + K t(x)), t(x) the
///          number of different symbols after x; 1 for a context that was not seen. That is the interpolation of Witten and
///          Bell (1991), whose K is 1; K = 5 was chosen among 1, 2, 5, 10, 20 and 40 by the words that the hidden Markov attack
///          recovers from SST-2 test sentences (epsilon 2 and 3; public: the training phrases, or the other half of the
///          sentences). Other values change the share by up to two points.
///
/// So the V x V matrix of a Markov chain is a sparse one plus one of rank one: a step takes O(V + pairs).
/// Thread safety: const members may be called concurrently.
class PublicLanguage {
 public:
  static constexpr double kCaution = 5;  ///< K

  /// From documents of word numbers below `vocabulary`; kNoWord is other(). Without any document all symbols are alike.
  [[nodiscard]] static PublicLanguage learn(std::size_t vocabulary,
                                            std::span<const std::vector<std::uint32_t>> documents);

  /// The same pairs, with words alone as frequent as a public list says: shares that add up to 1. What is no word stays as
  /// frequent as it was.
  [[nodiscard]] PublicLanguage with_word_shares(std::span<const double> shares) const;

  [[nodiscard]] std::size_t vocabulary() const { return unigrams_.size() - 1; }
  [[nodiscard]] std::uint64_t tokens() const { return tokens_; }  ///< words of the vocabulary that were read
  [[nodiscard]] std::size_t pairs() const { return followers_.size(); }
  [[nodiscard]] std::span<const double> unigrams() const { return unigrams_; }  ///< of all symbols
  /// The same of the words: shares of what is other() left out.
  [[nodiscard]] std::vector<double> word_shares() const;

  [[nodiscard]] std::uint32_t other() const { return static_cast<std::uint32_t>(vocabulary()); }
  /// A context is a symbol, begin() where a document begins, or nowhere(), which says nothing.
  [[nodiscard]] std::uint32_t begin() const { return other() + 1; }
  [[nodiscard]] std::uint32_t nowhere() const { return other() + 2; }
  [[nodiscard]] double backoff(std::uint32_t context) const { return backoffs_[context]; }
  /// Of a pair that was seen: the other symbol, and what p(y | x) has beyond backoff(x) u(y).
  struct Partner {
    std::uint32_t symbol = 0;
    float share = 0;
  };
  /// The symbols that came after a context, and those that came before a symbol; ascending.
  [[nodiscard]] std::span<const Partner> followers(std::uint32_t context) const;
  [[nodiscard]] std::span<const Partner> leaders(std::uint32_t symbol) const;
  /// p(symbol | context).
  [[nodiscard]] double probability(std::uint32_t symbol, std::uint32_t context) const;

 private:
  std::uint64_t tokens_ = 0;
  std::vector<double> unigrams_;
  std::vector<double> backoffs_;              ///< of symbols, begin() and nowhere()
  std::vector<std::size_t> follower_starts_;  ///< of each context in followers_
  std::vector<Partner> followers_;
  std::vector<std::size_t> leader_starts_;
  std::vector<Partner> leaders_;
};

/// (count + 1) / (sum + V): a prior from public counts.
[[nodiscard]] std::vector<double> add_one_shares(std::span<const std::uint64_t> counts);
/// The same from a list of words and counts (sensitive_words.h). `bad_data` when it has no word of the vocabulary.
[[nodiscard]] Result<std::vector<double>> read_prior(const std::string& path, const WordVectors& vectors);

}  // namespace gauze::text
