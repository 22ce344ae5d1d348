#pragma once

#include <string>
#include <vector>

#include "gauze/audit/scores/shadow_scores.h"
#include "gauze/base/progress.h"
#include "gauze/table/source.h"

namespace gauze::audit {

/// Scores of records that were members, and of others.
struct MembershipScores {
  std::vector<double> members = {};
  std::vector<double> others = {};
};

/// Reads a column of scores and one of 1 and 0. `bad_data` with the place of the row for a score that is no number, or NaN, and for any other
/// membership; infinite scores are scores.
[[nodiscard]] Result<MembershipScores> read_scores(table::Source& source, const std::string& score_column,
                                                   const std::string& member_column, Progress& progress);

/// Scores of several models by name.
struct NamedShadowScores {
  std::vector<std::string> records = {};
  std::vector<std::string> models = {};
  ShadowScores scores = {};
};

/// Reads the columns record, model, member, score. `bad_data` as above, and for a record and a model that stand there twice.
[[nodiscard]] Result<NamedShadowScores> read_shadow_scores(table::Source& source, Progress& progress);

/// `bad_data` for what is no confidence, from 0 to 1: the scores of lira, say.
[[nodiscard]] Result<void> check_confidences(const ShadowScores& scores);

}  // namespace gauze::audit
