#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gauze/base/rational.h"
#include "gauze/mechanisms/internal/alias_table.h"

namespace gauze::internal {

/// The first half of exact rejection sampling: pieces of a space, each chosen with a probability proportional to an
/// integer weight that bounds the wanted weight f on the piece from above. A place x in the piece is then accepted
/// with probability f(x) * constant / weight, which is what makes the result exact; the bounds may come from doubles.
class MajorantChoice {
 public:
  /// Wider than the error of the doubles given: they must be right within 2^-42 relative.
  static constexpr double kMargin = 0x1p-40;
  static constexpr std::size_t kMaxPieces = std::size_t{1} << 24;

  MajorantChoice() = default;
  /// highest[i] and lowest[i]: f on piece i lies between them (lowest = 0 when nothing is known). The sum of
  /// `highest` must be positive, and the first piece must be among the largest.
  MajorantChoice(std::span<const double> highest, std::span<const double> lowest);

  [[nodiscard]] AliasTable::Draw choose(std::uint64_t word) const { return table_.choose(word); }
  /// A uniform word below it accepts whatever the place in the piece.
  [[nodiscard]] std::uint64_t sure(std::size_t piece) const { return pieces_[piece].sure; }
  [[nodiscard]] std::size_t size() const { return pieces_.size(); }

  /// constant / weight: what f(x) is multiplied with to give the probability of acceptance.
  [[nodiscard]] double factor(std::size_t piece) const {
    return constant_ / static_cast<double>(pieces_[piece].weight);
  }
  [[nodiscard]] Rational exact_factor(std::size_t piece) const {
    return Rational(constant_) / Rational(static_cast<std::int64_t>(pieces_[piece].weight));
  }

  /// What a double says about a uniform word and a probability that it knows within kMargin.
  enum class Verdict { accept, reject, unclear };
  [[nodiscard]] static Verdict compare(std::uint64_t word, double probability);

 private:
  struct Piece {
    std::uint64_t sure = 0;
    std::uint64_t weight = 0;
  };
  double constant_ = 0;
  std::vector<Piece> pieces_;
  AliasTable table_;
};

}  // namespace gauze::internal
