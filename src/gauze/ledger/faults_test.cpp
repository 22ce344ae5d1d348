// What goes wrong around a ledger: killed processes, several writers, full disks, damaged and foreign files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <random>
#include <set>
#include <thread>

#include "gauze/files/atomic_file.h"
#include "gauze/ledger/child_testing.h"
#include "gauze/ledger/ledger_testing.h"

namespace gauze {
namespace faults_test {

using ::testing::HasSubstr;

class LedgerFaults : public LedgerTest {
 protected:
  /// Kills one of three writers again and again: what was granted must be recorded.
  void kill_writers(int kills);

  /// Charges on and on; reports each entry only after it was granted.
  int spend_until_killed(int pipe) {
    auto ledger = Ledger::open(path_);
    if (!ledger) return 3;
    for (;;) {
      const auto grant = ledger->spend(request("visits", epsilon_charge("0.001")));
      if (!grant) return 4;
      report(pipe, grant->entry);
      const auto reserved = ledger->reserve(request("visits", epsilon_charge("0.001")));
      if (!reserved) return 4;
      report(pipe, reserved->entry);
      if (!ledger->commit(reserved->entry)) return 5;
    }
  }
};

void LedgerFaults::kill_writers(int kills) {
  with_dataset(epsilon_options("visits", "1000000"));
  constexpr std::size_t kWriters = 3;
  std::mt19937_64 random(11);
  const auto writer = [this] { return start([this](int pipe) { return spend_until_killed(pipe); }); };
  std::vector<Child> writers;
  for (std::size_t i = 0; i < kWriters; ++i) writers.push_back(writer());
  std::set<std::int64_t> granted;
  for (int kill = 0; kill < kills; ++kill) {
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 30'000));
    Child& victim = writers[random() % kWriters];
    ASSERT_EQ(::kill(victim.id, SIGKILL), 0);
    const int status = wait_for(victim);
    ASSERT_TRUE(WIFSIGNALED(status)) << "a writer ended by itself with " << WEXITSTATUS(status);
    for (const std::int64_t entry : reports_of(victim)) EXPECT_TRUE(granted.insert(entry).second) << entry;
    if (kill % 60 == 0) {  // with the others still writing
      const auto found = verify(*Ledger::open(path_, {.read_only = true, .busy_milliseconds = 10'000, .clock = {}}));
      ASSERT_TRUE(found) << found.error().message;
    }
    victim = writer();
  }
  for (const Child& last : writers) {
    ASSERT_EQ(::kill(last.id, SIGKILL), 0);
    wait_for(last);
    for (const std::int64_t entry : reports_of(last)) EXPECT_TRUE(granted.insert(entry).second) << entry;
  }

  const auto ledger = Ledger::open(path_);
  ASSERT_TRUE(ledger) << ledger.error().message;
  const auto found = verify(*ledger);
  ASSERT_TRUE(found) << found.error().message;
  std::set<std::int64_t> recorded;
  std::int64_t charged = 0;
  const auto all = *ledger->history({});
  for (const auto& one : all) {
    if (!one.entry.is_charge()) continue;
    recorded.insert(one.entry.number);
    charged += one.entry.cost.amount;
  }
  EXPECT_TRUE(std::includes(recorded.begin(), recorded.end(), granted.begin(), granted.end()));
  // Each of the killed may have one more on the disk that it could not report any more.
  EXPECT_LE(recorded.size(), granted.size() + static_cast<std::size_t>(kills) + kWriters);
  EXPECT_EQ(ledger->balance("visits")->spent.amount, charged);
  EXPECT_GT(granted.size(), static_cast<std::size_t>(kills) / 4);
}

TEST_F(LedgerFaults, KilledWritersLoseNothingThatWasGranted) { kill_writers(60); }

TEST_F(LedgerFaults, ThreeHundredKilledWritersLoseNothingThatWasGranted) {
  if (!long_tests_are_wanted()) GTEST_SKIP() << "runs with GAUZE_LONG_TESTS=1";
  kill_writers(300);
}

TEST_F(LedgerFaults, EightProcessesNeverExceedTheTotalByOneUnit) {
  with_dataset(epsilon_options("visits", "1.000000007"));
  std::vector<Child> children;
  for (int i = 0; i < 8; ++i) {
    children.push_back(start([this, i](int pipe) {
      auto ledger = Ledger::open(path_, {.read_only = false, .busy_milliseconds = 60'000, .clock = {}});
      if (!ledger) return 3;
      std::mt19937_64 random(static_cast<unsigned>(i));
      for (;;) {
        Charge charge{.kind = Charge::Kind::epsilon, .amount = static_cast<std::int64_t>(random() % 6'000'000) + 1};
        auto answer = ledger->spend(request("visits", charge, "analyst " + std::to_string(i)));
        if (!answer && answer.error().code != ErrorCode::budget_exhausted) return 4;
        // The one who finds too little left takes exactly the rest, unless another is quicker.
        if (!answer && answer.error().allowed->amount == 0) return 0;
        if (!answer) answer = ledger->spend(request("visits", *answer.error().allowed, "rest"));
        if (answer) report(pipe, answer->cost.amount);
      }
    }));
  }
  std::int64_t sum = 0;
  std::int64_t grants = 0;
  for (const Child& child : children) {
    for (const std::int64_t amount : reports_of(child)) {
      sum += amount;
      ++grants;
    }
    const int status = wait_for(child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  }
  EXPECT_EQ(sum, 1'000'000'007);
  const Ledger ledger = open();
  EXPECT_EQ(ledger.balance("visits")->left().amount, 0);
  EXPECT_EQ(verify(ledger)->entries, grants + 1);
}

TEST_F(LedgerFaults, SeveralProcessesMayCreateAtOnce) {
  for (int round = 0; round < 5; ++round) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directory(folder_);
    std::vector<Child> children;
    for (int i = 0; i < 8; ++i) {
      children.push_back(start([this, i](int pipe) {
        auto ledger = Ledger::create(path_);
        if (!ledger) return 3;
        if (!ledger->create_dataset(*DatasetTerms::make(epsilon_options("own " + std::to_string(i), "1")))) return 4;
        const auto shared = ledger->create_dataset(*DatasetTerms::make(epsilon_options("shared", "1")));
        if (shared) report(pipe, 1);
        return shared || shared.error().code == ErrorCode::invalid_parameter ? 0 : 5;
      }));
    }
    std::size_t winners = 0;
    for (const Child& child : children) {
      winners += reports_of(child).size();
      EXPECT_EQ(wait_for(child), 0);
    }
    EXPECT_EQ(winners, 1U);
    EXPECT_EQ(verify(open())->datasets, 9);
  }
}

TEST_F(LedgerFaults, AKilledCreatorLeavesAFileThatCanBeCreatedAgain) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 40; ++round) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directory(folder_);
    const Child child = start([this](int) {
      auto ledger = Ledger::create(path_);
      if (ledger) static_cast<void>(ledger->create_dataset(*DatasetTerms::make(epsilon_options("visits", "1"))));
      ::pause();
      return 0;
    });
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 12'000));
    ::kill(child.id, SIGKILL);
    wait_for(child);
    ::close(child.reports);
    const auto ledger = Ledger::create(path_);
    ASSERT_TRUE(ledger) << ledger.error().message;
    EXPECT_TRUE(verify(*ledger));
  }
}

/// Charges until the disk is full; 0 when the error says so, sticks, and is an `io` error.
int spend_until_full(const std::filesystem::path& path, int pipe) {
  auto ledger = Ledger::open(path);
  if (!ledger) return 3;
  for (;;) {
    const auto grant = ledger->spend(request("visits", epsilon_charge("0.001")));
    if (grant) {
      report(pipe, grant->entry);
      continue;
    }
    const bool clear = grant.error().code == ErrorCode::io &&
                       grant.error().message.find("full") != std::string::npos &&
                       grant.error().message.find("nothing was recorded") != std::string::npos;
    const bool still = !ledger->spend(request("visits", epsilon_charge("0.001")));
    return clear && still ? 0 : 4;
  }
}

TEST_F(LedgerFaults, AFileThatMayNotGrowRefusesAndLosesNothing) {
  with_dataset(epsilon_options("visits", "1000"));
  const Child child = start([this](int pipe) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{.rlim_cur = 400'000, .rlim_max = 400'000};
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return 2;
    return spend_until_full(path_, pipe);
  });
  const auto granted = reports_of(child);
  EXPECT_EQ(wait_for(child), 0);
  EXPECT_GT(granted.size(), 10U);
  Ledger ledger = open();
  ASSERT_TRUE(verify(ledger));
  EXPECT_EQ(ledger.history({})->size(), granted.size() + 1);
  EXPECT_TRUE(ledger.spend(request("visits", epsilon_charge("0.001"))));
}

TEST_F(LedgerFaults, AFullDiskRefusesAndLosesNothing) {
  const std::filesystem::path disk = folder_ / "disk";
  std::filesystem::create_directory(disk);
  if (::mount("none", disk.c_str(), "tmpfs", 0, "size=500k") != 0) {
    GTEST_SKIP() << "a small disk can only be mounted by root";
  }
  path_ = disk / "budget.ledger";
  with_dataset(epsilon_options("visits", "1000"));
  const Child child = start([this](int pipe) { return spend_until_full(path_, pipe); });
  const auto granted = reports_of(child);
  EXPECT_EQ(wait_for(child), 0);
  EXPECT_GT(granted.size(), 10U);
  {
    EXPECT_EQ(::mount("none", disk.c_str(), "tmpfs", MS_REMOUNT, "size=5m"), 0);
    Ledger ledger = open();
    EXPECT_TRUE(verify(ledger));
    EXPECT_EQ(ledger.history({})->size(), granted.size() + 1);
    EXPECT_TRUE(ledger.spend(request("visits", epsilon_charge("0.001"))));
  }
  EXPECT_EQ(::umount(disk.c_str()), 0);
}

TEST_F(LedgerFaults, AReadOnlyFileCanBeReadAndNotWritten) {
  with_dataset(epsilon_options("visits", "1"));
  std::filesystem::permissions(path_, std::filesystem::perms(0444));
  std::filesystem::permissions(folder_, std::filesystem::perms(0555));
  const Child child = start([this](int pipe) {
    if (::geteuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0)) return 2;  // root may write anywhere
    const auto reading = Ledger::open(path_, {.read_only = true, .busy_milliseconds = 100, .clock = {}});
    if (!reading) return 3;
    if (!reading->balance("visits") || !verify(*reading)) return 4;
    auto writing = Ledger::open(path_);
    const Error error =
        !writing ? writing.error() : Error(writing->spend(request("visits", epsilon_charge("0.1"))).error());
    report(pipe, static_cast<std::int64_t>(error.code));
    return error.message.find("read-only") != std::string::npos || error.message.find("writable") != std::string::npos
               ? 0
               : 5;
  });
  EXPECT_EQ(reports_of(child), std::vector<std::int64_t>{static_cast<std::int64_t>(ErrorCode::io)});
  EXPECT_EQ(wait_for(child), 0);
  std::filesystem::permissions(folder_, std::filesystem::perms(0755));
  std::filesystem::permissions(path_, std::filesystem::perms(0644));
  EXPECT_EQ(verify(open())->entries, 1);
}

TEST_F(LedgerFaults, AReaderCannotWrite) {
  with_dataset(epsilon_options("visits", "1"));
  Ledger::Options reading = options();
  reading.read_only = true;
  auto ledger = Ledger::open(path_, reading);
  ASSERT_TRUE(ledger);
  const auto refused = ledger->spend(request("visits", epsilon_charge("0.1")));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::io);
  EXPECT_THAT(refused.error().message, HasSubstr("read-only"));
}

TEST_F(LedgerFaults, ALockedFileIsWaitedForAndThenReported) {
  with_dataset(epsilon_options("visits", "1"));
  Ledger::Options impatient = options();
  impatient.busy_milliseconds = 30;
  auto ledger = Ledger::open(path_, impatient);
  Intruder other(path_);
  ASSERT_EQ(other.run("BEGIN IMMEDIATE"), SQLITE_OK);
  const auto refused = ledger->spend(request("visits", epsilon_charge("0.1")));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::io);
  EXPECT_THAT(refused.error().message, HasSubstr("locked"));
  EXPECT_TRUE(ledger->balance("visits")) << "readers do not wait for writers";
  EXPECT_TRUE(verify(*ledger));
  ASSERT_EQ(other.run("ROLLBACK"), SQLITE_OK);
  EXPECT_TRUE(ledger->spend(request("visits", epsilon_charge("0.1"))));
}

TEST_F(LedgerFaults, ATruncatedFileIsReportedAndLeftAlone) {
  {
    Ledger ledger = with_dataset(epsilon_options("visits", "1000"));
    const std::vector<ChargeRequest> many(300, request("visits", epsilon_charge("0.001")));
    ASSERT_TRUE(spend_many(ledger, many));
  }
  const std::string bytes = *read_file(path_);
  ASSERT_GT(bytes.size(), 60'000U);
  for (const std::size_t size :
       {bytes.size() - 1, bytes.size() - 4096, bytes.size() / 2, std::size_t{8192}, std::size_t{4096},
        std::size_t{1000}, std::size_t{100}, std::size_t{20}, std::size_t{0}}) {
    ASSERT_TRUE(write_file(path_, bytes.substr(0, size)));
    auto ledger = Ledger::open(path_, options());
    const auto granted = ledger ? ledger->spend(request("visits", epsilon_charge("0.001")))
                                : Granted(tl::unexpected<Refusal>(ledger.error()));
    ASSERT_FALSE(granted) << size;
    EXPECT_EQ(granted.error().code, ErrorCode::bad_data) << size << granted.error().message;
    EXPECT_EQ(*read_file(path_), bytes.substr(0, size)) << size;
  }
  ASSERT_TRUE(write_file(path_, bytes));
  EXPECT_TRUE(verify(open()));
}

TEST_F(LedgerFaults, GarbageIsReportedAndLeftAlone) {
  std::mt19937_64 random(3);
  for (const std::size_t size : {1U, 99U, 100U, 4096U, 50'000U}) {
    std::string garbage(size, '\0');
    for (char& byte : garbage) byte = static_cast<char>(random());
    ASSERT_TRUE(write_file(path_, garbage));
    for (const auto& opened :
         {Ledger::open(path_).map([](auto&&) { return 0; }), Ledger::create(path_).map([](auto&&) { return 0; })}) {
      ASSERT_FALSE(opened) << size;
      EXPECT_EQ(opened.error().code, ErrorCode::bad_data) << opened.error().message;
    }
    EXPECT_EQ(*read_file(path_), garbage);
  }
}

TEST_F(LedgerFaults, AnotherProgramsFileIsLeftAlone) {
  Intruder(path_).run("CREATE TABLE entries(a); INSERT INTO entries VALUES (7)");
  const std::string bytes = *read_file(path_);
  EXPECT_EQ(Ledger::open(path_).error().code, ErrorCode::bad_data);
  EXPECT_THAT(Ledger::create(path_).error().message, HasSubstr("another program"));
  EXPECT_EQ(*read_file(path_), bytes);
}

TEST_F(LedgerFaults, ANewerVersionIsLeftAlone) {
  with_dataset(epsilon_options("visits", "1"));
  Intruder(path_).run("PRAGMA user_version = 5; CREATE TABLE more(a)");
  const std::string bytes = *read_file(path_);
  for (const bool read_only : {false, true}) {
    const auto opened = Ledger::open(path_, {.read_only = read_only, .busy_milliseconds = 100, .clock = {}});
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, ErrorCode::bad_data);
    EXPECT_THAT(opened.error().message, HasSubstr("newer Gauze"));
  }
  EXPECT_FALSE(Ledger::create(path_));
  EXPECT_EQ(*read_file(path_), bytes);
}

TEST_F(LedgerFaults, ASecondNameOfTheFileGrantsNothing) {
  Ledger ledger = with_dataset(epsilon_options("visits", "1"));
  std::filesystem::create_hard_link(path_, folder_ / "second.ledger");
  const auto second = Ledger::open(folder_ / "second.ledger", options());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::io);
  EXPECT_THAT(second.error().message, HasSubstr("2 names"));
  EXPECT_TRUE(Ledger::open(folder_ / "second.ledger", {.read_only = true, .busy_milliseconds = 100, .clock = {}}))
      << "copies that share their files may be read";
  EXPECT_THAT(ledger.spend(request("visits", epsilon_charge("1"))).error().message, HasSubstr("2 names"));
  std::filesystem::remove(folder_ / "second.ledger");
  EXPECT_TRUE(ledger.spend(request("visits", epsilon_charge("1"))));
  // A symbolic link leads to the same file and the same journal.
  std::filesystem::create_symlink(path_, folder_ / "second.ledger");
  Ledger linked = *Ledger::open(folder_ / "second.ledger", options());
  EXPECT_EQ(linked.spend(request("visits", epsilon_charge("1e-9"))).error().code, ErrorCode::budget_exhausted);
}

TEST_F(LedgerFaults, AFileThatWasReplacedGrantsNothing) {
  Ledger ledger = with_dataset(epsilon_options("visits", "1"));
  const std::string copy = export_text(ledger);
  std::filesystem::rename(path_, folder_ / "old.ledger");
  auto refused = ledger.spend(request("visits", epsilon_charge("1")));
  ASSERT_FALSE(refused) << "nobody would find this charge";
  EXPECT_EQ(refused.error().code, ErrorCode::io);
  EXPECT_THAT(refused.error().message, HasSubstr("replaced"));
  ASSERT_TRUE(Ledger::import_text(path_, copy, {}));
  EXPECT_FALSE(ledger.spend(request("visits", epsilon_charge("1"))));
  EXPECT_TRUE(open().spend(request("visits", epsilon_charge("1"))));
}

TEST_F(LedgerFaults, AFileThatIsNoLedgerIsCalledSoWhateverItsSize) {
  for (const std::size_t size : {100U, 4096U, 8180U}) {
    std::string table = "id,name\n";
    while (table.size() < size) table += "1,Ada\n";
    table.resize(size);
    std::ofstream(folder_ / "table.csv", std::ios::binary) << table;
    const auto opened = Ledger::open(folder_ / "table.csv");
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, ErrorCode::bad_data);
    EXPECT_THAT(opened.error().message, HasSubstr("is not a ledger")) << size;
  }
}

TEST_F(LedgerFaults, MissingPlacesAreNamed) {
  EXPECT_THAT(Ledger::open(folder_ / "none").error().message, HasSubstr("there is no ledger"));
  EXPECT_EQ(Ledger::open(folder_ / "none").error().code, ErrorCode::io);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "none"));
  EXPECT_THAT(Ledger::open(folder_).error().message, HasSubstr("folder"));
  EXPECT_EQ(Ledger::create("").error().code, ErrorCode::io) << "for SQLite a name that is empty is a file in memory";
  EXPECT_EQ(Ledger::create(folder_ / "no" / "such" / "place").error().code, ErrorCode::io);
}

}  // namespace faults_test
}  // namespace gauze
