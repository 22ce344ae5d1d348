#pragma once
// A store in a temporary folder with a clock that stands where it is put.

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/files/testing/folder.h"
#include "gauze/server/store/report_store.h"
#include "gauze/server/store/testing/store_tasks.h"

namespace gauze::server::testing {

class StoreTest : public ::testing::Test {
 protected:
  StoreTest() { open_keys(true); }

  void open_keys(bool is_new = false, CryptoProfile profile = CryptoProfile::standard) {
    keys_.reset();
    if (is_new) {
      ASSERT_TRUE(KeyEncryptionKey::create_file(folder_ / "kek"));
    }
    const auto key = KeyEncryptionKey::from_file(folder_ / "kek");
    ASSERT_TRUE(key) << key.error().message;
    auto keys = is_new ? KeyFile::create(folder_ / "keys", *key, profile) : KeyFile::open(folder_ / "keys", *key);
    ASSERT_TRUE(keys) << keys.error().message;
    keys_ = *keys;
  }

  [[nodiscard]] ReportStore::Options options() {
    return {.folder = folder_ / "store", .keys = keys_, .window = {}, .clock = [this] { return now_.load(); }};
  }
  [[nodiscard]] TaskDirectory tasks() const { return TaskDirectory(tasks_); }

  /// Opens the store, closing it first.
  void open() { open(options()); }
  void open(ReportStore::Options with) {
    store_.reset();
    auto store = ReportStore::open(std::move(with), tasks());
    ASSERT_TRUE(store) << store.error().message;
    store_ = std::move(*store);
  }
  void reopen() {
    store_.reset();
    open_keys();
    open();
  }

  IngestOutcome ingest(std::string_view plaintext, unsigned char device = 1) {
    const auto outcome = store_->ingest(credential(device), plaintext, tasks());
    EXPECT_TRUE(outcome) << outcome.error().message;
    return outcome ? *outcome : IngestOutcome{};
  }

  [[nodiscard]] collect::Aggregate aggregate(const IngestTask& task, PeriodRange periods = {}) {
    const auto found = store_->aggregate(task.counting, periods);
    EXPECT_TRUE(found) << found.error().message;
    return found ? found->aggregate : collect::Aggregate{};
  }
  /// The cells of all periods.
  [[nodiscard]] std::vector<std::int64_t> cells(const IngestTask& task, PeriodRange periods = {}) {
    return aggregate(task, periods).total().front().cells;
  }

  [[nodiscard]] std::vector<std::string> payloads(const IngestTask& task, PeriodRange periods = {}) {
    std::vector<std::string> all;
    EXPECT_TRUE(store_->scan(task.hash, periods, [&](const StoredBlock& block) -> Result<void> {
      all.emplace_back(block.payloads);
      return {};
    }));
    return all;
  }

  void sweep(std::int64_t day) {
    const auto swept = store_->sweep(day, [](const SweptDate&) { return Result<void>(); });
    ASSERT_TRUE(swept) << swept.error().message;
  }
  [[nodiscard]] StoreCheck check() {
    const auto found = store_->check(tasks());
    EXPECT_TRUE(found) << found.error().message;
    return found ? *found : StoreCheck{.different = 999};
  }

  /// Whether any file below the folder holds the bytes.
  [[nodiscard]] bool is_in_files(std::string_view bytes) const {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_.path())) {
      if (!entry.is_regular_file()) continue;
      std::ifstream file(entry.path(), std::ios::binary);
      std::ostringstream text;
      text << file.rdbuf();
      if (text.str().find(bytes) != std::string::npos) return true;
    }
    return false;
  }

  Folder folder_;
  std::atomic<std::int64_t> now_ = kNoon;
  std::vector<IngestTask> tasks_ = {local_task(1)};
  std::shared_ptr<KeyFile> keys_;
  std::unique_ptr<ReportStore> store_;
};

}  // namespace gauze::server::testing
