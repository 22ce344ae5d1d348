#include "gauze/text/metric/word_metric.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "gauze/base/matrix_products.h"
#include "gauze/base/parallel.h"
#include "gauze/text/metric/internal/distance_kernels.h"

namespace gauze::text {
namespace {

using Wide = unsigned __int128;

/// ceil(sqrt(n)) for n < 2^126, by integers; the double only says where to begin.
std::uint64_t ceil_root(Wide n) {
  auto root = static_cast<std::uint64_t>(std::ceil(std::sqrt(static_cast<double>(n))));
  while (Wide{root} * root < n) ++root;
  while (root > 0 && Wide{root - 1} * (root - 1) >= n) --root;
  return root;
}

struct Rows {
  std::vector<double> values;
  std::vector<double> norms;
};

void gather(const WordVectors& vectors, std::span<const std::uint32_t> words, Rows& rows) {
  rows.values.resize(words.size() * vectors.dimensions());
  rows.norms.resize(words.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    vectors.copy_doubles(words[i], 1, rows.values.data() + i * vectors.dimensions());
    rows.norms[i] = static_cast<double>(vectors.squared_norm(words[i]));  // at most 2^50: exact
  }
}

constexpr std::size_t kBand = 16 * WordMetric::kTile;  // columns for which a band of rows is converted once

/// Calls band(first row, first column, last column) for bands that cover the tiles on and above the diagonal.
template <class Body>
Result<void> over_triangle(std::size_t words, Progress* progress, const Body& body) {
  struct Band {
    std::size_t first_row;
    std::size_t first_column;
    std::size_t last_column;
  };
  std::vector<Band> bands;
  for (std::size_t row = 0; row < words; row += WordMetric::kTile) {
    for (std::size_t column = row; column < words; column += kBand) {
      bands.push_back({row, column, std::min(words, column + kBand)});
    }
  }
  parallel_for(bands.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (progress != nullptr && progress->stop_requested()) return;
      body(bands[i].first_row, bands[i].first_column, bands[i].last_column);
      if (progress != nullptr) progress->advance();
    }
  });
  return progress != nullptr ? progress->check() : Result<void>();
}

}  // namespace

WordMetric::WordMetric(WordVectors vectors, int granule_bits)
    : vectors_(std::move(vectors)), granule_bits_(granule_bits) {
  std::uint64_t largest = 0;
  for (std::size_t i = 0; i < vectors_.size(); ++i) largest = std::max(largest, vectors_.squared_norm(i));
  largest_granules_ = granules_of(4 * largest);
}

Result<WordMetric> WordMetric::make(WordVectors vectors, const Options& options) {
  if (options.granule_bits < 0 || options.granule_bits > 30) {
    return invalid_parameter("the granule must be 2^-b with b from 0 to 30, but b is {}", options.granule_bits);
  }
  prepare_matrix_products();
  return WordMetric(std::move(vectors), options.granule_bits);
}

double WordMetric::granule() const { return std::ldexp(1.0, -granule_bits_); }

std::uint32_t WordMetric::granules_of(std::uint64_t squared_distance) const {
  // The smallest k with (k 2^-granule_bits)^2 >= squared_distance 2^(-2 scale_bits).
  const int shift = vectors_.scale_bits() - granule_bits_;
  std::uint64_t granules = 0;
  if (shift <= 0) {
    granules = ceil_root(Wide{squared_distance} << (-2 * shift));
  } else {
    granules = ceil_root(squared_distance);  // ceil(ceil(r) / n) = ceil(r / n) for whole n
    granules = (granules + (std::uint64_t{1} << shift) - 1) >> shift;
  }
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(granules, kMostGranules));
}

std::uint32_t WordMetric::granules(std::size_t x, std::size_t y) const {
  return granules_of(
      internal::squared_distance(vectors_.fixed_row(x).data(), vectors_.fixed_row(y).data(), vectors_.dimensions()));
}

void WordMetric::fill_tile(const double* products, std::span<const double> row_norms,
                           std::span<const double> column_norms, std::uint32_t* out) const {
  const int shift = vectors_.scale_bits() - granule_bits_;
  const std::size_t columns = column_norms.size();
  for (std::size_t r = 0; r < row_norms.size(); ++r, products += columns, out += columns) {
    if (shift >= 0) {
      internal::granules_of_products(products, columns, row_norms[r], column_norms.data(), shift, kMostGranules, out);
      continue;
    }
    // The granule is finer than the vectors' grid, so there are grid lines between the roots of neighbouring integers.
    // The scaled root is at most 2^31 (beyond it the cap decides) with a relative error of 2^-53: below 2^-21 in all.
    for (std::size_t c = 0; c < columns; ++c) {
      const double squared = row_norms[r] + column_norms[c] - 2 * products[c];
      const double root = std::ldexp(std::sqrt(squared), -shift);
      const bool clear = root > 0x1p32 || std::abs(root - std::nearbyint(root)) > 0x1p-20;
      out[c] = clear ? static_cast<std::uint32_t>(std::min<double>(std::ceil(root), kMostGranules))
                     : granules_of(static_cast<std::uint64_t>(squared));
    }
  }
}

void WordMetric::visit_band(std::span<const std::uint32_t> rows, std::size_t first_row,
                            std::span<const std::uint32_t> columns, std::size_t first_column, std::size_t last_column,
                            const TileVisitor& visit) const {
  thread_local Rows left;
  thread_local Rows right;
  thread_local std::vector<double> products(kTile * kTile);
  thread_local std::vector<std::uint32_t> granules(kTile * kTile);
  const std::size_t height = std::min(kTile, rows.size() - first_row);
  gather(vectors_, rows.subspan(first_row, height), left);
  for (std::size_t begin = first_column; begin < last_column; begin += kTile) {
    const std::size_t width = std::min(kTile, last_column - begin);
    gather(vectors_, columns.subspan(begin, width), right);
    multiply_transposed(left.values.data(), height, right.values.data(), width, vectors_.dimensions(), 1.0, 0.0,
                        products.data());
    fill_tile(products.data(), left.norms, right.norms, granules.data());
    visit({first_row, height, begin, width, granules.data()});
  }
}

std::uint64_t WordMetric::steps(std::size_t rows, std::size_t columns) {
  return ((columns + kBand - 1) / kBand) * ((rows + kTile - 1) / kTile);
}

std::uint64_t WordMetric::symmetric_steps(std::size_t words) {
  std::uint64_t bands = 0;
  for (std::size_t row = 0; row < words; row += kTile) bands += (words - row + kBand - 1) / kBand;
  return bands;
}

Result<void> WordMetric::tiles(std::span<const std::uint32_t> rows, std::span<const std::uint32_t> columns,
                               const TileVisitor& visit, Progress* progress) const {
  const std::size_t bands = (columns.size() + kBand - 1) / kBand;
  const std::size_t row_tiles = (rows.size() + kTile - 1) / kTile;
  parallel_for(row_tiles * bands, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (progress != nullptr && progress->stop_requested()) return;
      const std::size_t first_column = i % bands * kBand;
      visit_band(rows, i / bands * kTile, columns, first_column, std::min(columns.size(), first_column + kBand),
                 visit);
      if (progress != nullptr) progress->advance();
    }
  });
  return progress != nullptr ? progress->check() : Result<void>();
}

Result<void> WordMetric::symmetric_tiles(std::span<const std::uint32_t> words, const TileVisitor& visit,
                                         Progress* progress) const {
  return over_triangle(words.size(), progress, [&](std::size_t row, std::size_t first, std::size_t last) {
    visit_band(words, row, words, first, last, visit);
  });
}

}  // namespace gauze::text
