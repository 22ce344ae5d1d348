#pragma once
// The rows in a family of reports, of blocks: `R`, hash of the task version, period, sequence number; sealed value: reports u32, their
// bytes. And where the blocks of an id lie: `I`, id, the key of the block's row without the letter; empty. An id may come in periods that
// close on different days, so it may have several. No row holds a credential.

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "gauze/collect/reports/block_format.h"

namespace gauze::server::internal {

struct BlockRow {
  collect::TaskHash task{};
  std::uint32_t period = 0;
  std::uint64_t sequence = 0;
};

inline constexpr char kBlockRow = 'R';
inline constexpr char kPlaceRow = 'I';

[[nodiscard]] std::string block_row_key(const BlockRow& row);
/// What the keys of all blocks of a task version begin with.
[[nodiscard]] std::string block_rows_of(const collect::TaskHash& task);
/// Nothing for another row.
[[nodiscard]] std::optional<BlockRow> read_block_row_key(std::string_view key);

[[nodiscard]] std::string place_row_key(std::string_view id, std::string_view block_key);
/// What the keys of all places of an id begin with.
[[nodiscard]] std::string places_of(std::string_view id);
/// The key of the block's row.
[[nodiscard]] std::string block_key_of_place(std::string_view place_key);

[[nodiscard]] std::string block_message(std::uint32_t reports, std::string_view bytes);
struct BlockMessage {
  std::uint32_t reports = 0;
  std::string_view bytes;  ///< of the reports
};
[[nodiscard]] BlockMessage read_block_message(std::string_view message);

/// Which family: an expiry date, and how many families of that date were swept before.
struct ExpiryDate {
  std::uint32_t day = 0;
  std::uint32_t generation = 0;
  friend auto operator<=>(const ExpiryDate&, const ExpiryDate&) = default;
};
/// "2027-01-31.0"
[[nodiscard]] std::string text_of(const ExpiryDate& date);
/// 8 bytes, in order.
[[nodiscard]] std::string key_of(const ExpiryDate& date);
[[nodiscard]] ExpiryDate read_expiry_date(std::string_view key);

}  // namespace gauze::server::internal
