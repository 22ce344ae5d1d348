#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "gauze/assess/evaluation/level_view.h"
#include "gauze/release/job/published_release.h"
#include "gauze/release/modes/histogram_release.h"

namespace gauze::assess {

/// What a simulated release of class counts shows.
struct CountRun {
  ClassTable released;
  double absolute_noise = 0;  ///< sum of |noise| over all cells
};

/// The release that a setting describes, at one epsilon and one combination of levels, to be drawn again and again.
/// Thread safety: const members may be called concurrently.
class Mechanism {
 public:
  /// With another k than the policy's where given (1: differential privacy without k).
  [[nodiscard]] static Result<Mechanism> make(const EvaluationSetting& setting, const LevelView& view,
                                              const Rational& epsilon, std::optional<std::uint64_t> k = {});

  /// A release of the classes of the view.
  [[nodiscard]] CountRun counts(SeededRandom& random, const LevelView& view) const;
  /// A release of classes with outcome, made from the rows to train on: what a model can learn from.
  [[nodiscard]] ClassTable training(SeededRandom& random, const LevelView& view) const;
  /// The advantage (0: guessing, 1: certainty) of an attacker who knows everybody else and guesses from the released count
  /// whether one person, drawn at random, is in: measured over `targets` trials.
  [[nodiscard]] double membership_advantage(SeededRandom& random, const LevelView& view, std::size_t targets) const;

  [[nodiscard]] std::uint64_t k() const { return k_; }
  /// E|Z| x cells / (2 N): what tvd_raw is on average.
  [[nodiscard]] double expected_raw_distance(const LevelView& view) const;

 private:
  using Mode = std::variant<release::GridRelease, release::StabilityRelease, release::PublishedRelease>;
  Mechanism(Mode attacked, std::uint64_t k) : attacked_(std::move(attacked)), k_(k) {}

  Mode attacked_;                                    // the bare mode, on one cell a target
  std::optional<release::HistogramRelease> counts_;  // not as published
  std::optional<release::HistogramRelease> joint_;   // not as published, with a target
  std::shared_ptr<const NoiseLaw> law_;              // not as published
  std::uint64_t k_;
};

inline constexpr std::size_t kAttackTargets = 1000;

}  // namespace gauze::assess
