#pragma once

#include <string>
#include <utility>
#include <vector>

#include "gauze/cli/core/command_registry.h"
#include "gauze/cli/core/invocation.h"
#include "gauze/label/privacy_cost.h"
#include "gauze/learn/step/training_run.h"
#include "gauze/publish/publication.h"
#include "gauze/schema/policy/policy.h"

namespace gauze::cli {

/// --checkpoint, --every, --resume.
[[nodiscard]] std::vector<Flag> checkpoint_flags();
/// A `usage` error for what they do not go with.
[[nodiscard]] Result<void> check_checkpoint_flags(const Invocation& invocation);

/// Where a run begins and how far it goes, with what it takes to let its checkpoints out. All that is named must outlive it.
class TrainingLeg {
 public:
  TrainingLeg(Invocation& invocation, publish::Publication& publication, const learn::TrainingPlan& plan,
              const schema::Policy& policy, const PrivacyCost& cost);

  /// With --resume, before anything is read: takes up the reservation of that file, and says how many steps are left:
  /// `budget_exhausted` when none are.
  [[nodiscard]] Result<void> take_up();
  /// What is taken for granted about the file that will be read: checkpoints have it in their labels.
  void assume(std::string assumption) { assumption_ = std::move(assumption); }
  /// Charges for all steps, unless they were paid for by what was taken up. False when the request was answered before.
  [[nodiscard]] Result<bool> pay();
  [[nodiscard]] learn::RunRequest request() const { return request_; }
  /// Counts steps in the ledger, and puts a checkpoint in place; after the last step the model follows.
  [[nodiscard]] learn::StateSink sink();
  /// The error of a run that ended: an interrupted one has left its last checkpoint.
  [[nodiscard]] Error explained(Error error) const;

 private:
  [[nodiscard]] Result<void> let_out(const learn::TrainingState& state, std::uint64_t steps);

  Invocation& invocation_;
  publish::Publication& publication_;
  const learn::TrainingPlan& plan_;
  const schema::Policy& policy_;
  const PrivacyCost& cost_;
  std::string assumption_;
  learn::RunRequest request_;
  std::uint64_t kept_step_ = 0;  ///< of the last checkpoint that was put in place
};

}  // namespace gauze::cli
