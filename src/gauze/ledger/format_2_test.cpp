// Ledgers of format 2: without request ids, and nothing kept of what was released.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/files/atomic_file.h"
#include "gauze/files/sha256.h"
#include "gauze/ledger/ledger_testing.h"

namespace gauze {
namespace format_2_test {

using ::testing::HasSubstr;

class Format2 : public LedgerTest {
 protected:
  /// The file as an earlier Gauze left it: a dataset, a charge, an open reservation.
  void make_old_file() {
    {
      Ledger ledger = with_dataset(epsilon_options("visits", "1"));
      ASSERT_TRUE(ledger.spend(request("visits", epsilon_charge("0.1"))));
      ASSERT_TRUE(ledger.reserve(request("visits", epsilon_charge("0.2"))));
    }
    Intruder hand(path_);
    ASSERT_EQ(hand.run("DROP TABLE requests; DROP TABLE outcomes; DROP TABLE progress; PRAGMA user_version = 2"),
              SQLITE_OK);
  }
};

TEST_F(Format2, IsReadAndVerifiedAsItIs) {
  make_old_file();
  const std::string bytes = *read_file(path_);
  {
    const auto ledger = Ledger::open(path_, {.read_only = true, .busy_milliseconds = 100, .clock = {}});
    ASSERT_TRUE(ledger) << ledger.error().message;
    EXPECT_EQ(verify(*ledger)->entries, 3);
    EXPECT_EQ(ledger->balance("visits")->spent.amount, 300'000'000);
    const auto found = ledger->find_request("visits", "r1");
    ASSERT_TRUE(found);
    EXPECT_FALSE(found->has_value());
    EXPECT_THAT(export_text(*ledger), HasSubstr("\"version\":4"));
  }
  EXPECT_EQ(*read_file(path_), bytes);
}

TEST_F(Format2, IsRaisedWhenItIsOpenedToBeWritten) {
  make_old_file();
  Ledger ledger = open();
  EXPECT_EQ(Intruder(path_).column("PRAGMA user_version"), std::vector<std::string>{"4"});
  ASSERT_TRUE(ledger.commit(3, {.label = "{}"}));
  ChargeRequest asked = request("visits", epsilon_charge("0.1"));
  asked.request = {.id = "r1", .digest = sha256_hex("r1")};
  ASSERT_TRUE(ledger.spend(asked));
  EXPECT_EQ(verify(ledger)->entries, 5);
}

TEST_F(Format2, AFileThatDoesNotFitTogetherIsNotRaised) {
  make_old_file();
  Intruder(path_).change("UPDATE datasets SET spent = 0, queries = 0");
  const auto opened = Ledger::open(path_);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::bad_data);
  EXPECT_EQ(Intruder(path_).column("PRAGMA user_version"), std::vector<std::string>{"2"});
}

TEST_F(Format2, ItsExportIsReadUnlessItHasKeysOfALaterOne) {
  make_old_file();
  Ledger ledger = open();
  std::string text = export_text(ledger);
  const auto as_version_2 = [](std::string later) {
    return later.replace(later.find("\"version\":4"), 11, "\"version\":2");
  };
  ASSERT_TRUE(Ledger::import_text(folder_ / "copy.ledger", as_version_2(text), *ledger.head()));
  EXPECT_TRUE(verify(*Ledger::open(folder_ / "copy.ledger")));
  ChargeRequest asked = request("visits", epsilon_charge("0.1"));
  asked.request = {.id = "r1", .digest = sha256_hex("r1")};
  ASSERT_TRUE(ledger.spend(asked));
  const auto refused = Ledger::import_text(folder_ / "other.ledger", as_version_2(export_text(ledger)), {});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("later format"));
}

}  // namespace format_2_test
}  // namespace gauze
