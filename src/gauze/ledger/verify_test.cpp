#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <thread>

#include "gauze/files/atomic_file.h"
#include "gauze/ledger/ledger_testing.h"

namespace gauze {
namespace verify_test {

using ::testing::HasSubstr;

class LedgerVerify : public LedgerTest {
 protected:
  /// A ledger with every kind of entry; the heads after each of them.
  void fill() {
    Ledger ledger = create();
    add(ledger, epsilon_options("visits", "10"));
    add(ledger, epsilon_options("stays", "1", "1e-6"));
    const auto key = CommitmentKey::generate();
    for (int i = 0; i < 5; ++i) {
      auto one = request(i % 2 == 0 ? "visits" : "stays", epsilon_charge("0.01"));
      if (i == 2) one.commitment_key = &*key;
      EXPECT_TRUE(ledger.spend(one));
    }
    EXPECT_TRUE(ledger.commit(ledger.reserve(request("visits", epsilon_charge("0.5")))->entry));
    EXPECT_TRUE(ledger.reserve(request("visits", epsilon_charge("0.5"))));
    EXPECT_TRUE(ledger.set_share("visits", "ana", decimal("0.8")));
    EXPECT_TRUE(ledger.delegate("visits", "ana", "ben", decimal("0.2")));
    const auto all = *ledger.history({});
    for (const auto& one : all) heads_.push_back(one.hash);
  }

  /// Changes the file and says what verify() makes of it.
  std::string after(const std::string& sql) {
    Intruder(path_).change(sql);
    const auto ledger = Ledger::open(path_, options());
    if (!ledger) return ledger.error().message;
    const auto found = verify(*ledger);
    if (found) return "";
    EXPECT_EQ(found.error().code, ErrorCode::bad_data);
    return found.error().message;
  }

  std::vector<std::string> heads_;
};

TEST_F(LedgerVerify, AcceptsAnUntouchedFileAndEveryHeadItHad) {
  fill();
  const Ledger ledger = open();
  const auto found = verify(ledger);
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->entries, static_cast<std::int64_t>(heads_.size()));
  EXPECT_EQ(found->datasets, 2);
  EXPECT_EQ(found->head, heads_.back());
  for (std::size_t i = 0; i < heads_.size(); ++i) {
    EXPECT_EQ(verify(ledger, heads_[i])->head_entry, static_cast<std::int64_t>(i + 1));
  }
}

TEST_F(LedgerVerify, AnEmptyLedgerIsInOrder) {
  const Ledger ledger = create();
  EXPECT_EQ(verify(ledger)->entries, 0);
  EXPECT_EQ(*ledger.head(), genesis_hash());
}

/// What someone might do to the tables, and what the message then names.
const std::vector<std::pair<std::string, std::string>>& changes_of_the_file() {
  static const std::vector<std::pair<std::string, std::string>> kChanges = {
      {"UPDATE entries SET body = replace(body, '10000000', '10000001') WHERE entry = 4", "entry 4"},
      {"UPDATE entries SET body = replace(body, 'ana', 'eve') WHERE entry = 5", "entry 5"},
      {"UPDATE entries SET hash = substr(hash, 2) || substr(hash, 1, 1) WHERE entry = 5", "entry"},
      {"UPDATE entries SET previous = hash WHERE entry = 6", "entry 6"},
      {"UPDATE entries SET time = time + 1 WHERE entry = 3", "entry 3"},
      {"UPDATE entries SET dataset = 'stays' WHERE entry = 3", "entry 3"},
      {"UPDATE datasets SET spent = spent - 1 WHERE dataset = 'visits'", "datasets"},
      {"UPDATE datasets SET queries = 0 WHERE dataset = 'visits'", "datasets"},
      {"UPDATE datasets SET shares = NULL", "datasets"},
      {"DELETE FROM datasets WHERE dataset = 'stays'", "datasets"},
      {"INSERT INTO datasets VALUES ('new', 1, 0, 0, 0, 0, 0, NULL)", "datasets"},
      {"UPDATE analysts SET share = 1000000000 WHERE analyst = 'ben'", "analysts"},
      {"UPDATE analysts SET spent = 0", "analysts"},
      {"INSERT INTO analysts VALUES ('visits', 'eve', 5, 0, 0, 0)", "analysts"},
      {"UPDATE reservations SET committed_by = NULL", "reservations"},
      {"DELETE FROM reservations", "reservations"},
      {"INSERT INTO reservations VALUES (3, NULL)", "reservations"},
      {"UPDATE commitment_keys SET key = substr(key, 2) || substr(key, 1, 1)", "commitment key"},
      {"INSERT INTO commitment_keys VALUES (3, 'abc')", "commitment key"},
      {"DELETE FROM entries WHERE entry = 4", "entry 4"},
      {"DELETE FROM entries WHERE entry > 7", "are not what the entries add up to"},
      {"UPDATE entries SET entry = CASE entry WHEN 4 THEN -5 ELSE -4 END WHERE entry IN (4, 5);"
       "UPDATE entries SET entry = -entry WHERE entry < 0",
       "entry 4"},
  };
  return kChanges;
}

TEST_F(LedgerVerify, FindsEveryKindOfChange) {
  for (const auto& [sql, named] : changes_of_the_file()) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directory(folder_);
    heads_.clear();
    fill();
    EXPECT_THAT(after(sql), HasSubstr(named)) << sql;
  }
}

TEST_F(LedgerVerify, ARecomputedHashDoesNotHideAnOverspend) {
  // A forger who recomputes the chain still cannot record a charge beyond the total.
  Ledger ledger = with_dataset(epsilon_options("visits", "1"));
  const auto first = ledger.spend(request("visits", epsilon_charge("0.9")));
  Entry forged = ledger.history({}).value().back().entry;
  forged.number = 3;
  forged.spent.amount = 1'800'000'000;
  const std::string body = forged.canonical();
  Intruder(path_).change("INSERT INTO entries VALUES (3, " + std::to_string(forged.time) + ", 'visits', '" + body +
                         "', '" + first->head + "', '" + chain_hash(first->head, body) +
                         "'); UPDATE datasets SET spent = 1800000000, queries = 2; "
                         "UPDATE analysts SET spent = 1800000000, queries = 2");
  const auto found = verify(ledger);
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().message, HasSubstr("exceeds what was left"));
}

TEST_F(LedgerVerify, AHeadKeptElsewhereFindsARolledBackFile) {
  fill();
  const std::filesystem::path copy = folder_ / "copy";
  std::filesystem::copy_file(path_, copy);
  {
    Ledger ledger = open();
    ASSERT_TRUE(ledger.spend(request("visits", epsilon_charge("0.1"), "ben")));
    heads_.push_back(*ledger.head());
  }
  std::filesystem::rename(copy, path_);
  const Ledger ledger = open();
  EXPECT_TRUE(verify(ledger));
  EXPECT_TRUE(verify(ledger, heads_[3]));
  const auto found = verify(ledger, heads_.back());
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::bad_data);
  EXPECT_THAT(found.error().message, HasSubstr("rolled back"));
  EXPECT_EQ(verify(ledger, "12").error().code, ErrorCode::invalid_parameter);
}

TEST_F(LedgerVerify, TheFileItselfRefusesChangesAndDeletions) {
  fill();
  Intruder intruder(path_);
  for (const char* sql :
       {"UPDATE entries SET time = 0", "DELETE FROM entries", "DELETE FROM datasets", "DELETE FROM analysts",
        "DELETE FROM commitment_keys", "UPDATE commitment_keys SET key = 'x'", "UPDATE datasets SET spent = 0",
        "INSERT INTO entries VALUES (99, 0, '', '', '', '')",
        "INSERT OR REPLACE INTO entries VALUES (3, 0, '', '', '', '')"}) {
    EXPECT_NE(intruder.run(sql), SQLITE_OK) << sql;
  }
  EXPECT_TRUE(verify(open()));
}

TEST_F(LedgerVerify, AMissingOrForeignTriggerIsNotAccepted) {
  fill();
  Intruder(path_).run("CREATE TRIGGER refund AFTER INSERT ON entries BEGIN UPDATE datasets SET spent = 0; END");
  EXPECT_EQ(Ledger::open(path_, options()).error().code, ErrorCode::bad_data);
  Intruder(path_).run("DROP TRIGGER refund");
  EXPECT_TRUE(Ledger::open(path_, options()));
  Intruder(path_).run("DROP TRIGGER entries_stay");
  EXPECT_EQ(Ledger::open(path_, options()).error().code, ErrorCode::bad_data);
}

TEST_F(LedgerVerify, ATriggerWithANameOfSQLiteIsNotAccepted) {
  fill();
  Intruder(path_).run(
      "PRAGMA writable_schema = ON; INSERT INTO sqlite_master VALUES ('trigger', 'sqlite_refund', 'entries', 0, "
      "'CREATE TRIGGER sqlite_refund AFTER INSERT ON entries BEGIN UPDATE analysts SET spent = 0; END')");
  EXPECT_EQ(Ledger::open(path_, options()).error().code, ErrorCode::bad_data);
}

TEST_F(LedgerVerify, WhatItRefusesGrantsNothing) {
  std::vector<std::string> all = {
      "UPDATE datasets SET spent = 0",
      "UPDATE datasets SET window_spent = 1 WHERE dataset = 'visits'",
      "DELETE FROM entries WHERE entry = 10",  // the last charge: its dataset stands at the one before
      "UPDATE entries SET body = replace(body, '10000000000', '90000000000') WHERE entry = 1",
      "UPDATE entries SET time = time + 9999999 WHERE entry = 12",
      "UPDATE entries SET hash = previous WHERE entry = 12",
      "UPDATE entries SET entry = 40 WHERE entry = 12",
  };
  for (const auto& change : changes_of_the_file()) all.push_back(change.first);
  for (const std::string& sql : all) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directory(folder_);
    fill();
    Intruder(path_).change(sql);
    const auto granted = open().spend(request("visits", epsilon_charge("0.01")));
    ASSERT_FALSE(granted) << sql;
    EXPECT_EQ(granted.error().code, ErrorCode::bad_data) << sql;
  }
}

/// Writes a balance into the pages of the file, past SQLite and its counter of changes.
TEST_F(LedgerVerify, ABalanceThatWasChangedInThePagesGrantsNothing) {
  {
    Ledger ledger = with_dataset(epsilon_options("visits", "1"));
    ASSERT_TRUE(ledger.spend(request("visits", epsilon_charge("0.123456789"))));
  }
  const std::string bytes = *read_file(path_);
  const std::string units("\x07\x5b\xcd\x15", 4);  // 123456789
  int places = 0;
  for (auto at = bytes.find(units); at != std::string::npos; at = bytes.find(units, at + 1), ++places) {
    std::string changed = bytes;
    changed[at + 3] = '\x01';
    ASSERT_TRUE(write_file(path_, changed));
    const auto granted = open().spend(request("visits", epsilon_charge("0.1")));
    ASSERT_FALSE(granted) << at;
    EXPECT_EQ(granted.error().code, ErrorCode::bad_data);
  }
  EXPECT_EQ(places, 2) << "the balances of the dataset and of the analyst";
}

TEST_F(LedgerVerify, ARolledBackAndReplayedFileHasAnotherHead) {
  with_dataset(epsilon_options("visits", "1"));
  const std::string before = *read_file(path_);
  const auto spend = [this] { return open().spend(request("visits", epsilon_charge("0.5"), "ana"))->head; };
  const std::string head = spend();
  ASSERT_TRUE(write_file(path_, before));
  EXPECT_NE(spend(), head) << "the same charge in the same second";
  const auto found = verify(open(), head);
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().message, HasSubstr("rolled back"));
}

TEST_F(LedgerVerify, WhatItRefusesGrantsNothingWhateverByteWasFlipped) {
  fill();
  const std::string bytes = *read_file(path_);
  std::mt19937_64 random(8);
  int refused = 0;
  for (int i = 0; i < 300; ++i) {
    std::string changed = bytes;
    char& byte = changed[random() % changed.size()];
    byte = static_cast<char>(static_cast<unsigned char>(byte) ^ (1U << (random() % 8)));
    ASSERT_TRUE(write_file(path_, changed));
    bool whole = false;
    {
      const auto reading = Ledger::open(path_, {.read_only = true, .busy_milliseconds = 100, .clock = {}});
      whole = reading && verify(*reading);
    }
    auto writing = Ledger::open(path_, options());
    const bool granted = writing && writing->spend(request("visits", epsilon_charge("0.01")));
    EXPECT_TRUE(whole || !granted) << i;
    if (!whole) ++refused;
  }
  EXPECT_GT(refused, 30);
}

TEST_F(LedgerVerify, LetsOthersWriteWhileItReads) {
  Ledger writing = with_dataset(epsilon_options("visits", "1000"));
  const std::vector<ChargeRequest> many(5000, request("visits", epsilon_charge("0.001")));
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(spend_many(writing, many));
  // The ledger grows between two pieces of the reading: what is compared in the end includes it.
  const Ledger reading = open();
  int grants = 0;
  std::thread writer([&] {
    for (int i = 0; i < 10; ++i) grants += writing.spend(many.front()) ? 1 : 0;
  });
  for (int i = 0; i < 2; ++i) {
    const auto found = verify(reading);
    EXPECT_TRUE(found) << found.error().message;
  }
  writer.join();
  EXPECT_EQ(grants, 10);
  EXPECT_EQ(verify(reading)->entries, 25'011);
}

TEST_F(LedgerVerify, NoFlippedByteGoesUnnoticed) {
  fill();
  std::string before;
  {
    const Ledger ledger = open();
    before = export_text(ledger);
  }
  const std::string bytes = *read_file(path_);
  std::mt19937_64 random(7);
  int noticed = 0;
  for (int i = 0; i < 400; ++i) {
    std::string changed = bytes;
    char& byte = changed[random() % changed.size()];
    byte = static_cast<char>(static_cast<unsigned char>(byte) ^ (1U << (random() % 8)));
    ASSERT_TRUE(write_file(path_, changed));
    const auto ledger = Ledger::open(path_, {.read_only = true, .busy_milliseconds = 100, .clock = {}});
    const auto found = ledger ? verify(*ledger) : Result<LedgerVerification>(tl::unexpected<Error>(ledger.error()));
    if (!found) {
      ++noticed;
    } else {
      // What passes differs in bytes that hold nothing: the record is the same to the last bit.
      EXPECT_EQ(export_text(*ledger), before);
    }
  }
  EXPECT_GT(noticed, 30);
}

}  // namespace verify_test
}  // namespace gauze
