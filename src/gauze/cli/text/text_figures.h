#pragma once

#include <optional>
#include <vector>

#include "gauze/cli/core/invocation.h"
#include "gauze/cli/text/text_flags.h"
#include "gauze/text/statistics/law_statistics.h"
#include "gauze/text/statistics/sampled_statistics.h"

namespace gauze::cli {

/// --eta, --runs, --prior, --sample, --draws, --seed: what statistics of a mechanism are taken with.
[[nodiscard]] std::vector<Flag> statistics_flags();

/// How frequent words are, from a list of words and counts, to each of which one is added. `bad_data` when it has no word of
/// the vocabulary.
[[nodiscard]] Result<std::vector<double>> read_prior(const std::string& path, const text::WordVectors& vectors);

/// The law of what a mechanism draws from, word by word, where there is a closed form. The mechanism must outlive it.
[[nodiscard]] std::optional<text::LawOfWord> closed_law(const TextMechanism& mechanism);
/// Draws of dchi, or of what it is as published. The mechanism must outlive them.
[[nodiscard]] text::DrawWords dchi_draws(const TextMechanism& mechanism);

/// The statistics of a mechanism at one epsilon: exact where its law has a closed form, else from a sample.
struct TextFigures {
  Rational epsilon;
  std::optional<text::WordStatistics> exact = {};
  std::optional<text::SampledStatistics> sampled = {};
  /// Of the words asked for; inputs are nothing where only some words of the vocabulary were drawn.
  struct OfWord {
    double stays = 0;
    std::uint32_t outputs = 0;
    std::optional<std::uint32_t> inputs;
    double distinct = 0;
    double entropy = 0;
  };
  std::vector<OfWord> words = {};

  /// Of N_w over the words that were looked at.
  [[nodiscard]] const std::vector<double>& stays() const { return exact ? exact->stays : sampled->stays; }
};

/// What the flags ask for; reads --prior.
struct FiguresRequest {
  text::SamplingOptions options;  ///< its figures are those of exact statistics, too
  std::vector<double> prior;      ///< what the options point to
  std::size_t sample = 0;
  std::vector<std::uint32_t> words;  ///< to be reported one by one

  FiguresRequest() = default;
  FiguresRequest(const FiguresRequest&) = delete;  // options points into it
  FiguresRequest& operator=(const FiguresRequest&) = delete;
  [[nodiscard]] Result<void> read(Invocation& invocation, const text::WordVectors& vectors);
};

/// One entry an epsilon, in order.
[[nodiscard]] Result<std::vector<TextFigures>> text_figures(Invocation& invocation, const text::WordVectors& vectors,
                                                            const std::vector<Rational>& epsilons,
                                                            const FiguresRequest& request);

}  // namespace gauze::cli
