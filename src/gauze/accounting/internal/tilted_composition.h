#pragma once

#include <complex>
#include <cstdint>
#include <utility>
#include <vector>

#include "gauze/accounting/internal/loss_grid.h"

namespace gauze::internal {

/// The sum of independent losses on grids of one step, tilted by exp(order * loss), on one window; with a bound on every
/// error of the arithmetic. docs/proofs/loss-composition.md, "What the arithmetic as coded does".
class TiltedComposition {
 public:
  /// How the transform of one loss is taken. `plain`: its heaviest point counts as no move, the rest is transformed;
  /// errors grow with the expected number of moves. `split`: of the many small moves second sums are transformed, which
  /// the square of the frequency multiplies afterwards; errors then grow with the few large moves only.
  enum class Transform { plain, split };

  TiltedComposition(const std::vector<std::pair<LossGrid, double>>& parts, double order, Transform kind);

  /// The sum of sums, each on its own grid, all tilted by the same order: every loss is moved once to a multiple of `step`,
  /// up or down as `side` (+1 or -1) says, and its mass under P stays. Losses whose atoms share no grid are first composed
  /// on grids that fit them, so that what a grid costs is paid once instead of once a run.
  [[nodiscard]] static TiltedComposition sum_of(const std::vector<TiltedComposition>& sums, double step, int side,
                                                Transform kind);

  /// The window that holds the tilted sum has more points than this one takes: nothing was transformed.
  static constexpr std::size_t kLargestGrid = std::size_t{1} << 21;
  static constexpr double kLargestPlace =
      0x1p52;  ///< of a point of the grid, from 0: doubles tell no farther ones apart

  /// Whether the window could be made large enough; if not, only what holds always is answered.
  [[nodiscard]] bool valid() const { return !window_.empty(); }
  [[nodiscard]] std::size_t size() const { return window_.size(); }

  /// The smallest epsilon with delta(epsilon) at most delta, where `side` (+1 or -1) adds or subtracts all errors.
  [[nodiscard]] double epsilon(double delta, int side) const;
  [[nodiscard]] double delta(double epsilon, int side) const;

  /// Whether the answer lies inside the window and stands out from the errors; if not, the tilt was wrong.
  [[nodiscard]] bool answers_epsilon(double delta) const;
  [[nodiscard]] bool answers_delta(double epsilon) const { return epsilon >= loss_at(0) && error_at(epsilon) < 1e-3; }

  /// A tilt whose mean would lie at the answer, as far as this one tells.
  [[nodiscard]] double better_order(double answer) const;

 private:
  /// One loss, tilted: weights that add up to one, by distance in steps from the heaviest.
  struct Part {
    std::vector<double> weight;
    std::int64_t heaviest = 0;  // its place
    double count = 1;
    double rest = 0;  // all but the heaviest
  };
  /// The transform of one part minus one, and how far off it may be, at the frequencies up to n / 2.
  struct Spectrum {
    std::vector<std::complex<double>> packed;
    double mean = 0, second = 0, rest = 0;  // of the small moves; all large ones
    double precision = 0;                   // of the transforms, relative to `second` and to `rest`
  };
  struct Value {
    std::complex<double> z;
    double error = 0;
  };

  TiltedComposition(double order, double step) : order_(order), step_(step) {}
  void tilt(const LossGrid& grid, double count);
  /// Adds a finished sum as one part, its losses moved to multiples of step_; its errors come on top.
  void add_moved(const TiltedComposition& sum, int side);
  void transform(Transform kind);
  void invert(std::vector<std::complex<double>>& logs, const std::vector<double>& growth);
  /// How far from the mean a tilted sum strays with probability kWrapped / 2 on either side, by Chernoff's bound.
  [[nodiscard]] double reach(int side) const;
  /// Moves of at most so many steps are the small ones of a part; none when zero.
  [[nodiscard]] std::vector<std::int64_t> small_moves() const;
  [[nodiscard]] static Spectrum spectrum(const Part& part, std::int64_t small, std::size_t n);
  [[nodiscard]] static Value at(const Spectrum& spectrum, std::size_t frequency);

  [[nodiscard]] double loss_at(std::size_t i) const {
    return offset_ + static_cast<double>(first_ + static_cast<std::int64_t>(i)) * step_;
  }
  [[nodiscard]] double error_at(double loss) const;
  [[nodiscard]] double log_delta(double p, double q, double epsilon, int side) const;

  double order_;
  double step_ = 0;
  double offset_ = 0;         // loss of the sum when every part has its heaviest point
  double infinite_ = 0;       // mass of P at infinity
  double error_ = 0;          // of tilted mass above a loss, when the tilt is one there
  double in_all_points_ = 0;  // of tilted masses, all together
  double relative_ = 0;       // of every mass
  double margin_ = 0;         // of every loss
  double log_moment_ = 0, mean_ = 0, variance_ = 0;
  double reference_ = 0, log_scale_ = 0;
  std::int64_t first_ = 0;
  std::vector<Part> parts_;
  std::vector<double> window_;  // tilted masses at offset_ + (first_ + i) * step_
};

}  // namespace gauze::internal
