#pragma once

#include <utility>
#include <vector>

#include "gauze/audit/events/outcomes.h"

namespace gauze::audit {

/// Weighted sums of coordinates that tell two sides apart, from the first runs of each.
///
/// What is found here only says where to look: an event on it is measured on other runs.
class DiscriminantSearch {
 public:
  DiscriminantSearch(const OutcomePair& pair, std::size_t left, std::size_t right);

  /// Coordinates whose means, or whose presence, differ most, at most so many; all of them where there are no more.
  [[nodiscard]] std::vector<std::size_t> telling_coordinates(std::size_t most) const;
  /// Fisher's, of few of the most telling coordinates, of more of them, and together with those that vary with them (noise that was used
  /// twice shows in a difference); none where nothing varies.
  [[nodiscard]] std::vector<std::vector<std::pair<std::size_t, double>>> discriminants() const;

 private:
  using Weights = std::vector<std::pair<std::size_t, double>>;
  [[nodiscard]] double covariance(std::size_t a, std::size_t b) const;
  [[nodiscard]] Weights fisher(const std::vector<std::size_t>& coordinates) const;
  void add_means(const Outcomes& side, std::size_t runs, std::vector<double>& means,
                 std::vector<double>& absent) const;

  const OutcomePair* pair_;
  std::size_t left_;
  std::size_t right_;
  std::size_t width_;
  std::vector<double> means_[2];
  std::vector<double> difference_;  // of means, in standard deviations, or of presence
  std::vector<double> variance_;
};

}  // namespace gauze::audit
