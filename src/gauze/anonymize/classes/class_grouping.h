#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gauze/anonymize/classes/lattice.h"
#include "gauze/anonymize/classes/records.h"

namespace gauze::anonymize {

/// Puts tuples that look alike at a node into one class. Made once for some records, then asked for many nodes.
///
/// Quasi-identifiers with few values share a block, whose combinations are numbered once; at a node every block has a
/// small table from the combination to its part of the class's key, so a key costs a few loads from the nearest cache.
/// Keys of small domains are the slots themselves; those of large ones are numbered, by a table or by hashing.
/// Thread safety: const members may be called concurrently, each with its own Scratch.
class ClassGrouping {
 public:
  /// What group() fills: slot[tuple] and size[slot] for slots below `slots`. A slot of size 0 is no class.
  struct Scratch {
    std::vector<std::uint32_t> slot;
    std::vector<std::uint32_t> size;
    std::size_t slots = 0;

    // Working memory of the grouping.
    std::vector<std::vector<std::uint64_t>> tables;
    std::vector<std::vector<std::uint32_t>> narrow_tables;
    std::vector<std::uint32_t> hashed;
    std::vector<std::uint64_t> keys;
  };

  explicit ClassGrouping(const Records& records);

  void group(const Levels& levels, Scratch& scratch) const;
  /// Adds up how many records of the marked tuples have each ground value: by_ground[quasi][row of the hierarchy].
  void count_ground(std::span<const std::uint32_t> tuples, std::vector<std::vector<std::uint64_t>>& by_ground) const;
  /// An upper bound on the number of classes at a node: the product of the numbers of values, as a double.
  [[nodiscard]] double domain(const Levels& levels) const;

 private:
  struct Attribute {
    std::vector<std::uint32_t> observed;            // ground values that occur
    std::vector<std::vector<std::uint32_t>> codes;  // codes[level][observed value], numbered without gaps
    std::vector<std::uint32_t> cardinality;         // values that occur, by level
  };
  struct Block {
    std::vector<std::size_t> attributes;
    std::size_t combinations = 1;
    std::vector<std::uint32_t> ids;  // of each tuple
  };
  void fill_table(const Block& block, const Levels& levels, std::uint64_t& radix,
                  std::vector<std::uint64_t>& table) const;
  void count_directly(std::size_t domain, Scratch& scratch) const;
  /// take(tuple, key) for every tuple, in order.
  template <std::size_t kBlocks, class Take>
  void for_each_key(const Scratch& scratch, Take take) const;
  template <class Take>
  void for_each_key(Scratch& scratch, Take take) const;
  void count_hashed(Scratch& scratch) const;
  void densify(std::size_t first, std::size_t last, bool has_prefix, Scratch& scratch) const;

  const Records& records_;
  std::vector<Attribute> attributes_;
  std::vector<Block> blocks_;
};

}  // namespace gauze::anonymize
