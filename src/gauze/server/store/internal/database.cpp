#include "gauze/server/store/internal/database.h"

#include <fcntl.h>
#include <rocksdb/cache.h>
#include <rocksdb/env.h>
#include <rocksdb/file_system.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/table.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdarg>
#include <system_error>

#include "gauze/server/keys/internal/durable_file.h"

namespace gauze::server::internal {
namespace {

constexpr std::string_view kLockName = "lock";
constexpr std::string_view kProbeName = "room";

Result<FileDescriptor> lock_folder(const std::filesystem::path& folder) {
  GAUZE_TRY_VOID(make_private_folder(folder));
  std::error_code failure;
  std::filesystem::permissions(folder, std::filesystem::perms::owner_all, failure);
  const std::filesystem::path place = folder / kLockName;
  FileDescriptor lock(::open(place.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (lock.number() < 0)
    return make_error(ErrorCode::io, "cannot write in '{}': {}", folder.string(),
                      std::generic_category().message(errno));
  if (::flock(lock.number(), LOCK_EX | LOCK_NB) != 0)
    return make_error(ErrorCode::io, "another process works on the store in '{}'", folder.string());
  return lock;
}

/// Keeps no log of its own work: what fails is returned, and on a full disk RocksDB's own logger ends the process.
class SilentLogger final : public rocksdb::Logger {
 public:
  using rocksdb::Logger::Logv;
  void Logv(const char*, va_list) override {}
};

/// The file system, in which what is made is for its owner alone. The folders around it are, so nobody comes in between.
class PrivateFiles final : public rocksdb::FileSystemWrapper {
 public:
  PrivateFiles() : FileSystemWrapper(rocksdb::FileSystem::Default()) {}
  const char* Name() const override { return "gauze-private-files"; }

  rocksdb::IOStatus NewWritableFile(const std::string& file, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* result,
                                    rocksdb::IODebugContext* context) override {
    return made_private(target()->NewWritableFile(file, options, result, context), file, kOwnFile);
  }
  rocksdb::IOStatus ReopenWritableFile(const std::string& file, const rocksdb::FileOptions& options,
                                       std::unique_ptr<rocksdb::FSWritableFile>* result,
                                       rocksdb::IODebugContext* context) override {
    return made_private(target()->ReopenWritableFile(file, options, result, context), file, kOwnFile);
  }
  rocksdb::IOStatus LinkFile(const std::string& from, const std::string& file, const rocksdb::IOOptions& options,
                             rocksdb::IODebugContext* context) override {
    return made_private(target()->LinkFile(from, file, options, context), file, kOwnFile);
  }
  rocksdb::IOStatus LockFile(const std::string& file, const rocksdb::IOOptions& options, rocksdb::FileLock** lock,
                             rocksdb::IODebugContext* context) override {
    return made_private(target()->LockFile(file, options, lock, context), file, kOwnFile);
  }
  rocksdb::IOStatus CreateDir(const std::string& folder, const rocksdb::IOOptions& options,
                              rocksdb::IODebugContext* context) override {
    return made_private(target()->CreateDir(folder, options, context), folder, kOwnFolder);
  }
  rocksdb::IOStatus CreateDirIfMissing(const std::string& folder, const rocksdb::IOOptions& options,
                                       rocksdb::IODebugContext* context) override {
    return made_private(target()->CreateDirIfMissing(folder, options, context), folder, kOwnFolder);
  }

 private:
  static constexpr ::mode_t kOwnFile = 0600;
  static constexpr ::mode_t kOwnFolder = 0700;
  static rocksdb::IOStatus made_private(rocksdb::IOStatus status, const std::string& place, ::mode_t mode) {
    if (status.ok() && ::chmod(place.c_str(), mode) != 0)
      return rocksdb::IOStatus::IOError(std::generic_category().message(errno));
    return status;
  }
};

/// Lives as long as the process, as RocksDB's own does.
rocksdb::Env* private_env() {
  static rocksdb::Env* const env = rocksdb::NewCompositeEnv(std::make_shared<PrivateFiles>()).release();
  return env;
}

std::string_view kind_of(const rocksdb::Status& status) {
  if (status.IsCorruption()) return "its files are damaged";
  // RocksDB tells other reasons by the system's words alone, at the end.
  const std::string text = status.ToString();
  const auto is_any_of = [&](std::initializer_list<int> codes) {
    return std::any_of(codes.begin(), codes.end(),
                       [&](int code) { return text.ends_with(std::generic_category().message(code)); });
  };
  if (status.IsNoSpace() || is_any_of({ENOSPC, EDQUOT, EFBIG})) return "the disk is full";
  if (is_any_of({EROFS})) return "the disk can only be read";
  if (is_any_of({EACCES, EPERM})) return "permission was denied";
  if (is_any_of({EMFILE, ENFILE})) return "too many files are open";
  return "the disk or the file system gave an error";
}

rocksdb::ColumnFamilyOptions family_options(const rocksdb::Options& options) {
  return rocksdb::ColumnFamilyOptions(options);
}

}  // namespace

tl::unexpected<Error> store_error(std::string_view doing, const rocksdb::Status& status) {
  return make_error(status.IsCorruption() ? ErrorCode::bad_data : ErrorCode::io, "{} the store of reports failed: {}",
                    doing, kind_of(status));
}

Result<bool> make_private_folder(const std::filesystem::path& folder) {
  if (::mkdir(folder.c_str(), 0700) == 0) return true;
  int problem = errno;
  if (problem == ENOENT && folder.has_relative_path() && folder.parent_path() != folder) {
    GAUZE_TRY_VOID(make_private_folder(folder.has_parent_path() ? folder.parent_path() : "."));
    if (::mkdir(folder.c_str(), 0700) == 0) return true;
    problem = errno;
  }
  std::error_code failure;
  if (problem == EEXIST && std::filesystem::is_directory(folder, failure)) return false;
  return cannot("make", fmt::format("'{}'", folder.string()), problem);
}

Result<void> check_room(const std::filesystem::path& folder, std::uint64_t bytes) {
  const std::filesystem::path place = folder / kProbeName;
  const FileDescriptor probe(::open(place.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  int problem = probe.number() < 0 ? errno : 0;
  if (problem == 0) problem = ::posix_fallocate(probe.number(), 0, static_cast<::off_t>(bytes));
  if (problem == 0 && ::fsync(probe.number()) != 0) problem = errno;
  ::unlink(place.c_str());
  if (problem == 0) return {};
  return make_error(ErrorCode::io, "there is no room for the store of reports: {}",
                    std::generic_category().message(problem));
}

rocksdb::Options Database::options_of(const DatabaseLimits& limits) const {
  rocksdb::Options options;
  options.env = private_env();
  options.create_if_missing = true;
  options.max_open_files = limits.open_files;
  options.write_buffer_size = limits.write_buffer_bytes / 4;
  options.db_write_buffer_size = limits.write_buffer_bytes;
  // Whatever is in the log is read again at the next start, and stays in it until all families that it tells of are flushed.
  options.max_total_wal_size = limits.write_buffer_bytes;
  options.max_background_jobs = 2;
  options.compression = rocksdb::kNoCompression;  // what is sealed does not become smaller
  options.info_log = std::make_shared<SilentLogger>();
  options.stats_dump_period_sec = 0;
  options.stats_persist_period_sec = 0;
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = rocksdb::NewLRUCache(limits.cache_bytes);
  // Index and filters in pieces of a few kilobytes: those of a whole table of ids are larger than a part of the cache, and would be read
  // from the disk for every id that is looked up.
  table.cache_index_and_filter_blocks = true;
  table.index_type = rocksdb::BlockBasedTableOptions::kTwoLevelIndexSearch;
  table.partition_filters = true;
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  return options;
}

Result<std::unique_ptr<Database>> Database::open(const std::filesystem::path& folder, const DatabaseLimits& limits) {
  GAUZE_TRY(FileDescriptor lock, lock_folder(folder));
  std::unique_ptr<Database> database(new Database(folder, std::move(lock)));
  const rocksdb::Options options = database->options_of(limits);
  const std::string place = (folder / kRowsFolder).string();
  std::vector<std::string> names;
  if (!rocksdb::DB::ListColumnFamilies(options, place, &names).ok() || names.empty())
    names = {rocksdb::kDefaultColumnFamilyName};  // a new one; of a damaged one opening says what is wrong
  std::vector<rocksdb::ColumnFamilyDescriptor> wanted;
  for (const std::string& name : names) wanted.emplace_back(name, family_options(options));
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  rocksdb::DB* db = nullptr;
  const rocksdb::Status status = rocksdb::DB::Open(options, place, wanted, &handles, &db);
  if (!status.ok()) return store_error("opening", status);
  database->db_.reset(db);
  // RocksDB syncs its own folder; those above it have names that must not be lost either.
  GAUZE_TRY_VOID(sync_folder_of(folder / kRowsFolder));
  GAUZE_TRY_VOID(sync_folder_of(std::filesystem::absolute(folder)));
  for (rocksdb::ColumnFamilyHandle* handle : handles) {
    auto family = std::make_shared<Family>(*db, handle);
    if (handle->GetName() == rocksdb::kDefaultColumnFamilyName)
      database->default_ = std::move(family);
    else
      database->families_.emplace(handle->GetName(), std::move(family));
  }
  return database;
}

Database::~Database() {
  families_.clear();
  default_.reset();
  if (db_ != nullptr) db_->Close().PermitUncheckedError();
}

std::vector<FamilyPointer> Database::families() const {
  const std::lock_guard lock(mutex_);
  std::vector<FamilyPointer> all;
  for (const auto& [name, family] : families_) all.push_back(family);
  return all;
}

FamilyPointer Database::find_family(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  const auto place = families_.find(name);
  return place == families_.end() ? nullptr : place->second;
}

Result<FamilyPointer> Database::create_family(const std::string& name) {
  GAUZE_TRY_VOID(check_writable());
  rocksdb::ColumnFamilyHandle* handle = nullptr;
  rocksdb::ColumnFamilyDescriptor like;
  if (const auto status = default_->handle()->GetDescriptor(&like); !status.ok())
    return store_error("changing", status);
  const rocksdb::Status status = db_->CreateColumnFamily(like.options, name, &handle);
  if (!status.ok()) return failed("changing", status);
  auto family = std::make_shared<Family>(*db_, handle);
  const std::lock_guard lock(mutex_);
  families_.emplace(name, family);
  return family;
}

Result<void> Database::drop_family(const FamilyPointer& family) {
  const rocksdb::Status status = db_->DropColumnFamily(family->handle());
  if (!status.ok()) return failed("changing", status);
  const std::lock_guard lock(mutex_);
  families_.erase(family->name());
  return {};
}

Result<void> Database::check_writable() const {
  const std::lock_guard lock(mutex_);
  if (!failure_) return {};
  return make_error(ErrorCode::io, "the store of reports takes nothing until it has recovered: {}",
                    failure_->message);
}

Result<void> Database::write(rocksdb::WriteBatch& batch, bool sync) {
  GAUZE_TRY_VOID(check_writable());
  rocksdb::WriteOptions options;
  options.sync = sync;
  const rocksdb::Status status = db_->Write(options, &batch);
  if (status.ok()) return {};
  return failed("writing", status);
}

tl::unexpected<Error> Database::failed(std::string_view doing, const rocksdb::Status& status) {
  auto error = store_error(doing, status);
  const std::lock_guard lock(mutex_);
  if (!failure_) failure_ = error.value();
  return error;
}

Result<std::optional<std::string>> Database::get(rocksdb::ColumnFamilyHandle* family, std::string_view key) const {
  rocksdb::PinnableSlice value;
  const rocksdb::Status status = db_->Get(rocksdb::ReadOptions(), family, slice_of(key), &value);
  if (status.IsNotFound()) return std::optional<std::string>();
  if (!status.ok()) return store_error("reading", status);
  return std::optional<std::string>(value.ToString());
}

Result<void> Database::flush() {
  std::vector<FamilyPointer> all = families();
  std::vector<rocksdb::ColumnFamilyHandle*> handles = {default_->handle()};
  for (const FamilyPointer& family : all) handles.push_back(family->handle());
  const rocksdb::Status status = db_->Flush(rocksdb::FlushOptions(), handles);
  if (!status.ok()) return failed("flushing", status);
  return {};
}

std::uint64_t Database::table_bytes() const {
  return sum_of(std::array{"rocksdb.total-sst-files-size", "rocksdb.cur-size-all-mem-tables"});
}

std::uint64_t Database::memory_bytes() const { return sum_of(std::array{"rocksdb.cur-size-all-mem-tables"}); }

std::uint64_t Database::sum_of(std::span<const char* const> properties) const {
  std::uint64_t sum = 0;
  for (const char* property : properties) {
    std::uint64_t value = 0;
    if (db_->GetAggregatedIntProperty(property, &value)) sum += value;
  }
  return sum;
}

Result<void> for_rows(const Database& database, rocksdb::ColumnFamilyHandle* family,
                      const rocksdb::Snapshot* snapshot, std::string_view from,
                      const std::function<Result<bool>(std::string_view, std::string_view)>& each) {
  rocksdb::ReadOptions options;
  options.snapshot = snapshot;
  const std::unique_ptr<rocksdb::Iterator> rows(database.db().NewIterator(options, family));
  for (rows->Seek(slice_of(from)); rows->Valid(); rows->Next()) {
    GAUZE_TRY(const bool goes_on, each(view_of(rows->key()), view_of(rows->value())));
    if (!goes_on) return {};
  }
  if (!rows->status().ok()) return store_error("reading", rows->status());
  return {};
}

}  // namespace gauze::server::internal
