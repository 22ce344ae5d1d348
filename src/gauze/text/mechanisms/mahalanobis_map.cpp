#include "gauze/text/mechanisms/mahalanobis_map.h"

#include <algorithm>
#include <cmath>

#include "gauze/base/parallel.h"

namespace gauze::text {
namespace {

constexpr std::size_t kMostRows = 50'000;
constexpr std::size_t kRowsAtOnce = 1024;

double coordinate(const WordVectors& vectors, std::size_t word, std::size_t d) {
  return std::ldexp(static_cast<double>(vectors.fixed_row(word)[d]), -vectors.scale_bits());
}

/// The lower triangle of the covariance, row by row.
std::vector<double> covariance(const WordVectors& vectors) {
  const std::size_t n = vectors.dimensions();
  const std::size_t rows = std::min(kMostRows, vectors.size());
  const auto row_of = [&](std::size_t i) { return i * vectors.size() / rows; };
  std::vector<double> mean(n);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t d = 0; d < n; ++d) mean[d] += coordinate(vectors, row_of(i), d) / static_cast<double>(rows);
  // A line of the matrix each: the same whatever the number of threads.
  std::vector<double> centred(rows * n);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t d = 0; d < n; ++d) centred[i * n + d] = coordinate(vectors, row_of(i), d) - mean[d];
  std::vector<double> result(n * n);
  parallel_for(n, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t a = begin; a < end; ++a)
      for (std::size_t i = 0; i < rows; ++i) {
        const double* const row = centred.data() + i * n;
        for (std::size_t b = 0; b <= a; ++b) result[a * n + b] += row[a] * row[b] / static_cast<double>(rows);
      }
  });
  return result;
}

}  // namespace

Result<MahalanobisMap> MahalanobisMap::make(const WordVectors& vectors, double lambda) {
  const std::size_t n = vectors.dimensions();
  std::vector<double> m = covariance(vectors);
  double variance = 0;
  for (std::size_t d = 0; d < n; ++d) variance += m[d * n + d] / static_cast<double>(n);
  for (double& entry : m) entry *= variance > 0 ? lambda / variance : 0;
  for (std::size_t d = 0; d < n; ++d) m[d * n + d] += variance > 0 ? 1 - lambda : 1;
  MahalanobisMap map(n);
  std::vector<double>& c = map.factor_;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = m[i * n + j];
      for (std::size_t k = 0; k < j; ++k) sum -= c[i * n + k] * c[j * n + k];
      if (i == j && !(sum > 1e-12))
        return invalid_parameter(
            "lambda is too near to 1: the vectors spread in some directions only; take a smaller one");
      c[i * n + j] = i == j ? std::sqrt(sum) : sum / c[j * n + j];
    }
  }
  return map;
}

Result<WordVectors> MahalanobisMap::mapped(const WordVectors& vectors) const {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < vectors.size(); ++i) words.emplace_back(vectors.word(i));
  std::vector<float> values(vectors.size() * n_);
  parallel_for(vectors.size(), kRowsAtOnce, [&](std::size_t begin, std::size_t end) {
    std::vector<double> row(n_);
    for (std::size_t i = begin; i < end; ++i)
      for (std::size_t d = 0; d < n_; ++d) {
        double sum = coordinate(vectors, i, d);
        for (std::size_t k = 0; k < d; ++k) sum -= factor_[d * n_ + k] * row[k];
        row[d] = sum / factor_[d * n_ + d];
        values[i * n_ + d] = static_cast<float>(row[d]);
      }
  });
  return WordVectors::make(words, values);
}

void MahalanobisMap::map_back(std::span<std::int64_t> points, std::int64_t largest) const {
  const auto bound = static_cast<double>(largest);
  for (std::size_t first = 0; first + n_ <= points.size(); first += n_) {
    for (std::size_t d = n_; d-- > 0;) {  // from the last on: what is behind is not needed any more
      double sum = 0;
      for (std::size_t k = 0; k <= d; ++k) sum += factor_[d * n_ + k] * static_cast<double>(points[first + k]);
      points[first + d] = static_cast<std::int64_t>(std::nearbyint(std::clamp(sum, -bound, bound)));
    }
  }
}

double MahalanobisMap::way_across(const WordVectors& two) const {
  double distance = 0;
  double across = 0;
  for (std::size_t k = 0; k < n_; ++k) {
    double sum = 0;  // of C' (y - x)
    for (std::size_t d = k; d < n_; ++d) sum += factor_[d * n_ + k] * (coordinate(two, 1, d) - coordinate(two, 0, d));
    across += sum * sum;
    const double difference = coordinate(two, 1, k) - coordinate(two, 0, k);
    distance += difference * difference;
  }
  return distance / (2 * std::sqrt(across));
}

}  // namespace gauze::text
