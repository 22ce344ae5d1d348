#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gauze/base/rational.h"
#include "gauze/cli/core/output_writer.h"
#include "gauze/files/json.h"
#include "gauze/text/utility/classification_study.h"
#include "gauze/text/utility/ranking_study.h"

namespace gauze::cli {

/// What stands above every result of `text utility`.
inline constexpr std::string_view kUtilityNotice =
    "INTERNAL: compares with the clean texts, not to be published at any epsilon";

/// The results of a study of classifiers, an epsilon each.
struct ClassificationResults {
  const text::ClassificationTask& task;
  std::vector<text::TextModel> models;
  int repetitions = 0;
  std::string_view language = "auto";  ///< whose rules divided the texts
  std::vector<Rational> epsilons = {};
  std::vector<text::ClassificationStudy::Outcome> outcomes = {};
};
[[nodiscard]] Json utility_json(const ClassificationResults& results);
[[nodiscard]] std::string utility_text(const ClassificationResults& results, Style style);

/// The results of a study of rankings, an epsilon each.
struct RankingResults {
  const text::RankingTask& task;
  text::RankingStudy::Means random;
  int repetitions = 0;
  std::string_view language = "auto";  ///< whose rules divided the texts
  std::vector<Rational> epsilons = {};
  std::vector<text::RankingStudy::Outcome> outcomes = {};
};
[[nodiscard]] Json utility_json(const RankingResults& results);
[[nodiscard]] std::string utility_text(const RankingResults& results, Style style);

}  // namespace gauze::cli
