#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gauze/base/rational.h"
#include "gauze/random/random_words.h"

namespace gauze::audit {

/// Scores of members and of others, sorted: what every figure of an attack is read from. A higher score means member. Infinite scores
/// sort as infinite; NaN is none. Exact in integers up to the last division.
class SortedScores {
 public:
  SortedScores(std::vector<double> members, std::vector<double> others);

  [[nodiscard]] const std::vector<double>& members() const { return members_; }
  [[nodiscard]] const std::vector<double>& others() const { return others_; }
  /// The chance that a member scores higher than another, ties half; nothing without both.
  [[nodiscard]] std::optional<double> area() const;
  /// The largest share of members that score at least a threshold which at most this share of the others does; nothing where the share
  /// is of less than one of the others.
  [[nodiscard]] std::optional<double> rate_at(const Rational& share) const;
  /// The score from which on the shares of members and of others differ most.
  [[nodiscard]] double best_threshold() const;
  /// How many members, and others, score at least this; and their shares.
  [[nodiscard]] std::size_t members_reaching(double threshold) const;
  [[nodiscard]] std::size_t others_reaching(double threshold) const;
  [[nodiscard]] double members_from(double threshold) const;
  [[nodiscard]] double others_from(double threshold) const;

 private:
  std::vector<double> members_;  // ascending
  std::vector<double> others_;
};

/// A half of the scores to choose a threshold on, and the other to measure it: drawn at random within members and within others, since
/// files come sorted.
struct ScoreHalves {
  SortedScores first;
  SortedScores second;
};
[[nodiscard]] ScoreHalves random_halves(std::span<const double> members, std::span<const double> others,
                                        RandomWords& random);

/// The chance that a member scores higher than another, ties half; nothing without both.
[[nodiscard]] std::optional<double> area_under_curve(std::span<const double> members, std::span<const double> others);

/// The balanced accuracy of "member from a threshold on", the threshold being the best one on one half (drawn at random within members
/// and within others) and measured on the other half; both ways, their mean. Nothing with fewer than two of either.
[[nodiscard]] std::optional<double> attack_accuracy(std::span<const double> members, std::span<const double> others,
                                                    RandomWords& random);

}  // namespace gauze::audit
