#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "gauze/base/error.h"

struct sqlite3;
struct sqlite3_stmt;

namespace gauze {

class SqliteFile;

/// A prepared statement, lent by the file for one use and reset afterwards.
class SqliteStatement {
 public:
  SqliteStatement(SqliteFile& file, sqlite3_stmt* statement) : file_(&file), statement_(statement) {}
  SqliteStatement(SqliteStatement&& other) noexcept : file_(other.file_), statement_(other.statement_) {
    other.statement_ = nullptr;
  }
  SqliteStatement& operator=(SqliteStatement&&) = delete;
  ~SqliteStatement();

  /// Binds the next parameter.
  SqliteStatement& bind(std::int64_t value);
  SqliteStatement& bind(std::string_view value);
  /// Binds bytes of any kind, which need not be text.
  SqliteStatement& bind_bytes(std::string_view value);
  SqliteStatement& bind_null();
  /// True when there is a row, false when it is done.
  [[nodiscard]] Result<bool> step();
  /// For statements without rows.
  [[nodiscard]] Result<void> run();

  [[nodiscard]] std::int64_t whole(int column) const;
  [[nodiscard]] std::string text(int column) const;
  [[nodiscard]] std::string bytes(int column) const;
  [[nodiscard]] bool is_null(int column) const;

 private:
  SqliteFile* file_;
  sqlite3_stmt* statement_;
  int bound_ = 0;
};

/// One connection to a SQLite file. Its errors are Gauze's: they name the file and the remedy, and quote nothing that
/// is in it.
class SqliteFile {
 public:
  enum class Access { read, write, create };

  /// `what` is the file to people: "ledger".
  [[nodiscard]] static Result<std::unique_ptr<SqliteFile>> open(const std::filesystem::path& path, Access access,
                                                                int busy_milliseconds,
                                                                std::string_view what = "ledger");
  /// Changes are on the disk when a transaction ends, and no log lies beside the file.
  [[nodiscard]] Result<void> make_durable();
  SqliteFile(const SqliteFile&) = delete;
  SqliteFile& operator=(const SqliteFile&) = delete;
  ~SqliteFile();

  [[nodiscard]] Result<void> execute(const char* sql);
  /// Takes a file of format 1 out of SQLite's WAL mode: what is in the log goes into the file first. Waits for others.
  /// Settings of the connection are lost.
  [[nodiscard]] Result<void> leave_write_ahead_log();
  [[nodiscard]] Result<SqliteStatement> prepare(std::string_view sql);
  /// The first column of the first row; 0 when there is none.
  [[nodiscard]] Result<std::int64_t> whole(std::string_view sql);

  /// `bad_data` when the file ends within a page, which SQLite would fill up with zeros.
  [[nodiscard]] Result<void> check_size();
  /// `io` when the file is no longer where it was opened, has a second name (a hard link), or is itself a mount point.
  /// SQLite finds the journal by the name, so what crashes under one name would not be repaired under the other.
  [[nodiscard]] Result<void> check_place() const;
  /// Whether someone began to change the file and did not come to the end, or another program has changed it
  /// (guarded_vfs.h): then all of it must be checked before anything is granted. To be asked in a transaction that may
  /// write.
  [[nodiscard]] bool needs_check() const;
  void set_checked();

  [[nodiscard]] Error error(int code) const;
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::filesystem::path& place() const { return place_; }

 private:
  SqliteFile(std::string what, std::string name, std::filesystem::path place, int busy_milliseconds)
      : what_(std::move(what)),
        name_(std::move(name)),
        place_(std::move(place)),
        busy_milliseconds_(busy_milliseconds) {}
  [[nodiscard]] Result<void> connect(const std::string& address, int flags);
  void disconnect();
  [[nodiscard]] Error moved_away() const;
  static int wait_for_others(void* self, int before);

  std::string what_;             ///< for messages
  std::string name_;             ///< as given, for messages
  std::filesystem::path place_;  ///< absolute, symbolic links followed: the journal lies beside it
  int busy_milliseconds_;
  std::chrono::steady_clock::time_point waiting_since_;
  sqlite3* connection_ = nullptr;
  std::unordered_map<std::string, sqlite3_stmt*> statements_;
};

/// A transaction that is rolled back unless it is committed.
class SqliteTransaction {
 public:
  /// `immediate` takes the right to write at once; without it the transaction is one consistent view for reading.
  [[nodiscard]] static Result<SqliteTransaction> begin(SqliteFile& file, bool immediate);
  SqliteTransaction(SqliteTransaction&& other) noexcept : file_(other.file_) { other.file_ = nullptr; }
  SqliteTransaction& operator=(SqliteTransaction&&) = delete;
  ~SqliteTransaction();

  /// On success the changes are on the disk.
  [[nodiscard]] Result<void> commit();

 private:
  explicit SqliteTransaction(SqliteFile& file) : file_(&file) {}
  SqliteFile* file_;
};

}  // namespace gauze
