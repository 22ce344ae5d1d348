#include "gauze/ledger/entry.h"

#include <gtest/gtest.h>

#include <set>

#include "gauze/ledger/ledger_testing.h"

namespace gauze {
namespace entry_test {

Entry spend_entry() {
  Entry entry;
  entry.number = 2;
  entry.time = 1'800'000'000;
  entry.kind = EntryKind::spend;
  entry.dataset = "visits";
  entry.analyst = "ana";
  entry.purpose = "a table of \"ages\"";
  entry.charge = entry.charged = epsilon_charge("0.1");
  entry.cost = {.amount = 100'000'000, .delta = 0};
  entry.spent = {.amount = 300'000'000, .delta = 0};
  return entry;
}

Entry of_format_2(Entry entry) {
  entry.nonce = std::string(32, '5');
  entry.unit = "one row";
  entry.neighbours = Neighbours::add_remove;
  entry.queries = 4;
  entry.window_index = 2;
  entry.window_spent = 100'000'000;
  return entry;
}

std::vector<Entry> one_of_each() {
  std::vector<Entry> entries;
  Entry create;
  create.number = 1;
  create.kind = EntryKind::create;
  create.dataset = "visits";
  DatasetOptions options = epsilon_options("visits", "4", "1e-6");
  options.window_seconds = 86'400;
  options.window_limit = Rational(1);
  options.max_per_query = decimal("0.5");
  options.max_delta_per_query = decimal("1e-8");
  options.max_queries = 1000;
  create.terms = *DatasetTerms::make(options);
  entries.push_back(create);
  create.terms = *DatasetTerms::make(rho_options("visits", "0.5"));
  entries.push_back(create);
  entries.push_back(spend_entry());
  Entry reserve = spend_entry();
  reserve.kind = EntryKind::reserve;
  reserve.charge = epsilon_charge("0.1", "1e-9");
  reserve.corrects = 1;
  reserve.key_digest = digest_of_key("k");
  entries.push_back(reserve);
  Entry requested = spend_entry();
  requested.request = "survey 7/\"b\"";
  requested.request_digest = digest_of_key("r");
  requested.output_sha256 = digest_of_key("output");
  entries.push_back(requested);
  for (const auto kind : {Charge::Kind::rho, Charge::Kind::mu, Charge::Kind::rdp}) {
    reserve.charge = charge_of(kind, "0.25");
    entries.push_back(reserve);
  }
  Entry other;
  other.dataset = "visits";
  other.kind = EntryKind::commit;
  other.reservation = 7;
  entries.push_back(other);
  Entry released = other;
  released.label_sha256 = digest_of_key("label");
  released.output_sha256 = digest_of_key("output");
  released.answer_sha256 = digest_of_key("answer");
  entries.push_back(released);
  other.kind = EntryKind::share;
  other.analyst = "ana";
  other.share = 500'000'000;
  entries.push_back(other);
  other.kind = EntryKind::delegate;
  other.receiver = "ben";
  entries.push_back(other);
  other.kind = EntryKind::declare;
  other.neighbours = Neighbours::replace_one;
  entries.push_back(other);
  for (std::size_t i = entries.size(); i-- > 0;) entries.push_back(of_format_2(entries[i]));
  return entries;
}

TEST(LedgerEntry, HasOneText) {
  EXPECT_EQ(
      of_format_2(spend_entry()).canonical(),
      R"({"entry":2,"time":1800000000,"kind":"spend","dataset":"visits","nonce":"55555555555555555555555555555555",)"
      R"("analyst":"ana","purpose":"a table of \"ages\"","unit":"one row","neighbours":"add-remove",)"
      R"("charge":{"epsilon":100000000},"charged":{"epsilon":100000000},)"
      R"("cost":{"amount":100000000,"delta":0},"spent":{"amount":300000000,"delta":0},)"
      R"("queries":4,"window":{"index":2,"spent":100000000}})");
}

TEST(LedgerEntry, OfFormat1HasTheTextItHad) {
  EXPECT_EQ(spend_entry().canonical(),
            R"({"entry":2,"time":1800000000,"kind":"spend","dataset":"visits","analyst":"ana",)"
            R"("purpose":"a table of \"ages\"","charge":{"epsilon":100000000},)"
            R"("cost":{"amount":100000000,"delta":0},"spent":{"amount":300000000,"delta":0}})");
}

TEST(LedgerEntry, ARequestAndWhatWasReleasedStandAtTheEnd) {
  Entry entry = of_format_2(spend_entry());
  EXPECT_EQ(entry.format(), 2);
  entry.request = "r1";
  entry.request_digest = std::string(64, 'd');
  entry.label_sha256 = std::string(64, '1');
  entry.output_sha256 = std::string(64, '2');
  entry.answer_sha256 = std::string(64, '3');
  EXPECT_EQ(entry.format(), 3);
  const std::string text = entry.canonical();
  const std::string end = R"(,"request":"r1","request_digest":")" + std::string(64, 'd') + R"(","label_sha256":")" +
                          std::string(64, '1') + R"(","output_sha256":")" + std::string(64, '2') +
                          R"(","answer_sha256":")" + std::string(64, '3') + "\"}";
  EXPECT_TRUE(text.ends_with(end)) << text;
  entry.kind = EntryKind::reserve;  // releases nothing yet
  EXPECT_EQ(entry.canonical().find("label_sha256"), std::string::npos);
  Entry commit = of_format_2(spend_entry());
  commit.kind = EntryKind::commit;
  commit.reservation = 2;
  EXPECT_EQ(commit.format(), 2);
  commit.answer_sha256 = std::string(64, '3');
  EXPECT_EQ(commit.format(), 3);
  EXPECT_TRUE(commit.keeps_outcome());
  EXPECT_TRUE(commit.canonical().ends_with(R"("reservation":2,"answer_sha256":")" + std::string(64, '3') + "\"}"));
}

TEST(LedgerEntry, EveryKindReadsBack) {
  for (const Entry& entry : one_of_each()) {
    const std::string text = entry.canonical();
    const auto read = Entry::parse(text);
    ASSERT_TRUE(read) << text << read.error().message;
    EXPECT_EQ(read->canonical(), text);
    EXPECT_EQ(read->kind, entry.kind);
  }
}

TEST(LedgerEntry, NoOtherTextIsRead) {
  for (const Entry& entry : one_of_each()) {
    const std::string text = entry.canonical();
    std::vector<std::string> others = {text + " ", text + "\n", " " + text, text.substr(0, text.size() - 1),
                                       text.substr(0, text.size() - 1) + ",\"more\":1}"};
    for (const auto& [from, to] :
         std::vector<std::pair<std::string, std::string>>{{"\"entry\":", "\"entry\": "},
                                                          {"\"entry\":", "\"Entry\":"},
                                                          {R"("dataset":"v)", R"("dataset":"\u0076)"},
                                                          {"\"time\":0", "\"time\":-0"},
                                                          {"\"time\":0", "\"time\":0.0"},
                                                          {"\"time\":0", R"("time":"0")"}}) {
      std::string changed = text;
      if (const auto at = changed.find(from); at != std::string::npos)
        others.push_back(changed.replace(at, from.size(), to));
    }
    for (const auto& other : others) {
      const auto read = Entry::parse(other);
      ASSERT_FALSE(read) << other;
      EXPECT_EQ(read.error().code, ErrorCode::bad_data);
    }
  }
  for (const char* bad : {"", "{}", "[]", "null", "7", R"({"kind":"refund"})", R"({"kind":"create"})"}) {
    EXPECT_FALSE(Entry::parse(bad)) << bad;
  }
}

TEST(LedgerEntry, TheHashBindsTheBodyAndTheHashBefore) {
  const std::string body = spend_entry().canonical();
  const std::string hash = chain_hash(genesis_hash(), body);
  EXPECT_TRUE(is_hash(hash));
  EXPECT_EQ(hash, chain_hash(genesis_hash(), body));
  EXPECT_NE(hash, chain_hash(hash, body));
  EXPECT_NE(hash, chain_hash(genesis_hash(), body + " "));
  // printf 'gauze-ledger-entry-1\n%064d\n{}' 0 | sha256sum
  EXPECT_EQ(chain_hash(genesis_hash(), "{}"), "fc424bcb3be23fc2c6cf60866b5617f20b0b9a84768a3778a6bc4da08e8db002");
}

TEST(LedgerEntry, NoncesDiffer) {
  std::set<std::string> seen;
  for (int i = 0; i < 1000; ++i) {
    const std::string nonce = *make_nonce();
    EXPECT_TRUE(is_nonce(nonce));
    EXPECT_TRUE(seen.insert(nonce).second);
  }
  EXPECT_FALSE(is_nonce(""));
  EXPECT_FALSE(is_nonce(std::string(31, 'a')));
  EXPECT_FALSE(is_nonce(std::string(32, 'A')));
}

TEST(LedgerEntry, HashesAreSixtyFourDigits) {
  EXPECT_TRUE(is_hash(genesis_hash()));
  EXPECT_FALSE(is_hash(""));
  EXPECT_FALSE(is_hash(std::string(63, 'a')));
  EXPECT_FALSE(is_hash(std::string(64, 'A')));
  EXPECT_FALSE(is_hash(std::string(65, 'a')));
}

}  // namespace entry_test
}  // namespace gauze
