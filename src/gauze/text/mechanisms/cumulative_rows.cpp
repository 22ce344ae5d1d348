#include "gauze/text/mechanisms/cumulative_rows.h"

#include <algorithm>
#include <bit>
#include <unordered_set>

namespace gauze::text {
namespace {

constexpr std::size_t kLeastStretch = 16;
constexpr std::size_t kMostStretches = 8192;  // where a stretch may be longer than 16

}  // namespace

std::size_t stretch_of(std::span<const Weight> running_sums, Weight drawn) {
  return static_cast<std::size_t>(std::upper_bound(running_sums.begin(), running_sums.end(), drawn) -
                                  running_sums.begin());
}

Weight uniform_below(Weight bound, RandomWords& random) {
  const Weight last = bound - 1;
  const auto high = static_cast<std::uint64_t>(last >> 64);
  const auto low = static_cast<std::uint64_t>(last);
  const auto ones = [](std::uint64_t word) { return word == 0 ? 0 : ~std::uint64_t{0} >> std::countl_zero(word); };
  const std::uint64_t high_mask = ones(high);
  const std::uint64_t low_mask = high != 0 ? ~std::uint64_t{0} : ones(low);
  for (;;) {
    const std::uint64_t top = high_mask != 0 ? random.next() & high_mask : 0;
    const Weight drawn = (Weight{top} << 64) | (random.next() & low_mask);
    if (drawn < bound) return drawn;
  }
}

CumulativeRows::CumulativeRows(const SoftmaxMechanism& mechanism, std::size_t memory_bytes) : mechanism_(mechanism) {
  const std::size_t outputs = mechanism.outputs().size();
  stretch_ =
      std::clamp(std::bit_ceil((outputs + kMostStretches - 1) / kMostStretches), kLeastStretch, WordMetric::kTile);
  capacity_ = std::max(memory_bytes / row_bytes(), WordMetric::kTile);
}

std::size_t CumulativeRows::stretches() const { return (mechanism_.outputs().size() + stretch_ - 1) / stretch_; }

std::size_t CumulativeRows::row_bytes() const {
  return stretches() * sizeof(Weight) + sizeof(Row) + 64;  // 64: the map's node, about
}

void CumulativeRows::make_room(std::size_t rows) {
  while (!rows_.empty() && rows_.size() + rows > capacity_) {
    std::uint64_t oldest = batch_;
    for (const auto& [word, row] : rows_) oldest = std::min(oldest, row.batch);
    if (oldest == batch_) return;
    std::erase_if(rows_, [oldest](const auto& entry) { return entry.second.batch == oldest; });
  }
}

Result<std::size_t> CumulativeRows::prepare(std::span<const std::uint32_t> words, Progress* progress) {
  ++batch_;
  std::vector<std::uint32_t> wanted;
  std::unordered_set<std::uint32_t> seen;
  for (const std::uint32_t word : words)
    if (wanted.size() < capacity_ && seen.insert(word).second) wanted.push_back(word);
  const std::size_t ready = wanted.size();
  std::erase_if(wanted, [this](std::uint32_t word) {
    const auto found = rows_.find(word);
    if (found == rows_.end()) return false;
    found->second.batch = batch_;
    return true;
  });
  make_room(wanted.size());
  std::vector<std::vector<Weight>> sums(wanted.size(), std::vector<Weight>(stretches()));
  const auto visit = [&](const WordMetric::Tile& tile) {
    for (std::size_t r = 0; r < tile.rows; ++r) {
      const auto granules = tile.row(r);
      Weight* sum = sums[tile.first_row + r].data() + tile.first_column / stretch_;
      for (std::size_t c = 0; c < tile.columns; c += stretch_, ++sum) {
        const std::size_t end = std::min(tile.columns, c + stretch_);
        for (std::size_t i = c; i < end; ++i) *sum += mechanism_.weights().weight(granules[i]);
      }
    }
  };
  GAUZE_TRY_VOID(mechanism_.metric().tiles(wanted, mechanism_.outputs(), visit, progress));
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    for (std::size_t s = 1; s < sums[i].size(); ++s) sums[i][s] += sums[i][s - 1];
    rows_[wanted[i]] = {std::move(sums[i]), batch_};
  }
  return ready;
}

std::uint32_t CumulativeRows::pick(std::uint32_t x, std::size_t begin, std::size_t end, Weight below) const {
  const auto outputs = mechanism_.outputs();
  for (std::size_t i = begin; i + 1 < end; ++i) {
    const Weight weight = mechanism_.weights().weight(mechanism_.metric().granules(x, outputs[i]));
    if (below < weight) return outputs[i];
    below -= weight;
  }
  return outputs[end - 1];
}

std::uint32_t CumulativeRows::draw_unprepared(std::uint32_t x, RandomWords& random) const {
  const std::vector<Weight> row = mechanism_.weight_row(x);
  Weight sum = 0;
  for (const Weight weight : row) sum += weight;
  Weight below = uniform_below(sum, random);
  std::size_t i = 0;
  for (; below >= row[i]; ++i) below -= row[i];
  return mechanism_.outputs()[i];
}

std::uint32_t CumulativeRows::draw(std::uint32_t x, RandomWords& random) const {
  if (mechanism_.may_stay(x) && random.below(mechanism_.p_denominator()) >= mechanism_.p_numerator()) return x;
  const auto found = rows_.find(x);
  if (found == rows_.end()) return draw_unprepared(x, random);
  const std::vector<Weight>& sums = found->second.sums;
  const Weight drawn = uniform_below(sums.back(), random);
  const std::size_t place = stretch_of(sums, drawn);
  const Weight before = place == 0 ? 0 : sums[place - 1];
  return pick(x, place * stretch_, std::min(mechanism_.outputs().size(), (place + 1) * stretch_), drawn - before);
}

}  // namespace gauze::text
