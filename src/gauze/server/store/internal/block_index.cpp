#include "gauze/server/store/internal/block_index.h"

#include "gauze/base/utc_date.h"
#include "gauze/server/store/internal/row_bytes.h"

namespace gauze::server::internal {
namespace {

constexpr std::string_view kClosedUntilRow = "closed-until";
constexpr std::string_view kIndexPrefix = "index-";
constexpr std::size_t kLimitKeyBytes = 32;
constexpr std::size_t kLimitRowBytes = 16;

/// The day in the name of a family or a key; nothing for other names.
std::optional<std::int64_t> day_behind(std::string_view prefix, std::string_view name) {
  if (!name.starts_with(prefix)) return std::nullopt;
  return parse_utc_date(name.substr(prefix.size()));
}

std::string limit_key_name(std::int64_t day) { return std::string(kLimitKeyPrefix) + utc_date_text(day); }
std::string index_family_name(std::int64_t day) { return std::string(kIndexPrefix) + utc_date_text(day); }

}  // namespace

Result<std::unique_ptr<BlockIndex>> BlockIndex::open(Database& database, KeyFile& keys) {
  std::unique_ptr<BlockIndex> index(new BlockIndex(database, keys));
  GAUZE_TRY(const auto closed, database.get(database.meta(), kClosedUntilRow));
  if (closed) index->closed_until_ = static_cast<std::int64_t>(read_little(*closed));
  GAUZE_TRY_VOID(index->drop_closed());
  for (const FamilyPointer& family : database.families()) {
    const auto day = day_behind(kIndexPrefix, family->name());
    if (!day) continue;
    auto key = keys.get(limit_key_name(*day));
    if (!key)
      return make_error(ErrorCode::bad_data,
                        "the key of the limits until {} is missing: the key file is not the one of this store, or "
                        "an older copy",
                        utc_date_text(*day));
    index->days_.emplace(
        *day, std::make_shared<IndexDay>(IndexDay{.day = *day, .family = family, .limit_key = *std::move(key)}));
  }
  return index;
}

Result<void> BlockIndex::drop_closed() {
  std::vector<std::string> closed;
  for (const std::string& name : keys_.names(kLimitKeyPrefix))
    if (const auto day = day_behind(kLimitKeyPrefix, name); day && *day <= closed_until_) closed.push_back(name);
  GAUZE_TRY_VOID(keys_.remove(closed));
  for (const FamilyPointer& family : database_.families())
    if (const auto day = day_behind(kIndexPrefix, family->name()); day && *day <= closed_until_)
      GAUZE_TRY_VOID(database_.drop_family(family));
  return {};
}

Result<IndexDayPointer> BlockIndex::day(std::int64_t day) {
  {
    const std::lock_guard lock(mutex_);
    const auto place = days_.find(day);
    if (place != days_.end()) return place->second;
  }
  SecretBytes key = SecretBytes::random(kLimitKeyBytes);
  GAUZE_TRY_VOID(keys_.put(limit_key_name(day), key));
  GAUZE_TRY(FamilyPointer family, database_.create_family(index_family_name(day)));
  auto made =
      std::make_shared<IndexDay>(IndexDay{.day = day, .family = std::move(family), .limit_key = std::move(key)});
  const std::lock_guard lock(mutex_);
  days_.emplace(day, made);
  return made;
}

Result<void> BlockIndex::close_until(std::int64_t day) {
  if (day <= closed_until_) return {};
  std::string value;
  append_little(value, static_cast<std::uint64_t>(day), 8);
  rocksdb::WriteBatch batch;
  batch.Put(database_.meta(), slice_of(kClosedUntilRow), value);
  GAUZE_TRY_VOID(database_.write(batch, true));
  closed_until_ = day;
  {
    const std::lock_guard lock(mutex_);
    days_.erase(days_.begin(), days_.upper_bound(day));
  }
  return drop_closed();
}

std::string BlockIndex::id_row(std::string_view id) { return std::string("I").append(id); }

std::string BlockIndex::limit_row(const IndexDay& day, std::string_view credential, std::string_view task_name,
                                  std::uint32_t period) const {
  std::string message(credential);
  append_little(message, period, 4);
  message += task_name;
  return std::string("C").append(keyed_digest(keys_.profile(), day.limit_key, message).substr(0, kLimitRowBytes));
}

}  // namespace gauze::server::internal
