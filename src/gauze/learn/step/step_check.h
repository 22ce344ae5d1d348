#pragma once

namespace gauze::learn {

/// Whether noise and clip do what the proof says, on made numbers.
struct StepCheck {
  bool noise_ok = false;   ///< the deviation of drawn noise is the stated one, by a chi-square bound at 1e-6
  bool margin_ok = false;  ///< no clipped sum moved by more than the sensitivity, over random and extreme units
  [[nodiscard]] bool ok() const { return noise_ok && margin_ok; }
};
[[nodiscard]] StepCheck check_step();

}  // namespace gauze::learn
