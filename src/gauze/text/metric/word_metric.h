#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "gauze/base/progress.h"
#include "gauze/text/vectors/word_vectors.h"

namespace gauze::text {

/// The public metric on words: d_g(x, y) = g ceil(d(x, y) / g) with g = 2^-granule_bits, d the Euclidean distance of the
/// fixed-point vectors. Rounding up keeps the triangle inequality (ceil(a + b) <= ceil(a) + ceil(b)); rounding to nearest
/// would not. Distances are counted in granules, whole numbers, capped at kMostGranules (a capped metric is one too).
/// Two words with the same vector have distance 0: a pseudo-metric.
///
/// Every figure is exactly what integer arithmetic gives. The fast path is a matrix product in double precision, which
/// computes scalar products of these vectors without any rounding (see WordVectors); root and division are then exact
/// where it matters (internal/distance_kernels.h), or, where the granule is finer than the vectors' grid, checked
/// against integers near every grid line.
///
/// Thread safety: const members may be called concurrently.
class WordMetric {
 public:
  static constexpr std::uint32_t kMostGranules = 0x7FFF'FFFF;

  struct Options {
    int granule_bits = 20;  ///< g = 2^-bits, 0 to 30
  };
  [[nodiscard]] static Result<WordMetric> make(WordVectors vectors, const Options& options);
  [[nodiscard]] static Result<WordMetric> make(WordVectors vectors) { return make(std::move(vectors), Options{}); }

  [[nodiscard]] const WordVectors& vectors() const { return vectors_; }
  [[nodiscard]] int granule_bits() const { return granule_bits_; }
  [[nodiscard]] double granule() const;
  /// No distance of two words is more than this many granules.
  [[nodiscard]] std::uint32_t largest_granules() const { return largest_granules_; }

  /// d_g of two words in granules, by integers alone.
  [[nodiscard]] std::uint32_t granules(std::size_t x, std::size_t y) const;
  [[nodiscard]] double distance(std::size_t x, std::size_t y) const { return granule() * granules(x, y); }

  /// A rectangle of distances: granules[r * columns + c] belongs to word rows[first_row + r] and columns[first_column + c]
  /// of the lists that were asked for.
  struct Tile {
    std::size_t first_row = 0;
    std::size_t rows = 0;
    std::size_t first_column = 0;
    std::size_t columns = 0;
    const std::uint32_t* granules = nullptr;
    [[nodiscard]] std::span<const std::uint32_t> row(std::size_t r) const {
      return {granules + r * columns, columns};
    }
  };
  static constexpr std::size_t kTile = 256;  ///< tiles begin at multiples of this, and are at most so long
  using TileVisitor = std::function<void(const Tile&)>;

  /// Visits every pair of a row word and a column word once, tile by tile, from several threads at once and in no
  /// particular order; memory is O(tile). `interrupted` when the progress was asked to stop.
  [[nodiscard]] Result<void> tiles(std::span<const std::uint32_t> rows, std::span<const std::uint32_t> columns,
                                   const TileVisitor& visit, Progress* progress = nullptr) const;
  /// Visits the tiles on and above the diagonal of words x words: half the work. A tile off the diagonal stands for its
  /// mirror image too; one on it holds both orders of each pair.
  [[nodiscard]] Result<void> symmetric_tiles(std::span<const std::uint32_t> words, const TileVisitor& visit,
                                             Progress* progress = nullptr) const;

  /// How far progress advances in tiles() and in symmetric_tiles().
  [[nodiscard]] static std::uint64_t steps(std::size_t rows, std::size_t columns);
  [[nodiscard]] static std::uint64_t symmetric_steps(std::size_t words);

 private:
  WordMetric(WordVectors vectors, int granule_bits);
  [[nodiscard]] std::uint32_t granules_of(std::uint64_t squared_distance) const;
  void fill_tile(const double* products, std::span<const double> row_norms, std::span<const double> column_norms,
                 std::uint32_t* out) const;
  /// One band of row words against the column tiles from first_tile on.
  void visit_band(std::span<const std::uint32_t> rows, std::size_t first_row, std::span<const std::uint32_t> columns,
                  std::size_t first_column, std::size_t last_column, const TileVisitor& visit) const;

  WordVectors vectors_;
  int granule_bits_;
  std::uint32_t largest_granules_ = 0;
};

}  // namespace gauze::text
