#include "gauze/ledger/sqlite_file.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <random>
#include <string_view>
#include <system_error>
#include <thread>

#include "gauze/ledger/internal/guarded_vfs.h"

namespace gauze {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kSmallestPage = 512;  // SQLite would take a smaller file for an empty one

/// A path as part of a file: address, where ?, # and % have meanings.
std::string address_of(const std::string& path) {
  std::string address = "file:";
  for (const char c : path) {
    if (c == '?' || c == '#' || c == '%') {
      address += fmt::format("%{:02x}", static_cast<unsigned>(c));
    } else {
      address += c;
    }
  }
  return address + "?immutable=1";
}

bool has_side_file(const fs::path& place, const char* suffix) {
  std::error_code problem;
  const auto size = fs::file_size(place.string() + suffix, problem);
  return !problem && size > 0;
}

/// Whether the file, of format 1, has changes beside it that are not in it yet.
bool has_write_ahead_log(const fs::path& place) { return has_side_file(place, "-wal"); }

/// What can be told from outside, before SQLite touches anything. Only stat: opening the file here and closing it
/// again would drop the locks this process has on it.
Result<void> check_before_opening(const fs::path& place, const std::string& name, std::string_view what) {
  std::error_code problem;
  if (fs::is_directory(place, problem)) {
    return make_error(ErrorCode::io, "'{}' is a folder, not a {}", name, what);
  }
  // The log first: whoever makes a ledger fills the file before the log.
  const bool log = has_write_ahead_log(place);
  const auto size = fs::file_size(place, problem);
  if (log && (problem || size == 0)) {  // SQLite would delete the log, and with it what was recorded last
    return make_error(ErrorCode::bad_data,
                      "the {1} '{0}' is gone or empty, but the log '{0}-wal' beside it is not. Nothing was changed; "
                      "restore the file, or move the log away to begin anew",
                      name, what);
  }
  if (!problem && size > 0 && size < kSmallestPage) {
    return make_error(ErrorCode::bad_data, "'{}' is not a {}", name, what);
  }
  return {};
}

/// Whether the open file begins as files of SQLite do. By SQLite's own descriptor, and without a statement, which might roll a journal
/// back.
bool begins_as_database(sqlite3* connection) {
  constexpr std::string_view kMagic("SQLite format 3\0", 16);
  sqlite3_file* file = nullptr;
  std::array<char, kMagic.size()> beginning{};
  if (sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK || file == nullptr ||
      file->pMethods == nullptr)
    return true;
  const int code = file->pMethods->xRead(file, beginning.data(), static_cast<int>(beginning.size()), 0);
  return code != SQLITE_OK || std::string_view(beginning.data(), beginning.size()) == kMagic;
}

/// Makes the file, empty and for its owner alone, unless something is there. Without opening it: closing it again would
/// drop the locks this process has on it.
Result<void> make_file(const fs::path& place, const std::string& name, std::string_view what) {
  if (::mknod(place.c_str(), S_IFREG | 0600, 0) == 0 || errno == EEXIST) return {};
  return make_error(ErrorCode::io, "cannot make the {} '{}': {}", what, name, std::generic_category().message(errno));
}

/// Whether the file is where another file system, or another name of a file, was mounted on a single file.
bool is_mount_point(const fs::path& place) {
  struct statx found {};
  if (::statx(AT_FDCWD, place.c_str(), 0, STATX_BASIC_STATS, &found) != 0) return false;
  return (found.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
}

}  // namespace

SqliteStatement::~SqliteStatement() {
  if (statement_ == nullptr) return;
  sqlite3_reset(statement_);
  sqlite3_clear_bindings(statement_);
}

// A bind fails for lack of memory or by a wrong index only; the step after it then reports it.
SqliteStatement& SqliteStatement::bind(std::int64_t value) {
  sqlite3_bind_int64(statement_, ++bound_, value);
  return *this;
}

SqliteStatement& SqliteStatement::bind(std::string_view value) {
  sqlite3_bind_text64(statement_, ++bound_, value.data(), value.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  return *this;
}

SqliteStatement& SqliteStatement::bind_bytes(std::string_view value) {
  if (value.empty()) {  // a null pointer would bind NULL
    sqlite3_bind_zeroblob(statement_, ++bound_, 0);
  } else {
    sqlite3_bind_blob64(statement_, ++bound_, value.data(), value.size(), SQLITE_TRANSIENT);
  }
  return *this;
}

SqliteStatement& SqliteStatement::bind_null() {
  sqlite3_bind_null(statement_, ++bound_);
  return *this;
}

Result<bool> SqliteStatement::step() {
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return tl::unexpected<Error>(file_->error(code));
}

Result<void> SqliteStatement::run() {
  GAUZE_TRY_VOID(step());
  return {};
}

std::int64_t SqliteStatement::whole(int column) const { return sqlite3_column_int64(statement_, column); }

std::string SqliteStatement::text(int column) const {
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  if (bytes == nullptr) return {};
  return {bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

std::string SqliteStatement::bytes(int column) const {
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_, column));
  if (bytes == nullptr) return {};
  return {bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

bool SqliteStatement::is_null(int column) const { return sqlite3_column_type(statement_, column) == SQLITE_NULL; }

Result<std::unique_ptr<SqliteFile>> SqliteFile::open(const fs::path& path, Access access, int busy_milliseconds,
                                                     std::string_view what) {
  std::error_code problem;
  fs::path place = fs::absolute(path, problem);  // a name such as ":memory:" or "file:x" is a plain name
  if (!problem) place = fs::weakly_canonical(place, problem);
  if (problem) return make_error(ErrorCode::io, "cannot open '{}': {}", path.string(), problem.message());
  GAUZE_TRY_VOID(check_before_opening(place, path.string(), what));
  if (access != Access::create && !fs::exists(place, problem)) {
    const std::string_view remedy = what == "ledger" ? "; 'gauze ledger create' makes one" : "";
    return make_error(ErrorCode::io, "there is no {} at '{}'{}", what, path.string(), remedy);
  }
  if (access == Access::create) GAUZE_TRY_VOID(make_file(place, path.string(), what));
  std::unique_ptr<SqliteFile> file(new SqliteFile(std::string(what), path.string(), place, busy_milliseconds));
  GAUZE_TRY_VOID(file->connect(place.string(), SQLITE_OPEN_READWRITE));
  if (access == Access::read) {
    // A copy on a medium that cannot be written has no place for the files beside it that reading would make. It is
    // read as it is, unless something beside it says that it is not whole.
    const auto probe = file->whole("PRAGMA schema_version");
    const bool alone = !has_write_ahead_log(place) && !has_side_file(place, "-journal");
    if (!probe && probe.error().code == ErrorCode::io && alone) {
      std::unique_ptr<SqliteFile> copy(new SqliteFile(std::string(what), path.string(), place, busy_milliseconds));
      const auto connected = copy->connect(address_of(place.string()), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
      if (connected && copy->whole("PRAGMA schema_version")) file = std::move(copy);
    }
    GAUZE_TRY_VOID(file->execute("PRAGMA query_only=ON"));
  }
  if (access != Access::read) GAUZE_TRY_VOID(file->check_place());
  return file;
}

Result<void> SqliteFile::connect(const std::string& address, int flags) {
  const int code = sqlite3_open_v2(address.c_str(), &connection_, flags, internal::guarded_vfs());
  if (connection_ == nullptr) return make_error(ErrorCode::internal, "there is not enough memory for this");
  if (code != SQLITE_OK) return tl::unexpected<Error>(error(code));
  sqlite3_extended_result_codes(connection_, 1);
  sqlite3_busy_handler(connection_, &SqliteFile::wait_for_others, this);
  // A file from elsewhere must not run code of its own, nor may SQL reach into the file's inner tables.
  sqlite3_db_config(connection_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(connection_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  return {};
}

SqliteFile::~SqliteFile() { disconnect(); }

void SqliteFile::disconnect() {
  for (const auto& [sql, statement] : statements_) sqlite3_finalize(statement);
  statements_.clear();
  sqlite3_close(connection_);
  connection_ = nullptr;
}

Result<void> SqliteFile::execute(const char* sql) {
  const int code = sqlite3_exec(connection_, sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return tl::unexpected<Error>(error(code));
  return {};
}

// Short waits, since a change takes a few syncs of the disk: SQLite's own grow to a tenth of a second, in which a file
// with several writers stands still.
int SqliteFile::wait_for_others(void* self, int before) {
  auto& file = *static_cast<SqliteFile*>(self);
  const auto now = std::chrono::steady_clock::now();
  if (before == 0) file.waiting_since_ = now;
  if (now - file.waiting_since_ > std::chrono::milliseconds(file.busy_milliseconds_)) return 0;
  std::this_thread::sleep_for(std::chrono::milliseconds(std::clamp(before / 8, 1, 10)));
  return 1;
}

Result<void> SqliteFile::leave_write_ahead_log() {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(busy_milliseconds_);
  std::minstd_rand random(std::random_device{}());
  for (;;) {
    {
      GAUZE_TRY(SqliteStatement statement, prepare("PRAGMA journal_mode=DELETE"));
      const auto row = statement.step();
      if (row && statement.text(0) == "delete") return {};
      const int reason = sqlite3_errcode(connection_) & 0xff;
      if (!row && reason != SQLITE_BUSY && reason != SQLITE_LOCKED) return tl::unexpected<Error>(row.error());
    }
    if (std::chrono::steady_clock::now() > deadline) return tl::unexpected<Error>(error(SQLITE_BUSY));
    // SQLite does not wait by itself for those who still use the log; and who waits here uses it, too. So that two of
    // them do not wait for each other, each lets go of the file for a while.
    disconnect();
    std::this_thread::sleep_for(std::chrono::milliseconds(1 + random() % 20));
    GAUZE_TRY_VOID(connect(place_.string(), SQLITE_OPEN_READWRITE));
  }
}

Result<SqliteStatement> SqliteFile::prepare(std::string_view sql) {
  auto& statement = statements_[std::string(sql)];
  if (statement == nullptr) {
    const int code = sqlite3_prepare_v3(connection_, sql.data(), static_cast<int>(sql.size()),
                                        SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
    if (code != SQLITE_OK) return tl::unexpected<Error>(error(code));
  }
  return SqliteStatement(*this, statement);
}

Result<std::int64_t> SqliteFile::whole(std::string_view sql) {
  GAUZE_TRY(SqliteStatement statement, prepare(sql));
  GAUZE_TRY(const bool row, statement.step());
  return row ? statement.whole(0) : 0;
}

Result<void> SqliteFile::check_size() {
  GAUZE_TRY(const std::int64_t page, whole("PRAGMA page_size"));
  std::error_code problem;
  const auto size = fs::file_size(place_, problem);
  // While others write to a file of format 1, pages may be on their way from the log beside the file into it.
  if (problem || page == 0 || has_write_ahead_log(place_) || size % static_cast<std::uintmax_t>(page) == 0) return {};
  return tl::unexpected<Error>(error(begins_as_database(connection_) ? SQLITE_CORRUPT : SQLITE_NOTADB));
}

Result<void> SqliteFile::check_place() const {
  int moved = 0;
  sqlite3_file_control(connection_, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
  if (moved != 0) return tl::unexpected<Error>(moved_away());
  if (is_mount_point(place_)) {
    return make_error(ErrorCode::io,
                      "the {} '{}' is itself a mount point: under this name it has no folder in common with its "
                      "other name, where a journal would lie after a crash; nothing was recorded. Mount the folder "
                      "that holds it",
                      what_, name_);
  }
  std::error_code problem;
  const auto names = fs::hard_link_count(place_, problem);
  if (problem || names <= 1) return {};
  return make_error(ErrorCode::io,
                    "the {} '{}' is one file with {} names (hard links), and each would have a journal of its own; "
                    "nothing was recorded. Keep one name{}",
                    what_, name_, names, what_ == "ledger" ? ", and copy with 'gauze ledger export'" : "");
}

Result<void> SqliteFile::make_durable() {
  GAUZE_TRY_VOID(leave_write_ahead_log());
  GAUZE_TRY_VOID(execute("PRAGMA foreign_keys=ON"));
  return execute("PRAGMA synchronous=EXTRA");
}

bool SqliteFile::needs_check() const { return internal::needs_check(connection_); }
void SqliteFile::set_checked() { internal::set_checked(connection_); }

Error SqliteFile::moved_away() const {
  return {ErrorCode::io,
          fmt::format("the {} '{}' was moved, replaced or deleted while it was open; nothing was recorded", what_,
                      name_)};
}

Error SqliteFile::error(int code) const {
  const int number = sqlite3_system_errno(connection_);
  const std::string reason = number != 0 ? ": " + std::generic_category().message(number) : std::string();
  switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_PROTOCOL:
      return {ErrorCode::io,
              fmt::format("the {} '{}' is locked by another process (waited {} ms); nothing was recorded, try "
                          "again",
                          what_, name_, busy_milliseconds_)};
    case SQLITE_READONLY:
      if (code == SQLITE_READONLY_DBMOVED) return moved_away();
      [[fallthrough]];
    case SQLITE_PERM:
      return {ErrorCode::io, fmt::format("the {} '{}' is read-only; nothing was recorded", what_, name_)};
    case SQLITE_FULL:
      return {ErrorCode::io, fmt::format("the disk is full: '{}' cannot grow; nothing was recorded", name_)};
    case SQLITE_NOTADB:
      return {ErrorCode::bad_data, fmt::format("'{}' is not a {}", name_, what_)};
    case SQLITE_CORRUPT:
      return {ErrorCode::bad_data,
              fmt::format("the {} '{}' is damaged: cut off or overwritten. Nothing was changed; keep the file and "
                          "restore a copy",
                          what_, name_)};
    case SQLITE_CANTOPEN:
      return {ErrorCode::io,
              fmt::format("cannot open the {} '{}'{}; the folder must be there and writable", what_, name_, reason)};
    case SQLITE_IOERR:
      if (code == SQLITE_IOERR_CORRUPTFS) {
        return {
            ErrorCode::bad_data,
            fmt::format("a change of the {1} '{0}' was interrupted, and the journal '{0}-journal' beside it is not "
                        "the one of that change. Nothing was changed; put the right journal back, or move this one "
                        "away: the whole {1} is then checked before anything is granted",
                        name_, what_)};
      }
      if (code == SQLITE_IOERR_WRITE) {  // a quota, a limit of the process; SQLite keeps no certain reason
        return {ErrorCode::io, fmt::format("cannot write the {} '{}': the disk or the quota is full, or the device "
                                           "fails; nothing was recorded",
                                           what_, name_)};
      }
      return {ErrorCode::io, fmt::format("cannot read or write the {} '{}'{}", what_, name_, reason)};
    case SQLITE_CONSTRAINT:
      return {ErrorCode::bad_data, fmt::format("the tables of '{}' contradict each other{}", name_,
                                               what_ == "ledger" ? "; 'gauze ledger verify' tells where" : "")};
    case SQLITE_ERROR:
      return {ErrorCode::bad_data, fmt::format("'{}' has not the tables of a {}", name_, what_)};
    case SQLITE_NOMEM:
      return {ErrorCode::internal, "there is not enough memory for this"};
    default:
      return {ErrorCode::internal, fmt::format("the {} '{}' failed with SQLite's code {}", what_, name_, code)};
  }
}

Result<SqliteTransaction> SqliteTransaction::begin(SqliteFile& file, bool immediate) {
  GAUZE_TRY(SqliteStatement statement, file.prepare(immediate ? "BEGIN IMMEDIATE" : "BEGIN"));
  GAUZE_TRY_VOID(statement.run());
  SqliteTransaction transaction(file);
  if (immediate) {
    // Nothing new is written: but so the journal begins with the first page, by which it is known (guarded_vfs.h).
    GAUZE_TRY(const std::int64_t version, file.whole("PRAGMA user_version"));
    GAUZE_TRY_VOID(file.execute(fmt::format("PRAGMA user_version={}", version).c_str()));
  }
  return transaction;
}

SqliteTransaction::~SqliteTransaction() {
  if (file_ == nullptr) return;
  if (auto rollback = file_->prepare("ROLLBACK")) static_cast<void>(rollback->run());
}

Result<void> SqliteTransaction::commit() {
  GAUZE_TRY(SqliteStatement statement, file_->prepare("COMMIT"));
  GAUZE_TRY_VOID(statement.run());
  file_ = nullptr;
  return {};
}

}  // namespace gauze
