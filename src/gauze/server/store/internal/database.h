#pragma once
// RocksDB behind Result. Rows come sealed: what is in here may lie on a disk.

#include <rocksdb/db.h>
#include <rocksdb/write_batch.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/files/file_descriptor.h"

namespace gauze::server::internal {

/// In the folder of a store.
inline constexpr std::string_view kRowsFolder = "rows";

/// A column family. Its handle lives as long as anybody holds it.
class Family {
 public:
  Family(rocksdb::DB& db, rocksdb::ColumnFamilyHandle* handle) : db_(db), handle_(handle) {}
  Family(const Family&) = delete;
  Family& operator=(const Family&) = delete;
  ~Family() { db_.DestroyColumnFamilyHandle(handle_).PermitUncheckedError(); }
  [[nodiscard]] rocksdb::ColumnFamilyHandle* handle() const { return handle_; }
  [[nodiscard]] const std::string& name() const { return handle_->GetName(); }

 private:
  rocksdb::DB& db_;
  rocksdb::ColumnFamilyHandle* handle_;
};
using FamilyPointer = std::shared_ptr<Family>;

[[nodiscard]] inline std::string_view view_of(const rocksdb::Slice& slice) { return {slice.data(), slice.size()}; }
[[nodiscard]] inline rocksdb::Slice slice_of(std::string_view text) { return {text.data(), text.size()}; }

/// `bad_data` for what is damaged, `io` for anything else: what kind of failure it was, without RocksDB's words and the names of its files.
[[nodiscard]] tl::unexpected<Error> store_error(std::string_view doing, const rocksdb::Status& status);

/// Makes a folder, and those above it that are not there, for its owner alone from the beginning. False: it was there.
[[nodiscard]] Result<bool> make_private_folder(const std::filesystem::path& folder);
/// Whether a file of so many bytes can be written in a folder now.
[[nodiscard]] Result<void> check_room(const std::filesystem::path& folder, std::uint64_t bytes);

struct DatabaseLimits {
  std::size_t write_buffer_bytes = std::size_t{64} << 20U;  ///< of all families together
  std::size_t cache_bytes = std::size_t{64} << 20U;
  int open_files = 512;
};

/// One folder, in which one process works at a time. Its files and folders, and those of its copies, are for their owner alone.
class Database {
 public:
  /// Opens or creates. `io` when another process has the folder or it cannot be written.
  [[nodiscard]] static Result<std::unique_ptr<Database>> open(const std::filesystem::path& folder,
                                                              const DatabaseLimits& limits);
  ~Database();

  /// Those that were there when it was opened, and were made since, by name; not the default one.
  [[nodiscard]] std::vector<FamilyPointer> families() const;
  [[nodiscard]] FamilyPointer find_family(const std::string& name) const;
  [[nodiscard]] Result<FamilyPointer> create_family(const std::string& name);
  /// Its rows are gone from the files once nobody reads them and flush() has run.
  [[nodiscard]] Result<void> drop_family(const FamilyPointer& family);
  [[nodiscard]] rocksdb::ColumnFamilyHandle* meta() const { return default_->handle(); }

  /// When a write, or a change of families, fails nobody knows what of it is on the disk: nothing is written any more until the folder is
  /// opened anew.
  [[nodiscard]] Result<void> write(rocksdb::WriteBatch& batch, bool sync);
  [[nodiscard]] Result<void> check_writable() const;
  [[nodiscard]] Result<std::optional<std::string>> get(rocksdb::ColumnFamilyHandle* family,
                                                       std::string_view key) const;
  /// Has everything in tables, and the log empty.
  [[nodiscard]] Result<void> flush();
  [[nodiscard]] rocksdb::DB& db() const { return *db_; }
  [[nodiscard]] std::uint64_t table_bytes() const;
  /// Of what is in memory and in the log alone, and is written into tables when the folder is opened anew.
  [[nodiscard]] std::uint64_t memory_bytes() const;
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

 private:
  explicit Database(std::filesystem::path folder, FileDescriptor lock)
      : folder_(std::move(folder)), lock_(std::move(lock)) {}
  [[nodiscard]] rocksdb::Options options_of(const DatabaseLimits& limits) const;
  /// The error, which ends all writing.
  [[nodiscard]] tl::unexpected<Error> failed(std::string_view doing, const rocksdb::Status& status);
  [[nodiscard]] std::uint64_t sum_of(std::span<const char* const> properties) const;

  std::filesystem::path folder_;
  FileDescriptor lock_;
  std::unique_ptr<rocksdb::DB> db_;
  mutable std::mutex mutex_;
  FamilyPointer default_;
  std::map<std::string, FamilyPointer> families_;
  std::optional<Error> failure_;
};

/// Rows of a family from a key on, as long as `each` gives true; what it gives an error for ends the reading. `snapshot` may be null.
[[nodiscard]] Result<void> for_rows(const Database& database, rocksdb::ColumnFamilyHandle* family,
                                    const rocksdb::Snapshot* snapshot, std::string_view from,
                                    const std::function<Result<bool>(std::string_view, std::string_view)>& each);

}  // namespace gauze::server::internal
