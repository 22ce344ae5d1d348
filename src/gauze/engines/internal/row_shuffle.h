#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/files/file_descriptor.h"

namespace gauze::engines {

/// Puts rows into a uniformly random order, on the disk where memory does not suffice.
///
/// Rows that fit are permuted by Fisher and Yates. Others are dealt to piles, each row to any of them with the same
/// chance, and pile after pile is permuted: every order of all rows is as likely as any other (Rao 1961, Sandelius 1962).
class RowShuffle {
 public:
  /// Draws a number below n, each with the same chance.
  using Draw = std::function<std::uint64_t(std::uint64_t n)>;
  using Write = std::function<Result<void>(std::string_view row)>;

  /// At most about `memory` bytes are kept at once; temporary files have no names.
  RowShuffle(Draw draw, std::size_t memory, std::filesystem::path temporary);

  /// So many equal rows.
  [[nodiscard]] Result<void> add(std::string_view row, std::uint64_t times = 1);
  /// Hands over all rows. Ends the object's life.
  [[nodiscard]] Result<void> finish(const Write& write);

 private:
  struct Pile {
    FileDescriptor file;  ///< opened for its first bytes
    std::string waiting;
    std::uint64_t bytes = 0;
  };
  static constexpr std::size_t kPiles = 64;

  [[nodiscard]] Result<void> deal();
  [[nodiscard]] Result<void> deal_row(std::string_view row);
  [[nodiscard]] Result<void> put_down(Pile& pile);
  [[nodiscard]] Result<void> write_pile(Pile& pile, const Write& write);
  [[nodiscard]] Result<void> write_permuted(const Write& write);

  Draw draw_;
  std::size_t memory_;
  std::filesystem::path temporary_;
  std::deque<std::string> blocks_;       // of text that does not move
  std::vector<std::string_view> texts_;  // of the rows in memory
  std::vector<std::uint32_t> rows_;      // the place of each row's text
  std::uint64_t bytes_ = 0;              // that they take
  std::vector<Pile> piles_;              // once memory does not suffice
};

}  // namespace gauze::engines
