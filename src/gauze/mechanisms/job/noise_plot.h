#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/files/json.h"
#include "gauze/mechanisms/job/noise_job.h"

namespace gauze {

/// Draws of noise beside the law that they are drawn from, for teaching: what an epsilon looks like.
///
/// All draws are around 0, or around numbers that are the same for everybody: nothing of anybody's enters, and nothing is charged.
class NoisePlot {
 public:
  static constexpr std::size_t kDraws = 10'000;

  /// One part of the line, with what was drawn in it and what the law says of as many draws.
  struct Bin {
    double low = 0;   ///< in it
    double high = 0;  ///< not in it
    std::size_t drawn = 0;
    double expected = 0;
  };
  /// The same share of draws lies at or below both.
  struct Quantile {
    double share = 0;
    double law = 0;
    double drawn = 0;
  };
  struct Panel {
    Rational epsilon;
    double variance = 0;
    double radius95 = 0;
    std::vector<Bin> bins = {};  ///< next to each other; the first and the last have all that lies beyond
    std::vector<Quantile> quantiles = {};
    std::vector<std::string> examples = {};  ///< example_values() with noise
    std::optional<PrivacyCost> cost_of_draws =
        {};  ///< of as many draws around a real value; none when they add up to no promise
  };

  /// A panel for each epsilon. `request` says all else; its value is not looked at. Mechanisms without a law on a grid (snapping,
  /// randomised response), and noise that is not said by epsilon, are `invalid_parameter`.
  [[nodiscard]] static Result<NoisePlot> make(NoiseRequest request, std::span<const Rational> epsilons,
                                              SecureRandom& random);
  [[nodiscard]] static Result<NoisePlot> simulate(NoiseRequest request, std::span<const Rational> epsilons,
                                                  SeededRandom& random);

  /// Numbers that could be counts of a small office.
  [[nodiscard]] static std::span<const std::int64_t> example_values();
  [[nodiscard]] const std::vector<Panel>& panels() const { return panels_; }
  /// The document of docs/formats/json-output.md, which the page of a plot holds.
  [[nodiscard]] Json to_json() const;

 private:
  template <class Random>
  [[nodiscard]] static Result<NoisePlot> draw(NoiseRequest request, std::span<const Rational> epsilons,
                                              Random& random);

  std::string mechanism_;
  Rational sensitivity_ = 1;
  std::vector<Panel> panels_;
};

}  // namespace gauze
