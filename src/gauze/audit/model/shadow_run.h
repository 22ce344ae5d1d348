#pragma once

#include <string>
#include <vector>

#include "gauze/audit/model/attacked_table.h"
#include "gauze/audit/model/recipe.h"
#include "gauze/audit/model/signals.h"
#include "gauze/audit/scores/shadow_scores.h"

namespace gauze::audit {

/// Models of one recipe, each on rows that fair coins chose, and what they say of every record.
struct ShadowRun {
  std::vector<std::uint32_t> units = {};  ///< of the records: those with rows that say something
  std::size_t classes = 0;
  std::vector<Signals> targets = {};  ///< of the first models
  ShadowScores logits = {};           ///< of all models, with who was a member of which
  std::vector<double> confidences = {};
};

struct ShadowRequest {
  std::size_t shadows = 0;
  std::size_t targets = 0;
  std::uint64_t seed = 1;
  std::string keep = {};  ///< a folder, or nothing
  std::string identity = {};
  std::string_view stage = "training shadows";
};

/// Trains them on both cores. Shadow by shadow the coins and the training come from the seed and the shadow's number alone.
/// `invalid_parameter` when the folder holds shadows of something else.
[[nodiscard]] Result<ShadowRun> run_shadows(const schema::Policy& policy, const Recipe& recipe,
                                            const AttackedTable& table, const ShadowRequest& request,
                                            Progress& progress);

}  // namespace gauze::audit
