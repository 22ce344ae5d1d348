#include "gauze/anonymize/classes/class_grouping.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

#include "gauze/anonymize/internal/scatter.h"

namespace gauze::anonymize {

using namespace schema;  // the vocabulary of this file

namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t kChunk = 1024;  // keys of a chunk stay in the nearest cache

using internal::scatter;

}  // namespace

ClassGrouping::ClassGrouping(const Records& records) : records_(records) {
  const std::size_t width = records.quasi.size();
  attributes_.resize(width);
  std::vector<std::vector<std::uint32_t>> compact(width);  // ground value -> place among the observed
  for (std::size_t a = 0; a < width; ++a) {
    const Hierarchy& hierarchy = *records.quasi[a].hierarchy;
    Attribute& attribute = attributes_[a];
    compact[a].assign(hierarchy.size(), kNone);
    for (const std::uint32_t row : records.ground[a]) {
      if (compact[a][row] != kNone) continue;
      compact[a][row] = static_cast<std::uint32_t>(attribute.observed.size());
      attribute.observed.push_back(row);
    }
    for (int level = 0; level < hierarchy.levels(); ++level) {
      std::vector<std::uint32_t> number(hierarchy.value_count(level), kNone);
      std::vector<std::uint32_t> codes;
      std::uint32_t next = 0;
      for (const std::uint32_t row : attribute.observed) {
        std::uint32_t& code = number[hierarchy.code(level, row)];
        if (code == kNone) code = next++;
        codes.push_back(code);
      }
      attribute.codes.push_back(std::move(codes));
      attribute.cardinality.push_back(std::max(next, 1U));
    }
  }

  // Large quasi-identifiers first, each into the first block with room: few blocks, all small.
  const std::size_t most = std::clamp<std::size_t>(records.size() / 8, 64, 4096);
  std::vector<std::size_t> order(width);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return attributes_[a].observed.size() > attributes_[b].observed.size();
  });
  for (const std::size_t a : order) {
    const std::size_t values = std::max<std::size_t>(attributes_[a].observed.size(), 1);
    auto block = std::find_if(blocks_.begin(), blocks_.end(),
                              [&](const Block& candidate) { return candidate.combinations * values <= most; });
    if (block == blocks_.end()) block = blocks_.insert(blocks_.end(), Block{});
    block->attributes.push_back(a);
    block->combinations *= values;
  }
  for (Block& block : blocks_) {
    block.ids.assign(records.size(), 0);
    for (const std::size_t a : block.attributes) {
      const auto values = static_cast<std::uint32_t>(attributes_[a].observed.size());
      for (std::size_t tuple = 0; tuple < records.size(); ++tuple)
        block.ids[tuple] = block.ids[tuple] * values + compact[a][records.ground[a][tuple]];
    }
  }
}

double ClassGrouping::domain(const Levels& levels) const {
  double product = 1;
  for (std::size_t a = 0; a < attributes_.size(); ++a) product *= attributes_[a].cardinality[levels[a]];
  return product;
}

void ClassGrouping::count_ground(std::span<const std::uint32_t> tuples,
                                 std::vector<std::vector<std::uint64_t>>& by_ground) const {
  for (const Block& block : blocks_) {
    // All combinations of the block first: one addition a tuple.
    std::vector<std::uint64_t> combinations(block.combinations, 0);
    for (const std::uint32_t tuple : tuples) combinations[block.ids[tuple]] += records_.counts[tuple];
    std::size_t below = block.combinations;
    for (const std::size_t a : block.attributes) {
      const std::vector<std::uint32_t>& observed = attributes_[a].observed;
      const std::size_t values = std::max<std::size_t>(observed.size(), 1);
      below /= values;
      for (std::size_t begin = 0, value = 0; begin < combinations.size(); begin += below) {
        std::uint64_t sum = 0;
        for (std::size_t i = begin; i < begin + below; ++i) sum += combinations[i];
        if (sum > 0) by_ground[a][observed[value]] += sum;
        value = value + 1 == values ? 0 : value + 1;
      }
    }
  }
}

// The block's part of the key for each of its combinations; the radix grows by the block's values.
void ClassGrouping::fill_table(const Block& block, const Levels& levels, std::uint64_t& radix,
                               std::vector<std::uint64_t>& table) const {
  table.assign(1, 0);
  std::vector<std::uint64_t> next;
  for (const std::size_t a : block.attributes) {
    const std::vector<std::uint32_t>& codes = attributes_[a].codes[levels[a]];
    next.resize(table.size() * codes.size());
    auto out = next.begin();
    for (const std::uint64_t sum : table)
      for (const std::uint32_t code : codes) *out++ = sum + radix * code;
    table.swap(next);
    radix *= attributes_[a].cardinality[levels[a]];
  }
}

void ClassGrouping::group(const Levels& levels, Scratch& scratch) const {
  scratch.slot.resize(records_.size());
  scratch.tables.resize(blocks_.size());
  // Blocks whose keys would not fit 64 bits together are folded: the key so far becomes a class number.
  constexpr double kLargestKey = 0x1p62;
  std::size_t first = 0;
  std::uint64_t radix = 1;
  double size = 1;
  bool folded = false;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    double block_size = 1;
    for (const std::size_t a : blocks_[b].attributes) block_size *= attributes_[a].cardinality[levels[a]];
    if (size * block_size > kLargestKey) {
      densify(first, b, folded, scratch);
      folded = true;
      first = b;
      radix = std::max<std::uint64_t>(scratch.slots, 1);
      size = static_cast<double>(radix);
    }
    fill_table(blocks_[b], levels, radix, scratch.tables[b]);
    size *= block_size;
  }
  if (!folded && radix <= std::max<std::uint64_t>(4096, 8 * records_.size())) {
    count_directly(static_cast<std::size_t>(radix), scratch);
    return;
  }
  densify(first, blocks_.size(), folded, scratch);
  count_hashed(scratch);
}

// The keys of small domains are below 2^32, so sums may wrap on the way. All blocks in one loop: a key never leaves the
// registers.
template <std::size_t kBlocks, class Take>
void ClassGrouping::for_each_key(const Scratch& scratch, Take take) const {
  const std::uint32_t* tables[kBlocks];
  const std::uint32_t* ids[kBlocks];
  for (std::size_t b = 0; b < kBlocks; ++b) {
    tables[b] = scratch.narrow_tables[b].data();
    ids[b] = blocks_[b].ids.data();
  }
  const std::size_t tuples = records_.size();
  for (std::size_t tuple = 0; tuple < tuples; ++tuple) {
    std::uint32_t key = 0;
    for (std::size_t b = 0; b < kBlocks; ++b) key += tables[b][ids[b][tuple]];
    take(tuple, key);
  }
}

template <class Take>
void ClassGrouping::for_each_key(Scratch& scratch, Take take) const {
  switch (blocks_.size()) {
    case 1:
      return for_each_key<1>(scratch, take);
    case 2:
      return for_each_key<2>(scratch, take);
    case 3:
      return for_each_key<3>(scratch, take);
    case 4:
      return for_each_key<4>(scratch, take);
    default:
      break;
  }
  std::uint32_t keys[kChunk];
  for (std::size_t begin = 0; begin < records_.size(); begin += kChunk) {
    const std::size_t size = std::min(kChunk, records_.size() - begin);
    std::fill(keys, keys + size, 0U);
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      const std::uint32_t* const table = scratch.narrow_tables[b].data();
      const std::uint32_t* const ids = blocks_[b].ids.data() + begin;
      for (std::size_t i = 0; i < size; ++i) keys[i] += table[ids[i]];
    }
    for (std::size_t i = 0; i < size; ++i) take(begin + i, keys[i]);
  }
}

void ClassGrouping::count_directly(std::size_t domain, Scratch& scratch) const {
  scratch.narrow_tables.resize(blocks_.size());
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    scratch.narrow_tables[b].resize(scratch.tables[b].size());
    std::transform(scratch.tables[b].begin(), scratch.tables[b].end(), scratch.narrow_tables[b].begin(),
                   [](std::uint64_t part) { return static_cast<std::uint32_t>(part); });
  }
  std::uint32_t* const slot = scratch.slot.data();
  const std::uint32_t* const counts = records_.counts.data();
  if (domain <= std::max<std::size_t>(4096, records_.size())) {
    scratch.slots = domain;
    scratch.size.assign(domain, 0);
    std::uint32_t* const size = scratch.size.data();
    return for_each_key(scratch, [=](std::size_t tuple, std::uint32_t key) {
      slot[tuple] = key;
      size[key] += counts[tuple];
    });
  }
  // Most keys of a larger domain have no tuple, and whoever looks at classes would pass over them: those that have one are numbered.
  scratch.hashed.assign(domain, 0);
  scratch.size.assign(records_.size() + 1, 0);
  std::uint32_t* const number = scratch.hashed.data();
  std::uint32_t* const size = scratch.size.data();
  std::uint32_t next = 0;
  for_each_key(scratch, [=, &next](std::size_t tuple, std::uint32_t key) {
    // Without a branch; 0 is no number.
    const std::uint32_t seen = number[key];
    next += seen == 0 ? 1 : 0;
    const std::uint32_t mine = seen == 0 ? next : seen;
    number[key] = mine;
    slot[tuple] = mine - 1;
    size[mine - 1] += counts[tuple];
  });
  scratch.slots = next;
  scratch.size.resize(next);
}

// Numbers the keys of blocks [first, last), together with the class numbers so far, in order of appearance.
void ClassGrouping::densify(std::size_t first, std::size_t last, bool has_prefix, Scratch& scratch) const {
  const std::size_t buckets = std::bit_ceil(2 * records_.size() + 2);
  scratch.hashed.assign(buckets, kNone);
  scratch.keys.clear();
  std::uint64_t chunk[kChunk];
  for (std::size_t begin = 0; begin < records_.size(); begin += kChunk) {
    const std::size_t end = std::min(begin + kChunk, records_.size());
    for (std::size_t tuple = begin; tuple < end; ++tuple) chunk[tuple - begin] = has_prefix ? scratch.slot[tuple] : 0;
    for (std::size_t b = first; b < last; ++b) {
      const std::uint64_t* const table = scratch.tables[b].data();
      const std::uint32_t* const ids = blocks_[b].ids.data();
      for (std::size_t tuple = begin; tuple < end; ++tuple) chunk[tuple - begin] += table[ids[tuple]];
    }
    for (std::size_t tuple = begin; tuple < end; ++tuple) {
      const std::uint64_t key = chunk[tuple - begin];
      std::size_t bucket = scatter(key) & (buckets - 1);
      while (scratch.hashed[bucket] != kNone && scratch.keys[scratch.hashed[bucket]] != key)
        bucket = (bucket + 1) & (buckets - 1);
      if (scratch.hashed[bucket] == kNone) {
        scratch.hashed[bucket] = static_cast<std::uint32_t>(scratch.keys.size());
        scratch.keys.push_back(key);
      }
      scratch.slot[tuple] = scratch.hashed[bucket];
    }
  }
  scratch.slots = scratch.keys.size();
}

void ClassGrouping::count_hashed(Scratch& scratch) const {
  scratch.size.assign(scratch.slots, 0);
  for (std::size_t tuple = 0; tuple < records_.size(); ++tuple)
    scratch.size[scratch.slot[tuple]] += records_.counts[tuple];
}

}  // namespace gauze::anonymize
