#pragma once
// What was found in a stretch of a source, whatever the format: reports of the task that can be read, and what was rejected.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gauze/collect/reports/aggregate.h"

namespace gauze::collect::internal {

/// Reports of one period, one behind the other.
struct Run {
  const unsigned char* reports = nullptr;
  std::uint32_t count = 0;
  std::uint32_t period = 0;
  const unsigned char* id = nullptr;  ///< of its block, 16 bytes; lines have none
};

struct FoundReports {
  std::vector<Run> runs;
  RejectedReports rejected;
  void clear() {
    runs.clear();
    rejected = {};
  }
};

}  // namespace gauze::collect::internal
