// Side files of a ledger deleted, cut off, damaged and swapped while six processes write, some of them killed: never
// more is granted than the total, and no grant is lost without verify() saying so.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <map>
#include <random>
#include <thread>

#include "gauze/files/atomic_file.h"
#include "gauze/ledger/child_testing.h"
#include "gauze/ledger/ledger_testing.h"

namespace gauze {
namespace tampering_test {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

constexpr std::size_t kWriters = 6;
/// How many charges the total allows: so many that the budget is gone only after a while.
std::int64_t most_grants() { return long_tests_are_wanted() ? 50'000 : 1500; }

/// The first digits of a hash, small enough for a report.
std::int64_t short_hash(const std::string& hash) {
  return static_cast<std::int64_t>(std::stoull(hash.substr(0, 15), nullptr, 16));
}

class TamperedLedger : public LedgerTest {
 protected:
  using Hand = std::function<void(const fs::path& journal)>;

  TamperedLedger() { with_dataset(epsilon_options("visits", std::to_string(most_grants()))); }

  /// Charges until the budget is gone, whatever errors come in between; reports number and hash of each grant.
  int spend_on_and_on(int pipe) {
    for (int errors = 0; errors < 2000;) {
      auto ledger = Ledger::open(path_);
      while (ledger) {
        const auto grant = ledger->spend(request("visits", epsilon_charge("1")));
        if (grant) {
          report(pipe, grant->entry);
          report(pipe, short_hash(grant->head));
          continue;
        }
        if (grant.error().code == ErrorCode::budget_exhausted) return 0;
        break;
      }
      ++errors;
      std::this_thread::sleep_for(milliseconds(1));
    }
    return 0;
  }

  void take_reports(const Child& child) {
    const auto numbers = reports_of(child);
    for (std::size_t i = 0; i + 1 < numbers.size(); i += 2) {
      ++grants_;
      granted_[numbers[i]] = numbers[i + 1];
    }
  }

  /// Six writers, the hand at the journal all the time, and kills if wanted.
  void run(const Hand& hand, milliseconds time, bool kill) {
    std::vector<Child> writers;
    const auto writer = [this] { return start([this](int pipe) { return spend_on_and_on(pipe); }); };
    for (std::size_t i = 0; i < kWriters; ++i) writers.push_back(writer());
    const auto end = std::chrono::steady_clock::now() + time;
    auto next_kill = std::chrono::steady_clock::now() + milliseconds(20);
    while (std::chrono::steady_clock::now() < end) {
      hand(path_.string() + "-journal");
      std::this_thread::sleep_for(std::chrono::microseconds(random_() % 500));
      if (!kill || std::chrono::steady_clock::now() < next_kill) continue;
      Child& victim = writers[random_() % kWriters];
      stop(victim);
      victim = writer();
      next_kill = std::chrono::steady_clock::now() + milliseconds(20);
    }
    for (const Child& one : writers) stop(one);
  }

  void stop(const Child& child) {
    ::kill(child.id, SIGKILL);
    wait_for(child);
    take_reports(child);
  }

  /// Either all that was granted is there, or verify() refuses and nothing more is granted.
  void judge() {
    EXPECT_GT(grants_, 0);
    EXPECT_LE(grants_, most_grants()) << "more was granted than the total allows";
    const auto ledger = Ledger::open(path_, {.read_only = true, .busy_milliseconds = 10'000, .clock = {}});
    const auto found = ledger ? verify(*ledger) : Result<LedgerVerification>(tl::unexpected<Error>(ledger.error()));
    if (!found) {
      EXPECT_EQ(found.error().code, ErrorCode::bad_data) << found.error().message;
      auto writing = Ledger::open(path_);
      EXPECT_FALSE(writing && writing->spend(request("visits", epsilon_charge("1"))))
          << "a ledger that does not verify has granted";
      return;
    }
    std::map<std::int64_t, std::int64_t> recorded;
    const auto history = *ledger->history({});
    for (const auto& one : history) recorded[one.entry.number] = short_hash(one.hash);
    for (const auto& [entry, hash] : granted_) EXPECT_EQ(recorded[entry], hash) << "grant " << entry << " is lost";
  }

  /// The journal as bytes, when there is one.
  static std::optional<std::string> bytes_of(const fs::path& journal) {
    auto bytes = read_file(journal, 1U << 22);
    if (!bytes || bytes->empty()) return std::nullopt;
    return *std::move(bytes);
  }

  std::mt19937_64 random_{17};
  std::map<std::int64_t, std::int64_t> granted_;
  std::int64_t grants_ = 0;
};

class JournalHand : public TamperedLedger, public ::testing::WithParamInterface<bool> {
 protected:
  void try_hand(const Hand& hand) {
    const bool kill = GetParam();
    run(hand, milliseconds(long_tests_are_wanted() ? 60'000 : 2'000), kill);
    judge();
  }
};

TEST_P(JournalHand, Deletes) {
  try_hand([](const fs::path& journal) {
    std::error_code ignored;
    fs::remove(journal, ignored);
  });
}

TEST_P(JournalHand, CutsOff) {
  try_hand([this](const fs::path& journal) {
    std::error_code ignored;
    const auto size = fs::file_size(journal, ignored);
    if (!ignored && size > 0)
      static_cast<void>(::truncate(journal.c_str(), static_cast<off_t>(random_() % size)) == 0);
  });
}

TEST_P(JournalHand, FlipsBits) {
  try_hand([this](const fs::path& journal) {
    const int file = ::open(journal.c_str(), O_RDWR | O_CLOEXEC);
    if (file < 0) return;
    const off_t size = ::lseek(file, 0, SEEK_END);
    const off_t place = size > 0 ? static_cast<off_t>(random_() % static_cast<std::uint64_t>(size)) : 0;
    char byte = 0;
    if (size > 0 && ::pread(file, &byte, 1, place) == 1) {
      byte = static_cast<char>(byte ^ (1 << random_() % 8));
      static_cast<void>(::pwrite(file, &byte, 1, place) == 1);
    }
    ::close(file);
  });
}

TEST_P(JournalHand, PutsOldOnesBack) {
  std::vector<std::string> kept;
  try_hand([this, &kept](const fs::path& journal) {
    if (kept.size() < 50) {
      if (auto bytes = bytes_of(journal)) kept.push_back(*std::move(bytes));
    }
    if (kept.empty() || random_() % 3 != 0) return;
    const fs::path beside = folder_ / "swapped";
    std::error_code ignored;
    if (write_file(beside, kept[random_() % kept.size()])) fs::rename(beside, journal, ignored);
  });
}

INSTANTIATE_TEST_SUITE_P(WithAndWithoutKills, JournalHand, ::testing::Bool(),
                         [](const auto& given) { return given.param ? "AndKills" : "Alone"; });

/// A process that dies in the middle of writing its pages, and the journal with it.
TEST_F(TamperedLedger, AFileThatLostItsJournalInACrashIsCheckedBeforeItGrants) {
  int half_written = 0;
  int refused = 0;
  for (int round = 0; round < 120; ++round) {
    const Child child = start([this](int pipe) { return spend_on_and_on(pipe); });
    std::this_thread::sleep_for(std::chrono::microseconds(5'000 + random_() % 30'000));
    stop(child);
    std::error_code ignored;
    if (fs::remove(path_.string() + "-journal", ignored)) ++half_written;
    const auto reading = Ledger::open(path_, {.read_only = true, .busy_milliseconds = 1000, .clock = {}});
    const bool whole = reading && verify(*reading);
    auto ledger = Ledger::open(path_);
    const auto grant = ledger ? ledger->spend(request("visits", epsilon_charge("0.000000001")))
                              : Granted(tl::unexpected<Refusal>(ledger.error()));
    EXPECT_EQ(whole, grant.has_value()) << round << (grant ? "" : grant.error().message);
    if (!whole) {
      ++refused;
      break;  // it stays refused
    }
  }
  RecordProperty("journals_lost", half_written);
  RecordProperty("refused", refused);
  judge();
}

TEST_F(TamperedLedger, AnOldJournalBesideAWholeFileUndoesNothing) {
  Ledger ledger = open();
  // A journal of an earlier change, taken while it was made: SQLite would believe it.
  std::string old;
  const Child child = start([this](int pipe) { return spend_on_and_on(pipe); });
  while (old.size() < 4096) old = bytes_of(path_.string() + "-journal").value_or("");
  stop(child);
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(ledger.spend(request("visits", epsilon_charge("1"))));
  const auto before = ledger.history({})->size();
  ASSERT_TRUE(write_file(path_.string() + "-journal", old));
  EXPECT_TRUE(verify(open()));
  EXPECT_EQ(open().history({})->size(), before);
  EXPECT_TRUE(open().spend(request("visits", epsilon_charge("1"))));
}

TEST_F(TamperedLedger, AnOpenLedgerSeesThatItWasRolledBack) {
  Ledger ledger = open();
  ASSERT_TRUE(ledger.spend(request("visits", epsilon_charge("1"))));
  const std::string old = *read_file(path_);
  ASSERT_TRUE(ledger.spend(request("visits", epsilon_charge("1"))));
  // In place, so that the file is still the one that was opened.
  const int file = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  ASSERT_EQ(::pwrite(file, old.data(), old.size(), 0), static_cast<ssize_t>(old.size()));
  ::close(file);
  const auto refused = ledger.spend(request("visits", epsilon_charge("1")));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::bad_data);
  EXPECT_THAT(refused.error().message, ::testing::HasSubstr("rolled back"));
}

}  // namespace tampering_test
}  // namespace gauze
