#pragma once

#include <cstdint>

#include "gauze/anonymize/search/recoding.h"
#include "gauze/anonymize/search/search_options.h"
#include "gauze/base/progress.h"

namespace gauze::anonymize {

struct LocalRecoding {
  Recoding recoding;
  std::uint64_t nodes_checked = 0;
  std::uint64_t nodes_total = 0;
  bool complete = true;  ///< false when the time limit ended the search early
};

/// Different levels for different records: goes through the nodes from the least to the most generalised; at each, the
/// classes of the records still open that satisfy the criteria are settled there. What is left at the end joins the
/// class that suffers least. Every class then takes the least generalised values that its records share.
///
/// Good, not provably best. Suppresses only what no class can take in, at most the limit; else `infeasible`.
[[nodiscard]] Result<LocalRecoding> recode_locally(const Records& records, const CriteriaSet& criteria,
                                                   const SearchOptions& options, Progress& progress);

}  // namespace gauze::anonymize
