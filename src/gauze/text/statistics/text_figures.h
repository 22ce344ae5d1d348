#pragma once

#include <optional>
#include <span>
#include <vector>

#include "gauze/files/json.h"
#include "gauze/text/statistics/mechanism_laws.h"
#include "gauze/text/statistics/own_words.h"

namespace gauze::text {

/// The statistics of a mechanism at one epsilon: exact where its law has a closed form, else from a sample.
struct TextFigures {
  Rational epsilon;
  std::optional<WordStatistics> exact = {};
  std::optional<SampledStatistics> sampled = {};
  /// Of the words asked for; inputs are nothing where only some words of the vocabulary were drawn.
  struct OfWord {
    std::uint32_t word = 0;
    double stays = 0;
    std::uint32_t outputs = 0;
    std::optional<std::uint32_t> inputs;
    double distinct = 0;
    double entropy = 0;
  };
  std::vector<OfWord> words = {};
  std::optional<std::vector<OwnWord>> own_words = {};  ///< of the text of the request, likeliest to stay first

  /// Of N_w over the words that were looked at.
  [[nodiscard]] const std::vector<double>& stays() const { return exact ? exact->stays : sampled->stays; }
};

/// What statistics are taken with.
struct FiguresRequest {
  SamplingOptions options = {};    ///< its figures are those of exact statistics, too; the prior is that below
  std::vector<double> prior = {};  ///< of each word, adding up to 1 (public_language.h); empty: only the uniform one
  std::vector<std::uint32_t> words = {};                 ///< to be reported one by one
  std::optional<std::vector<WordCount>> own_words = {};  ///< of the owner's text: what is likeliest to stay is listed
  std::optional<std::size_t> sample = {};  ///< words that are drawn; else all of up to kAllWords, or kSomeWords
  static constexpr std::size_t kAllWords = 2000;
  static constexpr std::size_t kSomeWords = 200;
  static constexpr std::size_t kOwnWords = 20;  ///< of the text, that are listed
};

/// One entry an epsilon, in order: a curve. The epsilon of `mechanism` itself has no meaning here. Mechanisms that are softmax ones
/// and exact are worked out several at once.
[[nodiscard]] Result<std::vector<TextFigures>> text_figures(const WordVectors& vectors,
                                                            const MechanismOptions& mechanism,
                                                            std::span<const Rational> epsilons,
                                                            const FiguresRequest& request, Progress& progress);

/// The figures at one epsilon, for programs (docs/formats/json-output.md).
[[nodiscard]] Json to_json(const TextFigures& figures, const WordVectors& vectors);
/// A curve with what it was taken from: what `text stats` prints, and what its plot draws.
[[nodiscard]] Json curve_json(std::span<const TextFigures> figures, const WordVectors& vectors,
                              const MechanismOptions& mechanism, const FiguresRequest& request);

}  // namespace gauze::text
