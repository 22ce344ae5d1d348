#pragma once

#include <string>

#include "gauze/audit/model/model_attack.h"
#include "gauze/audit/scores/score_audit.h"
#include "gauze/cli/core/output_writer.h"

namespace gauze::cli {

/// What an attack found, for people.
[[nodiscard]] std::string scores_text(const audit::ScoreAudit& found, Style style);
[[nodiscard]] std::string attack_text(const audit::ModelAttack& attack, Style style);

}  // namespace gauze::cli
