#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "gauze/anonymize/classes/node_evaluation.h"
#include "gauze/anonymize/metrics/information_loss.h"

namespace gauze::anonymize {

struct SearchOptions {
  schema::Metric metric = schema::Metric::loss;
  std::uint64_t suppression_limit = 0;  ///< records
  std::optional<std::chrono::duration<double>> time_limit;
};

}  // namespace gauze::anonymize
