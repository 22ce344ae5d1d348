#include "gauze/engines/internal/row_shuffle.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "gauze/engines/internal/input_file.h"

namespace gauze::engines {
namespace {

constexpr std::size_t kWaitingBytes = std::size_t{1} << 16;

/// Rows of a pile stand behind their lengths.
using Length = std::uint64_t;

}  // namespace

RowShuffle::RowShuffle(Draw draw, std::size_t memory, std::filesystem::path temporary)
    : draw_(std::move(draw)), memory_(memory), temporary_(std::move(temporary)) {}

Result<void> RowShuffle::add(std::string_view row) {
  if (!piles_.empty()) return deal_row(row);
  text_ += row;
  ends_.push_back(text_.size());
  if (ends_.size() < 2 || text_.size() + ends_.size() * sizeof(ends_.front()) <= memory_) return {};
  return deal();
}

Result<void> RowShuffle::deal() {
  piles_.resize(kPiles);
  for (Pile& pile : piles_) {
    GAUZE_TRY(pile.file, open_nameless(temporary_));
  }
  std::uint64_t begin = 0;
  for (const std::uint64_t end : ends_) {
    GAUZE_TRY_VOID(deal_row(std::string_view(text_).substr(begin, end - begin)));
    begin = end;
  }
  text_ = {};
  ends_ = {};
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
  GAUZE_TRY_VOID(write_all(pile.file, pile.waiting, "a temporary file"));
  pile.bytes += pile.waiting.size();
  pile.waiting.clear();
  return {};
}

Result<void> RowShuffle::finish(const Write& write) {
  if (piles_.empty()) return write_permuted(write);
  for (Pile& pile : piles_) GAUZE_TRY_VOID(put_down(pile));
  for (Pile& pile : piles_) {
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
  std::vector<std::size_t> order(ends_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[draw_(i)]);
  for (const std::size_t row : order) {
    const std::uint64_t begin = row == 0 ? 0 : ends_[row - 1];
    GAUZE_TRY_VOID(write(std::string_view(text_).substr(begin, ends_[row] - begin)));
  }
  return {};
}

}  // namespace gauze::engines
