#include "gauze/engines/internal/row_shuffle.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "gauze/engines/internal/input_file.h"

namespace gauze::engines {
namespace {

constexpr std::size_t kWaitingBytes = std::size_t{1} << 16;
constexpr std::size_t kBlockBytes = std::size_t{1} << 16;

/// Rows of a pile stand behind their lengths.
using Length = std::uint64_t;

}  // namespace

RowShuffle::RowShuffle(Draw draw, std::size_t memory, std::filesystem::path temporary)
    : draw_(std::move(draw)), memory_(memory), temporary_(std::move(temporary)) {}

Result<void> RowShuffle::add(std::string_view row) {
  if (!piles_.empty()) return deal_row(row);
  if (text_.empty() || text_.back().capacity() - text_.back().size() < row.size())
    text_.emplace_back().reserve(std::max(kBlockBytes, row.size()));
  std::string& block = text_.back();
  block += row;
  rows_.push_back(std::string_view(block).substr(block.size() - row.size()));
  bytes_ += row.size() + sizeof(rows_.front());
  return rows_.size() < 2 || bytes_ <= memory_ ? Result<void>() : deal();
}

Result<void> RowShuffle::deal() {
  piles_.resize(kPiles);
  for (const std::string_view row : rows_) GAUZE_TRY_VOID(deal_row(row));
  rows_ = {};
  text_ = {};
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
  for (std::size_t i = rows_.size(); i > 1; --i) std::swap(rows_[i - 1], rows_[draw_(i)]);
  // Rows lie anywhere in memory: they are asked for some time before they are needed.
  constexpr std::size_t kAhead = 16;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (i + kAhead < rows_.size()) __builtin_prefetch(rows_[i + kAhead].data());
    GAUZE_TRY_VOID(write(rows_[i]));
  }
  return {};
}

}  // namespace gauze::engines
