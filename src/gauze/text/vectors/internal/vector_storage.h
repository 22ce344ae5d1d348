#pragma once
// Words and fixed-point vectors, wherever the bytes lie: in memory that is owned, or in a mapped file.

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/table/string_interner.h"

namespace gauze::text::internal {

using Digest = std::array<unsigned char, 32>;

/// Every squared norm of the integers is at most this. Then every sum of products of two rows, in any order, and every
/// squared distance is an integer of at most 2^52, and doubles compute with it without rounding.
inline constexpr std::uint64_t kLargestSquaredNorm = std::uint64_t{1} << 50;
inline constexpr int kLargestScaleBits = 24;
inline constexpr std::uint64_t kMostDimensions = 1 << 16;
inline constexpr std::uint64_t kMostWords = 0x7FFF'FFFF;
inline constexpr std::size_t kLongestWord = 1 << 16;

struct VectorStorage {
  VectorStorage() = default;
  VectorStorage(const VectorStorage&) = delete;
  VectorStorage& operator=(const VectorStorage&) = delete;
  virtual ~VectorStorage() = default;

  std::uint32_t dimensions = 0;
  int scale_bits = 0;
  std::uint64_t duplicates = 0;            ///< words dropped because an equal one came before
  std::span<const std::uint32_t> offsets;  ///< where a word begins in `words`; one more than words
  std::string_view words;                  ///< all words, one behind the other
  std::span<const std::uint32_t> order;    ///< the words' numbers, sorted by their bytes
  std::span<const std::uint64_t> norms;    ///< squared norms of the integers
  std::span<const std::int32_t> values;    ///< row by row
  Digest fingerprint{};                    ///< of all of it: the last field of the file's header

  [[nodiscard]] std::size_t size() const { return norms.size(); }
  [[nodiscard]] std::string_view word(std::size_t i) const {
    return words.substr(offsets[i], offsets[i + 1] - offsets[i]);
  }
  [[nodiscard]] std::span<const std::int32_t> row(std::size_t i) const {
    return values.subspan(i * dimensions, dimensions);
  }
};

/// Takes words and their vectors one by one, and puts them on the grid at the end.
class VectorBuilder {
 public:
  explicit VectorBuilder(std::uint32_t dimensions) : dimensions_(dimensions) {}

  /// Adds a word unless an equal one (in normal form) is there. A word that is empty, too long or not UTF-8 is an error
  /// without a place; whoever reads the file knows it.
  [[nodiscard]] Result<void> add(std::string_view word, std::span<const float> values);
  [[nodiscard]] std::size_t size() const { return words_.size(); }
  [[nodiscard]] std::uint32_t dimensions() const { return dimensions_; }
  /// Whether add() took the last word.
  [[nodiscard]] bool added_last() const { return added_last_; }
  /// The row of a word that was added, while it is being summed up.
  [[nodiscard]] float value(std::size_t word, std::size_t dimension) const;
  void set_value(std::size_t word, std::size_t dimension, float value);

  /// Chooses the scale: the largest s <= 24 for which all squared norms stay within kLargestSquaredNorm.
  [[nodiscard]] Result<std::shared_ptr<const VectorStorage>> finish(const std::string& name);

 private:
  [[nodiscard]] Result<int> choose_scale(const std::string& name) const;

  std::uint32_t dimensions_;
  std::uint64_t duplicates_ = 0;
  bool added_last_ = false;
  table::StringInterner words_;
  std::vector<std::int32_t> values_;  // the bits of floats until finish() turns each into its integer
};

}  // namespace gauze::text::internal
