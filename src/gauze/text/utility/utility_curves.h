#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/files/json.h"
#include "gauze/text/mechanisms/text_mechanism.h"
#include "gauze/text/utility/classification_study.h"
#include "gauze/text/utility/ranking_study.h"

namespace gauze::text {

// The studies of this folder over several epsilons. Results compare with the clean texts: for the owner's eyes.

/// What stands above every result.
inline constexpr std::string_view kUtilityNotice =
    "INTERNAL: compares with the clean texts, not to be published at any epsilon";

/// How texts are sanitised, again and again.
struct UtilityOptions {
  Language language = Language::automatic;          ///< whose rules divided the texts of the task
  int repetitions = 3;                              ///< at least 1
  std::uint64_t seed = 0;                           ///< of all draws; at each epsilon by its value (repetitions.h)
  std::size_t memory_bytes = std::size_t{1} << 30;  ///< for prepared rows of words
};

/// An epsilon each, in order. The task must outlive it.
struct ClassificationCurve {
  const ClassificationTask& task;
  std::vector<TextModel> models;
  int repetitions = 0;
  Language language = Language::automatic;
  std::vector<Rational> epsilons = {};
  std::vector<ClassificationStudy::Outcome> outcomes = {};
};
/// Mechanisms are on the vectors that the task was divided by, at least one.
[[nodiscard]] Result<ClassificationCurve> classification_curve(std::span<const TextMechanism> mechanisms,
                                                               const ClassificationTask& task,
                                                               const std::vector<TextModel>& models,
                                                               const UtilityOptions& options, Progress& progress);
[[nodiscard]] Json to_json(const ClassificationCurve& curve);

/// The same of rankings.
struct RankingCurve {
  const RankingTask& task;
  RankingStudy::Means random;
  int repetitions = 0;
  Language language = Language::automatic;
  std::vector<Rational> epsilons = {};
  std::vector<RankingStudy::Outcome> outcomes = {};
};
[[nodiscard]] Result<RankingCurve> ranking_curve(std::span<const TextMechanism> mechanisms, const RankingTask& task,
                                                 const UtilityOptions& options, Progress& progress);
[[nodiscard]] Json to_json(const RankingCurve& curve);

/// Keeps so many entries, evenly spaced: files are often sorted by label.
void thin_out(std::vector<std::string>& entries, std::size_t wanted);

}  // namespace gauze::text
