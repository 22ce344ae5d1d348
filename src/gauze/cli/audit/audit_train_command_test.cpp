#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/cli/core/table_testing.h"
#include "gauze/files/testing/folder.h"

namespace gauze::cli {
namespace audit_train_command_test {

using testing::ElementsAre;
using testing::HasSubstr;

class AuditTrain : public testing::Test {
 protected:
  void SetUp() override {
    folder_.write("p.yaml",
                  "version: 1\n"
                  "learn:\n"
                  "  rows: 500\n"
                  "  features: {age: {numeric: [0, 100]}, town: {values: [Kiel, Oslo]}}\n"
                  "  target: {column: happy, values: [no, yes]}\n"
                  "provenance: {features: public, hyperparameters: public}\n");
    std::string table = "age,town,happy\n";
    for (int i = 0; i < 500; ++i)
      table += fmt::format("{},{},{}\n", i % 90, i % 2 == 0 ? "Kiel" : "Oslo", i % 90 > 40 ? "yes" : "no");
    folder_.write("t.csv", table);
  }

  /// On the table.
  [[nodiscard]] Ran one_run(std::vector<std::string> more) const {
    std::vector<std::string> args = {"audit",   "train",    folder_ / "t.csv", "--policy", folder_ / "p.yaml",
                                     "--model", "logistic", "--batch",         "100",      "--steps",
                                     "5"};
    args.insert(args.end(), more.begin(), more.end());
    return run(args);
  }

  Folder folder_;
};

/// Of the engine, without a table.
Ran pairs(std::vector<std::string> more) {
  std::vector<std::string> args = {"audit", "train", "--model", "logistic", "--rows", "100", "--steps", "1"};
  args.insert(args.end(), more.begin(), more.end());
  return run(args);
}

const std::vector<std::string> kSharp = {"--sigma", "1", "--delta", "0.01", "--sampling", "full", "--batch", "100"};

std::vector<std::string> sharp(std::vector<std::string> more) {
  more.insert(more.end(), kSharp.begin(), kSharp.end());
  return more;
}

std::string code_of(const Ran& ran) { return at(json_of(ran), {"error", "code"}); }

TEST(AuditTrainPairs, OneStepOfTheEngineComesNearItsClaim) {
  const Ran ran = pairs(sharp({"--runs", "20000", "--seed", "1", "--json"}));
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json found = json_of(ran);
  EXPECT_THAT(keys_of(found),
              ElementsAre("claim", "audited", "claimed", "alarm", "holds", "pair", "internal", "warnings"));
  EXPECT_THAT(keys_of(*found.find("audited")),
              ElementsAre("epsilon_lower", "confidence", "delta", "event", "left", "right", "runs", "reach"));
  EXPECT_EQ(at(found, {"holds"}), "true");
  EXPECT_EQ(at(found, {"audited", "delta"}), "0.01");
  EXPECT_EQ(at(found, {"audited", "runs"}), "10000");
  EXPECT_GT(number_at(found, {"audited", "epsilon_lower"}), 1.7);
  EXPECT_LT(number_at(found, {"audited", "epsilon_lower"}), number_at(found, {"claimed", "epsilon"}));
  EXPECT_EQ(at(found, {"internal"}), "true");
  EXPECT_THAT(at(found, {"pair"}), HasSubstr("one extreme record"));
  EXPECT_EQ(pairs(sharp({"--runs", "20000", "--seed", "1", "--json", "--threads", "1"})).out, ran.out);
}

TEST(AuditTrainPairs, AClaimThatIsFalseEndsWith3) {
  const Ran ran = pairs(sharp({"--runs", "20000", "--seed", "1", "--claimed-epsilon", "1"}));
  EXPECT_EQ(ran.status, 3);
  EXPECT_THAT(ran.out, HasSubstr("the claim is broken"));
  EXPECT_THAT(ran.err, HasSubstr("INTERNAL"));
}

TEST(AuditTrainPairs, SaysWhereADeltaOfOneHundredthWouldShowMore) {
  const Ran small = pairs({"--epsilon", "1", "--delta", "1e-5", "--sampling", "full", "--runs", "100", "--json"});
  EXPECT_EQ(small.status, 0);
  EXPECT_THAT(small.out, HasSubstr("weak_audit"));
  EXPECT_THAT(small.out, HasSubstr("delta 0.01"));
  EXPECT_EQ(pairs(sharp({"--runs", "100", "--json"})).out.find("weak_audit"), std::string::npos);
}

TEST_F(AuditTrain, OneRunGuessesWhichCanariesWereIn) {
  for (const char* canary : {"gradient", "input"}) {
    const Ran ran = one_run({"--epsilon", "2", "--delta", "1e-5", "--canary", canary, "--seed", "1", "--json"});
    ASSERT_EQ(ran.status, 0) << ran.err;
    const Json found = json_of(ran);
    EXPECT_THAT(keys_of(found),
                ElementsAre("claim", "audited", "claimed", "alarm", "holds", "canaries", "internal", "warnings"));
    EXPECT_THAT(keys_of(*found.find("alarm")), ElementsAre("epsilon_lower", "rate", "delta1", "claimed_at_delta1"));
    EXPECT_EQ(at(found, {"holds"}), "true");
    EXPECT_EQ(at(found, {"canaries", "kind"}), canary);
    EXPECT_EQ(at(found, {"canaries", "count"}), "1000");
    EXPECT_LT(number_at(found, {"audited", "delta"}), 1e-5);
    EXPECT_GT(number_at(found, {"audited", "claimed_at_delta1"}), 2);
    EXPECT_EQ(at(found, {"audited", "runs"}), "null");
    EXPECT_EQ(ran.out.find("Kiel"), std::string::npos) << "no cell appears";
  }
}

TEST_F(AuditTrain, TheMethodAsPublishedIsHeldAgainstWhatItClaims) {
  const std::vector<std::string> published = {
      "audit",    "train", "--model", "logistic", "--rows", "64", "--as-published", "--allocation", "uniform",
      "--epochs", "1",     "--runs",  "400",      "--seed", "1",  "--reading"};
  const auto audited = [&](const char* reading) {
    std::vector<std::string> args = published;
    args.emplace_back(reading);
    return run(args).status;
  };
  EXPECT_EQ(audited("plain"), 3);
  EXPECT_EQ(audited("frozen"), 0);
}

TEST_F(AuditTrain, WritesTheJsonAndThePage) {
  const std::string json = folder_ / "found.json";
  const std::string page = folder_ / "found.html";
  const Ran ran = one_run({"--epsilon", "2", "--delta", "1e-5", "-o", json, "--report", page});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("guesses about 1000 canaries are right"));
  EXPECT_THAT(folder_.list(), testing::IsSupersetOf({"found.json", "found.html"}));
}

TEST_F(AuditTrain, RefusesWhatCannotBe) {
  for (const char* runs : {"2", "99", "0", "-1", "1.5"})
    EXPECT_EQ(pairs(sharp({"--runs", runs, "--json"})).status, 2) << runs;
  EXPECT_EQ(code_of(pairs(sharp({"--json"}))), "usage") << "one run needs a table";
  EXPECT_EQ(code_of(pairs(sharp({"--runs", "100", "--canaries", "10", "--json"}))), "usage");
  EXPECT_EQ(code_of(pairs(sharp({"--runs", "100", "--canary", "input", "--json"}))), "usage");
  const Ran unprotected = one_run({"--epsilon", "inf", "--json"});
  EXPECT_EQ(unprotected.status, 2);
  EXPECT_EQ(code_of(unprotected), "invalid_parameter");
  for (const char* flag : {"--ledger", "--checkpoint", "--resume", "--holdout", "--plan"})
    EXPECT_EQ(one_run({"--epsilon", "1", "--delta", "1e-5", flag, "0.5"}).status, 2) << flag;
  const Ran many =
      one_run({"--epsilon", "1", "--delta", "1e-5", "--adjacency", "replace-one", "--canaries", "501", "--json"});
  EXPECT_EQ(many.status, 2);
  EXPECT_THAT(many.out, HasSubstr("(--canaries)"));
  EXPECT_EQ(one_run({"--epsilon", "1", "--delta", "1e-5", "--alarm", "0.5"}).status, 2);
  EXPECT_EQ(one_run({"--epsilon", "1", "--delta", "1e-5", "--confidence", "0.5"}).status, 2);
  EXPECT_EQ(one_run({"--epsilon", "1", "--delta", "1e-5", "--reading", "plain"}).status, 2);
}

}  // namespace audit_train_command_test
}  // namespace gauze::cli
