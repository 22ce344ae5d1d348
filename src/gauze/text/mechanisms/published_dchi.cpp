#include "gauze/text/mechanisms/published_dchi.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "gauze/text/mechanisms/internal/nearest_words.h"

namespace gauze::text {
namespace {

constexpr double kFarthest = 0x1p34;  // in lattice steps: what nearest_words takes

/// In (0, 1).
double uniform_inside(RandomWords& random) { return (static_cast<double>(random.next() >> 11) + 0.5) * 0x1p-53; }

double normal(RandomWords& random) {
  const double radius = std::sqrt(-2 * std::log(uniform_inside(random)));
  return radius * std::cos(2 * std::numbers::pi * uniform_inside(random));
}

/// Gamma with a whole shape and scale 1: a sum of exponential variables.
double gamma(std::size_t shape, RandomWords& random) {
  double sum = 0;
  for (std::size_t i = 0; i < shape; ++i) sum -= std::log(uniform_inside(random));
  return sum;
}

}  // namespace

void PublishedDchi::draw(std::span<const std::uint32_t> words, RandomWords& random,
                         std::span<std::uint32_t> out) const {
  GAUZE_CHECK(out.size() == words.size());
  const WordVectors& vectors = mechanism_.vectors();
  const std::size_t n = vectors.dimensions();
  const double epsilon = mechanism_.epsilon().to_double();
  const int bits = mechanism_.lattice_bits();
  std::vector<double> direction(n);
  std::vector<std::int64_t> points;
  for (std::size_t first = 0; first < words.size(); first += DchiMechanism::kBatch) {
    const std::size_t count = std::min(DchiMechanism::kBatch, words.size() - first);
    points.resize(count * n);
    for (std::size_t i = 0; i < count; ++i) {
      double squared = 0;
      for (double& one : direction) {
        one = normal(random);
        squared += one * one;
      }
      const double scale = gamma(n, random) / epsilon / std::sqrt(squared);
      const auto row = vectors.fixed_row(words[first + i]);
      for (std::size_t d = 0; d < n; ++d) {
        const double sum = std::ldexp(row[d], -vectors.scale_bits()) + scale * direction[d];
        points[i * n + d] = std::llround(std::clamp(std::ldexp(sum, bits), -kFarthest, kFarthest));
      }
    }
    internal::nearest_words(vectors, points, bits, out.subspan(first, count));
  }
}

}  // namespace gauze::text
