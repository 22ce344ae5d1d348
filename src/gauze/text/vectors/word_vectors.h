#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/base/progress.h"
#include "gauze/files/byte_source.h"
#include "gauze/files/json.h"
#include "gauze/text/vectors/vector_format.h"

namespace gauze::text {

namespace internal {
struct VectorStorage;
}

/// A public vocabulary and its vectors, on a grid: coordinate d of word i is fixed_row(i)[d] / 2^scale_bits.
///
/// The scale is public, a property of the vectors: the largest s <= 24 for which 4 |x|^2 <= 2^52 for all integer vectors
/// x. So every scalar product and every squared distance of two words is an integer that doubles hold exactly, whatever
/// the order of summation: a matrix product in double precision (BLAS) makes no error at all. The grid is as fine as
/// float32 is for the longest vector (2^-21 for GloVe, 2^-24 for vectors of length one).
///
/// Copies share the data. Thread safety: const members may be called concurrently.
class WordVectors {
 public:
  struct Options {
    std::optional<VectorFormat> format = std::nullopt;  ///< else by content
    std::uint64_t limit = 0;                            ///< only the first so many words; 0: all
    Progress* progress = nullptr;
  };

  /// Opens a .gvec (mapped: milliseconds whatever its size) or reads any raw vector file into memory. `limit` on a .gvec
  /// keeps its grid. Damaged files are `bad_data`, with the line or the byte.
  [[nodiscard]] static Result<WordVectors> open(const std::string& path, const Options& options);
  [[nodiscard]] static Result<WordVectors> open(const std::string& path) { return open(path, Options{}); }
  /// The same from a source of raw bytes, gzip or not; `name` is what messages call it.
  [[nodiscard]] static Result<WordVectors> read(std::unique_ptr<ByteSource> source, const std::string& name,
                                                const Options& options);
  /// From memory, for tests and programs: `values` row by row.
  [[nodiscard]] static Result<WordVectors> make(std::span<const std::string> words, std::span<const float> values);

  /// The first words, on the same grid; the data are shared.
  [[nodiscard]] WordVectors first_words(std::uint64_t limit) const;
  /// The words that are marked, in their order, with vectors on a grid of their own; a copy. At least one must be.
  [[nodiscard]] Result<WordVectors> only(const std::vector<bool>& marked) const;
  /// Writes a .gvec; the file appears whole or not at all.
  [[nodiscard]] Result<void> write(const std::string& path) const;
  /// Reads everything and compares with the checksums; open() checks header and index only.
  [[nodiscard]] Result<void> check() const;

  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] std::size_t dimensions() const;
  [[nodiscard]] int scale_bits() const;
  /// Words of the raw file that were dropped because an equal one (in normal form) came before.
  [[nodiscard]] std::uint64_t duplicates() const;
  /// SHA-256 over everything, in hexadecimal: says which public vectors a label speaks of.
  [[nodiscard]] std::string fingerprint() const;

  [[nodiscard]] std::string_view word(std::size_t i) const;
  /// The number of a word, in any normalisation form; nothing when it is not in the vocabulary (or not UTF-8).
  [[nodiscard]] std::optional<std::uint32_t> find(std::string_view word) const;

  [[nodiscard]] std::span<const std::int32_t> fixed_row(std::size_t i) const;
  /// |x|^2 of the integers, at most 2^50.
  [[nodiscard]] std::uint64_t squared_norm(std::size_t i) const;
  /// The longest vector, as a distance.
  [[nodiscard]] double largest_norm() const;
  /// The integers of rows [first, first + count) as doubles (exact) or as real coordinates in float.
  void copy_doubles(std::size_t first, std::size_t count, double* out) const;
  void copy_floats(std::size_t first, std::size_t count, float* out) const;

  /// The Euclidean distance of two words, rounded to the nearest double.
  [[nodiscard]] double distance(std::size_t i, std::size_t j) const;

  struct Neighbour {
    std::uint32_t word = 0;
    std::uint64_t squared_distance = 0;  ///< of the integers, exact
    double distance = 0;
  };
  /// The k nearest words to word i, itself left out; by exact distance, equal ones in the order of the file.
  [[nodiscard]] std::vector<Neighbour> nearest(std::size_t i, std::size_t k) const;

 private:
  explicit WordVectors(std::shared_ptr<const internal::VectorStorage> storage);
  std::shared_ptr<const internal::VectorStorage> storage_;
  std::string name_;
};

/// Words, dimensions, grid, longest vector and fingerprint, for programs (docs/formats/json-output.md).
[[nodiscard]] Json to_json(const WordVectors& vectors);

}  // namespace gauze::text
