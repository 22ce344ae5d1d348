#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "gauze/collect/reports/block_format.h"
#include "gauze/server/store/acceptance.h"
#include "gauze/server/store/ingest_outcome.h"
#include "gauze/server/store/ingest_task.h"

namespace gauze::server::internal {

/// A block that can be taken if it was not before and its credential may give so many.
struct AdmissibleBlock {
  collect::BlockHeader header;
  const IngestTask* task = nullptr;
  std::string_view reports;
};

struct ReadBatch {
  std::vector<AdmissibleBlock> blocks;  ///< they point into the text and the tasks
  IngestOutcome outcome;                ///< what was refused
};

/// Which periods are open at a moment.
struct OpenPeriods {
  const Acceptance& acceptance;
  std::int64_t now = 0;
  std::int64_t closed_until = 0;  ///< days up to this one are closed for good, wherever the clock is set to

  [[nodiscard]] Acceptance::Answer answer(std::uint32_t period, std::int64_t period_seconds) const;
};

/// Looks at each block of a text that comes from strangers, in the order of Rejection up to `out_of_range`. Total.
[[nodiscard]] ReadBatch read_batch(std::string_view plaintext, const TaskDirectory& tasks,
                                   const OpenPeriods& periods);

}  // namespace gauze::server::internal
