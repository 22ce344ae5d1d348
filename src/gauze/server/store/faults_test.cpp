// What goes wrong around a store: keys, files, disks, a second process.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <set>
#include <thread>

#include "gauze/server/store/internal/database.h"
#include "gauze/server/store/internal/report_rows.h"
#include "gauze/server/store/testing/child_process.h"
#include "gauze/server/store/testing/store_fixture.h"

namespace gauze::server {
namespace faults_test {

using namespace gauze::server::testing;  // NOLINT(google-build-using-namespace)
using ::testing::HasSubstr;

class StoreFaults : public StoreTest {
 protected:
  /// What opening says; it must fail.
  [[nodiscard]] Error opening() {
    store_.reset();
    const auto store = ReportStore::open(options(), tasks());
    EXPECT_FALSE(store);
    return store ? Error{} : store.error();
  }
};

TEST_F(StoreFaults, ASecondStoreOnTheFolderIsRefused) {
  open();
  const auto second = ReportStore::open(options(), tasks());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::io);
  EXPECT_THAT(second.error().message, HasSubstr("another process"));
  EXPECT_EQ(ingest(block_of(tasks_[0], {}, "\1")).accepted, 1U) << "the first goes on";
}

TEST_F(StoreFaults, TheKeyFileOfAnotherStoreIsRefused) {
  open();
  ingest(block_of(tasks_[0], {}, "\1"));
  store_.reset();
  keys_.reset();
  std::filesystem::rename(folder_ / "keys", folder_ / "keys.own");
  std::filesystem::rename(folder_ / "kek", folder_ / "kek.own");
  open_keys(true);
  EXPECT_EQ(opening().code, ErrorCode::not_authorised);
  keys_.reset();
  std::filesystem::rename(folder_ / "keys.own", folder_ / "keys");
  std::filesystem::rename(folder_ / "kek.own", folder_ / "kek");
  open_keys();
  open();
  EXPECT_EQ(aggregate(tasks_[0]).reports(), 1U);
}

TEST_F(StoreFaults, AKeyFileInUseIsNotMadeThatOfAnEmptyFolder) {
  open();
  ingest(block_of(tasks_[0], {}, "\1"));
  store_.reset();
  std::filesystem::rename(folder_ / "store", folder_ / "away");
  EXPECT_EQ(opening().code, ErrorCode::bad_data);
  std::filesystem::remove_all(folder_ / "store");
  std::filesystem::rename(folder_ / "away", folder_ / "store");
  open();
  EXPECT_EQ(aggregate(tasks_[0]).reports(), 1U);
  EXPECT_EQ(check().different, 0U);
}

TEST_F(StoreFaults, AnOlderCopyOfTheKeyFileIsRefused) {
  open();
  std::filesystem::copy(folder_ / "keys", folder_ / "older");
  ingest(block_of(tasks_[0], {}, "\1"));
  store_.reset();
  keys_.reset();
  std::filesystem::copy(folder_ / "older", folder_ / "keys", std::filesystem::copy_options::overwrite_existing);
  open_keys();
  const Error error = opening();
  EXPECT_EQ(error.code, ErrorCode::bad_data);
  EXPECT_THAT(error.message, HasSubstr("key"));
}

TEST_F(StoreFaults, AnOlderCopyOfTheStoreOpensWithoutWhatWasSweptSince) {
  tasks_ = {central_task(1), central_task(2)};
  tasks_[0].retention_days = 1;
  open();
  const std::string record(16, '\1');
  ingest(block_of(tasks_[0], {.id = 1}, record) + block_of(tasks_[1], {.id = 2}, record));
  const Folder elsewhere;
  ASSERT_TRUE(store_->backup(elsewhere.path() / "copy"));
  now_ += kSecondsPerDay;
  sweep(kFirstDay + 1);
  auto with = options();
  with.folder = elsewhere.path() / "copy";
  open(with);
  EXPECT_TRUE(payloads(tasks_[0]).empty());
  EXPECT_EQ(payloads(tasks_[1]).size(), 1U);
  store_.reset();
}

TEST_F(StoreFaults, AFolderThatCannotBeMadeOrWrittenIsAnErrorOfInputAndOutput) {
  folder_.write("file", "x");
  auto with = options();
  with.folder = folder_ / "file";
  const auto store = ReportStore::open(with, tasks());
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, ErrorCode::io);
  with.folder = "/proc/gauze";
  EXPECT_EQ(ReportStore::open(with, tasks()).error().code, ErrorCode::io);
}

TEST_F(StoreFaults, DamagedFilesAreNamedAsSuch) {
  open();
  for (std::uint64_t id = 0; id < 20; ++id) ingest(block_of(tasks_[0], {.id = id}, "\1"));
  store_.reset();
  for (const auto& entry : std::filesystem::directory_iterator(folder_ / "store/rows"))
    if (entry.path().filename().string().starts_with("MANIFEST"))
      std::filesystem::resize_file(entry.path(), std::filesystem::file_size(entry.path()) / 2);
  const Error error = opening();
  EXPECT_THAT(error.code, ::testing::AnyOf(ErrorCode::bad_data, ErrorCode::io));
  EXPECT_FALSE(error.message.empty());
}

TEST_F(StoreFaults, AChangedRowIsFoundAndNothingIsToldFromIt) {
  tasks_ = {central_task(1)};
  open();
  ingest(block_of(tasks_[0], {.id = 1}, std::string(16, '\1')) +
         block_of(tasks_[0], {.id = 2}, std::string(16, '\2')));
  store_.reset();
  {
    // The values of the two rows change places: both are whole, but not those of their rows.
    const auto database = internal::Database::open(folder_ / "store", {});
    ASSERT_TRUE(database);
    for (const auto& family : (*database)->families()) {
      std::vector<std::pair<std::string, std::string>> rows;
      ASSERT_TRUE(
          internal::for_rows(**database, family->handle(), nullptr, "R", [&](auto row, auto value) -> Result<bool> {
            if (row.front() == 'R') rows.emplace_back(row, value);
            return true;
          }));
      rocksdb::WriteBatch batch;
      if (rows.size() != 2) continue;
      batch.Put(family->handle(), rows[0].first, rows[1].second);
      batch.Put(family->handle(), rows[1].first, rows[0].second);
      ASSERT_TRUE((*database)->write(batch, true));
    }
  }
  open();
  std::size_t told = 0;
  const auto scanned = store_->scan(tasks_[0].hash, {}, [&](const StoredBlock&) -> Result<void> {
    ++told;
    return {};
  });
  ASSERT_FALSE(scanned);
  EXPECT_EQ(scanned.error().code, ErrorCode::bad_data);
  EXPECT_EQ(told, 0U);
  EXPECT_EQ(store_->check(tasks()).error().code, ErrorCode::bad_data);
}

TEST_F(StoreFaults, ReportsOfATaskThatTheDirectoryHasLostAreAnError) {
  open();
  ingest(block_of(tasks_[0], {}, "\1"));
  tasks_.clear();
  EXPECT_EQ(opening().code, ErrorCode::bad_data);
}

TEST_F(StoreFaults, ACheckFindsAStateThatIsNotTheRecount) {
  open();
  ingest(block_of(tasks_[0], {.id = 1}, "\1\1"));
  store_.reset();
  {
    // A block whose row is gone, behind the back of the store.
    const auto database = internal::Database::open(folder_ / "store", {});
    ASSERT_TRUE(database);
    for (const auto& family : (*database)->families()) {
      if (!family->name().starts_with("reports-")) continue;
      rocksdb::WriteBatch batch;
      batch.DeleteRange(family->handle(), "R", "S");
      ASSERT_TRUE((*database)->write(batch, true));
    }
  }
  open();
  EXPECT_EQ(check().different, 1U);
}

constexpr int kNoRights = 77;

/// Callers that go on while a store recovers: what they ask for is answered, or is an error of input and output.
class Callers {
 public:
  Callers(ReportStore& store, const TaskDirectory& tasks, const std::string& known, const IngestTask& counted) {
    start([&store, &tasks, known] {
      const auto outcome = store.ingest(credential(1), known, tasks);
      return outcome ? outcome->duplicates == 3 : outcome.error().code == ErrorCode::io;
    });
    start([&store, counted] {
      const auto sum = store.aggregate(counted.counting);
      return sum || sum.error().code == ErrorCode::io;
    });
    start([&store, &tasks, task = tasks.find(collect::testing::hash_of(1))->hash] {
      static_cast<void>(store.figures());
      const auto read = store.scan(task, {}, [](const StoredBlock&) { return Result<void>(); });
      return read || read.error().code == ErrorCode::io;
    });
  }
  /// Whether all was answered as it must be.
  [[nodiscard]] bool end() {
    is_over_ = true;
    for (std::thread& thread : threads_) thread.join();
    return is_right_;
  }

 private:
  template <class Call>
  void start(Call call) {
    threads_.emplace_back([this, call = std::move(call)] {
      while (!is_over_) {
        if (!call()) is_right_ = false;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    });
  }
  std::atomic<bool> is_over_ = false;
  std::atomic<bool> is_right_ = true;
  std::vector<std::thread> threads_;
};

int recover_among_callers(ReportStore& store, const TaskDirectory& tasks, const IngestTask& counted) {
  // An opening that fails leaves a store that refuses everything, and can be tried again.
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const auto failed = store.recover(TaskDirectory(std::vector<IngestTask>{}));
  if (failed || failed.error().code != ErrorCode::bad_data || store.is_writable()) return 31;
  const auto refused = store.aggregate(counted.counting);
  if (refused || refused.error().code != ErrorCode::io) return 32;
  const auto recovered = store.recover(tasks);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  return recovered ? 0 : 33;
}

/// Of a store that a failed write has stopped, on a disk with room again.
int recover_in_place(ReportStore& store, const TaskDirectory& tasks, const std::string& known,
                     const IngestTask& counted) {
  const std::uint64_t accepted = store.figures().results.accepted;
  if (store.is_writable()) return 30;
  Callers callers(store, tasks, known, counted);
  const int failure = recover_among_callers(store, tasks, counted);
  if (!callers.end()) return 34;
  if (failure != 0) return failure;
  if (!store.is_writable() || !store.recover(tasks)) return 36;
  return store.figures().results.accepted == accepted ? 0 : 37;
}

/// Takes blocks until there is no room; then nothing may be taken, and with room again all must be there that was acknowledged: in the
/// same store once it has recovered, and in one that is opened anew.
int take_until_full(const std::string& folder, bool recovers, const std::function<int(bool)>& set_room) {
  IngestTask task = central_task(1);
  task.counting.shape.payload_bytes = 4'000;
  const IngestTask counted = local_task(2, 200);
  const TaskDirectory tasks({task, counted});
  if (!KeyEncryptionKey::create_file(folder + "/kek")) return 2;
  const auto key = KeyEncryptionKey::from_file(folder + "/kek");
  auto keys = KeyFile::create(folder + "/keys", *key);
  if (!keys) return 3;
  ReportStore::Options options{.folder = folder + "/store", .keys = *keys, .window = {}};
  options.clock = [] { return kNoon; };
  options.checkpoint_blocks = 4;
  const auto block = [&](std::uint64_t id) {
    return block_of(task, {.id = 2 * id}, std::string(8'000, '\1')) + block_of(counted, {.id = 2 * id + 1}, "\1");
  };
  auto store = ReportStore::open(options, tasks);
  if (!store) return 4;
  if (const int failure = set_room(false); failure != 0) return failure;
  std::uint64_t id = 0;
  for (;; ++id) {
    const auto outcome = (*store)->ingest(credential(1), block(id), tasks);
    if (outcome && outcome->accepted == 3) continue;
    if (outcome || outcome.error().code != ErrorCode::io) return 5;
    if (outcome.error().message.find('/') != std::string::npos) return 13;  // files of the server are not named
    break;
  }
  report_to_parent(id);
  if ((*store)->ingest(credential(1), block(id + 1), tasks)) return 6;
  const auto too_early = (*store)->recover(tasks);
  if (too_early || too_early.error().code != ErrorCode::io || (*store)->is_writable()) return 14;
  if (const int failure = set_room(true); failure != 0) return failure;
  if ((*store)->ingest(credential(1), block(id + 1), tasks)) return 7;  // what failed is not guessed at
  if (recovers) {
    if (const int failure = recover_in_place(**store, tasks, block(0), counted); failure != 0) return failure;
  } else {
    store->reset();
    store = ReportStore::open(options, tasks);
    if (!store) return 8;
  }
  for (std::uint64_t one = 0; one < id; ++one) {
    const auto outcome = (*store)->ingest(credential(1), block(one), tasks);
    if (!outcome || outcome->duplicates != 3) return 9;
  }
  const auto last = (*store)->ingest(credential(1), block(id), tasks);
  if (!last || last->accepted + last->duplicates != 3) return 10;
  const auto sum = (*store)->aggregate(counted.counting);
  if (!sum || sum->aggregate.reports() != id + 1) return 11;
  const auto found = (*store)->check(tasks);
  return found && found->different == 0 ? 0 : 12;
}

int fill_files(const std::string& folder, bool recovers) {
  ::signal(SIGXFSZ, SIG_IGN);
  return take_until_full(folder, recovers, [](bool has_room) {
    rlimit limit{};
    ::getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = has_room ? limit.rlim_max : 400'000;
    return ::setrlimit(RLIMIT_FSIZE, &limit) == 0 ? 0 : 20;
  });
}

/// In a view of the file system of its own a small disk at a place: false when this process may not.
bool mount_disk(const std::string& place) {
  return ::unshare(CLONE_NEWNS) == 0 && ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         ::mount("gauze", place.c_str(), "tmpfs", 0, "size=4m") == 0;
}

int fill_disk(const std::string& folder, bool recovers) {
  if (!mount_disk(folder)) return kNoRights;
  return take_until_full(folder, recovers, [&](bool has_room) {
    if (!has_room) return 0;
    return ::mount("gauze", folder.c_str(), "tmpfs", MS_REMOUNT, "size=64m") == 0 ? 0 : 20;
  });
}

/// A store on a disk that can only be read says so, and is whole when it can be written again.
int open_on_a_disk_for_reading(const std::string& folder) {
  std::filesystem::create_directory(folder + "/disk");
  if (!mount_disk(folder + "/disk")) return kNoRights;
  if (!KeyEncryptionKey::create_file(folder + "/kek")) return 2;
  auto keys = KeyFile::create(folder + "/keys", *KeyEncryptionKey::from_file(folder + "/kek"));
  if (!keys) return 3;
  ReportStore::Options options{.folder = folder + "/disk/store", .keys = *keys, .window = {}};
  options.clock = [] { return kNoon; };
  const TaskDirectory tasks({local_task(1)});
  const std::string block = block_of(local_task(1), {}, "\1");
  {
    auto store = ReportStore::open(options, tasks);
    if (!store || !(*store)->ingest(credential(1), block, tasks)) return 4;
  }
  const std::string disk = folder + "/disk";
  if (::mount("gauze", disk.c_str(), "tmpfs", MS_REMOUNT | MS_RDONLY, "") != 0) return 20;
  const auto refused = ReportStore::open(options, tasks);
  if (refused || refused.error().code != ErrorCode::io) return 5;
  if (::mount("gauze", disk.c_str(), "tmpfs", MS_REMOUNT, "") != 0) return 21;
  auto store = ReportStore::open(options, tasks);
  if (!store) return 6;
  const auto outcome = (*store)->ingest(credential(1), block, tasks);
  if (!outcome || outcome->duplicates != 1) return 7;
  report_to_parent(1);
  return 0;
}

/// A test program that was started as a child does its work and ends.
class FullDiskChild : public ::testing::Environment {
 public:
  void SetUp() override {
    const char* work = std::getenv("GAUZE_STORE_CHILD");
    const std::string folder = work == nullptr ? "" : std::getenv("GAUZE_STORE_CHILD_WORDS");
    const std::string_view name = work == nullptr ? "" : work;
    const bool recovers = name.ends_with("and recover");
    if (name.starts_with("fill files")) ::_exit(fill_files(folder, recovers));
    if (name.starts_with("fill disk")) ::_exit(fill_disk(folder, recovers));
    if (name == "read only") ::_exit(open_on_a_disk_for_reading(folder));
  }
};
const ::testing::Environment* const kFullDiskChild = ::testing::AddGlobalTestEnvironment(new FullDiskChild);

TEST(FullDisk, NothingIsAcknowledgedThatIsNotThereWhenThereIsRoomAgain) {
  for (const std::string work : {"fill files", "fill disk", "fill files and recover", "fill disk and recover"}) {
    const Folder folder;
    const ChildProcess child = start_child(work, folder.path().string());
    int status = 0;
    const auto reports = reports_until_end(child, status);
    ASSERT_TRUE(WIFEXITED(status)) << work;
    if (WEXITSTATUS(status) == kNoRights) GTEST_SKIP() << "only root may mount";
    EXPECT_EQ(WEXITSTATUS(status), 0) << work;
    ASSERT_EQ(reports.size(), 1U) << work;
    EXPECT_GT(reports[0], 10U) << work;
  }
}

TEST(DiskForReading, IsAnErrorUntilItCanBeWrittenAgain) {
  const Folder folder;
  const ChildProcess child = start_child("read only", folder.path().string());
  int status = 0;
  const auto reports = reports_until_end(child, status);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == kNoRights) GTEST_SKIP() << "only root may mount";
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(reports.size(), 1U);
}

}  // namespace faults_test
}  // namespace gauze::server
