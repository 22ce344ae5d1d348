#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/base/progress.h"
#include "gauze/collect/task/task.h"
#include "gauze/files/json.h"
#include "gauze/statistics/estimate.h"

namespace gauze::collect {

/// The values of devices that are made up, or given: whoever simulates knows them.
struct Population {
  std::vector<gauze_value> values;
};

/// Draws so many devices. `distribution`: "uniform", or "zipf:S", where value i has a chance in proportion to 1 / (i + 1)^S (of numbers:
/// over a thousand steps from low to high).
[[nodiscard]] Result<Population> draw_population(const TaskSpec& spec, const std::string& distribution,
                                                 std::uint64_t users, std::uint64_t seed);
/// So many devices with the values of a list, taken in turn.
[[nodiscard]] Result<Population> population_of_texts(const TaskSpec& spec, const std::vector<std::string>& texts,
                                                     std::uint64_t users);

struct SimulationRequest {
  std::uint64_t repetitions = 20;
  std::uint64_t seed = 0;
  std::vector<std::string> mechanisms = {};  ///< besides that of the task; each listed once
};

/// What one mechanism gave: errors of all values, or of the mean, against what its variance formula says.
struct SimulatedMechanism {
  std::string mechanism;
  Estimate mse;         ///< over repetitions, of shares or in squared units of the field
  double theory = 0;    ///< the mean variance, from the true values
  double coverage = 0;  ///< of 95 % intervals
  std::uint64_t bytes = 0;

  [[nodiscard]] double ratio() const { return mse.mean / theory; }
};

/// Encodes the whole population as devices would, counts and estimates it, again and again, from a seed. For the owner of the values: the
/// figures promise nothing. `infeasible` when a mechanism is not allowed for the task's values.
[[nodiscard]] Result<std::vector<SimulatedMechanism>> simulate_collection(const Task& task,
                                                                          const Population& population,
                                                                          const SimulationRequest& request,
                                                                          Progress& progress);

/// What was simulated, for people: the document of the report. Its label says that it is the owner's.
struct SimulationRecord {
  const Task* task = nullptr;
  std::uint64_t users = 0;
  std::uint64_t repetitions = 0;
  std::string distribution;
  std::vector<SimulatedMechanism> results;

  /// {"kind","task","question","size","epsilon","users","repetitions","distribution","results":[...]}
  [[nodiscard]] Json to_json() const;
  [[nodiscard]] PrivacyLabel label() const;
};

}  // namespace gauze::collect
