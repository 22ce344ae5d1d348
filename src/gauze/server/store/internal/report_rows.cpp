#include "gauze/server/store/internal/report_rows.h"

#include <fmt/core.h>

#include <algorithm>
#include <tuple>

#include "gauze/base/utc_date.h"
#include "gauze/server/store/internal/row_bytes.h"

namespace gauze::server::internal {
namespace {

constexpr std::size_t kHashBytes = 32;
constexpr std::size_t kBlockKeyBytes = 1 + kHashBytes + 4 + 8;
constexpr std::size_t kPlaceHeadBytes = 1 + std::tuple_size_v<collect::BlockId>;

}  // namespace

std::string block_rows_of(const collect::TaskHash& task) {
  std::string key(1, kBlockRow);
  key.append(task.begin(), task.end());
  return key;
}

std::string block_row_key(const BlockRow& row) {
  std::string key = block_rows_of(row.task);
  append_big(key, row.period, 4);
  append_big(key, row.sequence, 8);
  return key;
}

std::optional<BlockRow> read_block_row_key(std::string_view key) {
  if (key.size() != kBlockKeyBytes || key.front() != kBlockRow) return std::nullopt;
  BlockRow row;
  std::copy_n(key.begin() + 1, kHashBytes, row.task.begin());
  row.period = static_cast<std::uint32_t>(read_big(key.substr(1 + kHashBytes, 4)));
  row.sequence = read_big(key.substr(5 + kHashBytes, 8));
  return row;
}

std::string places_of(std::string_view id) { return std::string(1, kPlaceRow).append(id); }

std::string place_row_key(std::string_view id, std::string_view block_key) {
  return places_of(id).append(block_key.substr(1));
}

std::string block_key_of_place(std::string_view place_key) {
  std::string key(1, kBlockRow);
  if (place_key.size() > kPlaceHeadBytes) key.append(place_key.substr(kPlaceHeadBytes));
  return key;
}

std::string block_message(std::uint32_t reports, std::string_view bytes) {
  std::string message;
  message.reserve(4 + bytes.size());
  append_little(message, reports, 4);
  return message.append(bytes);
}

BlockMessage read_block_message(std::string_view message) {
  if (message.size() < 4) return {};
  return {.reports = static_cast<std::uint32_t>(read_little(message.substr(0, 4))), .bytes = message.substr(4)};
}

std::string text_of(const ExpiryDate& date) { return fmt::format("{}.{}", utc_date_text(date.day), date.generation); }

std::string key_of(const ExpiryDate& date) {
  std::string key;
  append_big(key, date.day, 4);
  append_big(key, date.generation, 4);
  return key;
}

ExpiryDate read_expiry_date(std::string_view key) {
  return {.day = static_cast<std::uint32_t>(read_big(key.substr(0, 4))),
          .generation = static_cast<std::uint32_t>(read_big(key.substr(4, 4)))};
}

}  // namespace gauze::server::internal
