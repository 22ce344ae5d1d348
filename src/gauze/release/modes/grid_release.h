#pragma once

#include <optional>
#include <vector>

#include "gauze/mechanisms/noise/count_noise.h"
#include "gauze/mechanisms/noise/rare_noise.h"
#include "gauze/random/secure_random.h"
#include "gauze/random/seeded_random.h"
#include "gauze/schema/domain/domain.h"

namespace gauze::release {

/// A cell that is released, with its noisy number of records.
struct NoisyCell {
  std::uint64_t cell = 0;
  std::int64_t value = 0;
};

/// Noisy counts of every cell of a public domain, empty ones included: the mode `grid`.
///
/// A cell with fewer than k records is treated exactly as an empty one: noise goes on max(0, n - k + 1), which moves by
/// at most one when n does. A cell is released iff its noisy value reaches the cut, as noisy value + k - 1.
///
/// Privacy unit   : that of the histogram.
/// Neighbours     : those under which the histogram's l1 (Laplace) or l2 (Gaussian) sensitivity was computed.
/// Guarantee      : that of the law: scale = l1 / epsilon gives epsilon-DP, sigma = l2 / sqrt(2 rho) gives rho-zCDP.
/// Proven         : docs/proofs/release-grid.md; empty cells of large domains are drawn by certified inversion.
/// Not covered    : k-anonymity (a released cell may hold no record at all); the caller's claim about sensitivity.
/// Thread safety  : const members may be called concurrently.
class GridRelease {
 public:
  /// Domains up to so many cells get their noise cell by cell; larger ones only where something passes.
  static constexpr std::uint64_t kDenseCells = 1U << 16;
  /// The most empty cells that may be expected to pass.
  static constexpr double kMostEmptyCells = 2e7;

  struct Options {
    std::uint64_t k = 1;      ///< at least 1
    std::uint64_t cells = 0;  ///< of the domain
    CountNoise noise;         ///< on the counts
    std::optional<std::uint64_t> cut =
        {};  ///< at least 1; none: 1 up to 10,000 cells, else so that about one empty cell
             ///< passes
  };
  [[nodiscard]] static Result<GridRelease> make(const Options& options);

  [[nodiscard]] std::int64_t cut() const { return cut_; }
  [[nodiscard]] std::uint64_t k() const { return k_; }

  /// What is released, in rising order of cells.
  [[nodiscard]] std::vector<NoisyCell> release(SecureRandom& random, const schema::Histogram& histogram) const {
    return draw(random, histogram, nullptr);
  }
  /// The same for simulations; adds |noise| of all cells to *absolute_noise (its expectation where it is not drawn).
  [[nodiscard]] std::vector<NoisyCell> simulate(SeededRandom& random, const schema::Histogram& histogram,
                                                double* absolute_noise = nullptr) const {
    return draw(random, histogram, absolute_noise);
  }

 private:
  GridRelease(const Options& options, std::int64_t cut);
  [[nodiscard]] std::vector<NoisyCell> draw(RandomWords& random, const schema::Histogram& histogram,
                                            double* absolute_noise) const;
  void draw_dense(RandomWords& random, const schema::Histogram& histogram, double* absolute_noise,
                  std::vector<NoisyCell>& out) const;
  void draw_sparse(RandomWords& random, const schema::Histogram& histogram, double* absolute_noise,
                   std::vector<NoisyCell>& out) const;

  std::uint64_t k_;
  std::uint64_t cells_;
  CountNoise noise_;
  std::int64_t cut_;
  std::optional<RareNoise> rare_;  // in large domains
  double mean_absolute_ = 0;
};

/// E|Z| of a law: 2 x the sum of P[Z >= m] over m >= 1, to about 1e-12 relative.
[[nodiscard]] double mean_absolute(const NoiseLaw& law);

}  // namespace gauze::release
