#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/mechanisms/noise/grid.h"
#include "gauze/mechanisms/noise/noise_law.h"
#include "gauze/mechanisms/noise/noise_observer.h"
#include "gauze/random/secure_random.h"
#include "gauze/random/seeded_random.h"

namespace gauze {

/// What every mechanism that adds noise does: put the true value on the public grid, draw integer noise exactly from
/// the stated law, add. The concrete mechanisms (laplace.h, gaussian.h, ...) choose grid, law and sensitivity, and
/// say what is guaranteed.
///
/// `release` takes a SecureRandom and is for what leaves the house. `simulate` takes a SeededRandom and repeats; its
/// result has no guarantee. Both are total: NaN counts as 0, and values beyond 2^100 grid steps are clamped there.
/// Thread safety: const members may be called concurrently.
class AdditiveMechanism {
 public:
  [[nodiscard]] GridValue release(SecureRandom& random, double value) const {
    return add(random, grid_.round(value));
  }
  [[nodiscard]] GridValue release(SecureRandom& random, const Rational& value) const {
    return add(random, grid_.round(value));
  }
  /// Independent draws around one value, which is put on the grid once; each draw is charged for.
  void release(SecureRandom& random, const Rational& value, std::span<GridValue> draws) const {
    add(random, grid_.round(value), draws);
  }
  /// A vector of the dimension the mechanism was made for; one charge covers all of it.
  [[nodiscard]] Result<std::vector<GridValue>> release(SecureRandom& random, std::span<const double> values) const {
    return add(random, values);
  }

  [[nodiscard]] GridValue simulate(SeededRandom& random, double value) const {
    return add(random, grid_.round(value));
  }
  [[nodiscard]] GridValue simulate(SeededRandom& random, const Rational& value) const {
    return add(random, grid_.round(value));
  }
  void simulate(SeededRandom& random, const Rational& value, std::span<GridValue> draws) const {
    add(random, grid_.round(value), draws);
  }
  [[nodiscard]] Result<std::vector<GridValue>> simulate(SeededRandom& random, std::span<const double> values) const {
    return add(random, values);
  }

  [[nodiscard]] const Grid& grid() const { return grid_; }
  [[nodiscard]] std::int64_t dimension() const { return dimension_; }
  /// The sensitivity that was provided for, in grid units: the declared one, rounded up to the grid.
  [[nodiscard]] const Rational& sensitivity_units() const { return sensitivity_units_; }
  /// The law of the noise, in grid units.
  [[nodiscard]] const NoiseLaw& law() const { return *law_; }

  /// Variance of the noise of one coordinate.
  [[nodiscard]] double variance() const;
  /// The smallest a (on the grid) such that the noise lies in [-a, a] with at least this probability.
  [[nodiscard]] GridValue noise_interval(const Rational& level) const;

 protected:
  struct Parts {
    std::string_view name;
    NoiseEvent::Norm norm = NoiseEvent::Norm::l1;
    Grid grid;
    Rational sensitivity_units;
    std::int64_t dimension = 1;
    std::shared_ptr<const NoiseLaw> law;
  };
  explicit AdditiveMechanism(Parts parts);

 private:
  [[nodiscard]] GridValue add(RandomWords& random, Int128 units) const;
  void add(RandomWords& random, Int128 units, std::span<GridValue> draws) const;
  [[nodiscard]] Result<std::vector<GridValue>> add(RandomWords& random, std::span<const double> values) const;

  std::string_view name_;
  NoiseEvent::Norm norm_;
  Grid grid_;
  Rational sensitivity_units_;
  std::int64_t dimension_;
  std::shared_ptr<const NoiseLaw> law_;
};

}  // namespace gauze
