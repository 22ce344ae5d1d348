#include "gauze/ledger/ledger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "gauze/ledger/ledger_testing.h"

namespace gauze {
namespace ledger_test {

using ::testing::HasSubstr;

TEST_F(LedgerTest, TenTimesATenthExhaustsOne) {
  Ledger ledger = with_dataset(epsilon_options("visits", "1"));
  for (int i = 1; i <= 10; ++i) {
    const auto grant = ledger.spend(request("visits", epsilon_charge("0.1")));
    ASSERT_TRUE(grant) << i << grant.error().message;
    EXPECT_EQ(grant->entry, i + 1);
    EXPECT_EQ(grant->head, *ledger.head());
  }
  EXPECT_EQ(ledger.balance("visits")->left_json().dump(), "{\"epsilon\":0,\"delta\":0}");
  const auto refused = ledger.spend(request("visits", epsilon_charge("1e-9")));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::budget_exhausted);
  EXPECT_EQ(refused.error().limit, "total");
  EXPECT_EQ(refused.error().allowed->to_json().dump(), "{\"epsilon\":0}");
  EXPECT_EQ(verify(ledger)->entries, 11);
}

TEST_F(LedgerTest, ARefusalSaysWhatWouldBeAllowed) {
  Ledger ledger = with_dataset(epsilon_options("visits", "1"));
  ASSERT_TRUE(ledger.spend(request("visits", epsilon_charge("0.7"))));
  const auto refused = ledger.spend(request("visits", epsilon_charge("0.5")));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().allowed->to_json().dump(), "{\"epsilon\":0.3}");
  EXPECT_EQ(refused.error().balance->left_json().dump(), "{\"epsilon\":0.3,\"delta\":0}");
  EXPECT_EQ(ledger.balance("visits")->queries, 1);
  EXPECT_TRUE(ledger.spend(request("visits", *refused.error().allowed)));
}

TEST_F(LedgerTest, WhatIsAllowedIsGrantedAndOneUnitMoreIsNot) {
  Ledger ledger = create();
  const auto add_with = [&](DatasetOptions options, const char* accountant) {
    options.accountant = accountant;
    add(ledger, options);
  };
  add_with(epsilon_options("basic", "1", "1e-6"), "basic");
  add_with(epsilon_options("zcdp", "1", "1e-6"), "zcdp");
  add_with(rho_options("rho", "0.02"), "zcdp");
  add_with(epsilon_options("rdp", "1", "1e-6"), "rdp:20");
  add_with(epsilon_options("gdp", "1", "1e-6"), "gdp");
  const std::vector<std::pair<const char*, Charge>> asked = {
      {"basic", epsilon_charge("3", "0.1")},
      {"zcdp", epsilon_charge("3", "0.1")},
      {"zcdp", charge_of(Charge::Kind::rho, "3")},
      {"zcdp", charge_of(Charge::Kind::mu, "3")},
      {"rho", epsilon_charge("3")},
      {"rdp", epsilon_charge("3", "0.1")},
      {"rdp", charge_of(Charge::Kind::rho, "3")},
      {"rdp", charge_of(Charge::Kind::mu, "3")},
      {"rdp", charge_of(Charge::Kind::rdp, "3")},
      {"gdp", charge_of(Charge::Kind::mu, "3")},
  };
  for (const auto& [dataset, charge] : asked) {
    const auto refused = ledger.spend(request(dataset, charge));
    ASSERT_FALSE(refused) << dataset;
    ASSERT_TRUE(refused.error().allowed) << dataset << refused.error().message;
    const Charge allowed = *refused.error().allowed;
    EXPECT_GT(allowed.amount, 0) << dataset;
    Charge more = allowed;
    ++more.amount;
    EXPECT_FALSE(ledger.spend(request(dataset, more))) << dataset;
    // Half of it, so that the next kind finds something left too.
    Charge half = allowed;
    half.amount /= 2;
    half.delta /= 2;
    EXPECT_TRUE(ledger.spend(request(dataset, half))) << dataset;
  }
  EXPECT_TRUE(verify(ledger));
}

TEST_F(LedgerTest, DeltaIsABalanceOfItsOwn) {
  DatasetOptions options = epsilon_options("visits", "1", "1e-6");
  options.accountant = "basic";
  Ledger ledger = with_dataset(options);
  ASSERT_TRUE(ledger.spend(request("visits", epsilon_charge("0.1", "9e-7"))));
  const auto refused = ledger.spend(request("visits", epsilon_charge("0.1", "2e-7")));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().limit, "delta");
  EXPECT_EQ(refused.error().allowed->to_json().dump(), "{\"epsilon\":0.1,\"delta\":0.0000001}");
  EXPECT_TRUE(ledger.spend(request("visits", epsilon_charge("0.1", "1e-7"))));
}

TEST_F(LedgerTest, PureDatasetsRefuseDeltaRhoAndMu) {
  Ledger ledger = with_dataset(epsilon_options("visits", "1"));
  for (const Charge& charge : {epsilon_charge("0.1", "1e-9"), charge_of(Charge::Kind::rho, "0.1"),
                               charge_of(Charge::Kind::mu, "0.1"), charge_of(Charge::Kind::rdp, "0.1")}) {
    const auto refused = ledger.spend(request("visits", charge));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::invalid_parameter);
  }
  add(ledger, rho_options("other", "1"));
  EXPECT_EQ(ledger.spend(request("other", epsilon_charge("0.1", "1e-9"))).error().code, ErrorCode::invalid_parameter);
  EXPECT_EQ(ledger.balance("visits")->queries, 0);
}

TEST_F(LedgerTest, ZcdpShowsRhoAndWhatItImplies) {
  Ledger ledger = with_dataset(epsilon_options("visits", "1", "1e-6"));
  const Balance before = *ledger.balance("visits");
  EXPECT_EQ(before.spent_json().find("epsilon")->text(), "0");
  EXPECT_EQ(before.left_json().find("epsilon")->text(), "1");
  EXPECT_EQ(before.left_json().find("delta")->text(), "0.0000005");
  const auto grant = ledger.spend(request("visits", charge_of(Charge::Kind::rho, "0.005")));
  ASSERT_TRUE(grant);
  EXPECT_EQ(grant->balance.spent_json().find("rho")->text(), "0.005");
  const Rational spent = decimal(grant->balance.spent_json().find("epsilon")->text());
  const Rational left = decimal(grant->balance.left_json().find("epsilon")->text());
  EXPECT_GT(spent, Rational());
  EXPECT_EQ(spent + left, Rational(1));
  // Exhausted in rho means nothing left in epsilon.
  Charge rest{.kind = Charge::Kind::rho, .amount = grant->balance.left().amount};
  const auto last = ledger.spend(request("visits", rest));
  ASSERT_TRUE(last);
  EXPECT_EQ(last->balance.left_json().find("epsilon")->text(), "0");
  EXPECT_EQ(last->balance.left_json().find("rho")->text(), "0");
}

TEST_F(LedgerTest, AReservationIsChargedAtOnceAndStaysCharged) {
  Ledger ledger = with_dataset(epsilon_options("visits", "1"));
  const auto reserved = ledger.reserve(request("visits", epsilon_charge("0.6")));
  ASSERT_TRUE(reserved);
  EXPECT_FALSE(ledger.spend(request("visits", epsilon_charge("0.5"))));
  const auto committed = ledger.commit(reserved->entry);
  ASSERT_TRUE(committed);
  EXPECT_EQ(committed->entry.dataset, "visits");
  EXPECT_EQ(ledger.balance("visits")->left().amount, 400'000'000);
  EXPECT_THAT(ledger.commit(reserved->entry).error().message, HasSubstr("already"));
  EXPECT_THAT(ledger.commit(1).error().message, HasSubstr("not a reservation"));
  EXPECT_THAT(ledger.commit(99).error().message, HasSubstr("not a reservation"));
  // One that is abandoned: a new process still finds it charged.
  ASSERT_TRUE(ledger.reserve(request("visits", epsilon_charge("0.4"))));
  Ledger again = open();
  EXPECT_EQ(again.balance("visits")->left().amount, 0);
  EXPECT_TRUE(verify(again));
}

TEST_F(LedgerTest, AWindowRenewsByTheClockAndTheTotalNever) {
  DatasetOptions options = epsilon_options("visits", "3");
  options.window_seconds = kDay;
  options.window_limit = Rational(1);
  Ledger ledger = with_dataset(options);
  const auto all_of_a_window = request("visits", epsilon_charge("1"));
  EXPECT_TRUE(ledger.spend(all_of_a_window));
  auto refused = ledger.spend(request("visits", epsilon_charge("1e-9")));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().limit, "window");
  EXPECT_EQ(refused.error().window_opens, now_ + kDay);
  now_ += 86'399;
  EXPECT_FALSE(ledger.spend(all_of_a_window));
  now_ += 1;
  EXPECT_TRUE(ledger.spend(all_of_a_window));
  now_ += 5 * kDay;
  EXPECT_EQ(ledger.balance("visits")->window_spent, 0);
  EXPECT_TRUE(ledger.spend(all_of_a_window));
  now_ += kDay;
  refused = ledger.spend(all_of_a_window);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().limit, "total");
  EXPECT_TRUE(verify(ledger));
}

TEST_F(LedgerTest, AClockSetBackOpensNoNewWindow) {
  DatasetOptions options = epsilon_options("visits", "10");
  options.window_seconds = kDay;
  options.window_limit = Rational(1);
  Ledger ledger = with_dataset(options);
  const auto all_of_a_window = request("visits", epsilon_charge("1"));
  const std::int64_t begin = now_;
  now_ = begin + 3 * kDay;
  ASSERT_TRUE(ledger.spend(all_of_a_window));
  for (const std::int64_t time : {begin, begin + kDay, begin + 2 * kDay, std::int64_t{0}, std::int64_t{-5}}) {
    now_ = time;
    EXPECT_FALSE(ledger.spend(all_of_a_window)) << time;
    EXPECT_EQ(ledger.balance("visits")->window_spent, 1'000'000'000) << time;
  }
  // Entries written meanwhile bear the largest time seen.
  ASSERT_TRUE(ledger.set_share("visits", "ana", Rational(1)));
  EXPECT_EQ(ledger.history({}).value().back().entry.time, begin + 3 * kDay);
  // A clock beyond all bounds does not break anything either.
  now_ = std::numeric_limits<std::int64_t>::max();
  EXPECT_TRUE(ledger.spend(all_of_a_window));
  EXPECT_TRUE(verify(ledger));
}

TEST_F(LedgerTest, QueriesAreLimitedInSizeAndNumber) {
  DatasetOptions options = epsilon_options("visits", "1");
  options.max_per_query = decimal("0.2");
  options.max_queries = 2;
  Ledger ledger = with_dataset(options);
  auto refused = ledger.spend(request("visits", epsilon_charge("0.3")));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().limit, "per_query");
  EXPECT_EQ(refused.error().allowed->to_json().dump(), "{\"epsilon\":0.2}");
  EXPECT_TRUE(ledger.spend(request("visits", epsilon_charge("0.2"))));
  EXPECT_TRUE(ledger.reserve(request("visits", epsilon_charge("0.1"))));
  refused = ledger.spend(request("visits", epsilon_charge("0.1")));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().limit, "queries");
  EXPECT_EQ(refused.error().allowed->amount, 0);
  EXPECT_TRUE(verify(ledger));
}

TEST_F(LedgerTest, ACorrectionNamesAnEarlierChargeOnTheDataset) {
  Ledger ledger = with_dataset(epsilon_options("visits", "1"));
  add(ledger, epsilon_options("stays", "1"));
  const auto first = ledger.reserve(request("visits", epsilon_charge("0.1")));
  ASSERT_TRUE(ledger.commit(first->entry));
  auto correction = request("stays", epsilon_charge("0.1"));
  correction.corrects = first->entry;
  EXPECT_EQ(ledger.spend(correction).error().code, ErrorCode::invalid_parameter) << "it is on another dataset";
  correction.dataset = "visits";
  EXPECT_TRUE(ledger.spend(correction));
  correction.corrects = first->entry + 1;
  EXPECT_EQ(ledger.spend(correction).error().code, ErrorCode::invalid_parameter) << "a commit charges nothing";
  EXPECT_TRUE(verify(ledger));
}

TEST_F(LedgerTest, AnalystsNeedNoRegistrationUnlessSharesAreSet) {
  Ledger ledger = with_dataset(epsilon_options("visits", "1"));
  EXPECT_TRUE(ledger.spend(request("visits", epsilon_charge("0.1"), "cleo")));
  ASSERT_TRUE(ledger.set_share("visits", "ana", decimal("0.5")));
  ASSERT_TRUE(ledger.set_share("visits", "ben", decimal("0.2")));
  EXPECT_EQ(ledger.spend(request("visits", epsilon_charge("0.1"), "cleo")).error().code, ErrorCode::not_authorised);
  const auto refused = ledger.spend(request("visits", epsilon_charge("0.6"), "ana"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().limit, "share");
  EXPECT_EQ(refused.error().allowed->to_json().dump(), "{\"epsilon\":0.5}");
  EXPECT_TRUE(ledger.spend(request("visits", epsilon_charge("0.5"), "ana")));
  EXPECT_FALSE(ledger.spend(request("visits", epsilon_charge("1e-9"), "ana")));
  EXPECT_TRUE(ledger.spend(request("visits", epsilon_charge("0.2"), "ben")));
  // What was spent before shares were set counts against a share that comes later.
  ASSERT_TRUE(ledger.set_share("visits", "cleo", decimal("0.3")));
  EXPECT_TRUE(ledger.spend(request("visits", epsilon_charge("0.2"), "cleo")));
  EXPECT_FALSE(ledger.spend(request("visits", epsilon_charge("1e-9"), "cleo")));
  EXPECT_TRUE(verify(ledger));
}

TEST_F(LedgerTest, SharesAddUpToOneAtMost) {
  Ledger ledger = with_dataset(epsilon_options("visits", "1"));
  ASSERT_TRUE(ledger.set_share("visits", "ana", decimal("0.6")));
  EXPECT_THAT(ledger.set_share("visits", "ben", decimal("0.400000001")).error().message, HasSubstr("more than 1"));
  EXPECT_TRUE(ledger.set_share("visits", "ben", decimal("0.4")));
  EXPECT_TRUE(ledger.set_share("visits", "ana", decimal("0.1")));
  EXPECT_TRUE(ledger.set_share("visits", "cleo", decimal("0.5")));
  EXPECT_FALSE(ledger.set_share("visits", "ana", decimal("-0.1")));
  EXPECT_FALSE(ledger.set_share("visits", "ana", decimal("1.1")));
  EXPECT_FALSE(ledger.set_share("nowhere", "ana", decimal("0.1")));
  EXPECT_FALSE(ledger.set_share("visits", "", decimal("0.1")));
  const auto analysts = ledger.analysts("visits");
  ASSERT_EQ(analysts->size(), 3U);
  EXPECT_EQ((*analysts)[0].analyst, "ana");
  EXPECT_EQ((*analysts)[0].left.amount, 100'000'000);
}

TEST_F(LedgerTest, AShareCanBeDelegatedAsFarAsItIsNotSpent) {
  Ledger ledger = with_dataset(epsilon_options("visits", "1"));
  ASSERT_TRUE(ledger.set_share("visits", "ana", decimal("0.6")));
  ASSERT_TRUE(ledger.spend(request("visits", epsilon_charge("0.2"), "ana")));
  EXPECT_FALSE(ledger.delegate("visits", "ana", "ben", decimal("0.400000001")));
  EXPECT_FALSE(ledger.delegate("visits", "ana", "ana", decimal("0.1")));
  EXPECT_FALSE(ledger.delegate("visits", "ben", "ana", decimal("0.1")));
  EXPECT_FALSE(ledger.delegate("visits", "ana", "ben", Rational()));
  EXPECT_FALSE(ledger.delegate("visits", "ana", "be=n", decimal("0.1")));
  ASSERT_TRUE(ledger.delegate("visits", "ana", "ben", decimal("0.3")));
  EXPECT_TRUE(ledger.spend(request("visits", epsilon_charge("0.3"), "ben")));
  EXPECT_FALSE(ledger.spend(request("visits", epsilon_charge("0.2"), "ana")));
  EXPECT_TRUE(ledger.spend(request("visits", epsilon_charge("0.1"), "ana")));
  EXPECT_TRUE(verify(ledger));
  EXPECT_EQ(ledger.history({.analyst = "ben"})->size(), 2U);
}

TEST_F(LedgerTest, TermsNeverChange) {
  Ledger ledger = with_dataset(epsilon_options("visits", "1"));
  const auto again = ledger.create_dataset(*DatasetTerms::make(epsilon_options("visits", "100")));
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::invalid_parameter);
  EXPECT_EQ(ledger.balance("visits")->terms->total.amount, 1'000'000'000);
  EXPECT_EQ(ledger.balance("nowhere").error().code, ErrorCode::invalid_parameter);
  EXPECT_FALSE(ledger.spend(request("nowhere", epsilon_charge("0.1"))));
  EXPECT_FALSE(ledger.spend(request("visits", epsilon_charge("0.1"), "")));
}

TEST_F(LedgerTest, HistoryKeepsEverythingInOrder) {
  Ledger ledger = with_dataset(epsilon_options("visits", "1"));
  add(ledger, epsilon_options("other", "1"));
  ASSERT_TRUE(ledger.spend(request("visits", epsilon_charge("0.1"))));
  auto correction = request("visits", epsilon_charge("0.05"));
  correction.corrects = 3;
  correction.purpose = "entry 3 forgot the second table";
  ASSERT_TRUE(ledger.spend(correction));
  correction.corrects = 99;
  EXPECT_FALSE(ledger.spend(correction));
  const auto all = ledger.history({});
  ASSERT_EQ(all->size(), 4U);
  EXPECT_EQ(all->back().entry.corrects, 3);
  EXPECT_EQ(ledger.history({.dataset = "visits"})->size(), 3U);
  EXPECT_EQ(ledger.history({.last = 2})->front().entry.number, 3);
  const Json json = entry_json(all->back(), *ledger.balance("visits")->terms);
  EXPECT_EQ(json.find("charge")->dump(), "{\"epsilon\":0.05}");
  EXPECT_EQ(json.find("spent")->dump(), "{\"epsilon\":0.15}");
  EXPECT_EQ(json.find("time")->text(), "2027-01-15T08:00:00Z");
  EXPECT_EQ(json.find("hash")->text(), *ledger.head());
}

TEST_F(LedgerTest, CommitmentKeysAreKeptWithTheirEntries) {
  Ledger ledger = with_dataset(epsilon_options("visits", "1"));
  const auto key = CommitmentKey::generate();
  ASSERT_TRUE(key);
  auto with_key = request("visits", epsilon_charge("0.1"));
  with_key.commitment_key = &*key;
  const auto grant = ledger.reserve(with_key);
  ASSERT_TRUE(grant);
  EXPECT_EQ(ledger.commitment_key(grant->entry)->hex(), key->hex());
  EXPECT_EQ(ledger.commitment_key(1).error().code, ErrorCode::invalid_parameter);
  const auto many = spend_many(ledger, std::vector<ChargeRequest>{with_key, with_key});
  EXPECT_EQ(ledger.commitment_key((*many)[1]->entry)->hex(), key->hex());
  EXPECT_TRUE(verify(ledger));
  EXPECT_EQ(export_text(ledger).find(key->hex()), std::string::npos);
}

TEST_F(LedgerTest, ApproximateZcdpAddsUpRhoAndDelta) {
  DatasetOptions options = rho_options("visits", "1");
  options.delta = decimal("1e-6");
  options.max_delta_per_query = decimal("6e-7");
  Ledger ledger = with_dataset(options);
  const auto approximate = [&](std::string_view rho, std::string_view delta) {
    return ledger.spend(request("visits", *Charge::make(Charge::Kind::rho, decimal(rho), decimal(delta))));
  };
  ASSERT_TRUE(approximate("0.25", "6e-7"));
  EXPECT_EQ(approximate("0.1", "7e-7").error().limit, "per_query");
  const auto refused = approximate("0.1", "5e-7");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().limit, "delta");
  EXPECT_EQ(refused.error().allowed->to_json().dump(), R"({"rho":0.1,"delta":0.0000004})");
  ASSERT_TRUE(ledger.spend(request("visits", epsilon_charge("1", "4e-7"))));
  EXPECT_EQ(ledger.balance("visits")->left_json().dump(), R"({"rho":0.25,"delta":0})");
  EXPECT_FALSE(approximate("0.1", "1e-18"));
  ASSERT_TRUE(approximate("0.25", "0"));
  EXPECT_EQ(verify(ledger)->entries, 4);
  std::string text = export_text(ledger);
  ASSERT_TRUE(Ledger::import_text(folder_ / "copy", text, {}));
  text.replace(text.find("\"version\":4"), 11, "\"version\":2");
  EXPECT_FALSE(Ledger::import_text(folder_ / "other", text, {})) << "format 2 had no rho with a delta";
}

TEST_F(LedgerTest, AnEpsilonTotalCoversTheDeltasOfApproximateZcdpAndTheConversion) {
  Ledger ledger = with_dataset(epsilon_options("visits", "1", "1e-6"));
  const auto half = *Charge::make(Charge::Kind::rho, decimal("0.001"), decimal("5e-7"));
  ASSERT_TRUE(ledger.spend(request("visits", half)));
  const auto more = *Charge::make(Charge::Kind::rho, decimal("0.001"), decimal("1e-18"));
  EXPECT_EQ(ledger.spend(request("visits", more)).error().limit, "delta") << "the other half pays for the conversion";
}

TEST_F(LedgerTest, ManyChargesAreGrantedOneByOne) {
  Ledger ledger = with_dataset(epsilon_options("visits", "1"));
  const std::vector<ChargeRequest> requests = {request("visits", epsilon_charge("0.6")),
                                               request("visits", epsilon_charge("0.5")),
                                               request("nowhere", epsilon_charge("0.1")),
                                               request("visits", epsilon_charge("0.3"), "ben"),
                                               request("visits", charge_of(Charge::Kind::rho, "1")),
                                               request("visits", epsilon_charge("0.1"))};
  const auto answers = spend_many(ledger, requests);
  ASSERT_TRUE(answers);
  std::vector<bool> granted;
  for (const auto& answer : *answers) granted.push_back(answer.has_value());
  EXPECT_EQ(granted, (std::vector<bool>{true, false, false, true, false, true}));
  EXPECT_EQ(answers->back()->balance.left().amount, 0);
  EXPECT_EQ(answers->back()->head, *ledger.head());
  EXPECT_EQ(verify(ledger)->entries, 4);
}

/// Whatever is asked, in whatever order: the sum granted never exceeds the total, and a replay gives the same balance.
RC_GTEST_FIXTURE_PROP(LedgerTest, NothingExceedsTheTotal, ()) {
  std::filesystem::remove_all(folder_);
  std::filesystem::create_directory(folder_);
  const std::string accountant = *rc::gen::element<std::string>("basic", "zcdp", "rdp:12");
  DatasetOptions options = epsilon_options("d", "2", "1e-6");
  options.accountant = accountant;
  Ledger ledger = with_dataset(options);
  const Balance start = *ledger.balance("d");
  std::int64_t amount = 0;
  std::int64_t delta = 0;
  const int steps = *rc::gen::inRange(1, 25);
  for (int i = 0; i < steps; ++i) {
    const auto kind = *rc::gen::element(Charge::Kind::epsilon, Charge::Kind::rho, Charge::Kind::mu);
    Charge charge{.kind = kind, .amount = *rc::gen::inRange<std::int64_t>(1, 900'000'000)};
    if (kind == Charge::Kind::rho) charge.amount *= 40'000;
    if (kind == Charge::Kind::epsilon) charge.delta = *rc::gen::inRange<std::int64_t>(0, 300'000'000'000);
    const auto grant = ledger.spend(request("d", charge));
    if (!grant) continue;
    amount += grant->cost.amount;
    delta += grant->cost.delta;
    RC_ASSERT(grant->balance.spent.amount == amount);
    RC_ASSERT(grant->balance.spent.delta == delta);
  }
  RC_ASSERT(amount <= start.terms->capacity.amount);
  RC_ASSERT(delta <= start.terms->capacity.delta);
  RC_ASSERT(verify(ledger).has_value());
}

}  // namespace ledger_test
}  // namespace gauze
