#include "gauze/collect/device/device_folder.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "gauze/base/testing/watched.h"
#include "gauze/collect/testing/simulated_counts.h"
#include "gauze/files/atomic_file.h"
#include "gauze/files/testing/folder.h"

namespace gauze::collect::device_folder_test {
namespace {

constexpr std::uint64_t kNow = 1'800'000'000;

class DeviceInAFolder : public ::testing::Test {
 protected:
  std::string figure(const DeviceFolder& device, const char* part, const char* name) {
    const Json ledger = *device.ledger_json(kNow);
    const Json* found = ledger.find(part)->find(name);
    return found->is_null() ? "null" : std::string(found->text());
  }

  Folder folder_;
  std::filesystem::path path_ = folder_.path() / "phone";
  Task task_ = frequency_task("de", "0.25", 4);
};

TEST_F(DeviceInAFolder, ChargesBeforeItHandsOut) {
  ASSERT_TRUE(DeviceFolder::make(
      path_, {.window_seconds = 86'400, .window_nano = 500'000'000, .lifetime_nano = 600'000'000}));
  auto device = DeviceFolder::open(path_);
  ASSERT_TRUE(device);
  EXPECT_EQ(device->encode(task_, category(1), kNow).error().code, ErrorCode::not_authorised);
  EXPECT_EQ(figure(*device, "lifetime", "spent"), "0");
  ASSERT_TRUE(device->grant(task_, false, kNow));
  ASSERT_TRUE(device->encode(task_, category(1), kNow));
  ASSERT_TRUE(device->encode(task_, category(1), kNow));
  EXPECT_EQ(device->encode(task_, category(1), kNow).error().code, ErrorCode::budget_exhausted);
  EXPECT_EQ(figure(*device, "window", "left"), "0");
  // A clock that is set back opens no new window, and tomorrow there is not enough left for life.
  EXPECT_EQ(device->encode(task_, category(1), kNow - 86'400 * 5).error().code, ErrorCode::budget_exhausted);
  EXPECT_EQ(device->encode(task_, category(1), kNow + 86'400).error().code, ErrorCode::budget_exhausted);
  EXPECT_EQ(figure(*device, "lifetime", "left"), "0.1");
}

TEST_F(DeviceInAFolder, WritesRecordsOfCentralTasksWithConsentAndChargesNothing) {
  CentralSpec spec;
  spec.name = "survey";
  spec.epsilon_nano = 1'000'000'000;
  spec.fields = {{.name = "age", .number = {0, 120, 0}}, {.name = "city", .values = ValueList::numbered(3).value()}};
  const CentralTask central = CentralTask::make(spec).value();
  ASSERT_TRUE(DeviceFolder::make(path_, {.window_seconds = 86'400, .window_nano = 0, .lifetime_nano = 0}));
  auto device = DeviceFolder::open(path_);
  ASSERT_TRUE(device);
  const std::vector<gauze_value> record = {{1, 300, nullptr, 0}, category(2)};
  EXPECT_EQ(device->encode(central, record, kNow).error().code, ErrorCode::not_authorised);
  ASSERT_TRUE(device->grant(central, true, kNow));
  const std::string ledger = *read_file(path_ / "ledger");
  const auto block = device->encode(central, record, kNow);
  ASSERT_TRUE(block) << block.error().message;
  EXPECT_EQ(block->substr(62, 9), std::string("\x78\0\0\0\0\0\0\0\x02", 9));
  EXPECT_EQ(*read_file(path_ / "ledger"), ledger);
  EXPECT_TRUE(device->withdraw(central).value());
  EXPECT_EQ(device->encode(central, record, kNow).error().code, ErrorCode::not_authorised);
}

TEST_F(DeviceInAFolder, IsNotMadeAnew) {
  ASSERT_TRUE(DeviceFolder::make(path_, {}));
  EXPECT_EQ(DeviceFolder::make(path_, {}).error().code, ErrorCode::usage);
}

TEST_F(DeviceInAFolder, RefusesWhatIsDamaged) {
  ASSERT_TRUE(DeviceFolder::make(path_, {}));
  const std::string ledger = *read_file(path_ / "ledger");
  for (std::size_t bit = 0; bit < ledger.size() * 8; bit += 7) {
    std::string damaged = ledger;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    ASSERT_TRUE(write_file(path_ / "ledger", damaged));
    const auto device = DeviceFolder::open(path_);
    ASSERT_FALSE(device) << bit;
    EXPECT_EQ(device.error().code, ErrorCode::bad_data);
  }
  ASSERT_TRUE(write_file(path_ / "ledger", "short"));
  EXPECT_EQ(DeviceFolder::open(path_).error().code, ErrorCode::bad_data);
  EXPECT_EQ(DeviceFolder::open(folder_.path() / "none").error().code, ErrorCode::io);
}

/// Encodes and "sends" until it is killed.
[[noreturn]] void send_until_killed(const std::filesystem::path& path, const Task& task, const std::string& sent) {
  for (;;) {
    auto device = DeviceFolder::open(path);
    if (!device) _exit(3);
    const auto block = device->encode(task, category(2), kNow);
    if (!block) _exit(4);
    std::ofstream(sent, std::ios::app | std::ios::binary) << "x" << std::flush;
  }
}

// A kill may lose a report that was paid for, never a charge for one that was sent.
TEST_F(DeviceInAFolder, NeverGainsBudgetByBeingKilled) {
  if (is_watched()) GTEST_SKIP() << "forks";
  ASSERT_TRUE(DeviceFolder::make(path_, {}));
  ASSERT_TRUE(DeviceFolder::open(path_)->grant(task_, true, kNow));
  const std::string sent = folder_.path() / "sent";
  const int kills = std::getenv("GAUZE_LONG_TESTS") != nullptr ? 200 : 10;
  SeededRandom random(5);
  for (int kill_number = 0; kill_number < kills; ++kill_number) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) send_until_killed(path_, task_, sent);
    ::usleep(static_cast<useconds_t>(1'000 + random.below(20'000)));
    ::kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << WEXITSTATUS(status);
    const auto device = DeviceFolder::open(path_);
    ASSERT_TRUE(device) << device.error().message;
    const std::uint64_t charged = std::stoull(std::string(device->to_json(kNow)->find("reports")->text()));
    std::error_code error;
    const auto reports = std::filesystem::file_size(sent, error);
    EXPECT_GE(charged, error ? 0 : reports);
    EXPECT_EQ(figure(*device, "lifetime", "spent"), nano_text(charged * task_.cost_nano()));
  }
}

}  // namespace
}  // namespace gauze::collect::device_folder_test
