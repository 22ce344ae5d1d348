#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "gauze/random/secure_random.h"
#include "gauze/random/seeded_random.h"
#include "gauze/text/mechanisms/softmax_mechanism.h"

namespace gauze::text {

/// Draws replacements of words, exactly by the integer weights of a SoftmaxMechanism. For each prepared word it keeps the
/// running sums of its weight row at every sixteenth output or so (16 bytes each: 20 KB a word for 20,000 outputs); a draw
/// finds the stretch by bisection and computes its few weights anew. Rows are prepared in batches, at the speed of a
/// matrix product, and dropped, oldest batch first, when they would take more memory than allowed.
///
/// `release` is for what leaves the house, `simulate` repeats and has no guarantee. A word that was not prepared is
/// drawn all the same, about 500 times slower.
/// Thread safety: release and simulate may be called concurrently with each other, not with prepare.
class CumulativeRows {
 public:
  /// The mechanism must outlive the rows. At least one batch of rows is always allowed.
  CumulativeRows(const SoftmaxMechanism& mechanism, std::size_t memory_bytes);

  /// Makes rows for these words (repetitions and what is there already cost nothing). If they are too many for the
  /// memory, the first ones are prepared. Returns how many different words of the list are ready.
  [[nodiscard]] Result<std::size_t> prepare(std::span<const std::uint32_t> words, Progress* progress = nullptr);
  [[nodiscard]] bool is_prepared(std::uint32_t word) const { return rows_.contains(word); }
  /// How many rows fit.
  [[nodiscard]] std::size_t capacity() const { return capacity_; }
  [[nodiscard]] std::size_t memory_used() const { return rows_.size() * row_bytes(); }

  /// The number of the word that is printed for x.
  [[nodiscard]] std::uint32_t release(std::uint32_t x, SecureRandom& random) const { return draw(x, random); }
  [[nodiscard]] std::uint32_t simulate(std::uint32_t x, SeededRandom& random) const { return draw(x, random); }

 private:
  struct Row {
    std::vector<Weight> sums;  ///< up to and with each stretch
    std::uint64_t batch = 0;
  };
  [[nodiscard]] std::size_t stretches() const;
  [[nodiscard]] std::size_t row_bytes() const;
  void make_room(std::size_t rows);
  [[nodiscard]] std::uint32_t draw(std::uint32_t x, RandomWords& random) const;
  [[nodiscard]] std::uint32_t pick(std::uint32_t x, std::size_t begin, std::size_t end, Weight below) const;
  [[nodiscard]] std::uint32_t draw_unprepared(std::uint32_t x, RandomWords& random) const;

  const SoftmaxMechanism& mechanism_;
  std::size_t stretch_;  ///< outputs a stretch, a power of two that divides a tile
  std::size_t capacity_;
  std::uint64_t batch_ = 0;
  std::unordered_map<std::uint32_t, Row> rows_;
};

/// The first stretch whose running sum is above the number drawn; the last sum must be.
[[nodiscard]] std::size_t stretch_of(std::span<const Weight> running_sums, Weight drawn);

/// Uniform in [0, bound), exactly, by rejection. bound must not be 0.
[[nodiscard]] Weight uniform_below(Weight bound, RandomWords& random);

}  // namespace gauze::text
