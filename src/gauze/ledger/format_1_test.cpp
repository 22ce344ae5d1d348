// Ledgers that an earlier Gauze wrote: without nonces and relations, in SQLite's WAL mode.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "gauze/files/atomic_file.h"
#include "gauze/ledger/child_testing.h"
#include "gauze/ledger/ledger_testing.h"

namespace gauze {
namespace format_1_test {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

/// The lines of an export of format 1, written here by hand.
class OldExport {
 public:
  void add(Entry entry) {
    entry.number = ++entries_;
    entry.time = 1'790'000'000 + entries_;
    const std::string body = entry.canonical();
    const std::string hash = chain_hash(head_, body);
    lines_ += fmt::format("{{\"previous\":\"{}\",\"hash\":\"{}\",\"body\":{}}}\n", head_, hash, body);
    head_ = hash;
  }
  [[nodiscard]] std::string text() const {
    return fmt::format("{{\"format\":\"gauze-ledger\",\"version\":1,\"entries\":{},\"head\":\"{}\"}}\n", entries_,
                       head_) +
           lines_;
  }

 private:
  std::int64_t entries_ = 0;
  std::string head_ = genesis_hash();
  std::string lines_;
};

Entry old_create(const std::string& name) {
  Entry entry;
  entry.kind = EntryKind::create;
  entry.dataset = name;
  DatasetOptions options = epsilon_options(name, "1");
  options.unit = "one patient";
  entry.terms = *DatasetTerms::make(options);
  entry.terms->neighbours.reset();
  return entry;
}

Entry old_spend(const std::string& name, std::int64_t amount, std::int64_t spent) {
  Entry entry;
  entry.kind = EntryKind::spend;
  entry.dataset = name;
  entry.analyst = "ana";
  entry.charge = entry.charged = {.kind = Charge::Kind::epsilon, .amount = amount};
  entry.cost.amount = amount;
  entry.spent.amount = spent;
  return entry;
}

class Format1 : public LedgerTest {
 protected:
  Format1() {
    OldExport old;
    old.add(old_create("visits"));
    old.add(old_spend("visits", 300'000'000, 300'000'000));
    text_ = old.text();
  }

  /// The file as an earlier Gauze left it.
  void make_old_file() {
    ASSERT_TRUE(Ledger::import_text(path_, text_, {}));
    Intruder hand(path_);
    ASSERT_EQ(
        hand.run(
            "DROP TABLE declarations; DROP TABLE requests; DROP TABLE outcomes; DROP TABLE progress; PRAGMA user_version = 1; PRAGMA journal_mode = WAL"),
        SQLITE_OK);
  }

  std::string text_;
};

TEST_F(Format1, IsReadAndVerifiedAsItIs) {
  make_old_file();
  const std::string bytes = *read_file(path_);
  {
    const auto ledger = Ledger::open(path_, {.read_only = true, .busy_milliseconds = 100, .clock = {}});
    ASSERT_TRUE(ledger) << ledger.error().message;
    EXPECT_EQ(verify(*ledger)->entries, 2);
    EXPECT_EQ(ledger->balance("visits")->spent.amount, 300'000'000);
    EXPECT_FALSE(ledger->balance("visits")->neighbours.has_value());
  }
  EXPECT_EQ(*read_file(path_), bytes);
}

TEST_F(Format1, IsTakenOutOfTheLogAndRaisedWhenItIsWritten) {
  make_old_file();
  Ledger ledger = open();
  EXPECT_EQ(Intruder(path_).column("PRAGMA journal_mode"), std::vector<std::string>{"delete"});
  EXPECT_EQ(Intruder(path_).column("PRAGMA user_version"), std::vector<std::string>{"4"});
  EXPECT_FALSE(fs::exists(path_.string() + "-wal"));
  EXPECT_EQ(verify(ledger)->entries, 2);
}

TEST_F(Format1, WhatIsInTheLogGoesIntoTheFile) {
  make_old_file();
  // A writer of that time, killed before its log went into the file.
  const Child child = start([this](int) {
    Intruder hand(path_);
    OldExport old;
    old.add(old_create("visits"));
    old.add(old_spend("visits", 300'000'000, 300'000'000));
    old.add(old_spend("visits", 500'000'000, 800'000'000));
    const std::string line = old.text().substr(old.text().rfind("{\"previous\""));
    const std::string previous = line.substr(13, 64);
    const std::string hash = line.substr(13 + 64 + 10, 64);
    const std::string body = line.substr(line.find("\"body\":") + 7, line.size() - line.find("\"body\":") - 9);
    hand.run(
        fmt::format("BEGIN; INSERT INTO entries VALUES (3, 1790000003, 'visits', '{}', '{}', '{}');"
                    "UPDATE datasets SET spent = 800000000, queries = 2;"
                    "UPDATE analysts SET spent = 800000000, queries = 2; COMMIT",
                    body, previous, hash));
    return ::kill(::getpid(), SIGKILL);
  });
  wait_for(child);
  ::close(child.reports);
  ASSERT_GT(fs::file_size(path_.string() + "-wal"), 0U);
  Ledger ledger = open();
  EXPECT_EQ(ledger.balance("visits")->spent.amount, 800'000'000);
  EXPECT_EQ(verify(ledger)->entries, 3);
  EXPECT_FALSE(fs::exists(path_.string() + "-wal"));
}

TEST_F(Format1, WhoStillUsesTheLogIsWaitedForAndThenReported) {
  make_old_file();
  Intruder other(path_);
  ASSERT_EQ(other.run("BEGIN; SELECT * FROM entries"), SQLITE_OK);
  Ledger::Options impatient = options();
  impatient.busy_milliseconds = 30;
  const auto opened = Ledger::open(path_, impatient);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::io);
  EXPECT_THAT(opened.error().message, HasSubstr("locked"));
  ASSERT_EQ(other.run("COMMIT; PRAGMA journal_mode = DELETE"), SQLITE_OK);
  EXPECT_TRUE(Ledger::open(path_, impatient));
}

TEST_F(Format1, AnotherProgramThatBringsTheLogBackStopsAnOpenLedger) {
  make_old_file();
  {
    Ledger ledger = open();
    ASSERT_TRUE(ledger.declare("visits", Neighbours::add_remove));
    ASSERT_EQ(Intruder(path_).run("PRAGMA journal_mode = WAL"), SQLITE_OK);
    const auto refused = ledger.spend(request("visits", epsilon_charge("0.1")));
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr("another mode"));
  }
  EXPECT_TRUE(open().spend(request("visits", epsilon_charge("0.1")))) << "opened again, it leaves the log";
}

TEST_F(Format1, SeveralProcessesMayRaiseItAtOnce) {
  for (int round = 0; round < 5; ++round) {
    fs::remove_all(folder_);
    fs::create_directory(folder_);
    make_old_file();
    std::vector<Child> children;
    for (int i = 0; i < 6; ++i) {
      children.push_back(start([this](int pipe) {
        auto ledger = Ledger::open(path_);
        if (!ledger) return 3;
        const auto declared = ledger->declare("visits", Neighbours::add_remove);
        if (declared) report(pipe, 1);
        return ledger->spend(request("visits", epsilon_charge("0.1"))) ? 0 : 4;
      }));
    }
    std::size_t declared = 0;
    for (const Child& child : children) {
      declared += reports_of(child).size();
      EXPECT_EQ(wait_for(child), 0);
    }
    EXPECT_EQ(declared, 1U);
    EXPECT_EQ(verify(open())->entries, 9);
  }
}

TEST_F(Format1, AFileThatDoesNotFitTogetherIsNotRaised) {
  make_old_file();
  Intruder(path_).change("UPDATE datasets SET spent = 0, queries = 0");
  const auto opened = Ledger::open(path_);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::bad_data);
  EXPECT_EQ(Intruder(path_).column("PRAGMA user_version"), std::vector<std::string>{"1"});
}

TEST_F(Format1, ALogWhoseFileIsGoneOrEmptyIsKept) {
  make_old_file();
  const std::string log(5000, 'x');
  ASSERT_TRUE(write_file(path_.string() + "-wal", log));
  for (const bool empty : {false, true}) {
    fs::remove(path_);
    if (empty) std::ofstream(path_).close();
    for (const auto& opened :
         {Ledger::open(path_).map([](auto&&) { return 0; }), Ledger::create(path_).map([](auto&&) { return 0; })}) {
      ASSERT_FALSE(opened) << empty;
      EXPECT_EQ(opened.error().code, ErrorCode::bad_data);
      EXPECT_THAT(opened.error().message, HasSubstr("-wal"));
    }
    EXPECT_EQ(*read_file(path_.string() + "-wal"), log);
  }
}

TEST_F(Format1, ChargesNothingUntilTheRelationIsDeclared) {
  make_old_file();
  Ledger ledger = open();
  const auto refused = ledger.spend(request("visits", epsilon_charge("0.1")));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::invalid_parameter);
  EXPECT_THAT(refused.error().message, HasSubstr("declare add-remove or replace-one"));
  ASSERT_TRUE(ledger.declare("visits", Neighbours::replace_one));
  const auto grant = ledger.spend(request("visits", epsilon_charge("0.1")));
  ASSERT_TRUE(grant) << grant.error().message;
  EXPECT_EQ(grant->balance.spent.amount, 400'000'000);
  EXPECT_EQ(grant->balance.neighbours, Neighbours::replace_one);
  EXPECT_EQ(open().balance("visits")->neighbours, Neighbours::replace_one);
  EXPECT_EQ(verify(open())->entries, 4);
}

TEST_F(Format1, TheRelationIsDeclaredOnce) {
  make_old_file();
  Ledger ledger = open();
  EXPECT_FALSE(ledger.declare("visits", Neighbours::any_two_inputs));
  EXPECT_FALSE(ledger.declare("nowhere", Neighbours::add_remove));
  ASSERT_TRUE(ledger.declare("visits", Neighbours::add_remove));
  EXPECT_THAT(ledger.declare("visits", Neighbours::replace_one).error().message, HasSubstr("already"));
  add(ledger, epsilon_options("new", "1"));
  EXPECT_THAT(ledger.declare("new", Neighbours::replace_one).error().message, HasSubstr("already"));
}

TEST_F(Format1, ADeclarationThatWasChangedIsFound) {
  make_old_file();
  {
    Ledger ledger = open();
    ASSERT_TRUE(ledger.declare("visits", Neighbours::add_remove));
  }
  Intruder(path_).change("DELETE FROM declarations");
  EXPECT_THAT(verify(open()).error().message, HasSubstr("declarations"));
  Intruder(path_).change("INSERT INTO declarations VALUES ('visits', 2)");
  EXPECT_FALSE(open().spend(request("visits", epsilon_charge("0.1"))));
}

TEST_F(Format1, BothKindsOfEntriesLiveInOneChainAndTravelTogether) {
  make_old_file();
  Ledger ledger = open();
  ASSERT_TRUE(ledger.declare("visits", Neighbours::add_remove));
  ASSERT_TRUE(ledger.spend(request("visits", epsilon_charge("0.1"))));
  const std::string text = export_text(ledger);
  EXPECT_THAT(text, HasSubstr("\"version\":4"));
  const fs::path copy = folder_ / "copy.ledger";
  ASSERT_TRUE(Ledger::import_text(copy, text, *ledger.head()));
  Ledger copied = *Ledger::open(copy);
  EXPECT_EQ(export_text(copied), text);
  EXPECT_TRUE(copied.spend(request("visits", epsilon_charge("0.1")))) << "the declaration travels, too";
}

TEST_F(Format1, AnEntryWithoutANonceCannotFollowOneThatHasOne) {
  OldExport mixed;
  Entry created = old_create("visits");
  created.nonce = std::string(32, 'a');
  created.terms->neighbours = Neighbours::add_remove;
  mixed.add(created);
  mixed.add(old_spend("visits", 1, 1));
  std::string text = mixed.text();
  EXPECT_THAT(Ledger::import_text(path_, text, {}).error().message, HasSubstr("later format"));
  text.replace(text.find("\"version\":1"), 11, "\"version\":2");
  EXPECT_THAT(Ledger::import_text(path_, text, {}).error().message, HasSubstr("nonce"));
}

}  // namespace format_1_test
}  // namespace gauze
