#pragma once

#include <memory>

#include "gauze/mechanisms/noise/grid.h"
#include "gauze/mechanisms/noise/noise_law.h"
#include "gauze/random/secure_random.h"
#include "gauze/random/seeded_random.h"

namespace gauze {

/// Answers "is this query above the threshold?" for as many queries as come, and pays only for the first `max_above`
/// answers that are yes (AboveThreshold; the correct variant of Lyu, Su, Li 2017).
///
/// Privacy unit   : whatever the caller's sensitivity refers to.
/// Neighbours     : those the caller's sensitivity refers to.
/// Guarantee      : epsilon-DP for all answers together, queries chosen adaptively, each with sensitivity at most
///                  `sensitivity`. Budget: threshold_share of epsilon for the noise on the threshold, the rest for
///                  the noise on the queries.
/// Proven         : docs/proofs/sparse-vector.md.
/// Not covered    : the caller's claim about the sensitivity. Only yes and no leave: never the noisy values.
/// Thread safety  : none: it keeps state.
class SparseVector {
 public:
  struct Options {
    Rational epsilon = 0;      ///< required
    Rational sensitivity = 1;  ///< of every query
    Rational threshold = 0;
    std::int64_t max_above = 1;  ///< stops after this many yes
    bool monotone = false;       ///< all queries move the same way between neighbours
    Rational threshold_share =
        0;  ///< in (0, 1); 0 = the best split, 1 / (1 + m^(2/3)), m = 2 max_above (max_above if monotone)
  };
  /// Not copyable: a copy would give the answers that are yes a second time.
  SparseVector(const SparseVector&) = delete;
  SparseVector& operator=(const SparseVector&) = delete;
  SparseVector(SparseVector&& other) noexcept;
  SparseVector& operator=(SparseVector&&) = delete;
  ~SparseVector() = default;

  /// Draws the noise of the threshold.
  [[nodiscard]] static Result<SparseVector> make(const Options& options, SecureRandom& random);
  [[nodiscard]] static Result<SparseVector> make_simulation(const Options& options, SeededRandom& random);

  /// Whether the noisy query reaches the noisy threshold; `budget_exhausted` once max_above answers were yes.
  [[nodiscard]] Result<bool> is_above(SecureRandom& random, double query) {
    return answer(random, grid_.round(query));
  }
  [[nodiscard]] Result<bool> simulate_is_above(SeededRandom& random, double query) {
    return answer(random, grid_.round(query));
  }

  [[nodiscard]] std::int64_t answers_left() const { return answers_left_; }
  [[nodiscard]] const Rational& threshold_epsilon() const { return threshold_epsilon_; }
  [[nodiscard]] const Rational& query_epsilon() const { return query_epsilon_; }

 private:
  SparseVector(const Options& options, Grid grid, Rational threshold_epsilon, Rational query_epsilon,
               DiscreteLaplaceLaw query_noise);
  [[nodiscard]] static Result<SparseVector> make_with(const Options& options, RandomWords& random);
  [[nodiscard]] Result<bool> answer(RandomWords& random, Int128 query);

  Grid grid_;
  Rational sensitivity_units_;
  Rational threshold_epsilon_;
  Rational query_epsilon_;
  DiscreteLaplaceLaw query_noise_;
  Int128 noisy_threshold_ = 0;
  std::int64_t answers_left_;
};

}  // namespace gauze
