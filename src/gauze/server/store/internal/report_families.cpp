#include "gauze/server/store/internal/report_families.h"

#include <algorithm>

#include "gauze/base/utc_date.h"

namespace gauze::server::internal {
namespace {

constexpr std::string_view kRegisterRow = "family";
constexpr std::string_view kFamilyPrefix = "reports-";
constexpr std::size_t kReportKeyBytes = 32;

std::string register_row(const ExpiryDate& date) { return std::string(kRegisterRow) + key_of(date); }
std::string family_name(const ExpiryDate& date) { return std::string(kFamilyPrefix) + text_of(date); }
std::string report_key_name(const ExpiryDate& date) { return std::string(kReportKeyPrefix) + text_of(date); }

}  // namespace

Result<std::unique_ptr<ReportFamilies>> ReportFamilies::open(Database& database, KeyFile& keys, std::int64_t today) {
  std::unique_ptr<ReportFamilies> families(new ReportFamilies(database, keys));
  GAUZE_TRY_VOID(families->read_register(today));
  GAUZE_TRY_VOID(families->remove_leftovers(today));
  return families;
}

Result<void> ReportFamilies::read_register(std::int64_t today) {
  GAUZE_TRY_VOID(for_rows(
      database_, database_.meta(), nullptr, kRegisterRow,
      [&](std::string_view row, std::string_view value) -> Result<bool> {
        if (!row.starts_with(kRegisterRow) || row.size() != kRegisterRow.size() + 8 || value.size() != 1)
          return false;
        register_.emplace(read_expiry_date(row.substr(kRegisterRow.size())), static_cast<FamilyState>(value.front()));
        return true;
      }));
  for (auto& [date, state] : register_) {
    if (state != FamilyState::live) continue;
    auto key = keys_.get(report_key_name(date));
    const FamilyPointer family = database_.find_family(family_name(date));
    if (!key && date.day <= today) {
      // The key went first, as in a sweep: a copy of the store that is older than the key file. What it held is gone.
      state = FamilyState::sweeping;
      continue;
    }
    if (!key || family == nullptr)
      return make_error(ErrorCode::bad_data, "the {} of the reports that expire on {} is missing{}",
                        key ? "part" : "key", utc_date_text(date.day),
                        key ? "" : ": the key file is not the one of this store, or an older copy");
    auto live = std::make_shared<ReportFamily>(date, database_, family, keys_.profile(), *std::move(key));
    live->is_registered = true;
    live_.emplace(date, std::move(live));
  }
  return {};
}

Result<void> ReportFamilies::remove_leftovers(std::int64_t today) {
  for (const FamilyPointer& family : database_.families()) {
    if (!family->name().starts_with(kFamilyPrefix)) continue;
    const bool is_known = std::any_of(register_.begin(), register_.end(), [&](const auto& entry) {
      return entry.second != FamilyState::settled && family_name(entry.first) == family->name();
    });
    if (!is_known) GAUZE_TRY_VOID(database_.drop_family(family));
  }
  // Not those of dates to come: with an older copy of the store they may be of use to the store itself.
  std::vector<std::string> unused = keys_.names(kReportKeyPrefix);
  std::erase_if(unused, [&](const std::string& name) {
    const auto day = parse_utc_date(std::string_view(name).substr(kReportKeyPrefix.size()).substr(0, 10));
    return !day || *day > today || std::any_of(live_.begin(), live_.end(), [&](const auto& entry) {
      return report_key_name(entry.first) == name;
    });
  });
  return keys_.remove(unused);
}

Result<ReportFamilyPointer> ReportFamilies::family_of(std::uint32_t day) {
  ExpiryDate date{.day = day};
  {
    const std::lock_guard lock(mutex_);
    for (auto entry = register_.lower_bound(date); entry != register_.end() && entry->first.day == day; ++entry) {
      const auto live = live_.find(entry->first);
      if (live != live_.end()) return live->second;
      date.generation = entry->first.generation + 1;
    }
    // Made before, and without a block so far.
    if (const auto live = live_.find(date); live != live_.end()) return live->second;
  }
  SecretBytes key = SecretBytes::random(kReportKeyBytes);
  GAUZE_TRY_VOID(keys_.put(report_key_name(date), key));
  GAUZE_TRY(FamilyPointer family, database_.create_family(family_name(date)));
  auto made = std::make_shared<ReportFamily>(date, database_, std::move(family), keys_.profile(), std::move(key));
  const std::lock_guard lock(mutex_);
  live_.emplace(date, made);
  return made;
}

void ReportFamilies::add_entry(const ReportFamily& family, FamilyState state, const Database& database,
                               rocksdb::WriteBatch& batch) {
  batch.Put(database.meta(), register_row(family.date), std::string(1, static_cast<char>(state)));
}

void ReportFamilies::note_entry(ReportFamily& family) {
  family.is_registered = true;
  const std::lock_guard lock(mutex_);
  register_.emplace(family.date, FamilyState::live);
}

std::vector<ReportFamilyPointer> ReportFamilies::live() const {
  const std::lock_guard lock(mutex_);
  std::vector<ReportFamilyPointer> all;
  for (const auto& [date, family] : live_) all.push_back(family);
  return all;
}

bool ReportFamilies::is_live(const ExpiryDate& date) const {
  const std::lock_guard lock(mutex_);
  return live_.contains(date);
}

std::vector<ExpiryDate> ReportFamilies::sweeping() const {
  const std::lock_guard lock(mutex_);
  std::vector<ExpiryDate> dates;
  for (const auto& [date, state] : register_)
    if (state == FamilyState::sweeping) dates.push_back(date);
  return dates;
}

void ReportFamilies::take_out(const ExpiryDate& date) {
  const std::lock_guard lock(mutex_);
  register_[date] = FamilyState::sweeping;
  if (auto node = live_.extract(date)) taken_out_.insert(std::move(node));
}

Result<void> ReportFamilies::remove_keys(std::span<const ExpiryDate> dates) {
  std::vector<std::string> names;
  for (const ExpiryDate& date : dates) names.push_back(report_key_name(date));
  return keys_.remove(names);
}

Result<void> ReportFamilies::drop(std::span<const ExpiryDate> dates) {
  for (const ExpiryDate& date : dates) {
    ReportFamilyPointer family;
    {
      const std::lock_guard lock(mutex_);
      if (auto node = taken_out_.extract(date)) family = std::move(node.mapped());
    }
    // Whoever reads has the key in memory and comes to an end first.
    if (family != nullptr) {
      const std::unique_lock readers(family->being_read);
    }
    if (const FamilyPointer rows = database_.find_family(family_name(date)); rows != nullptr)
      GAUZE_TRY_VOID(database_.drop_family(rows));
  }
  return {};
}

Result<void> ReportFamilies::settle(const ExpiryDate& date) {
  rocksdb::WriteBatch batch;
  batch.Put(database_.meta(), register_row(date), std::string(1, static_cast<char>(FamilyState::settled)));
  GAUZE_TRY_VOID(database_.write(batch, true));
  const std::lock_guard lock(mutex_);
  register_[date] = FamilyState::settled;
  return {};
}

}  // namespace gauze::server::internal
