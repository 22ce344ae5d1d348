#pragma once

#include <optional>
#include <variant>

#include "gauze/release/modes/count_intervals.h"
#include "gauze/release/modes/grid_release.h"
#include "gauze/release/modes/release_budget.h"
#include "gauze/release/modes/stability_release.h"

namespace gauze::release {

/// A class as it is published.
struct ReleasedCell {
  std::uint64_t cell = 0;
  std::int64_t noisy = 0;  ///< as measured
  std::int64_t count = 0;  ///< what is published: the same, or what a fit to the total made of it (then it may be 0)
  std::int64_t low = 0;    ///< 95 % interval of the true number; 0 where that of the noisy value reaches 0
  std::int64_t high = 0;   ///< of all published intervals at most 5 % miss on average: count_intervals.h
};

struct ReleasedHistogram {
  std::vector<ReleasedCell> cells;    ///< in rising order
  std::optional<std::int64_t> total;  ///< noisy, or (replace-one) the public number of rows; none: not measured
  std::int64_t remainder = 0;         ///< of the total: records that no released class holds, at least 0
  std::optional<CountInterval> remainder_interval = {};  ///< none: what is named was selected by noise, it would miss
};

/// One histogram released by the rules of a plan: noise, cut or threshold, a noisy total, and (`fit: total`) counts that are
/// fitted to it. Guarantees: grid_release.h, stability_release.h; what follows the noise uses noisy values alone.
/// Thread safety: const members may be called concurrently.
class HistogramRelease {
 public:
  struct Options {
    schema::PolicyRelease release;  ///< mode (select counts as grid), cut, kind, fit, neighbours
    std::uint64_t k = 1;
    ReleaseBudget budget;
    Rational delta_per_class = 0;  ///< of stability
    std::uint64_t cells = 0;       ///< of the domain; of no importance for stability
  };
  [[nodiscard]] static Result<HistogramRelease> make(const Options& options);

  [[nodiscard]] ReleasedHistogram release(SecureRandom& random, const schema::Histogram& histogram) const;
  /// The same for simulations; adds |noise| of all cells to *absolute_noise.
  [[nodiscard]] ReleasedHistogram simulate(SeededRandom& random, const schema::Histogram& histogram,
                                           double* absolute_noise = nullptr) const;

  /// A cell is released iff its noisy value reaches this: the cut of a grid, the threshold of stability.
  [[nodiscard]] std::int64_t cut() const;
  /// How many cells would be released if all were empty, on average: cells x P[Z >= cut], rounded up; 0 for stability. Public.
  [[nodiscard]] double expected_phantom_cells() const;

 private:
  using Mode = std::variant<GridRelease, StabilityRelease>;
  HistogramRelease(const Options& options, Mode mode);
  [[nodiscard]] std::int64_t measure_total(RandomWords& random, const schema::Histogram& histogram) const;
  [[nodiscard]] ReleasedHistogram finish(std::vector<NoisyCell> noisy, std::int64_t total) const;
  void fit(ReleasedHistogram& released) const;

  Options options_;
  Mode mode_;
  std::shared_ptr<PublishedRadii> radii_;  // of a grid
  double cell_variance_ = 0;
  double total_variance_ = 0;
  double pass_probability_ = 0;  // of an empty cell of a grid
};

}  // namespace gauze::release
