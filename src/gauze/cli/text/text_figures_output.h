#pragma once

#include <vector>

#include "gauze/cli/text/text_figures.h"
#include "gauze/files/json.h"

namespace gauze::cli {

/// A result of `text stats`: the figures at one epsilon.
[[nodiscard]] Json figures_json(const TextFigures& figures, const text::WordVectors& vectors,
                                const FiguresRequest& request);
/// The document of `text stats`, which is also what its plot draws.
[[nodiscard]] Json stats_document(Invocation& invocation, const text::WordVectors& vectors,
                                  const std::vector<TextFigures>& figures, const FiguresRequest& request);
/// The same for people.
void print_stats(Invocation& invocation, const text::WordVectors& vectors, const std::vector<TextFigures>& figures,
                 const FiguresRequest& request);
/// What is to be known of figures that were sampled, on stderr.
void note_sampling(Invocation& invocation, std::size_t vocabulary, const text::SampledStatistics& sampled,
                   const FiguresRequest& request);

}  // namespace gauze::cli
