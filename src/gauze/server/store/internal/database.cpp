#include "gauze/server/store/internal/database.h"

#include <fcntl.h>
#include <rocksdb/cache.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/table.h>
#include <sys/file.h>

#include <cerrno>
#include <cstdarg>
#include <system_error>

#include "gauze/server/keys/internal/durable_file.h"

namespace gauze::server::internal {
namespace {

constexpr std::string_view kLockName = "lock";

Result<FileDescriptor> lock_folder(const std::filesystem::path& folder) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) return make_error(ErrorCode::io, "cannot make '{}': {}", folder.string(), failure.message());
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

rocksdb::ColumnFamilyOptions family_options(const rocksdb::Options& options) {
  return rocksdb::ColumnFamilyOptions(options);
}

}  // namespace

tl::unexpected<Error> store_error(std::string_view doing, const rocksdb::Status& status) {
  const bool is_damaged = status.IsCorruption();
  return make_error(is_damaged ? ErrorCode::bad_data : ErrorCode::io, "{} the store of reports failed: {}", doing,
                    is_damaged ? std::string("its files are damaged") : status.ToString());
}

rocksdb::Options Database::options_of(const DatabaseLimits& limits) const {
  rocksdb::Options options;
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
  if (!status.ok()) return store_error("changing", status);
  auto family = std::make_shared<Family>(*db_, handle);
  const std::lock_guard lock(mutex_);
  families_.emplace(name, family);
  return family;
}

Result<void> Database::drop_family(const FamilyPointer& family) {
  const rocksdb::Status status = db_->DropColumnFamily(family->handle());
  if (!status.ok()) return store_error("changing", status);
  const std::lock_guard lock(mutex_);
  families_.erase(family->name());
  return {};
}

Result<void> Database::check_writable() const {
  const std::lock_guard lock(mutex_);
  if (!failure_) return {};
  return make_error(ErrorCode::io, "the store of reports takes nothing until it is opened anew: {}",
                    failure_->message);
}

Result<void> Database::write(rocksdb::WriteBatch& batch, bool sync) {
  GAUZE_TRY_VOID(check_writable());
  rocksdb::WriteOptions options;
  options.sync = sync;
  const rocksdb::Status status = db_->Write(options, &batch);
  if (status.ok()) return {};
  auto error = store_error("writing", status);
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
  if (!status.ok()) return store_error("flushing", status);
  return {};
}

std::uint64_t Database::table_bytes() const {
  std::uint64_t sum = 0;
  for (const char* property : {"rocksdb.total-sst-files-size", "rocksdb.cur-size-all-mem-tables"}) {
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
