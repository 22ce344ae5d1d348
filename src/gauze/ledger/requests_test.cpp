// Request ids: the same request is charged once, and answered with what was released.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/files/sha256.h"
#include "gauze/ledger/child_testing.h"
#include "gauze/ledger/ledger_testing.h"

namespace gauze {
namespace requests_test {

using ::testing::HasSubstr;

class Requests : public LedgerTest {
 protected:
  static ChargeRequest asked(const std::string& id, std::string_view epsilon = "0.1",
                             const std::string& question = "how many?") {
    ChargeRequest charge = request("visits", epsilon_charge(epsilon));
    charge.request = {.id = id, .digest = sha256_hex(question)};
    return charge;
  }
  static Outcome released() {
    return {.label = "{\n  \"label\": \"ü\"\n}\n",
            .output_sha256 = sha256_hex("42\n"),
            .answer = std::string("4\0\xff\n2", 5)};
  }
  /// A ledger with a finished request r1 (entries 2 and 3) and an unfinished one r2 (entry 4).
  Ledger with_requests() {
    Ledger ledger = with_dataset(epsilon_options("visits", "1"));
    EXPECT_TRUE(ledger.reserve(asked("r1")));
    EXPECT_TRUE(ledger.commit(2, released()));
    EXPECT_TRUE(ledger.reserve(asked("r2")));
    return ledger;
  }
};

TEST_F(Requests, AreFoundWithWhatWasReleased) {
  const Ledger ledger = with_requests();
  const auto found = *ledger.find_request("visits", "r1");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->digest, sha256_hex("how many?"));
  EXPECT_EQ(found->entry, 2);
  EXPECT_EQ(found->committed_by, 3);
  EXPECT_EQ(found->outcome.label, released().label);
  EXPECT_EQ(found->outcome.output_sha256, released().output_sha256);
  EXPECT_EQ(found->outcome.answer, released().answer);
  const auto open_one = *ledger.find_request("visits", "r2");
  ASSERT_TRUE(open_one);
  EXPECT_EQ(open_one->entry, 4);
  EXPECT_FALSE(open_one->is_committed());
  EXPECT_FALSE(*ledger.find_request("visits", "r3"));
  EXPECT_FALSE(*ledger.find_request("stays", "r1"));
  EXPECT_EQ(verify(ledger)->entries, 4);
}

TEST_F(Requests, AnsweredOnceAreAnsweredAgainWithoutACharge) {
  Ledger ledger = with_requests();
  for (const bool resume : {false, true}) {
    ChargeRequest again = asked("r1");
    again.resume = resume;
    for (const auto& refused : {ledger.reserve(again), ledger.spend(again)}) {
      ASSERT_FALSE(refused);
      EXPECT_EQ(refused.error().code, ErrorCode::invalid_parameter);
      ASSERT_TRUE(refused.error().request);
      EXPECT_TRUE(refused.error().request->is_committed());
      EXPECT_EQ(refused.error().request->outcome.label, released().label);
      EXPECT_EQ(refused.error().request->outcome.answer, released().answer);
    }
  }
  EXPECT_EQ(ledger.balance("visits")->spent.amount, 200'000'000);
  EXPECT_EQ(verify(ledger)->entries, 4);
}

TEST_F(Requests, WithAnotherDigestAreRefusedByName) {
  Ledger ledger = with_requests();
  for (const char* id : {"r1", "r2"}) {
    for (const bool resume : {false, true}) {
      ChargeRequest other = asked(id, "0.1", "how old?");
      other.resume = resume;
      const auto refused = ledger.reserve(other);
      ASSERT_FALSE(refused);
      EXPECT_EQ(refused.error().code, ErrorCode::invalid_parameter);
      EXPECT_THAT(refused.error().message, HasSubstr(id));
      EXPECT_FALSE(refused.error().request) << "what another request gave is not told";
    }
  }
  EXPECT_EQ(ledger.balance("visits")->spent.amount, 200'000'000);
}

TEST_F(Requests, UnfinishedAreRefusedUnlessTheyAreResumed) {
  Ledger ledger = with_requests();
  const auto refused = ledger.reserve(asked("r2"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::request_unfinished);
  EXPECT_EQ(refused.error().request->entry, 4);
  EXPECT_THAT(refused.error().message, HasSubstr("reservation 4"));

  ChargeRequest resumed = asked("r2");
  resumed.resume = true;
  const auto grant = ledger.reserve(resumed);
  ASSERT_TRUE(grant) << grant.error().message;
  EXPECT_TRUE(grant->resumed);
  EXPECT_EQ(grant->entry, 4);
  EXPECT_EQ(grant->cost.amount, 100'000'000);
  EXPECT_EQ(grant->head, ledger.history({}).value().back().hash);
  EXPECT_EQ(grant->balance.spent.amount, 200'000'000);
  ASSERT_TRUE(ledger.commit(grant->entry, released()));
  EXPECT_EQ(verify(ledger)->entries, 5);
  EXPECT_FALSE(ledger.reserve(resumed)) << "it is answered now";

  ChargeRequest fresh = asked("r3");
  fresh.resume = true;
  EXPECT_FALSE(ledger.reserve(fresh)->resumed) << "there was nothing to resume";
}

TEST_F(Requests, AreNotResumedForMoreThanWasReserved) {
  Ledger ledger = with_requests();
  ChargeRequest dearer = asked("r2", "0.2");
  dearer.resume = true;
  EXPECT_EQ(ledger.reserve(dearer).error().code, ErrorCode::invalid_parameter);
  ChargeRequest of_another = asked("r2");
  of_another.resume = true;
  of_another.analyst = "ben";
  EXPECT_EQ(ledger.reserve(of_another).error().code, ErrorCode::invalid_parameter);
}

TEST_F(Requests, TheKeyOfAResumedOneIsTheOldOne) {
  Ledger ledger = with_dataset(epsilon_options("visits", "1"));
  const CommitmentKey first = *CommitmentKey::generate();
  const CommitmentKey second = *CommitmentKey::generate();
  ChargeRequest keyed = asked("r1");
  keyed.commitment_key = &first;
  ASSERT_TRUE(ledger.reserve(keyed));
  keyed.commitment_key = &second;
  keyed.resume = true;
  const auto grant = ledger.reserve(keyed);
  ASSERT_TRUE(grant);
  EXPECT_EQ(ledger.commitment_key(grant->entry)->hex(), first.hex());
}

TEST_F(Requests, EntriesAreFoundByNumber) {
  const Ledger ledger = with_requests();
  EXPECT_EQ(ledger.entry(4)->entry.request, "r2");
  EXPECT_EQ(ledger.entry(4)->hash, *ledger.head());
  for (const std::int64_t none : {0, 5, -1}) {
    EXPECT_EQ(ledger.entry(none).error().code, ErrorCode::invalid_parameter) << none;
  }
}

TEST_F(Requests, BelongToOneDataset) {
  Ledger ledger = with_requests();
  add(ledger, epsilon_options("stays", "1"));
  ChargeRequest elsewhere = asked("r1");
  elsewhere.dataset = "stays";
  EXPECT_TRUE(ledger.reserve(elsewhere));
  EXPECT_TRUE(verify(ledger));
}

TEST_F(Requests, ThatAreRefusedForTheBudgetMayComeAgain) {
  Ledger ledger = with_dataset(epsilon_options("visits", "1"));
  EXPECT_EQ(ledger.reserve(asked("r1", "2")).error().code, ErrorCode::budget_exhausted);
  EXPECT_FALSE(*ledger.find_request("visits", "r1"));
  EXPECT_TRUE(ledger.reserve(asked("r1", "0.5")));
}

TEST_F(Requests, OfASpendAreFinishedAtOnce) {
  Ledger ledger = with_dataset(epsilon_options("visits", "1"));
  ASSERT_TRUE(ledger.spend(asked("r1"), released()));
  const auto found = *ledger.find_request("visits", "r1");
  EXPECT_EQ(found->entry, 2);
  EXPECT_EQ(found->committed_by, 2);
  EXPECT_EQ(found->outcome.label, released().label);
  EXPECT_EQ(ledger.reserve(asked("r1")).error().request->outcome.answer, released().answer);
  EXPECT_TRUE(verify(ledger));
}

TEST_F(Requests, TwiceInOneTransactionAreChargedOnce) {
  Ledger ledger = with_dataset(epsilon_options("visits", "1"));
  const std::vector<ChargeRequest> twice = {asked("r1"), asked("r1"), asked("r1", "0.1", "how old?")};
  const auto answers = spend_many(ledger, twice);
  ASSERT_TRUE(answers);
  EXPECT_TRUE((*answers)[0]);
  EXPECT_EQ((*answers)[1].error().request->entry, 2);
  EXPECT_FALSE((*answers)[2].error().request);
  EXPECT_EQ(ledger.balance("visits")->queries, 1);
  EXPECT_TRUE(verify(ledger));
}

TEST_F(Requests, IdsAndDigestsMustBeSuch) {
  Ledger ledger = with_dataset(epsilon_options("visits", "1"));
  for (const std::string& id : {std::string(), std::string(201, 'x'), std::string("a\nb"), std::string("a\xff"),
                                std::string("a\xe2\x80\x8b")}) {
    EXPECT_EQ(ledger.reserve(asked(id)).error().code, ErrorCode::invalid_parameter) << id;
  }
  EXPECT_TRUE(ledger.reserve(asked(std::string(200, 'x'))));
  ChargeRequest without = asked("r1");
  without.request->digest = "abc";
  EXPECT_EQ(ledger.reserve(without).error().code, ErrorCode::invalid_parameter);
  without.request = RequestId();
  EXPECT_EQ(ledger.reserve(without).error().code, ErrorCode::invalid_parameter);
}

TEST_F(Requests, OutcomesHaveLimits) {
  Ledger ledger = with_dataset(epsilon_options("visits", "1"));
  ASSERT_TRUE(ledger.reserve(asked("r1")));
  for (const Outcome& bad : {Outcome{.label = std::string(kLargestKept + 1, 'x')}, Outcome{.label = "\xff"},
                             Outcome{.label = std::string("a\0b", 3)}, Outcome{.output_sha256 = "abc"},
                             Outcome{.answer = std::string(kLargestKept + 1, 'x')}}) {
    const auto refused = ledger.commit(2, bad);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::invalid_parameter);
  }
  ASSERT_TRUE(
      ledger.commit(2, {.label = std::string(kLargestKept, 'x'), .answer = std::string(kLargestKept, '\xfe')}));
  EXPECT_EQ((*ledger.find_request("visits", "r1"))->outcome.answer->size(), kLargestKept);
  ASSERT_TRUE(ledger.spend(asked("r2"), {.answer = ""}));
  EXPECT_EQ((*ledger.find_request("visits", "r2"))->outcome.answer, "") << "an empty answer is one";
  EXPECT_TRUE(verify(ledger));
  const std::string text = export_text(ledger);
  ASSERT_TRUE(Ledger::import_text(folder_ / "copy", text, {}));
  EXPECT_EQ(export_text(*Ledger::open(folder_ / "copy")), text);
}

TEST_F(Requests, RacingConnectionsGetOneGrant) {
  with_dataset(epsilon_options("visits", "100"));
  constexpr int kProcesses = 6;
  constexpr int kRequests = 25;
  std::vector<Child> children;
  for (int i = 0; i < kProcesses; ++i) {
    children.push_back(start([this](int pipe) {
      auto ledger = Ledger::open(path_);
      if (!ledger) return 3;
      for (int r = 0; r < kRequests; ++r) {
        const auto grant = ledger->reserve(asked("r" + std::to_string(r)));
        if (grant) {
          report(pipe, r);
          if (r % 2 == 0 && !ledger->commit(grant->entry, released())) return 4;
          continue;
        }
        const bool answered = grant.error().request && grant.error().request->is_committed();
        if (!answered && grant.error().code != ErrorCode::request_unfinished) return 5;
      }
      return 0;
    }));
  }
  std::vector<int> grants(kRequests);
  for (const Child& child : children) {
    for (const std::int64_t granted : reports_of(child)) ++grants[static_cast<std::size_t>(granted)];
    EXPECT_EQ(wait_for(child), 0);
  }
  EXPECT_THAT(grants, ::testing::Each(1));
  EXPECT_EQ(open().balance("visits")->queries, kRequests);
  EXPECT_TRUE(verify(open()));
}

TEST_F(Requests, OfAProcessKilledBetweenReserveAndCommitAreUnfinished) {
  with_dataset(epsilon_options("visits", "1"));
  const Child child = start([this](int) {
    auto ledger = Ledger::open(path_);
    if (!ledger || !ledger->reserve(asked("r1"))) return 3;
    return ::kill(::getpid(), SIGKILL);
  });
  ::close(child.reports);
  EXPECT_TRUE(WIFSIGNALED(wait_for(child)));
  Ledger ledger = open();
  EXPECT_EQ(ledger.reserve(asked("r1")).error().code, ErrorCode::request_unfinished);
  ChargeRequest resumed = asked("r1");
  resumed.resume = true;
  const auto grant = ledger.reserve(resumed);
  ASSERT_TRUE(grant);
  ASSERT_TRUE(ledger.commit(grant->entry, released()));
  EXPECT_EQ(ledger.balance("visits")->queries, 1);
  EXPECT_TRUE(verify(ledger));
}

TEST_F(Requests, WhatWasReleasedCannotBeChangedUnnoticed) {
  for (const char* tampering :
       {"UPDATE outcomes SET label = 'other'", "UPDATE outcomes SET label = NULL",
        "UPDATE outcomes SET answer = x'34'", "UPDATE outcomes SET answer = NULL", "DELETE FROM outcomes",
        "UPDATE outcomes SET entry = 2", "INSERT INTO outcomes VALUES (4, 'more', NULL)",
        "INSERT INTO outcomes VALUES (9, 'more', NULL)", "INSERT INTO outcomes VALUES (4, NULL, NULL)",
        "DELETE FROM requests", "DELETE FROM requests WHERE request = 'r1'",
        "UPDATE requests SET entry = 4 WHERE request = 'r1'", "UPDATE requests SET request = 'r3' WHERE entry = 2",
        "INSERT INTO requests VALUES ('visits', 'r3', 2)"}) {
    std::filesystem::remove(path_);
    with_requests();
    Intruder(path_).change(tampering);
    const auto verified = verify(open());
    ASSERT_FALSE(verified) << tampering;
    EXPECT_EQ(verified.error().code, ErrorCode::bad_data) << tampering;
    EXPECT_EQ(open().reserve(asked("r1")).error().code, ErrorCode::bad_data) << tampering;
  }
}

TEST_F(Requests, WhatWasKeptIsComparedWhenItIsGivenOut) {
  with_requests();
  const Ledger reader = *Ledger::open(path_, {.read_only = true, .busy_milliseconds = 100, .clock = {}});
  Intruder(path_).change("UPDATE outcomes SET label = 'other'");
  EXPECT_EQ(reader.find_request("visits", "r1").error().code, ErrorCode::bad_data);
  EXPECT_TRUE(*reader.find_request("visits", "r2"));
}

TEST_F(Requests, TriggersKeepThem) {
  with_requests();
  Intruder hand(path_);
  for (const char* change : {"DELETE FROM outcomes", "UPDATE outcomes SET label = 'x'", "DELETE FROM requests",
                             "UPDATE requests SET entry = 4"}) {
    EXPECT_EQ(hand.run(change), SQLITE_CONSTRAINT) << change;
  }
}

TEST_F(Requests, TravelWithAnExport) {
  const Ledger ledger = with_requests();
  const std::string text = export_text(ledger);
  const auto imported = Ledger::import_text(folder_ / "copy", text, *ledger.head());
  ASSERT_TRUE(imported) << imported.error().message;
  Ledger copy = *Ledger::open(folder_ / "copy");
  EXPECT_EQ(export_text(copy), text);
  EXPECT_TRUE(verify(copy));
  EXPECT_EQ(copy.reserve(asked("r1")).error().request->outcome.answer, released().answer);
  EXPECT_EQ(copy.reserve(asked("r2")).error().code, ErrorCode::request_unfinished);
}

TEST_F(Requests, AnExportThatWasChangedIsRefused) {
  const std::string text = export_text(with_requests());
  const auto begin = text.find("{\"outcome\":");
  ASSERT_NE(begin, std::string::npos);
  const std::string line = text.substr(begin, text.find('\n', begin) + 1 - begin);
  const auto with = [&](const std::string& replacement) {
    return std::string(text).replace(begin, line.size(), replacement);
  };
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string other = line;
    EXPECT_NE(other.find(from), std::string::npos) << from;
    return with(other.replace(other.find(from), from.size(), to));
  };
  const std::string header = text.substr(0, text.find('\n') + 1);
  for (const std::string& bad :
       {with(""), with(line + line), changed("\"outcome\":3", "\"outcome\":2"), changed("ü", "u"),
        changed("3400ff0a32", "3400ff0a33"), changed("3400ff0a32", "3400FF0A32"), changed("3400ff0a32", "3400ff0a3"),
        changed("\"label\"", "\"LABEL\""), changed("{", "{ "), header + line + text.substr(header.size()),
        text + line}) {
    const auto imported = Ledger::import_text(folder_ / "copy", bad, {});
    ASSERT_FALSE(imported) << bad;
    EXPECT_EQ(imported.error().code, ErrorCode::bad_data);
    EXPECT_EQ(imported.error().message.find("how many"), std::string::npos);
  }
  EXPECT_TRUE(Ledger::import_text(folder_ / "copy", text, {}));
}

TEST_F(Requests, AForgedChainMustStillObeyTheRules) {
  Ledger ledger = with_dataset(epsilon_options("visits", "1"));
  ASSERT_TRUE(ledger.reserve(asked("r1")));
  ASSERT_TRUE(ledger.spend(asked("r2")));
  ASSERT_TRUE(ledger.commit(2, {.output_sha256 = sha256_hex("42")}));
  std::vector<std::string> bodies;
  const auto all = *ledger.history({});
  for (const auto& one : all) bodies.push_back(one.entry.canonical());
  EXPECT_TRUE(Ledger::import_text(folder_ / "copy", forged_export(bodies), {}));
  const std::string digest = sha256_hex("how many?");
  const std::vector<std::tuple<std::size_t, std::string, std::string>> changes = {
      {2, R"("request":"r2")", R"("request":"r1")"},
      {2, R"("request":"r2",)", ""},
      {2, R"(,"request_digest":")" + digest + '"', ""},
      {2, digest, "abc"},
      {2, R"("request":"r2")", R"("request":")" + std::string(201, 'r') + '"'},
      {3, sha256_hex("42"), "42"},
      {3, R"("output_sha256")", R"("answer_sha256")"},
      {3, R"("output_sha256")", R"("label_sha256")"},
  };
  for (const auto& [index, from, to] : changes) {
    auto forged = bodies;
    const auto at = forged.at(index).find(from);
    ASSERT_NE(at, std::string::npos) << from << " in " << forged[index];
    forged[index].replace(at, from.size(), to);
    EXPECT_FALSE(Ledger::import_text(folder_ / "other", forged_export(forged), {})) << from << " -> " << to;
  }
}

}  // namespace requests_test
}  // namespace gauze
