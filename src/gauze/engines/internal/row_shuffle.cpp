#include "gauze/engines/internal/row_shuffle.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "gauze/engines/internal/input_file.h"

namespace gauze::engines {
namespace {

constexpr std::size_t kWaitingBytes = std::size_t{1} << 16;
constexpr std::size_t kBlockBytes = std::size_t{1} << 16;

constexpr std::uint64_t kMostRows = UINT32_MAX;  // in memory

/// Rows of a pile stand behind their lengths.
using Length = std::uint64_t;

}  // namespace

RowShuffle::RowShuffle(Draw draw, std::size_t memory, std::filesystem::path temporary)
    : draw_(std::move(draw)), memory_(memory), temporary_(std::move(temporary)) {}

Result<void> RowShuffle::add(std::string_view row, std::uint64_t times) {
  if (times == 0) return {};
  const std::uint64_t bytes = bytes_ + row.size() + sizeof(row) + times * sizeof(rows_.front());
  const bool fits =
      times <= kMostRows && rows_.size() <= kMostRows - times && ((rows_.empty() && times == 1) || bytes <= memory_);
  if (piles_.empty() && !fits) GAUZE_TRY_VOID(deal());
  if (!piles_.empty()) {
    for (; times > 0; --times) GAUZE_TRY_VOID(deal_row(row));
    return {};
  }
  if (blocks_.empty() || blocks_.back().capacity() - blocks_.back().size() < row.size())
    blocks_.emplace_back().reserve(std::max(kBlockBytes, row.size()));
  std::string& block = blocks_.back();
  block += row;
  rows_.insert(rows_.end(), times, static_cast<std::uint32_t>(texts_.size()));
  texts_.push_back(std::string_view(block).substr(block.size() - row.size()));
  bytes_ = bytes;
  return {};
}

Result<void> RowShuffle::deal() {
  piles_.resize(kPiles);
  for (const std::uint32_t row : rows_) GAUZE_TRY_VOID(deal_row(texts_[row]));
  rows_ = {};
  texts_ = {};
  blocks_ = {};
  return {};
}

Result<void> RowShuffle::deal_row(std::string_view row) {
  Pile& pile = piles_[draw_(kPiles)];
  const Length length = row.size();
  pile.waiting.append(reinterpret_cast<const char*>(&length), sizeof length);
  pile.waiting += row;
  return pile.waiting.size() < kWaitingBytes ? Result<void>() : put_down(pile);
}

Result<void> RowShuffle::put_down(Pile& pile) {
  if (pile.waiting.empty()) return {};
  if (pile.bytes == 0) {
    GAUZE_TRY(pile.file, open_nameless(temporary_));
  }
  GAUZE_TRY_VOID(write_all(pile.file, pile.waiting, "a temporary file"));
  pile.bytes += pile.waiting.size();
  pile.waiting.clear();
  return {};
}

Result<void> RowShuffle::finish(const Write& write) {
  if (piles_.empty()) return write_permuted(write);
  for (Pile& pile : piles_) GAUZE_TRY_VOID(put_down(pile));
  for (Pile& pile : piles_) {
    if (pile.bytes == 0) continue;
    GAUZE_TRY_VOID(write_pile(pile, write));
    pile.file = FileDescriptor();
  }
  return {};
}

Result<void> RowShuffle::write_pile(Pile& pile, const Write& write) {
  RowShuffle rows(draw_, memory_, temporary_);
  FileSource source(pile.file, "a temporary file");
  std::string buffer;
  std::size_t begin = 0;
  for (std::uint64_t read = 0; read < pile.bytes || begin < buffer.size();) {
    Length length = 0;
    const std::size_t there = buffer.size() - begin;
    if (there >= sizeof length) std::memcpy(&length, buffer.data() + begin, sizeof length);
    if (there >= sizeof length && there - sizeof length >= length) {
      GAUZE_TRY_VOID(rows.add(std::string_view(buffer).substr(begin + sizeof length, length)));
      begin += sizeof length + length;
      continue;
    }
    buffer.erase(0, std::exchange(begin, 0));
    const std::size_t before = buffer.size();
    buffer.resize(before + std::max<std::size_t>(kWaitingBytes, length));
    GAUZE_TRY(const std::size_t got, read_fully(source, std::span(buffer).subspan(before)));
    if (got == 0) return make_error(ErrorCode::io, "a temporary file lost some of its rows");
    buffer.resize(before + got);
    read += got;
  }
  return rows.finish(write);
}

Result<void> RowShuffle::write_permuted(const Write& write) {
  // Fisher and Yates, two steps a draw: the quotient and the remainder of a number below i (i - 1) are independent and uniform.
  std::uint64_t left = rows_.size();
  for (; left > 2; left -= 2) {
    const std::uint64_t drawn = draw_(left * (left - 1));
    std::swap(rows_[left - 1], rows_[drawn / (left - 1)]);
    std::swap(rows_[left - 2], rows_[drawn % (left - 1)]);
  }
  if (left == 2) std::swap(rows_[1], rows_[draw_(2)]);
  // Texts lie anywhere in memory: they are asked for some time before they are needed, and before that where they are.
  constexpr std::size_t kAhead = 16;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (i + 2 * kAhead < rows_.size()) __builtin_prefetch(&texts_[rows_[i + 2 * kAhead]]);
    if (i + kAhead < rows_.size()) {
      const std::string_view text = texts_[rows_[i + kAhead]];
      __builtin_prefetch(text.data());
      __builtin_prefetch(text.data() + text.size());
    }
    GAUZE_TRY_VOID(write(texts_[rows_[i]]));
  }
  return {};
}

}  // namespace gauze::engines
