#pragma once

#include <string>
#include <vector>

#include "gauze/learn/plan/training_plan.h"
#include "gauze/ledger/balance.h"

namespace gauze::learn {

/// Whether what is left of a dataset takes a training run, and which accountants suit it.
struct PlanFit {
  bool ok = false;
  std::string accountant;
  Json charge = Json();  ///< in the accountant's figures; null where it takes no such run
  Json left = Json();
  std::vector<std::string> suited = {};  ///< accountants that would take it under the same total
  std::string reason = {};               ///< where it does not fit

  [[nodiscard]] Json to_json() const;
};
[[nodiscard]] Result<PlanFit> fit_of(const TrainingPlan& plan, const Balance& balance);

}  // namespace gauze::learn
