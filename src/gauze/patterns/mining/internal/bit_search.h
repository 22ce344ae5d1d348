#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

#include "gauze/patterns/mining/internal/bit_rows.h"
#include "gauze/patterns/mining/internal/search_state.h"

namespace gauze::patterns::internal {

/// An item at a node, with the node's rows that hold it.
struct BitEntry {
  std::uint32_t rank = 0;
  std::uint64_t support = 0;
  std::uint64_t* bits = nullptr;
};

/// Arrays of bits of one length that are made once and used again.
class BitArrays {
 public:
  /// Padded with zeros to whole vectors where there is more than one word.
  explicit BitArrays(std::uint64_t rows = 0) { set_rows(rows); }
  /// Forgets what was there.
  void set_rows(std::uint64_t rows) {
    const std::size_t words = static_cast<std::size_t>((rows + 63) / 64);
    words_ = words < kWordsAligned ? std::max<std::size_t>(words, 1)
                                   : (words + kWordsAligned - 1) / kWordsAligned * kWordsAligned;
    next_ = 0;
    block_ = 0;
  }
  [[nodiscard]] std::size_t words() const { return words_; }
  /// An array with anything in it.
  std::uint64_t* make() {
    if (block_ == blocks_.size() || next_ + words_ > blocks_[block_].size) next_block();
    std::uint64_t* const array = blocks_[block_].begin + next_;
    next_ += words_;
    return array;
  }
  std::uint64_t* make_zero() {
    std::uint64_t* const array = make();
    std::fill(array, array + words_, 0);
    return array;
  }
  /// A place to go back to: arrays made since are given up.
  struct Mark {
    std::size_t block = 0;
    std::size_t next = 0;
  };
  [[nodiscard]] Mark mark() const { return {block_, next_}; }
  void go_back(Mark mark) {
    block_ = mark.block;
    next_ = mark.next;
  }

 private:
  static constexpr std::size_t kBlockWords = 1U << 15;
  struct Block {
    std::unique_ptr<std::uint64_t[]> memory;
    std::uint64_t* begin = nullptr;
    std::size_t size = 0;
  };
  void next_block() {
    if (block_ < blocks_.size()) ++block_;
    next_ = 0;
    while (block_ < blocks_.size() && blocks_[block_].size < words_) ++block_;
    if (block_ < blocks_.size()) return;
    Block block;
    block.size = std::max(kBlockWords, words_);
    block.memory = std::make_unique_for_overwrite<std::uint64_t[]>(block.size + kWordsAligned);
    const auto address = reinterpret_cast<std::uintptr_t>(block.memory.get());
    block.begin = reinterpret_cast<std::uint64_t*>((address + 63) / 64 * 64);
    blocks_.push_back(std::move(block));
    block_ = blocks_.size() - 1;
  }

  std::size_t words_ = 1;
  std::size_t block_ = 0;
  std::size_t next_ = 0;  // in the block
  std::vector<Block> blocks_;
};

/// Intersections of such arrays: short ones by plain words, long ones by vectors.
class BitWork {
 public:
  BitWork() : kernel_(intersect_count()) {}
  void set_words(std::size_t words) { words_ = words; }
  [[nodiscard]] std::size_t words() const { return words_; }

  std::uint64_t intersect(const std::uint64_t* a, const std::uint64_t* b, std::uint64_t* out) const {
    if (words_ >= kWordsAligned) return kernel_(a, b, out, words_);
    std::uint64_t count = 0;
    for (std::size_t w = 0; w < words_; ++w) {
      out[w] = a[w] & b[w];
      count += static_cast<std::uint64_t>(std::popcount(out[w]));
    }
    return count;
  }
  /// Whether b has all bits of a.
  [[nodiscard]] bool is_within(const std::uint64_t* a, const std::uint64_t* b) const {
    for (std::size_t w = 0; w < words_; ++w)
      if ((a[w] & ~b[w]) != 0) return false;
    return true;
  }

 private:
  IntersectCount kernel_;
  std::size_t words_ = 1;
};

/// Depth first on arrays of bits, for frequent and closed sets: of a whole file, or of a node whose rows hold many of its items.
class BitSearch {
 public:
  BitSearch(const MiningOptions& options, SearchLimits& limits, Receiver& receiver)
      : options_(options), limits_(limits), receiver_(receiver) {}

  /// The arrays of entries and of items that were done come from here; set their length first.
  BitArrays& arrays() { return arrays_; }
  /// All sets of the prefix, joined with any of `shared`, that begin with entry `first` or one of those behind it up to `last`. The entries
  /// are frequent with the prefix; closed sets must not be within `done`, arrays of items whose sets were all found before.
  void run(std::vector<std::uint32_t>& prefix, std::vector<std::uint32_t>& shared,
           const std::vector<BitEntry>& entries, std::size_t first, std::size_t last,
           std::vector<const std::uint64_t*> done);

 private:
  void descend(const std::vector<BitEntry>& entries, std::size_t depth);
  void visit(const std::vector<BitEntry>& entries, std::size_t i, std::size_t depth);

  const MiningOptions& options_;
  SearchLimits& limits_;
  Receiver& receiver_;
  BitArrays arrays_;
  BitWork work_;
  std::uint64_t looked_ = 0;                                   // items gone through since the clock was looked at
  std::vector<std::unique_ptr<std::vector<BitEntry>>> lists_;  // by depth
  std::vector<std::uint32_t>* prefix_ = nullptr;
  std::vector<std::uint32_t>* shared_ = nullptr;
  std::vector<const std::uint64_t*> done_;
};

}  // namespace gauze::patterns::internal
