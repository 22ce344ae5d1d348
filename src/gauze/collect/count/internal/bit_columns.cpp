#include "gauze/collect/count/internal/bit_columns.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gauze/collect/count/internal/bit_columns.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <vector>

HWY_BEFORE_NAMESPACE();
namespace gauze::collect::internal::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

void add_rows(const unsigned char* const* rows, std::size_t count, std::size_t, std::span<std::int64_t> cells) {
  for (std::size_t row = 0; row < count; ++row)
    for (std::size_t cell = 0; cell < cells.size(); ++cell) cells[cell] += (rows[row][cell / 8] >> (cell % 8)) & 1;
}

std::uint64_t ones_of(const unsigned char* row, std::size_t bytes) {
  std::uint64_t ones = 0;
  for (std::size_t i = 0; i < bytes; ++i) ones += static_cast<std::uint64_t>(std::popcount(row[i]));
  return ones;
}

#else

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::ScalableTag<std::uint8_t>;
using Vec = hn::Vec<Tag>;

// A counter of every bit is kept in planes: plane k holds its binary digit of weight 2^k. Sixteen rows at a time go through a
// tree of full adders (carry-save; Harley and Seal), whose carry of weight 16 then runs through the upper planes.
constexpr std::size_t kGroup = 16;
constexpr std::size_t kPlanes = 8;
constexpr std::size_t kMostGroups = 15;  // 240 rows: a counter of eight digits holds 255

/// low + 2 high = a + b + c.
HWY_INLINE void add_three(Vec& high, Vec& low, Vec a, Vec b, Vec c) {
  const Vec either = hn::Xor(a, b);
  high = hn::Or(hn::And(a, b), hn::And(either, c));
  low = hn::Xor(either, c);
}

HWY_INLINE Vec at(const unsigned char* const* rows, std::size_t row, std::size_t offset) {
  return hn::LoadU(Tag(), rows[row] + offset);
}

/// Four rows into ones and twos; gives the carry of weight four.
HWY_INLINE Vec add_four(Vec& ones, Vec& twos, const unsigned char* const* rows, std::size_t offset) {
  Vec first;
  Vec second;
  Vec fours;
  add_three(first, ones, ones, at(rows, 0, offset), at(rows, 1, offset));
  add_three(second, ones, ones, at(rows, 2, offset), at(rows, 3, offset));
  add_three(fours, twos, twos, first, second);
  return fours;
}

/// Adds groups of rows to the planes of one vector of columns.
void add_groups(const unsigned char* const* rows, std::size_t groups, std::size_t offset, std::uint8_t* planes) {
  const Tag d;
  const std::size_t lanes = hn::Lanes(d);
  Vec ones = hn::LoadU(d, planes);
  Vec twos = hn::LoadU(d, planes + lanes);
  Vec fours = hn::LoadU(d, planes + 2 * lanes);
  Vec eights = hn::LoadU(d, planes + 3 * lanes);
  for (std::size_t group = 0; group < groups; ++group, rows += kGroup) {
    Vec first;
    Vec second;
    Vec carry;
    const Vec a = add_four(ones, twos, rows, offset);
    const Vec b = add_four(ones, twos, rows + 4, offset);
    add_three(first, fours, fours, a, b);
    const Vec c = add_four(ones, twos, rows + 8, offset);
    const Vec e = add_four(ones, twos, rows + 12, offset);
    add_three(second, fours, fours, c, e);
    add_three(carry, eights, eights, first, second);
    for (std::size_t plane = 4; plane < kPlanes; ++plane) {
      std::uint8_t* place = planes + plane * lanes;
      const Vec old = hn::LoadU(d, place);
      hn::StoreU(hn::Xor(old, carry), d, place);
      carry = hn::And(old, carry);
    }
  }
  hn::StoreU(ones, d, planes);
  hn::StoreU(twos, d, planes + lanes);
  hn::StoreU(fours, d, planes + 2 * lanes);
  hn::StoreU(eights, d, planes + 3 * lanes);
}

/// Adds the counters of one vector of columns to the cells of its bytes from `skip` on, and clears them.
void take_planes(std::uint8_t* planes, std::size_t offset, std::size_t skip, std::span<std::int64_t> cells) {
  const Tag d;
  const std::size_t lanes = hn::Lanes(d);
  HWY_ALIGN std::array<std::uint8_t, HWY_MAX_BYTES> counts;
  for (unsigned bit = 0; bit < 8; ++bit) {
    const Vec chosen = hn::Set(d, static_cast<std::uint8_t>(1U << bit));
    Vec sum = hn::Zero(d);
    for (std::size_t plane = 0; plane < kPlanes; ++plane) {
      const auto set = hn::TestBit(hn::LoadU(d, planes + plane * lanes), chosen);
      sum = hn::Or(sum, hn::IfThenElseZero(set, hn::Set(d, static_cast<std::uint8_t>(1U << plane))));
    }
    hn::StoreU(sum, d, counts.data());
    for (std::size_t byte = skip; byte < lanes; ++byte) {
      const std::size_t cell = 8 * (offset + byte) + bit;
      if (cell < cells.size()) cells[cell] += counts[byte];
    }
  }
  std::memset(planes, 0, kPlanes * lanes);
}

/// At most kGroup * kMostGroups rows, whole groups, each at least a vector long.
void add_batch(const unsigned char* const* rows, std::size_t groups, std::size_t bytes,
               std::vector<std::uint8_t>& planes, std::span<std::int64_t> cells) {
  const std::size_t lanes = hn::Lanes(Tag());
  const std::size_t vectors = (bytes + lanes - 1) / lanes;
  // The last vector ends where the rows end, and may have bytes in common with the one before.
  const auto offset_of = [&](std::size_t vector) { return std::min(vector * lanes, bytes - lanes); };
  // Long rows: few at a time, or walking down a column would miss the cache at every row.
  const std::size_t at_a_time = bytes > 2048 ? 1 : groups;
  for (std::size_t group = 0; group < groups; group += at_a_time)
    for (std::size_t vector = 0; vector < vectors; ++vector)
      add_groups(rows + group * kGroup, at_a_time, offset_of(vector), planes.data() + vector * kPlanes * lanes);
  for (std::size_t vector = 0; vector < vectors; ++vector)
    take_planes(planes.data() + vector * kPlanes * lanes, offset_of(vector), vector * lanes - offset_of(vector),
                cells);
}

void add_rows(const unsigned char* const* rows, std::size_t count, std::size_t bytes, std::span<std::int64_t> cells) {
  const std::size_t lanes = hn::Lanes(Tag());
  const std::size_t row_bytes = std::max(bytes, lanes);
  std::vector<std::uint8_t> planes((row_bytes + lanes - 1) / lanes * lanes * kPlanes);
  // What fills up the last group; and where rows are shorter than a vector, copies that are not.
  const std::vector<unsigned char> nothing(row_bytes);
  std::vector<unsigned char> copies(bytes < lanes ? kGroup * kMostGroups * lanes : 0);
  std::array<const unsigned char*, kGroup * kMostGroups> batch;
  for (std::size_t done = 0; done < count;) {
    const std::size_t taken = std::min(count - done, batch.size());
    const std::size_t groups = (taken + kGroup - 1) / kGroup;
    for (std::size_t i = 0; i < taken; ++i) {
      batch[i] = rows[done + i];
      if (bytes >= lanes) continue;
      std::memcpy(copies.data() + i * lanes, batch[i], bytes);
      batch[i] = copies.data() + i * lanes;
    }
    std::fill(batch.begin() + static_cast<std::ptrdiff_t>(taken),
              batch.begin() + static_cast<std::ptrdiff_t>(groups * kGroup), nothing.data());
    add_batch(batch.data(), groups, row_bytes, planes, cells);
    done += taken;
  }
}

std::uint64_t ones_of(const unsigned char* row, std::size_t bytes) {
  const hn::ScalableTag<std::uint64_t> d;
  const std::size_t lanes = hn::Lanes(Tag());
  auto sum = hn::Zero(d);
  std::size_t i = 0;
  for (; i + lanes <= bytes; i += lanes)
    sum = hn::Add(sum, hn::PopulationCount(hn::BitCast(d, hn::LoadU(Tag(), row + i))));
  std::uint64_t ones = hn::GetLane(hn::SumOfLanes(d, sum));
  for (; i < bytes; ++i) ones += static_cast<std::uint64_t>(std::popcount(row[i]));
  return ones;
}

#endif

}  // namespace gauze::collect::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gauze::collect::internal {

HWY_EXPORT(add_rows);
HWY_EXPORT(ones_of);

void add_bit_rows(std::span<const unsigned char* const> rows, std::size_t bytes, std::span<std::int64_t> cells) {
  HWY_DYNAMIC_DISPATCH(add_rows)(rows.data(), rows.size(), bytes, cells);
}

std::uint64_t count_ones(const unsigned char* row, std::size_t bytes) {
  return HWY_DYNAMIC_DISPATCH(ones_of)(row, bytes);
}

}  // namespace gauze::collect::internal
#endif
