#pragma once

#include <cstdint>
#include <span>

#include "gauze/base/interval.h"
#include "gauze/base/rational.h"
#include "gauze/mechanisms/internal/majorant_choice.h"
#include "gauze/random/random_words.h"

namespace gauze::internal {

/// The even functions f(y) = exp(-energy(|y|)) that StripSampler draws from.
struct Energy {
  enum class Shape { exponential, gaussian };  ///< |y| / scale, or y^2 / (2 scale^2)

  Shape shape = Shape::exponential;
  Rational scale;

  [[nodiscard]] double at(double y) const;  ///< within 2^-48 relative; for filters only
  [[nodiscard]] Interval at(const Interval& y) const;

  double approximate_scale = 0;
};

/// Draws exactly from a symmetric unimodal law on the integers: either P[x] proportional to f(x), or the continuous
/// law with density proportional to f, rounded to the nearest integer.
///
/// How (docs/proofs/sampling.md): the half line is cut into strips of a power-of-two width. A strip is chosen with a
/// probability proportional to an integer weight that bounds f on it from above, a place in it uniformly, and the
/// place is accepted with probability f(y) c / weight, for one constant c. What lies beyond the last strip is covered
/// by wider strips whose weights halve. Weights only need to be bounds, so they may come from doubles with a margin;
/// the acceptance decides the law, and it is exact: an integer comparison when it is clear, then doubles with a
/// margin of 2^-40, then intervals of growing precision with more random digits until it is certain.
///
/// Thread safety: const members may be called concurrently.
class StripSampler {
 public:
  enum class Points { integers, rounded_reals };

  /// For tests: makes the parts that are rarely needed do all the work. The law does not depend on it.
  struct Tuning {
    double last_energy = 24;    ///< strips end where f has fallen to about exp(-last_energy)
    bool always_exact = false;  ///< decide every acceptance by intervals
  };

  /// The largest scale for which a draw always fits into 63 bits.
  static constexpr int kMaxScaleBits = 52;

  /// scale must be positive and at most 2^kMaxScaleBits.
  StripSampler(Energy::Shape shape, Points points, const Rational& scale) : StripSampler(shape, points, scale, {}) {}
  StripSampler(Energy::Shape shape, Points points, const Rational& scale, Tuning tuning);

  void sample(RandomWords& random, std::span<std::int64_t> out) const;

 private:
  struct Place;

  void build(const Tuning& tuning);
  template <Points points>
  [[nodiscard]] std::int64_t draw(RandomWords& random) const;
  template <Points points>
  [[nodiscard]] bool draw_beyond(RandomWords& random, Place& place) const;
  [[nodiscard]] bool accept(RandomWords& random, std::uint64_t word, const Place& place, std::size_t strip) const;
  [[nodiscard]] bool accept_exactly(RandomWords& random, std::uint64_t word, const Place& place,
                                    std::uint64_t fraction_word, const Rational& factor) const;

  Energy energy_;
  Points points_;
  int width_bits_ = 0;   // strips are 2^width_bits_ wide
  int beyond_bits_ = 0;  // the wider strips beyond are 2^beyond_bits_ wide
  bool always_exact_ = false;
  MajorantChoice choice_;  // its last piece stands for everything beyond the strips
};

}  // namespace gauze::internal
