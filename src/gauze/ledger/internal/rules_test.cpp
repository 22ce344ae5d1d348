#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "gauze/ledger/internal/books.h"
#include "gauze/ledger/ledger_testing.h"

namespace gauze::internal {
namespace rules_test {

/// The rules without a file: entries are numbered and dated as a ledger would.
class Books {
 public:
  tl::expected<void, Refusal> add(Entry entry) {
    entry.number = last_ + 1;
    entry.time = time;
    entry.nonce = *make_nonce();
    auto applied = apply(accounts, entry);
    if (applied) ++last_;
    return applied;
  }
  tl::expected<void, Refusal> create(const DatasetOptions& options) {
    Entry entry;
    entry.kind = EntryKind::create;
    entry.dataset = options.name;
    entry.terms = *DatasetTerms::make(options);
    return add(entry);
  }
  tl::expected<void, Refusal> charge(const Charge& charge, const std::string& analyst = "ana",
                                     EntryKind kind = EntryKind::spend) {
    Entry entry;
    entry.kind = kind;
    entry.dataset = "d";
    entry.analyst = analyst;
    entry.charge = charge;
    return add(entry);
  }
  tl::expected<void, Refusal> share(const std::string& analyst, std::int64_t units) {
    Entry entry;
    entry.kind = EntryKind::share;
    entry.dataset = "d";
    entry.analyst = analyst;
    entry.share = units;
    return add(entry);
  }
  tl::expected<void, Refusal> delegate(const std::string& from, const std::string& to, std::int64_t units) {
    Entry entry;
    entry.kind = EntryKind::delegate;
    entry.dataset = "d";
    entry.analyst = from;
    entry.receiver = to;
    entry.share = units;
    return add(entry);
  }
  DatasetState& dataset() { return accounts.datasets.at("d"); }

  /// All that the accounts hold, as text, to compare before and after.
  std::string snapshot() {
    const DatasetState& state = dataset();
    std::string text = fmt::format("{} {} {} {} {} {} {};", state.spent.amount, state.spent.delta, state.queries,
                                   state.window_index, state.window_spent, state.shares, state.shares_set);
    for (const auto& [key, analyst] : accounts.analysts) {
      if (!analyst.share && analyst.queries == 0) continue;
      text += fmt::format("{} {} {} {};", key.second, analyst.share.value_or(-1), analyst.spent.amount,
                          analyst.spent.delta);
    }
    return text + fmt::format("{}", accounts.reservations.size());
  }

  MemoryAccounts accounts;
  std::int64_t time = 1'000'000;

 private:
  std::int64_t last_ = 0;
};

DatasetOptions windowed(const char* accountant) {
  DatasetOptions options = epsilon_options("d", "3", "1e-6");
  options.accountant = accountant;
  options.window_seconds = kDay;
  options.window_limit = Rational(1);
  options.max_per_query = decimal("0.8");
  options.max_queries = 30;
  return options;
}

Charge any_charge() {
  const auto kind = *rc::gen::element(Charge::Kind::epsilon, Charge::Kind::rho, Charge::Kind::mu, Charge::Kind::rdp);
  const std::int64_t scale = kind == Charge::Kind::rho || kind == Charge::Kind::rdp ? 100'000 : 1;
  return {.kind = kind,
          .amount = *rc::gen::inRange<std::int64_t>(1, 1'500'000'000) * scale,
          .delta = kind == Charge::Kind::epsilon ? *rc::gen::inRange<std::int64_t>(0, 400'000'000'000) : 0};
}

/// One step of whatever may happen to a dataset; says whether it was accepted.
bool step(Books& books) {
  static const std::vector<std::string> kNames = {"ana", "ben", "cleo"};
  const std::string one = *rc::gen::elementOf(kNames);
  switch (*rc::gen::weightedElement<int>({{8, 0}, {1, 1}, {1, 2}, {2, 3}})) {
    case 0:
      return books.charge(any_charge(), one, *rc::gen::element(EntryKind::spend, EntryKind::reserve)).has_value();
    case 1:
      return books.share(one, *rc::gen::inRange<std::int64_t>(-10, 1'000'000'010)).has_value();
    case 2:
      return books.delegate(one, *rc::gen::elementOf(kNames), *rc::gen::inRange<std::int64_t>(-10, 500'000'000))
          .has_value();
    default:
      books.time += *rc::gen::inRange<std::int64_t>(0, 2 * kDay);
      return true;
  }
}

RC_GTEST_PROP(LedgerRules, KeepEveryLimitWhateverHappens, ()) {
  Books books;
  RC_ASSERT(books.create(windowed((*rc::gen::element<std::string>("basic", "zcdp", "rdp:30", "gdp")).c_str())));
  const DatasetTerms terms = *books.dataset().terms;
  const int steps = *rc::gen::inRange(1, 60);
  for (int i = 0; i < steps; ++i) {
    const std::string before = books.snapshot();
    if (!step(books)) RC_ASSERT(books.snapshot() == before);
    const DatasetState& state = books.dataset();
    RC_ASSERT(state.spent.amount >= 0 && state.spent.amount <= terms.capacity.amount);
    RC_ASSERT(state.spent.delta >= 0 && state.spent.delta <= terms.capacity.delta);
    RC_ASSERT(state.window_spent <= terms.window.limit);
    RC_ASSERT(state.queries <= 30);
    RC_ASSERT(state.shares >= 0 && state.shares <= 1'000'000'000);
    Cost sum;
    std::int64_t shares = 0;
    for (const auto& [key, analyst] : books.accounts.analysts) {
      sum.amount += analyst.spent.amount;
      sum.delta += analyst.spent.delta;
      shares += analyst.share.value_or(0);
    }
    RC_ASSERT(sum.amount == state.spent.amount && sum.delta == state.spent.delta);
    RC_ASSERT(shares == state.shares);
  }
}

RC_GTEST_PROP(LedgerRules, WhatIsAllowedIsTheMostThatIsGranted, ()) {
  Books books;
  RC_ASSERT(books.create(windowed((*rc::gen::element<std::string>("basic", "zcdp", "rdp:30")).c_str())));
  for (int i = *rc::gen::inRange(0, 8); i > 0; --i) step(books);
  Charge asked = any_charge();
  if (asked.kind == Charge::Kind::rdp) asked.kind = Charge::Kind::mu;
  const auto refused = books.charge(asked);
  if (refused || !refused.error().allowed) return;  // granted, or of a kind that is never taken
  const Charge allowed = *refused.error().allowed;
  RC_ASSERT(allowed.amount >= 0 && allowed.amount <= asked.amount && allowed.delta <= asked.delta);
  if (allowed.amount < asked.amount) {
    Charge more = allowed;
    ++more.amount;
    RC_ASSERT_FALSE(books.charge(more).has_value());
  }
  if (allowed.amount > 0) RC_ASSERT(books.charge(allowed).has_value());
}

TEST(LedgerRules, NameTheLimitThatStandsInTheWay) {
  const auto limit_of = [](Books& books, const Charge& charge, const std::string& analyst = "ana") {
    const auto added = books.charge(charge, analyst);
    return added ? std::string("granted") : added.error().limit;
  };
  Books books;
  ASSERT_TRUE(books.create(windowed("basic")));
  EXPECT_EQ(limit_of(books, epsilon_charge("4")), "total");
  EXPECT_EQ(limit_of(books, epsilon_charge("0.9")), "per_query");
  EXPECT_EQ(limit_of(books, epsilon_charge("0.1", "1e-5")), "delta");
  EXPECT_EQ(limit_of(books, epsilon_charge("0.8")), "granted");
  EXPECT_EQ(limit_of(books, epsilon_charge("0.3")), "window");
  ASSERT_TRUE(books.share("ana", 300'000'000));
  EXPECT_EQ(limit_of(books, epsilon_charge("0.15")), "share");
  books.time += kDay;
  EXPECT_EQ(limit_of(books, epsilon_charge("0.1")), "granted");
  EXPECT_EQ(limit_of(books, epsilon_charge("0.1"), "ben"), "");
}

TEST(LedgerRules, TheDeltaOfAQueryIsLimited) {
  DatasetOptions options = windowed("zcdp");
  options.max_delta_per_query = decimal("1e-7");
  Books books;
  ASSERT_TRUE(books.create(options));
  const auto refused = books.charge(epsilon_charge("0.01", "1.00000000001e-7"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().limit, "per_query");
  EXPECT_EQ(refused.error().allowed->to_json().dump(), R"({"epsilon":0.01,"delta":0.0000001})");
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(books.charge(*refused.error().allowed)) << i;
  EXPECT_EQ(books.charge(*refused.error().allowed).error().limit, "delta") << "half of the total's delta is gone";
  EXPECT_TRUE(books.charge(epsilon_charge("0.1")));
}

TEST(LedgerRules, WhereNothingIsLeftNothingIsAllowed) {
  Books books;
  DatasetOptions options = epsilon_options("d", "1", "1e-6");
  options.accountant = "basic";
  ASSERT_TRUE(books.create(options));
  ASSERT_TRUE(books.charge(epsilon_charge("1")));
  const auto refused = books.charge(epsilon_charge("0.1", "1e-9"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().allowed->to_json().dump(), R"({"epsilon":0})") << "delta alone cannot be charged";
}

TEST(LedgerRules, ACorrectionNamesAnEarlierChargeOnTheDataset) {
  Books books;
  ASSERT_TRUE(books.create(epsilon_options("d", "1")));      // entry 1
  ASSERT_TRUE(books.create(epsilon_options("other", "1")));  // entry 2
  ASSERT_TRUE(books.charge(epsilon_charge("0.1")));          // entry 3
  ASSERT_TRUE(books.share("ana", 1'000'000'000));            // entry 4
  Entry correction;
  correction.dataset = "d";
  correction.analyst = "ana";
  correction.charge = epsilon_charge("0.1");
  for (const std::int64_t none : {-1, 0, 1, 2, 4, 5, 6}) {
    correction.corrects = none;
    const auto refused = books.add(correction);
    ASSERT_FALSE(refused) << none;
    EXPECT_EQ(refused.error().code, ErrorCode::invalid_parameter);
  }
  correction.corrects = 3;
  EXPECT_TRUE(books.add(correction));
  correction.dataset = "other";
  EXPECT_FALSE(books.add(correction)) << "entry 3 is on another dataset";
}

TEST(LedgerRules, AShareLoweredBelowWhatWasSpentLeavesNothing) {
  Books books;
  ASSERT_TRUE(books.create(epsilon_options("d", "1")));
  ASSERT_TRUE(books.charge(epsilon_charge("0.5")));
  ASSERT_TRUE(books.share("ana", 100'000'000));
  const auto refused = books.charge(epsilon_charge("1e-9"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().allowed->amount, 0);
  EXPECT_EQ(refused.error().allowed->delta, 0);
  EXPECT_FALSE(books.delegate("ana", "ben", 1));
}

TEST(LedgerRules, ReplayRefusesWhatDoesNotFollow) {
  Replay replay;
  Entry create;
  create.number = 1;
  create.kind = EntryKind::create;
  create.dataset = "d";
  create.nonce = *make_nonce();
  create.terms = *DatasetTerms::make(epsilon_options("d", "1"));
  const std::string body = create.canonical();
  const std::string hash = chain_hash(genesis_hash(), body);
  EXPECT_FALSE(replay.add(body, hash, hash));
  EXPECT_FALSE(replay.add(body, genesis_hash(), genesis_hash()));
  ASSERT_TRUE(replay.add(body, genesis_hash(), hash));
  EXPECT_EQ(replay.head(), hash);
  EXPECT_EQ(replay.entries(), 1);
  // The same dataset again, properly chained.
  create.number = 2;
  const std::string again = create.canonical();
  const auto refused = replay.add(again, hash, chain_hash(hash, again));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::bad_data);
  EXPECT_EQ(replay.entries(), 1);
}

}  // namespace rules_test
}  // namespace gauze::internal
