#pragma once

#include <vector>

#include "gauze/cli/text/text_flags.h"
#include "gauze/text/statistics/text_figures.h"

namespace gauze::cli {

/// --eta, --runs, --prior, --sample, --draws, --seed: what statistics of a mechanism are taken with.
[[nodiscard]] std::vector<Flag> statistics_flags();

/// What these flags ask for; reads --prior.
[[nodiscard]] Result<text::FiguresRequest> figures_request(const Invocation& invocation,
                                                           const text::WordVectors& vectors);

}  // namespace gauze::cli
