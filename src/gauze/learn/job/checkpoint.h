#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "gauze/learn/plan/training_plan.h"
#include "gauze/learn/step/training_run.h"
#include "gauze/schema/policy/policy.h"

namespace gauze::learn {

/// A training run between two steps, as a file: docs/formats/checkpoint.md. No randomness is in it, so that it may be published
/// at the price of the plan; a run that is continued draws anew.
///
/// Privacy does not depend on what the file says: the ledger counts the steps, and weights, clip and entropies are public by
/// then. The two commitments keep somebody from continuing by mistake what is not that run.
struct Checkpoint {
  TrainingState state = {};
  std::int64_t reservation = 0;  ///< the entry of the ledger that paid for all steps
  std::string dataset = {};
  std::string training = {};  ///< commitment to training_terms()
  std::string content = {};   ///< commitment to bound_bytes()

  [[nodiscard]] std::string to_bytes() const;
  /// The file without the commitment to it.
  [[nodiscard]] std::string bound_bytes() const;
  /// Total: any bytes give a checkpoint or `bad_data`, which does not quote them. Numbers are finite.
  [[nodiscard]] static Result<Checkpoint> parse(std::string_view bytes);
  [[nodiscard]] static Result<Checkpoint> read(const std::string& path);

  /// `bad_data` where its arrays, clip or entropies cannot be those of a run of this plan.
  [[nodiscard]] Result<void> check_fits(const TrainingPlan& plan, const schema::LearnPolicy& policy) const;
};

/// All that a run is but for its rows and its randomness, as a text: every parameter of the plan, how cells are read, and the bytes of the
/// policy.
[[nodiscard]] std::string training_terms(const TrainingPlan& plan, const schema::Policy& policy);

/// `bad_data`: what is wrong with a file that should be a checkpoint.
[[nodiscard]] tl::unexpected<Error> no_checkpoint(std::string_view reason);

}  // namespace gauze::learn
