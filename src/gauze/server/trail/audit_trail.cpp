#include "gauze/server/trail/audit_trail.h"

#include <algorithm>

#include "gauze/files/json_reader.h"
#include "gauze/files/sha256.h"
#include "gauze/ledger/ledger.h"

namespace gauze::server {
namespace {

/// "GZAT" in the header of the SQLite file.
constexpr std::int64_t kApplicationId = 0x475A4154;
constexpr std::int64_t kVersion = 1;
constexpr int kWait = 10'000;

constexpr const char* kTables =
    "CREATE TABLE IF NOT EXISTS trail(number INTEGER PRIMARY KEY, time INTEGER NOT NULL, kind TEXT NOT NULL, "
    "who TEXT NOT NULL, subject TEXT NOT NULL, details TEXT NOT NULL, previous TEXT NOT NULL, hash TEXT NOT NULL);"
    "CREATE TRIGGER IF NOT EXISTS trail_stays BEFORE UPDATE ON trail BEGIN SELECT RAISE(ABORT, 'entries stay'); END;"
    "CREATE TRIGGER IF NOT EXISTS trail_grows BEFORE DELETE ON trail BEGIN SELECT RAISE(ABORT, 'entries stay'); END;"
    "CREATE TABLE IF NOT EXISTS tasks(name TEXT NOT NULL, version INTEGER NOT NULL, hash TEXT NOT NULL UNIQUE, "
    "document TEXT NOT NULL, state TEXT NOT NULL, added_by TEXT NOT NULL, added_at INTEGER NOT NULL, "
    "approved_by TEXT, approved_at INTEGER, closed_at INTEGER, PRIMARY KEY(name, version))";

/// Lengths go before texts, so that no two entries have the same bytes.
std::string hash_of(const TrailEntry& entry, std::string_view details) {
  std::string bytes = fmt::format("gauze-trail-1\n{}\n{}\n{}\n", entry.previous, entry.number, entry.time);
  for (const std::string_view text : {std::string_view(entry.event.kind), std::string_view(entry.event.who),
                                      std::string_view(entry.event.subject), details})
    bytes += fmt::format("{}:{}\n", text.size(), text);
  return sha256_hex(bytes);
}

const std::string& no_hash() {
  static const std::string zeros(64, '0');
  return zeros;
}

Result<void> check_format(SqliteFile& file) {
  GAUZE_TRY(const std::int64_t id, file.whole("PRAGMA application_id"));
  GAUZE_TRY(const std::int64_t version, file.whole("PRAGMA user_version"));
  if (id == kApplicationId && version == kVersion) return {};
  if (id == kApplicationId && version > kVersion)
    return make_error(ErrorCode::bad_data, "the records '{}' were written by a newer version", file.name());
  return make_error(ErrorCode::bad_data, "'{}' is no file of a curator's records", file.name());
}

/// The next entry of a chain, its details as they stand in the file.
struct Row {
  TrailEntry entry;
  std::string details;
};

Row row_of(const SqliteStatement& row) {
  Row out;
  out.entry.number = row.whole(0);
  out.entry.time = row.whole(1);
  out.entry.event.kind = row.text(2);
  out.entry.event.who = row.text(3);
  out.entry.event.subject = row.text(4);
  out.details = row.text(5);
  out.entry.previous = row.text(6);
  out.entry.hash = row.text(7);
  return out;
}

constexpr std::string_view kColumns = "SELECT number, time, kind, who, subject, details, previous, hash FROM trail ";

}  // namespace

Json TrailEntry::to_json() const {
  return Json::object({{"entry", number},
                       {"time", time_text(time)},
                       {"kind", event.kind},
                       {"who", event.who},
                       {"subject", event.subject},
                       {"details", event.details},
                       {"previous", previous},
                       {"hash", hash}});
}

Result<std::unique_ptr<AuditTrail>> AuditTrail::open(const std::filesystem::path& place, Clock clock) {
  GAUZE_TRY(auto file, SqliteFile::open(place, SqliteFile::Access::create, kWait, "file of records"));
  GAUZE_TRY_VOID(file->make_durable());
  {
    GAUZE_TRY(SqliteTransaction transaction, SqliteTransaction::begin(*file, true));
    GAUZE_TRY(const std::int64_t id, file->whole("PRAGMA application_id"));
    GAUZE_TRY(const std::int64_t objects, file->whole("SELECT count(*) FROM sqlite_schema"));
    if (id == 0 && objects == 0) {
      GAUZE_TRY_VOID(file->execute(fmt::format("PRAGMA application_id={}", kApplicationId).c_str()));
      GAUZE_TRY_VOID(file->execute(fmt::format("PRAGMA user_version={}", kVersion).c_str()));
      GAUZE_TRY_VOID(file->execute(kTables));
    }
    GAUZE_TRY_VOID(transaction.commit());
  }
  GAUZE_TRY_VOID(check_format(*file));
  std::unique_ptr<AuditTrail> trail(new AuditTrail(std::move(file), std::move(clock)));
  // Nothing is added to a chain that is broken; a million entries take a second.
  GAUZE_TRY_VOID(trail->verify(std::nullopt));
  {
    GAUZE_TRY(SqliteTransaction transaction, SqliteTransaction::begin(*trail->file_, true));
    trail->file_->set_checked();
    GAUZE_TRY_VOID(transaction.commit());
  }
  GAUZE_TRY_VOID(trail->load_head());
  return trail;
}

Result<std::unique_ptr<AuditTrail>> AuditTrail::open_read_only(const std::filesystem::path& place) {
  GAUZE_TRY(auto file, SqliteFile::open(place, SqliteFile::Access::read, kWait, "file of records"));
  GAUZE_TRY_VOID(check_format(*file));
  std::unique_ptr<AuditTrail> trail(new AuditTrail(std::move(file), {}));
  GAUZE_TRY_VOID(trail->load_head());
  return trail;
}

Result<void> AuditTrail::load_head() {
  GAUZE_TRY(SqliteStatement last,
            file_->prepare("SELECT number, time, hash FROM trail ORDER BY number DESC LIMIT 1"));
  GAUZE_TRY(const bool found, last.step());
  head_ = found ? last.text(2) : no_hash();
  last_number_ = found ? last.whole(0) : 0;
  last_time_ = found ? last.whole(1) : 0;
  return {};
}

Result<void> AuditTrail::record(TrailEvent event) {
  return record(std::move(event), [](SqliteFile&) -> Result<void> { return {}; });
}

Result<void> AuditTrail::record(TrailEvent event, const std::function<Result<void>(SqliteFile&)>& change) {
  const std::lock_guard guard(mutex_);
  GAUZE_TRY(SqliteTransaction transaction, SqliteTransaction::begin(*file_, true));
  GAUZE_TRY_VOID(load_head());
  GAUZE_TRY_VOID(change(*file_));
  TrailEntry entry{.number = last_number_ + 1, .time = clock_(), .event = std::move(event), .previous = head_};
  const std::string details = entry.event.details.dump();
  entry.hash = hash_of(entry, details);
  {
    GAUZE_TRY(SqliteStatement insert, file_->prepare("INSERT INTO trail VALUES (?,?,?,?,?,?,?,?)"));
    GAUZE_TRY_VOID(insert.bind(entry.number)
                       .bind(entry.time)
                       .bind(entry.event.kind)
                       .bind(entry.event.who)
                       .bind(entry.event.subject)
                       .bind(details)
                       .bind(entry.previous)
                       .bind(entry.hash)
                       .run());
  }
  GAUZE_TRY_VOID(transaction.commit());
  head_ = entry.hash;
  last_number_ = entry.number;
  last_time_ = entry.time;
  return {};
}

Result<void> AuditTrail::read(const std::function<Result<void>(SqliteFile&)>& look) const {
  const std::lock_guard guard(mutex_);
  GAUZE_TRY(const SqliteTransaction view, SqliteTransaction::begin(*file_, false));
  return look(*file_);
}

std::string AuditTrail::head() const {
  const std::lock_guard guard(mutex_);
  return head_;
}

std::int64_t AuditTrail::last_time() const {
  const std::lock_guard guard(mutex_);
  return last_time_;
}

Result<std::vector<TrailEntry>> AuditTrail::entries(std::int64_t from, std::int64_t most) const {
  const std::lock_guard guard(mutex_);
  std::vector<TrailEntry> out;
  GAUZE_TRY(SqliteStatement rows,
            file_->prepare(std::string(kColumns) + "WHERE number >= ? ORDER BY number LIMIT ?"));
  rows.bind(from).bind(most);
  for (;;) {
    GAUZE_TRY(const bool more, rows.step());
    if (!more) return out;
    Row row = row_of(rows);
    GAUZE_TRY(row.entry.event.details, read_json(row.details));
    out.push_back(std::move(row.entry));
  }
}

Result<std::optional<TrailEntry>> AuditTrail::last_of(std::string_view kind) const {
  const std::lock_guard guard(mutex_);
  GAUZE_TRY(SqliteStatement rows,
            file_->prepare(std::string(kColumns) + "WHERE kind = ? ORDER BY number DESC LIMIT 1"));
  GAUZE_TRY(const bool found, rows.bind(kind).step());
  if (!found) return std::nullopt;
  Row row = row_of(rows);
  GAUZE_TRY(row.entry.event.details, read_json(row.details));
  return std::optional<TrailEntry>(std::move(row.entry));
}

Result<AuditTrail::Verification> AuditTrail::verify(const std::optional<std::string>& kept_head) const {
  const std::lock_guard guard(mutex_);
  Verification found{.head = no_hash()};
  if (kept_head == no_hash()) found.head_entry = 0;
  GAUZE_TRY(SqliteStatement rows, file_->prepare(std::string(kColumns) + "ORDER BY number"));
  for (;;) {
    GAUZE_TRY(const bool more, rows.step());
    if (!more) break;
    const Row row = row_of(rows);
    ++found.entries;
    if (row.entry.number != found.entries)
      return make_error(ErrorCode::bad_data, "the audit trail breaks: entry {} is missing", found.entries);
    if (row.entry.previous != found.head)
      return make_error(ErrorCode::bad_data, "the audit trail breaks: entry {} does not follow the one before it",
                        row.entry.number);
    if (row.entry.hash != hash_of(row.entry, row.details))
      return make_error(ErrorCode::bad_data, "the audit trail breaks: entry {} was changed", row.entry.number);
    found.head = row.entry.hash;
    if (kept_head == found.head) found.head_entry = row.entry.number;
  }
  if (kept_head && !found.head_entry)
    return make_error(ErrorCode::bad_data,
                      "no entry has the head that was kept: the audit trail was rolled back, cut off or replaced");
  return found;
}

}  // namespace gauze::server
