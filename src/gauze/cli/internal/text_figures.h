#pragma once

#include <optional>
#include <vector>

#include "gauze/base/json.h"
#include "gauze/cli/internal/text_flags.h"
#include "gauze/cli/invocation.h"
#include "gauze/text/statistics/law_statistics.h"
#include "gauze/text/statistics/word_statistics.h"

namespace gauze::cli {

/// --eta, --runs, --prior, --sample, --seed: what statistics of a mechanism are taken with.
[[nodiscard]] std::vector<Flag> statistics_flags();

/// The statistics of a mechanism at one epsilon: exact where its law has a closed form, else from a sample.
struct TextFigures {
  Rational epsilon;
  std::optional<text::WordStatistics> exact;
  std::optional<text::SampledStatistics> sampled;
  std::optional<text::SampledStatistics> chosen;  ///< of the words asked for, when sampled

  /// Of N_w over the words that were looked at.
  [[nodiscard]] const std::vector<double>& stays() const { return exact ? exact->stays : sampled->stays; }
};

/// What the flags ask for; reads --prior.
struct FiguresRequest {
  text::StatisticsOptions options;
  std::vector<double> prior;  ///< what options.prior points to
  std::size_t sample = 0;
  std::uint64_t seed = 0;
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
