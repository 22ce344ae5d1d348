#include "gauze/text/mechanisms/internal/nearest_words.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "gauze/base/matrix_products.h"
#include "gauze/text/metric/internal/distance_kernels.h"

namespace gauze::text::internal {
namespace {

constexpr std::size_t kTile = 512;

using Signed = __int128;

/// |y|^2 - 2 q y in the vectors' units: smaller is nearer. |q y| <= |q| |y| <= 2^42 2^25, times 2^58 at most.
Signed exact_score(const WordVectors& vectors, std::size_t word, std::span<const std::int64_t> point, int shift) {
  Signed product = 0;
  const auto row = vectors.fixed_row(word);
  for (std::size_t d = 0; d < row.size(); ++d) product += static_cast<Signed>(point[d]) * row[d];
  return static_cast<Signed>(vectors.squared_norm(word)) - product * (static_cast<Signed>(1) << (shift + 1));
}

/// One point: the best scores in floats so far, and every word that might still be among the nearest.
struct Search {
  int wanted = 1;  // or 2
  float best = std::numeric_limits<float>::infinity();
  float second = std::numeric_limits<float>::infinity();
  float margin = 0;
  std::vector<std::pair<float, std::uint32_t>> candidates;

  [[nodiscard]] float worst_wanted() const { return wanted == 1 ? best : second; }
  void look(const float* products, const float* half_norms, std::size_t first, std::size_t count) {
    const float smallest = smallest_score(products, half_norms, count);
    if (!(smallest <= worst_wanted() + margin)) return;
    if (wanted == 1) best = std::min(best, smallest);
    for (std::size_t c = 0; c < count; ++c) {
      const float score = half_norms[c] - products[c];
      if (score <= worst_wanted() + margin) candidates.emplace_back(score, static_cast<std::uint32_t>(first + c));
      if (wanted == 1) continue;
      if (score < best) {
        second = best;
        best = score;
      } else if (score < second) {
        second = score;
      }
    }
  }
};

/// Looks through the whole vocabulary for each point.
std::vector<Search> search_all(const WordVectors& vectors, std::span<const std::int64_t> points, std::size_t count,
                               int lattice_bits, int wanted) {
  const std::size_t n = vectors.dimensions();
  const int shift = vectors.scale_bits() - lattice_bits;
  GAUZE_CHECK(points.size() == n * count && shift >= 0 && shift <= 57);
  const double longest = vectors.largest_norm() + 1e-30;
  std::vector<float> queries(points.size());
  std::vector<Search> searches(count, Search{.wanted = wanted, .candidates = {}});
  for (std::size_t i = 0; i < count; ++i) {
    double norm = 0;
    for (std::size_t d = 0; d < n; ++d) {
      const double value = std::ldexp(static_cast<double>(points[i * n + d]), -lattice_bits);
      queries[i * n + d] = static_cast<float>(value);
      norm += value * value;
    }
    // |q| R bounds the sum of |q_d y_d|. n + 3 roundings (the two factors, n sums or fused sums, the difference) of 2^-24
    // each, and those of |y|^2 / 2; u doubled once for second-order terms. Two scores may both be off.
    const double length = std::sqrt(norm);
    const double bound = (static_cast<double>(n) + 8) * 0x1p-23 * (length * longest + longest * longest);
    searches[i].margin = static_cast<float>(2.1 * bound) + std::numeric_limits<float>::min();
  }
  std::vector<float> rows(kTile * n);
  std::vector<float> half_norms(kTile);
  std::vector<float> products(count * kTile);
  for (std::size_t first = 0; first < vectors.size(); first += kTile) {
    const std::size_t width = std::min(kTile, vectors.size() - first);
    vectors.copy_floats(first, width, rows.data());
    for (std::size_t c = 0; c < width; ++c) {
      half_norms[c] = static_cast<float>(
          std::ldexp(static_cast<double>(vectors.squared_norm(first + c)), -2 * vectors.scale_bits() - 1));
    }
    multiply_transposed(queries.data(), count, rows.data(), width, n, 1.0F, 0.0F, products.data());
    for (std::size_t i = 0; i < count; ++i) {
      searches[i].look(products.data() + i * width, half_norms.data(), first, width);
    }
  }
  return searches;
}

}  // namespace

void nearest_words(const WordVectors& vectors, std::span<const std::int64_t> points, int lattice_bits,
                   std::span<std::uint32_t> out) {
  const std::size_t n = vectors.dimensions();
  const std::size_t count = out.size();
  const int shift = vectors.scale_bits() - lattice_bits;
  const std::vector<Search> searches = search_all(vectors, points, count, lattice_bits, 1);
  for (std::size_t i = 0; i < count; ++i) {
    const auto point = points.subspan(i * n, n);
    bool any = false;
    Signed best = 0;
    for (const auto& [rough, word] : searches[i].candidates) {
      if (rough > searches[i].best + searches[i].margin) continue;
      const Signed score = exact_score(vectors, word, point, shift);
      if (any && score >= best) continue;  // candidates come in the order of the words: the first of equals stays
      best = score;
      out[i] = word;
      any = true;
    }
    GAUZE_CHECK(any);
  }
}

void two_nearest_words(const WordVectors& vectors, std::span<const std::int64_t> points, int lattice_bits,
                       std::span<TwoNearest> out) {
  const std::size_t n = vectors.dimensions();
  const int shift = vectors.scale_bits() - lattice_bits;
  const std::vector<Search> searches = search_all(vectors, points, out.size(), lattice_bits, 2);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto point = points.subspan(i * n, n);
    std::vector<std::pair<Signed, std::uint32_t>> exact;
    for (const auto& [rough, word] : searches[i].candidates)
      if (rough <= searches[i].worst_wanted() + searches[i].margin)
        exact.emplace_back(exact_score(vectors, word, point, shift), word);
    GAUZE_CHECK(!exact.empty());
    const std::size_t kept = std::min<std::size_t>(2, exact.size());
    std::partial_sort(exact.begin(), exact.begin() + static_cast<std::ptrdiff_t>(kept), exact.end());
    double norm = 0;  // of the point, in the vectors' units
    for (const std::int64_t x : point) norm += std::ldexp(static_cast<double>(x) * static_cast<double>(x), 2 * shift);
    const auto distance = [&](Signed score) {
      return std::ldexp(std::sqrt(std::max(0.0, norm + static_cast<double>(score))), -vectors.scale_bits());
    };
    const auto& second = exact[kept - 1];
    out[i] = {exact[0].second, second.second, distance(exact[0].first), distance(second.first)};
  }
}

}  // namespace gauze::text::internal
