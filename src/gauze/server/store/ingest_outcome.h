#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "gauze/base/words.h"

namespace gauze::server {

/// Why a block was not taken, in the order in which it is asked.
enum class Rejection : std::size_t {
  malformed,
  unknown_task,
  parameter_mismatch,
  closed,
  not_yet,
  expired,
  damaged,
  out_of_range,
  contribution_limit,
};
inline constexpr std::size_t kRejections = 9;
inline constexpr Words<Rejection, kRejections> kRejectionWords = {{
    {Rejection::malformed, "malformed"},
    {Rejection::unknown_task, "unknown_task"},
    {Rejection::parameter_mismatch, "parameter_mismatch"},
    {Rejection::closed, "closed"},
    {Rejection::not_yet, "not_yet"},
    {Rejection::expired, "expired"},
    {Rejection::damaged, "damaged"},
    {Rejection::out_of_range, "out_of_range"},
    {Rejection::contribution_limit, "contribution_limit"},
}};

/// What became of the blocks of a batch, in reports as the blocks state them; a stretch that cannot be read counts as one. A block is
/// taken whole or not at all. No figure depends on a payload that is in range.
struct IngestOutcome {
  std::uint64_t accepted = 0;
  std::uint64_t duplicates = 0;  ///< in blocks that were taken before
  std::array<std::uint64_t, kRejections> rejected{};

  std::uint64_t& of(Rejection reason) { return rejected[static_cast<std::size_t>(reason)]; }
  [[nodiscard]] std::uint64_t of(Rejection reason) const { return rejected[static_cast<std::size_t>(reason)]; }
  IngestOutcome& operator+=(const IngestOutcome& other) {
    accepted += other.accepted;
    duplicates += other.duplicates;
    for (std::size_t i = 0; i < kRejections; ++i) rejected[i] += other.rejected[i];
    return *this;
  }
  friend bool operator==(const IngestOutcome&, const IngestOutcome&) = default;
};

}  // namespace gauze::server
