#include "gauze/accounting/internal/loss_grid.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>

namespace gauze::internal {
namespace loss_grid_test {

/// delta at epsilon = ln t of a grid: its own curve.
long double curve_of(const LossGrid& grid, long double t) {
  long double sum = grid.infinite;
  for (std::size_t i = 0; i < grid.mass.size(); ++i) {
    const long double loss =
        grid.offset + static_cast<long double>(grid.first + static_cast<std::int64_t>(i)) * grid.step;
    sum += grid.mass[i] * std::max(0.0L, 1 - t * std::exp(-loss));
  }
  return sum;
}

long double normal_tail(long double x) { return std::erfc(x / std::sqrt(2.0L)) / 2; }

/// The curve of the sampled Gaussian from its densities, in long double, without what the library computes.
long double sampled_gaussian(long double sigma, long double rate, bool removing, long double t) {
  // Removing: the mixture against N(0, s^2); the loss is above ln t where x is above a point.
  if (removing) {
    const long double excess = (t - 1) / rate + 1;
    const long double x =
        excess <= 0 ? -std::numeric_limits<long double>::infinity() : sigma * sigma * std::log(excess) + 0.5L;
    return (1 - rate) * normal_tail(x / sigma) + rate * normal_tail((x - 1) / sigma) - t * normal_tail(x / sigma);
  }
  const long double excess = (1 / t - 1) / rate + 1;
  if (excess <= 0) return 0;
  const long double x = sigma * sigma * std::log(excess) + 0.5L;
  const long double here = normal_tail(-x / sigma);
  return here - t * ((1 - rate) * here + rate * normal_tail((1 - x) / sigma));
}

/// The curve of a list of atoms.
long double of_atoms(const std::vector<std::pair<double, double>>& atoms, long double infinite, long double t) {
  long double sum = infinite;
  for (const auto& [loss, mass] : atoms)
    sum += mass * std::max(0.0L, 1 - t * std::exp(-static_cast<long double>(loss)));
  return sum;
}

struct Known {
  std::string name;
  LossPair loss;
  std::function<long double(long double)> curve;
};

std::vector<Known> known_losses() {
  std::vector<Known> result;
  for (const bool removing : {true, false}) {
    for (const auto& [sigma, rate] : {std::pair{0.75, 7e-6}, {0.81, 2.7e-4}, {1.0, 0.01}, {2.0, 0.3}, {0.5, 1e-3}}) {
      result.push_back({"sampled Gaussian " + std::to_string(sigma) + " " + std::to_string(rate),
                        poisson_sampled(gaussian_loss(sigma), rate, removing),
                        [=](long double t) { return sampled_gaussian(sigma, rate, removing, t); }});
    }
  }
  const auto add_atoms = [&](const char* name, std::vector<std::pair<double, double>> atoms, double infinite) {
    result.push_back(
        {name, discrete_loss(atoms, infinite), [=](long double t) { return of_atoms(atoms, infinite, t); }});
  };
  const double e = 0.3, heavy = 1 / (1 + std::exp(-e));
  add_atoms("pure", {{e, heavy}, {-e, heavy * std::exp(-e)}}, 0);
  add_atoms("approximate", {{e, 0.9 * heavy}, {-e, 0.9 * heavy * std::exp(-e)}}, 0.1);
  const double keep = 1 / (1 + 4 * std::exp(-e));
  add_atoms("randomised response", {{e, keep}, {0, 3 * keep * std::exp(-e)}, {-e, keep * std::exp(-e)}}, 0);
  result.push_back({"Laplace", laplace_loss(3), [](long double t) {
                      const long double l = std::log(t);
                      if (l >= 1 / 3.0L) return 0.0L;
                      if (l <= -1 / 3.0L) return 1 - t;
                      return 1 - std::exp((l - 1 / 3.0L) / 2);
                    }});
  return result;
}

/// Points between and on grid points, more of them near no loss.
std::vector<long double> places(const LossGrid& grid) {
  std::vector<long double> result;
  const auto count = static_cast<double>(grid.mass.size());
  const double stride = std::max(1.0, count / 60);
  for (double i = -1; i < count + 1; i += stride) {
    for (const double part : {0.0, 0.03, 0.25, 0.5, 0.75, 0.97})
      result.push_back(grid.offset + (static_cast<long double>(grid.first) + i + part) * grid.step);
  }
  for (int i = -20; i <= 20; ++i)
    for (const double part : {0.0, 0.2, 0.5, 0.8}) result.push_back((i + part) * grid.step);
  return result;
}

// Steps that fit and steps that do not, coarser than the bulk and finer: curves must lie on their side everywhere, not only
// where they were computed. What composition needs follows from this alone.
TEST(LossGrid, CurvesLieOnTheirSideOfTheTrueOne) {
  for (const Known& known : known_losses()) {
    const LossRange range = loss_range(*known.loss, 1e-18);
    for (const double cells : {16.0, 37.3, 64.0, 1000.7}) {
      const double step = (range.high - range.low) / cells;
      for (const double moved : {0.0, 0.31, 0.77}) {
        if (moved > 0 && cells > 100) continue;
        const double below_offset = std::remainder(best_offset_below(*known.loss, range, step) + moved * step, step);
        const LossGrid below = grid_below(*known.loss, range, step, below_offset);
        const LossGrid above = grid_above(*known.loss, range, step, below_offset);
        for (const long double place : places(below)) {
          const long double t = std::exp(place), truth = known.curve(t);
          // A loss may be off by a few units in its last place; nothing else may be.
          const long double slack = 4e-16L * std::max(1.0L, t) + 1e-19L;
          EXPECT_LE(curve_of(below, t), truth + slack) << known.name << " " << cells << " " << moved << " " << place;
          EXPECT_GE(curve_of(above, t), truth - slack) << known.name << " " << cells << " " << moved << " " << place;
          if (::testing::Test::HasFailure()) return;
        }
      }
    }
  }
}

TEST(LossGrid, TheLowerCurveHasNoMoreThanAllMass) {
  for (const Known& known : known_losses()) {
    const LossRange range = loss_range(*known.loss, 1e-18);
    const double step = (range.high - range.low) / 200;
    const LossGrid grid = grid_below(*known.loss, range, step, best_offset_below(*known.loss, range, step));
    long double sum = grid.infinite;
    for (const double mass : grid.mass) {
      EXPECT_GE(mass, 0);
      sum += mass;
    }
    EXPECT_LE(sum, 1 + 1e-15) << known.name;
  }
}

// A step much wider than the loss: all that is left is one point, and its loss must be nearly what it is, since it counts as
// often as there are steps.
TEST(LossGrid, ARareLossDoesNotMoveWhenItsBulkIsOnePoint) {
  for (const bool removing : {true, false}) {
    const LossPair loss = poisson_sampled(gaussian_loss(0.75), 7e-6, removing);
    const LossRange range = loss_range(*loss, 1e-20);
    for (const double step : {1e-3, 1e-4, 3e-5}) {
      const LossGrid grid =
          grid_below(*loss, range, step, std::remainder(best_offset_below(*loss, range, step), step));
      long double p = 0, q = 0;
      for (std::size_t i = 0; i < grid.mass.size(); ++i) {
        p += grid.mass[i];
        q += grid.mass[i] * std::exp(-(grid.offset + static_cast<double>(grid.first + static_cast<int>(i)) * step));
      }
      // Both are probabilities, but for what was left out: a shift of the whole would show as a difference.
      EXPECT_NEAR(static_cast<double>(p), 1, 1e-12);
      EXPECT_NEAR(static_cast<double>(q), 1, 1e-12);
    }
  }
}

TEST(LossGrid, RangesLeaveOutWhatIsTooRareToCount) {
  // Adding a unit to a sampled (epsilon, delta) mechanism: a loss of -ln(1 - rate), far out, with mass delta.
  const LossPair loss = poisson_sampled(pure_loss(4.5e-7, 2.4e-23), 0.39, false);
  const LossRange range = loss_range(*loss, 1e-20);
  EXPECT_LT(range.high, 1e-6);
  EXPECT_GT(range.low, -1e-6);
  EXPECT_LE(loss->above(range.high).p, 1e-20);
  EXPECT_DOUBLE_EQ(loss_range(*loss, 1e-24).high, -std::log1p(-0.39));
  EXPECT_DOUBLE_EQ(loss_range(*pure_loss(0.7), 1e-20).high, 0.7);
}

TEST(LossGrid, LatticesAreFoundAndOthersAreNot) {
  const auto found = [](const LossPair& loss) { return lattice_step(*loss, loss_range(*loss, 1e-20)); };
  EXPECT_NEAR(found(pure_loss(0.7)).value(), 1.4, 1e-14);
  EXPECT_NEAR(found(randomized_response_loss(0.7, 4)).value(), 0.7, 1e-14);
  EXPECT_NEAR(found(discrete_laplace_loss(10, 6)).value(), 0.2, 1e-14);
  EXPECT_NEAR(found(discrete_gaussian_loss(3, 2)).value(), 2.0 / 9, 1e-13);
  EXPECT_FALSE(found(gaussian_loss(2)));
  EXPECT_FALSE(found(laplace_loss(3)));
  EXPECT_FALSE(found(poisson_sampled(randomized_response_loss(0.7, 4), 0.1, true)));
  EXPECT_FALSE(found(discrete_loss({{-1, 0.2}, {0.5, 0.3}, {0.9, 0.5}})));
}

}  // namespace loss_grid_test
}  // namespace gauze::internal
