// Steps of a training: reserved once, counted before what they gave is let out, never more than were paid for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <thread>

#include "gauze/files/atomic_file.h"
#include "gauze/ledger/child_testing.h"
#include "gauze/ledger/group_commit.h"
#include "gauze/ledger/ledger_testing.h"

namespace gauze {
namespace progress_test {

using ::testing::HasSubstr;

class LedgerProgress : public LedgerTest {
 protected:
  static ChargeRequest training(std::int64_t steps) {
    ChargeRequest asked = request("visits", epsilon_charge("0.1"));
    asked.planned_steps = steps;
    return asked;
  }
  /// Entry 1 is the dataset, entry 2 a reservation for so many steps.
  Ledger with_training(std::int64_t steps) {
    Ledger ledger = with_dataset(epsilon_options("visits", "10"));
    EXPECT_EQ(ledger.reserve(training(steps))->entry, 2);
    return ledger;
  }
  std::vector<std::string> bodies() { return Intruder(path_).column("SELECT body FROM entries ORDER BY entry"); }
};

TEST_F(LedgerProgress, CountsStepsUpToThoseThatWerePlanned) {
  Ledger ledger = with_training(10);
  EXPECT_EQ(ledger.step_reservation(2)->left(), 10);
  const auto first = ledger.record_progress(2, 4);
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_EQ(first->entry.kind, EntryKind::progress);
  EXPECT_EQ(first->entry.dataset, "visits");
  EXPECT_EQ(ledger.step_reservation(2)->persisted, 4);
  const auto refused = ledger.record_progress(2, 7);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::budget_exhausted);
  EXPECT_THAT(refused.error().message, HasSubstr("10 steps, of which 6 are left: 7 more"));
  ASSERT_TRUE(ledger.record_progress(2, 6));
  EXPECT_EQ(ledger.record_progress(2, 1).error().code, ErrorCode::budget_exhausted);
  EXPECT_EQ(verify(ledger)->entries, 4);
  EXPECT_EQ(ledger.balance("visits")->spent.amount, 100'000'000) << "steps cost nothing";
  EXPECT_EQ(ledger.balance("visits")->queries, 1);
}

TEST_F(LedgerProgress, ALargeNumberWrapsNothing) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  Ledger ledger = with_training(kMost);
  ASSERT_TRUE(ledger.record_progress(2, kMost - 1));
  EXPECT_EQ(ledger.record_progress(2, kMost).error().code, ErrorCode::budget_exhausted);
  ASSERT_TRUE(ledger.record_progress(2, 1));
  EXPECT_TRUE(verify(ledger));
}

TEST_F(LedgerProgress, NeedsAReservationThatWasMadeForSteps) {
  Ledger ledger = with_training(10);
  ASSERT_EQ(ledger.reserve(request("visits", epsilon_charge("0.1")))->entry, 3);
  ASSERT_EQ(ledger.spend(request("visits", epsilon_charge("0.1")))->entry, 4);
  for (const std::int64_t entry : {-1, 0, 1, 3, 4, 9}) {
    EXPECT_EQ(ledger.record_progress(entry, 1).error().code, ErrorCode::invalid_parameter) << entry;
    EXPECT_EQ(ledger.step_reservation(entry).error().code, ErrorCode::invalid_parameter) << entry;
  }
  EXPECT_EQ(ledger.record_progress(2, 0).error().code, ErrorCode::invalid_parameter);
  EXPECT_EQ(ledger.record_progress(2, -1).error().code, ErrorCode::invalid_parameter);
  EXPECT_EQ(verify(ledger)->entries, 4);
}

TEST_F(LedgerProgress, PlannedStepsGoWithAReservationAlone) {
  Ledger ledger = with_dataset(epsilon_options("visits", "1"));
  EXPECT_EQ(ledger.spend(training(5)).error().code, ErrorCode::invalid_parameter);
  EXPECT_EQ(ledger.reserve(training(-5)).error().code, ErrorCode::invalid_parameter);
  EXPECT_EQ(verify(ledger)->entries, 1);
}

TEST_F(LedgerProgress, AReservationIsCommittedWithItsFirstStepsAndTakesMoreAfterItsCommit) {
  Ledger ledger = with_training(10);
  EXPECT_FALSE(*ledger.is_committed(2));
  EXPECT_TRUE(ledger.committed_charges("visits")->empty());
  ASSERT_TRUE(ledger.record_progress(2, 5));
  EXPECT_TRUE(*ledger.is_committed(2));
  EXPECT_EQ(ledger.committed_charges("visits")->size(), 1U);
  ASSERT_TRUE(ledger.commit(2, {.label = "{}"}));
  EXPECT_FALSE(ledger.commit(2)) << "once";
  ASSERT_TRUE(ledger.record_progress(2, 5));
  EXPECT_EQ(ledger.committed_charges("visits")->size(), 1U);
  EXPECT_EQ(verify(ledger)->entries, 5);
}

TEST_F(LedgerProgress, StandsInHistoryJsonAndExport) {
  Ledger ledger = with_training(10);
  ASSERT_TRUE(ledger.record_progress(2, 4));
  const auto history = ledger.history({.dataset = "visits"});
  ASSERT_EQ(history->size(), 3U);
  const DatasetTerms terms = *ledger.balance("visits")->terms;
  EXPECT_EQ(entry_json((*history)[1], terms).find("planned_steps")->text(), "10");
  const Json progress = entry_json((*history)[2], terms);
  EXPECT_EQ(progress.find("kind")->text(), "progress");
  EXPECT_EQ(progress.find("reservation")->text(), "2");
  EXPECT_EQ(progress.find("steps")->text(), "4");
  EXPECT_THAT(bodies()[1], HasSubstr(R"(,"planned_steps":10})"));
  EXPECT_THAT(bodies()[2], HasSubstr(R"(,"reservation":2,"steps":4})"));

  const std::string text = export_text(ledger);
  ASSERT_TRUE(Ledger::import_text(folder_ / "copy", text, *ledger.head()));
  Ledger copy = *Ledger::open(folder_ / "copy");
  EXPECT_EQ(copy.step_reservation(2)->left(), 6);
  EXPECT_EQ(copy.record_progress(2, 7).error().code, ErrorCode::budget_exhausted);
  ASSERT_TRUE(copy.record_progress(2, 6));
  EXPECT_TRUE(verify(copy));
}

TEST_F(LedgerProgress, AForgedSumOfStepsIsFoundWhereverItStands) {
  Ledger ledger = with_training(10);
  ASSERT_TRUE(ledger.record_progress(2, 4));
  ASSERT_TRUE(ledger.record_progress(2, 6));
  const auto changed = [](std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to);
  };
  std::vector<std::string> more = bodies();
  more[3] = changed(more[3], "\"steps\":6", "\"steps\":7");
  const auto refused = Ledger::import_text(folder_ / "copy", forged_export(more), {});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("entry 4 does not fit: its steps exceed those that were planned"));
  std::vector<std::string> fewer = bodies();
  fewer[1] = changed(fewer[1], "\"planned_steps\":10", "\"planned_steps\":9");
  EXPECT_FALSE(Ledger::import_text(folder_ / "copy", forged_export(fewer), {}));
  std::vector<std::string> none = bodies();
  none[1] = changed(none[1], ",\"planned_steps\":10", "");
  EXPECT_FALSE(Ledger::import_text(folder_ / "copy", forged_export(none), {}));
  std::vector<std::string> elsewhere = bodies();
  elsewhere[2] = changed(elsewhere[2], "\"reservation\":2", "\"reservation\":1");
  EXPECT_FALSE(Ledger::import_text(folder_ / "copy", forged_export(elsewhere), {}));
}

TEST_F(LedgerProgress, AChangedTableOfStepsIsFoundByVerifyAndBeforeAnythingIsGranted) {
  for (const char* sql :
       {"UPDATE progress SET steps = 1", "DELETE FROM progress", "INSERT INTO progress VALUES (3, 2)"}) {
    std::filesystem::remove(path_);
    {
      Ledger ledger = with_training(10);
      ASSERT_TRUE(ledger.record_progress(2, 9));
      ASSERT_TRUE(ledger.reserve(training(5)));
    }
    Intruder(path_).change(std::string("DELETE FROM progress WHERE reservation = 3; ") + sql);
    Ledger ledger = open();
    const auto verified = verify(ledger);
    ASSERT_FALSE(verified) << sql;
    EXPECT_THAT(verified.error().message, HasSubstr("progress"));
    EXPECT_EQ(ledger.record_progress(2, 1).error().code, ErrorCode::bad_data) << sql;
  }
}

TEST_F(LedgerProgress, TriggersRefuseToTakeStepsBack) {
  Ledger ledger = with_training(10);
  ASSERT_TRUE(ledger.record_progress(2, 9));
  Intruder hand(path_);
  for (const char* sql :
       {"UPDATE progress SET steps = 8", "DELETE FROM progress", "UPDATE progress SET reservation = 1"})
    EXPECT_NE(hand.run(sql), SQLITE_OK) << sql;
  EXPECT_TRUE(verify(ledger));
}

TEST_F(LedgerProgress, AFileOfFormat3IsRaisedAndItsExportTakesNoSteps) {
  {
    Ledger ledger = with_dataset(epsilon_options("visits", "10"));
    ASSERT_TRUE(ledger.spend(request("visits", epsilon_charge("0.1"))));
    Intruder hand(path_);
    ASSERT_EQ(hand.run("DROP TABLE progress; PRAGMA user_version = 3"), SQLITE_OK);
  }
  const std::string bytes = *read_file(path_);
  {
    const auto ledger = Ledger::open(path_, {.read_only = true, .busy_milliseconds = 100, .clock = {}});
    ASSERT_TRUE(ledger) << ledger.error().message;
    EXPECT_EQ(verify(*ledger)->entries, 2);
    EXPECT_TRUE(*ledger->is_committed(2));
    EXPECT_EQ(ledger->committed_charges("visits")->size(), 1U);
  }
  EXPECT_EQ(*read_file(path_), bytes);
  Ledger ledger = open();
  EXPECT_EQ(Intruder(path_).column("PRAGMA user_version"), std::vector<std::string>{"4"});
  const auto as_version_3 = [](std::string text) {
    return text.replace(text.find("\"version\":4"), 11, "\"version\":3");
  };
  EXPECT_TRUE(Ledger::import_text(folder_ / "copy", as_version_3(export_text(ledger)), {}));
  ASSERT_EQ(ledger.reserve(training(3))->entry, 3);
  const auto later = Ledger::import_text(folder_ / "other", as_version_3(export_text(ledger)), {});
  ASSERT_FALSE(later);
  EXPECT_THAT(later.error().message, HasSubstr("later format"));
  ASSERT_TRUE(ledger.record_progress(3, 3));
  EXPECT_EQ(verify(ledger)->entries, 4);
}

TEST_F(LedgerProgress, ARequestThatIsTakenUpAgainKeepsItsSteps) {
  Ledger ledger = with_dataset(epsilon_options("visits", "10"));
  ChargeRequest asked = training(10);
  asked.request = {.id = "r1", .digest = std::string(64, 'a')};
  ASSERT_TRUE(ledger.reserve(asked));
  ASSERT_TRUE(ledger.record_progress(2, 10));
  EXPECT_EQ(ledger.reserve(asked).error().code, ErrorCode::request_unfinished);
  asked.resume = true;
  ASSERT_EQ(ledger.reserve(asked)->entry, 2);
  EXPECT_EQ(ledger.record_progress(2, 1).error().code, ErrorCode::budget_exhausted);
  asked.planned_steps = 20;
  EXPECT_EQ(ledger.reserve(asked).error().code, ErrorCode::invalid_parameter) << "more steps are another request";
  asked.planned_steps = 10;
  ASSERT_TRUE(ledger.commit(2, {.label = "{}"}));
  EXPECT_TRUE(ledger.reserve(asked).error().request->is_committed());
}

TEST_F(LedgerProgress, ProcessesAtOnceCountNoMoreThanWasPlanned) {
  { with_training(60); }
  std::vector<Child> children;
  for (int i = 0; i < 3; ++i) {
    children.push_back(start([this](int pipe) {
      Ledger own = open();
      for (int k = 0; k < 40; ++k) {
        const auto counted = own.record_progress(2, 1);
        if (!counted && counted.error().code != ErrorCode::budget_exhausted) return 1;
        if (counted) report(pipe, counted->entry.number);
      }
      return 0;
    }));
  }
  std::size_t granted = 0;
  for (const Child& child : children) {
    EXPECT_EQ(wait_for(child), 0);
    granted += reports_of(child).size();
  }
  EXPECT_EQ(granted, 60U);
  Ledger ledger = open();
  EXPECT_EQ(ledger.step_reservation(2)->left(), 0);
  EXPECT_EQ(verify(ledger)->entries, 62);
}

TEST_F(LedgerProgress, ThreadsShareAGroup) {
  GroupCommit group(with_training(50));
  std::atomic<int> granted = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 20; ++k) {
        const auto counted = group.record_progress(2, 1);
        if (counted) ++granted;
        EXPECT_TRUE(counted || counted.error().code == ErrorCode::budget_exhausted);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(granted, 50);
  EXPECT_EQ(group.step_reservation(2)->left(), 0);
  EXPECT_EQ(group.step_reservation(1).error().code, ErrorCode::invalid_parameter);
  EXPECT_TRUE(verify(open()));
}

}  // namespace progress_test
}  // namespace gauze
