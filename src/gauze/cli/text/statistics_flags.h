#pragma once

#include <vector>

#include "gauze/cli/text/text_flags.h"
#include "gauze/text/statistics/text_figures.h"

namespace gauze::cli {

/// --eta, --runs, --prior, --sample, --draws, --seed: what statistics of a mechanism are taken with.
[[nodiscard]] std::vector<Flag> statistics_flags();

/// --text, --column, --delimiter, --encoding, --language, --dictionary: a text of the owner, whose words are looked at.
[[nodiscard]] std::vector<Flag> own_text_flags();

/// What these flags ask for; reads --prior and --text.
[[nodiscard]] Result<text::FiguresRequest> figures_request(Invocation& invocation, const text::WordVectors& vectors);

}  // namespace gauze::cli
