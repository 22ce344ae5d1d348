#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/base/rational.h"
#include "gauze/collect/mechanisms/local_mechanism.h"
#include "gauze/files/json.h"

namespace gauze::collect {

/// Epsilon of one report: 0.001 to 16, at most nine decimals, so that it is a whole number of 1e-9.
[[nodiscard]] Result<std::uint64_t> epsilon_nano(const Rational& epsilon);
/// 1e-9 of epsilon as a decimal: "1", "0.25".
[[nodiscard]] std::string nano_text(std::uint64_t nano);

/// What somebody wants to know, before there are any reports.
struct PlanRequest {
  Question question = Question::frequency;
  std::uint64_t epsilon_nano = 0;
  std::uint64_t users = 0;
  std::uint32_t size = 0;                    ///< how many values; of a mean: 0
  std::vector<std::string> mechanisms = {};  ///< those to choose from; empty: all that answer the question
  std::uint64_t most_bytes = 32'768;
  double frequency = 0.1;  ///< a share for which the error is told besides that of 0
};

/// One mechanism, and what it would give.
struct PlannedMechanism {
  const LocalMechanism* mechanism = nullptr;
  LawOfValues law;
  std::string refusal;  ///< why it is not allowed; empty when it is
  std::uint64_t cost_nano = 0;
  std::uint64_t bytes = 0;
  /// Of an estimated share at f = 0, at the frequency asked for, and at 1 / size, by which the choice is made. Of means: of one report
  /// on [-1, 1] at t = 0, 1/2, 1, and the worst.
  double variance = 0;
  double variance_at = 0;
  double variance_of_choice = 0;
  double at_0 = 0;
  double at_half = 0;
  double at_1 = 0;

  [[nodiscard]] double worst() const { return variance_of_choice; }
};

struct CollectionPlan {
  PlanRequest request;
  std::vector<PlannedMechanism> alternatives;
  std::size_t choice = 0;
  std::string reason;  ///< of the choice

  [[nodiscard]] const PlannedMechanism& chosen() const { return alternatives[choice]; }
};

/// Least variance at f = 1 / size (of means: least in the worst case) within the bytes; of those within 5 % of it the fewest bytes, then
/// the least variance. All mechanisms asked for are listed, with the reason why one is not allowed. `infeasible` when none is.
[[nodiscard]] Result<CollectionPlan> plan_collection(const PlanRequest& request);

[[nodiscard]] Json to_json(const CollectionPlan& plan);

}  // namespace gauze::collect
