#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "gauze/server/keys/key_file.h"
#include "gauze/server/store/internal/database.h"

namespace gauze::server::internal {

/// What the names of keys of limits begin with in the key file.
inline constexpr std::string_view kLimitKeyPrefix = "limit-key/";

/// Ids of blocks, and how many reports each credential has given, of the periods that close on one day.
///
/// Rows: `I`, id of a block; empty. `C`, first 16 bytes of HMAC(credential, task name, period) under the key of the day; reports u32. Without
/// that key, which goes on the day, nobody can tell which credential a row is of.
struct IndexDay {
  std::int64_t day = 0;
  FamilyPointer family;
  SecretBytes limit_key;
};
using IndexDayPointer = std::shared_ptr<IndexDay>;

/// What is known of periods that are not closed, in a family for each UTC day on which periods close. It lives until that day by the real
/// clock, whatever becomes of the reports. A day whose family is gone is never opened again, wherever the clock is set to.
class BlockIndex {
 public:
  /// `bad_data` when the key of a day that is not closed is missing.
  [[nodiscard]] static Result<std::unique_ptr<BlockIndex>> open(Database& database, KeyFile& keys);

  /// Up to this day all periods are closed for good.
  [[nodiscard]] std::int64_t closed_until() const { return closed_until_; }
  /// Of a day behind closed_until(); made when there is none. For one writer at a time.
  [[nodiscard]] Result<IndexDayPointer> day(std::int64_t day);
  /// Drops the families of all days up to this one: first takes note, then the keys go, then the families.
  [[nodiscard]] Result<void> close_until(std::int64_t day);

  [[nodiscard]] static std::string id_row(std::string_view id);
  [[nodiscard]] std::string limit_row(const IndexDay& day, std::string_view credential, std::string_view task_name,
                                      std::uint32_t period) const;

 private:
  BlockIndex(Database& database, KeyFile& keys) : database_(database), keys_(keys) {}
  [[nodiscard]] Result<void> drop_closed();

  Database& database_;
  KeyFile& keys_;
  std::atomic<std::int64_t> closed_until_ = 0;
  std::mutex mutex_;
  std::map<std::int64_t, IndexDayPointer> days_;
};

}  // namespace gauze::server::internal
