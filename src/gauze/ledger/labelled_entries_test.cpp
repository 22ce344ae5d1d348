#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/label/label_testing.h"
#include "gauze/ledger/ledger_testing.h"

namespace gauze {
namespace labelled_entries_test {

using ::testing::HasSubstr;

class LabelledEntries : public LedgerTest {
 protected:
  LabelledEntries() : ledger_(with_dataset(options_of_visits())) {
    const auto grant = ledger_.reserve(request("visits", epsilon_charge("0.3", "1e-7")));
    EXPECT_TRUE(grant);
    EXPECT_TRUE(ledger_.commit(grant->entry));
    label_ = plain_label();
    label_.definition = Definition::approximate;
    label_.cost = {.epsilon = "0.3", .delta = "0.0000001", .rho = {}};
    label_.budget = {.recorded = true, .dataset = "visits", .entry = std::to_string(grant->entry)};
  }
  static DatasetOptions options_of_visits() {
    DatasetOptions options = epsilon_options("visits", "1", "1e-6");
    options.accountant = "basic";
    return options;
  }
  void expect_misfit(const PrivacyLabel& label, const char* reason) {
    const auto found = ledger_.entry_of(label);
    ASSERT_FALSE(found) << reason;
    EXPECT_EQ(found.error().code, ErrorCode::bad_data);
    EXPECT_THAT(found.error().message, HasSubstr(reason));
  }

  Ledger ledger_;
  PrivacyLabel label_;
};

TEST_F(LabelledEntries, ALabelFindsItsCharge) {
  const auto found = ledger_.entry_of(label_);
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->entry.number, 2);
  EXPECT_EQ(found->hash.size(), 64U);
}

TEST_F(LabelledEntries, AReservationIsCommittedOnceItsReleaseTookPlace) {
  EXPECT_EQ(ledger_.is_committed(2), true);
  const auto open = ledger_.reserve(request("visits", epsilon_charge("0.1", "0")));
  ASSERT_TRUE(open);
  EXPECT_EQ(ledger_.is_committed(open->entry), false);
  ASSERT_TRUE(ledger_.commit(open->entry));
  EXPECT_EQ(ledger_.is_committed(open->entry), true);
  const auto spent = ledger_.spend(request("visits", epsilon_charge("0.1", "0")));
  ASSERT_TRUE(spent);
  EXPECT_EQ(ledger_.is_committed(spent->entry), true);
}

TEST_F(LabelledEntries, EveryStatementIsCompared) {
  PrivacyLabel other = label_;
  other.budget.entry = "99";
  expect_misfit(other, "no entry of the number");
  other.budget.entry = "2x";
  expect_misfit(other, "names no entry");
  other.budget.entry = "3";
  expect_misfit(other, "not a charge");
  other = label_;
  other.budget.dataset = "stays";
  expect_misfit(other, "another dataset");
  other = label_;
  other.cost.epsilon = "0.30000001";
  expect_misfit(other, "another cost");
  other = label_;
  other.cost.delta = "0";
  expect_misfit(other, "another cost");
  other = label_;
  other.privacy_unit = "one patient";
  expect_misfit(other, "another privacy unit");
  other = label_;
  other.neighbours = Neighbours::replace_one;
  expect_misfit(other, "other neighbours");
  other = label_;
  other.budget = {};
  expect_misfit(other, "not recorded");
}

TEST_F(LabelledEntries, TheCostIsComparedAsStatedNotAsCharged) {
  DatasetOptions options = epsilon_options("stays", "1");
  options.neighbours = Neighbours::replace_one;
  add(ledger_, options);
  ChargeRequest asked = request("stays", epsilon_charge("0.2"));
  asked.neighbours = Neighbours::add_remove;
  const auto grant = ledger_.spend(asked);
  ASSERT_TRUE(grant);
  PrivacyLabel label = plain_label();
  label.budget = {.recorded = true, .dataset = "stays", .entry = std::to_string(grant->entry)};
  label.cost.epsilon = "0.2";
  EXPECT_TRUE(ledger_.entry_of(label));
  label.cost.epsilon = "0.4";
  EXPECT_FALSE(ledger_.entry_of(label));
}

TEST_F(LabelledEntries, AChargeInRhoIsComparedByRho) {
  add(ledger_, rho_options("scans", "1"));
  const auto grant = ledger_.spend(request("scans", charge_of(Charge::Kind::rho, "0.01")));
  PrivacyLabel label = label_;
  label.budget = {.recorded = true, .dataset = "scans", .entry = std::to_string(grant->entry)};
  EXPECT_FALSE(ledger_.entry_of(label));
  label.cost.rho = "0.01";
  EXPECT_TRUE(ledger_.entry_of(label));
}

TEST_F(LabelledEntries, ReservationsCountOnceTheyAreCommitted) {
  ASSERT_TRUE(ledger_.spend(request("visits", epsilon_charge("0.1"))));
  const auto open = ledger_.reserve(request("visits", epsilon_charge("0.1")));
  const auto before = *ledger_.committed_charges("visits");
  ASSERT_EQ(before.size(), 2U);
  EXPECT_EQ(before[0].entry.number, 2);
  EXPECT_EQ(before[1].entry.kind, EntryKind::spend);
  ASSERT_TRUE(ledger_.commit(open->entry));
  EXPECT_EQ(ledger_.committed_charges("visits")->size(), 3U);
  EXPECT_TRUE(ledger_.committed_charges("nowhere")->empty());
}

}  // namespace labelled_entries_test
}  // namespace gauze
