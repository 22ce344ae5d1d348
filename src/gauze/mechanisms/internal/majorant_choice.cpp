#include "gauze/mechanisms/internal/majorant_choice.h"

#include <cmath>

#include "gauze/base/error.h"

namespace gauze::internal {
namespace {

constexpr std::uint64_t kTotal = std::uint64_t{1} << AliasTable::kTotalBits;

/// floor(p * 2^64), at most 2^64 - 1.
std::uint64_t leading_word(double p) {
  if (!(p > 0)) return 0;
  return p >= 1 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(std::ldexp(p, 64));
}

}  // namespace

MajorantChoice::MajorantChoice(std::span<const double> highest, std::span<const double> lowest) {
  GAUZE_CHECK(!highest.empty() && highest.size() == lowest.size() && highest.size() <= kMaxPieces);
  double sum = 0;
  for (const double bound : highest) sum += bound;
  GAUZE_CHECK(sum > 0 && std::isfinite(sum));

  // A little below what would fill the table exactly; the first piece takes the rest. 2^-35 of the total leaves room
  // for the margins (2^-40) and for two units of rounding a piece, 2^-52 a piece for the rounding of the sum itself.
  const double reserve = 0x1p-35 + 0x1p-52 * static_cast<double>(highest.size());
  constant_ = static_cast<double>(kTotal) * (1 - reserve) / sum;
  std::vector<std::uint64_t> weights(highest.size());
  std::uint64_t used = 0;
  for (std::size_t i = 0; i < highest.size(); ++i) {
    weights[i] = static_cast<std::uint64_t>(std::ceil(constant_ * highest[i] * (1 + kMargin))) + 1;
    used += weights[i];
  }
  GAUZE_CHECK(used <= kTotal);
  weights[0] += kTotal - used;
  table_ = AliasTable(weights);

  pieces_.resize(highest.size());
  for (std::size_t i = 0; i < highest.size(); ++i) {
    pieces_[i].weight = weights[i];
    pieces_[i].sure = leading_word(lowest[i] * factor(i) * (1 - kMargin));
  }
}

MajorantChoice::Verdict MajorantChoice::compare(std::uint64_t word, double probability) {
  const double u = std::ldexp(static_cast<double>(word), -64);
  const double margin = probability * kMargin + 0x1p-60;
  if (u < probability - margin) return Verdict::accept;
  if (u > probability + margin) return Verdict::reject;
  return Verdict::unclear;
}

}  // namespace gauze::internal
