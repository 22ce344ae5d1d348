#pragma once

#include <optional>
#include <span>

#include "gauze/files/json.h"

namespace gauze {

/// A figure that depends on noise, over repetitions: its mean, the middle 95 % of the repetitions (what a single release
/// would show), and their standard deviation.
struct Estimate {
  double mean = 0;
  double low = 0;
  double high = 0;
  double sd = 0;
};

/// Of the values that are defined (not NaN); nothing when none is.
[[nodiscard]] std::optional<Estimate> estimate(std::span<const double> values);

/// The mean of the values that are defined, with Student's 95 % interval for what it would be over many more of them; of fewer than four
/// their least and their largest. Nothing when none is.
[[nodiscard]] std::optional<Estimate> estimate_mean(std::span<const double> values);

/// A share of repetitions: `hits` of `runs`, with Wilson's 95 % interval.
[[nodiscard]] Estimate estimate_share(double hits, double runs);

/// {"mean","low","high","sd"}, or null.
[[nodiscard]] Json to_json(const std::optional<Estimate>& estimate);

/// The quantile of sorted values by linear interpolation; the list must not be empty.
[[nodiscard]] double quantile(std::span<const double> sorted, double level);

}  // namespace gauze
