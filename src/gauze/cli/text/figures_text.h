#pragma once

#include <vector>

#include "gauze/cli/core/invocation.h"
#include "gauze/text/statistics/target_choice.h"
#include "gauze/text/statistics/text_figures.h"

namespace gauze::cli {

/// A curve over epsilon for people: a table, and what its columns are on stderr.
void print_stats(Invocation& invocation, const text::WordVectors& vectors,
                 const std::vector<text::TextFigures>& figures, const text::FiguresRequest& request);
/// What is to be known of figures that were sampled, on stderr.
void note_sampling(Invocation& invocation, std::size_t vocabulary, const text::SampledStatistics& sampled,
                   const text::FiguresRequest& request);
/// The epsilon on stdout, what the figure is there on stderr.
void print_choice(Invocation& invocation, const text::WordVectors& vectors, const text::TargetChoice& choice);

}  // namespace gauze::cli
