// One ledger under two names that a mount has made.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>

#include <fstream>
#include <numeric>

#include "gauze/ledger/child_testing.h"
#include "gauze/ledger/ledger_testing.h"

namespace gauze {
namespace mounts_test {

namespace fs = std::filesystem;

constexpr int kMayNotMount = 77;

/// In a view of the file system of its own, where `from` is also `to`: false when this process may not.
bool mount_here(const fs::path& from, const fs::path& to) {
  return ::unshare(CLONE_NEWNS) == 0 && ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         ::mount(from.c_str(), to.c_str(), nullptr, MS_BIND, nullptr) == 0;
}

using MountedLedger = LedgerTest;

TEST_F(MountedLedger, AFileThatIsAMountPointGrantsNothing) {
  with_dataset(epsilon_options("visits", "1"));
  const fs::path second = folder_ / "second.ledger";
  std::ofstream(second).close();
  const Child child = start([&](int pipe) {
    Ledger opened = open();  // before the mount, as a server would
    if (!mount_here(path_, second)) return kMayNotMount;
    const auto writing = Ledger::open(second);
    if (writing || writing.error().code != ErrorCode::io) return 3;
    if (writing.error().message.find("mount point") == std::string::npos) return 4;
    const auto reading = Ledger::open(second, {.read_only = true, .busy_milliseconds = 100, .clock = {}});
    if (!reading || !verify(*reading)) return 5;
    // The name that is no mount point goes on.
    report(pipe, opened.spend(request("visits", epsilon_charge("1"))).has_value() ? 1 : 0);
    // Mounted onto itself, the file has its name and its number, and is a mount point all the same.
    if (::mount(path_.c_str(), path_.c_str(), nullptr, MS_BIND, nullptr) != 0) return 6;
    const auto again = Ledger::open(path_);
    return !again && again.error().message.find("mount point") != std::string::npos ? 0 : 7;
  });
  const auto reports = reports_of(child);
  const int status = wait_for(child);
  if (WIFEXITED(status) && WEXITSTATUS(status) == kMayNotMount) GTEST_SKIP() << "only root may mount";
  EXPECT_EQ(status, 0) << WEXITSTATUS(status);
  EXPECT_EQ(reports, std::vector<std::int64_t>{1});
  EXPECT_EQ(open().balance("visits")->left().amount, 0);
}

TEST_F(MountedLedger, AFolderUnderTwoNamesKeepsOneBudget) {
  with_dataset(epsilon_options("visits", "0.100000003"));
  const fs::path second = folder_ / "second";
  fs::create_directory(second);
  std::vector<Child> children;
  for (int i = 0; i < 6; ++i) {
    children.push_back(start([&, i](int pipe) {
      if (i % 2 == 1 && !mount_here(folder_, second)) return kMayNotMount;
      auto ledger = Ledger::open(i % 2 == 1 ? second / "budget.ledger" : path_,
                                 {.read_only = false, .busy_milliseconds = 60'000, .clock = {}});
      if (!ledger) return 3;
      for (;;) {
        auto grant = ledger->spend(request("visits", epsilon_charge("0.001000007")));
        if (!grant && grant.error().code != ErrorCode::budget_exhausted) return 4;
        if (!grant && grant.error().allowed->amount == 0) return 0;
        if (!grant) grant = ledger->spend(request("visits", *grant.error().allowed));
        if (grant) report(pipe, grant->cost.amount);
      }
    }));
  }
  std::int64_t sum = 0;
  bool may_mount = true;
  for (const Child& child : children) {
    const auto reports = reports_of(child);
    sum = std::accumulate(reports.begin(), reports.end(), sum);
    const int status = wait_for(child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == kMayNotMount) may_mount = false;
    EXPECT_TRUE(!may_mount || status == 0) << WEXITSTATUS(status);
  }
  if (!may_mount) GTEST_SKIP() << "only root may mount";
  EXPECT_EQ(sum, 100'000'003);
  EXPECT_TRUE(verify(open()));
}

}  // namespace mounts_test
}  // namespace gauze
