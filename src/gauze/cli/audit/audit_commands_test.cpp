#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "gauze/audit/self/self_audit.h"
#include "gauze/cli/core/table_testing.h"

namespace gauze::cli {
namespace audit_commands_test {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const std::vector<std::string> kClaimKeys = {"claim", "audited", "claimed", "alarm", "holds", "internal", "warnings"};

TEST(AuditGuesses, AreBoundedAndRefused) {
  const auto guesses = [](const char* canaries, const char* made, const char* right,
                          std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"audit", "guesses", "--canaries", canaries, "--guesses", made, "--correct", right});
    return more;
  };
  const Ran all_right = run(guesses("100", "100", "100", {"--claimed-epsilon", "1", "--json"}));
  EXPECT_EQ(all_right.status, 3);
  // q^100 = 0.05, q = e^eps / (1 + e^eps)
  EXPECT_NEAR(number_at(json_of(all_right), {"epsilon_lower"}), 3.4928, 1e-3);
  const Ran half = run(guesses("100", "100", "50", {"--claimed-epsilon", "1", "--json"}));
  EXPECT_EQ(half.status, 0);
  EXPECT_EQ(at(json_of(half), {"epsilon_lower"}), "0");
  EXPECT_EQ(at(json_of(half), {"holds"}), "true");
  const Ran hopeless =
      run(guesses("100", "100", "100", {"--claimed-epsilon", "1", "--claimed-delta", "0.01", "--json"}));
  EXPECT_EQ(hopeless.status, 0);
  EXPECT_EQ(at(json_of(hopeless), {"holds"}), "null");
  EXPECT_THAT(warning_codes(json_of(hopeless)), Contains("cannot_alarm"));
  EXPECT_EQ(refusal(guesses("10", "11", "5")), "invalid_parameter");
  EXPECT_EQ(refusal(guesses("10", "5", "6")), "invalid_parameter");
  EXPECT_EQ(refusal(guesses("0", "0", "0")), "invalid_parameter");
}

TEST(AuditNoise, PutsTheClaimBesideWhatWasFound) {
  const Ran ran = run({"audit", "noise", "laplace", "--epsilon", "1", "--runs", "20000", "--seed", "3", "--json"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json json = json_of(ran);
  EXPECT_THAT(keys_of(json), kClaimKeys);
  EXPECT_THAT(keys_of(*json.find("audited")),
              ElementsAre("epsilon_lower", "confidence", "delta", "event", "left", "right", "runs", "reach"));
  EXPECT_EQ(at(json, {"audited", "runs"}), "10000");
  EXPECT_EQ(at(json, {"claimed", "epsilon"}), "1");
  EXPECT_EQ(at(json, {"holds"}), "true");
  EXPECT_GT(number_at(json, {"audited", "epsilon_lower"}), 0.7);
  EXPECT_LT(number_at(json, {"alarm", "epsilon_lower"}), number_at(json, {"audited", "epsilon_lower"}));

  const Ran broken = run(
      {"audit", "noise", "laplace", "--scale", "0.5", "--claimed-epsilon", "1", "--runs", "20000", "--seed", "3"});
  EXPECT_EQ(broken.status, 3);
  EXPECT_THAT(broken.out, HasSubstr("the claim is broken"));
  const Ran unknown = run({"audit", "noise", "gaussian", "--sigma", "1", "--runs", "20000", "--seed", "3", "--json"});
  EXPECT_EQ(unknown.status, 0) << unknown.out;
  EXPECT_EQ(at(json_of(unknown), {"holds"}), "null");
}

TEST(AuditNoise, RefusesWhatCannotBe) {
  const auto with = [](std::vector<std::string> more) {
    more.insert(more.begin(), {"audit", "noise", "laplace", "--epsilon", "1"});
    return refusal(std::move(more));
  };
  EXPECT_EQ(with({"--runs", "99"}), "invalid_parameter");
  EXPECT_EQ(with({"--confidence", "0.5"}), "invalid_parameter");
  EXPECT_EQ(with({"--alarm", "0.5"}), "invalid_parameter");
  EXPECT_EQ(with({"--claimed-delta", "1"}), "invalid_parameter");
  EXPECT_EQ(refusal({"audit", "noise", "thunder", "--epsilon", "1"}), "usage");
}

class AuditRelease : public testing::Test {
 protected:
  void SetUp() override {
    folder_.write("p.yaml",
                  "version: 1\n"
                  "columns:\n"
                  "  年龄:  {role: quasi, hierarchy: {intervals: [[0, 30, 60, 120], [0, 60, 120]]}}\n"
                  "  town: {role: quasi, hierarchy: {groups: [{north: [Kiel, Oslo], south: [Rom]}]}}\n"
                  "privacy: {k: 3}\n"
                  "release: {levels: {年龄: 1, town: 1}, mode: grid}\n"
                  "provenance: {quasi: public, hierarchies: public, levels: public, k: public, epsilon: public}\n");
    folder_.write("t.csv", kRows);
    folder_.write("more.csv", std::string(kRows) + "71,Rom\n");
    folder_.write("far.csv", std::string(kRows) + "71,Rom\n72,Rom\n");
  }
  [[nodiscard]] std::vector<std::string> audit(std::vector<std::string> tables, std::vector<std::string> more) const {
    std::vector<std::string> args = {"audit", "release", "--policy", folder_ / "p.yaml", "--epsilon",
                                     "1",     "--runs",  "1000",     "--seed",           "4"};
    for (const std::string& table : tables) args.push_back(table.starts_with("-") ? table : folder_ / table);
    args.insert(args.end(), more.begin(), more.end());
    return args;
  }
  static constexpr const char* kRows =
      "年龄,town\n25,Kiel\n26,Kiel\n27,Oslo\n28,Kiel\n45,Oslo\n46,Kiel\n70,Rom\n71,Rom\n";
  Folder folder_;
};

TEST_F(AuditRelease, OfTwoTablesThatDifferByOneRow) {
  const Ran ran = run(audit({"t.csv", "more.csv"}, {"--json", "--report", folder_ / "r.html"}));
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json json = json_of(ran);
  EXPECT_THAT(keys_of(json), kClaimKeys);
  EXPECT_EQ(at(json, {"holds"}), "true");
  EXPECT_EQ(at(json, {"audited", "runs"}), "500");
  EXPECT_THAT(folder_.read("r.html"), HasSubstr("INTERNAL"));
}

TEST_F(AuditRelease, OfPairsThatAreMade) {
  const Ran ran = run(audit({"--make-neighbours", "t.csv"}, {"--json"}));
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json json = json_of(ran);
  EXPECT_EQ(at(json, {"holds"}), "true");
  const auto& pairs = *json.find("pairs")->elements();
  EXPECT_GE(pairs.size(), 5U);
  for (const Json& pair : pairs)
    EXPECT_LE(number_at(pair, {"epsilon_lower"}), number_at(json, {"audited", "epsilon_lower"}));
  EXPECT_NE(at(json, {"pair"}), "(absent)");

  const Ran published = run(audit({"--make-neighbours", "t.csv"}, {"--as-published"}));
  EXPECT_EQ(published.status, 3) << published.err;
  EXPECT_THAT(published.out, AllOf(HasSubstr("worst: "), HasSubstr("the claim is broken")));
}

TEST_F(AuditRelease, RefusesTablesThatAreNoNeighbours) {
  EXPECT_EQ(refusal(audit({"t.csv", "t.csv"}, {})), "invalid_parameter");
  EXPECT_EQ(refusal(audit({"t.csv", "far.csv"}, {})), "invalid_parameter");
  EXPECT_EQ(refusal(audit({"t.csv"}, {})), "usage");
  EXPECT_EQ(refusal(audit({}, {})), "usage");
  EXPECT_EQ(refusal(audit({"t.csv", "--make-neighbours", "t.csv"}, {})), "usage");
  EXPECT_EQ(refusal(audit({"t.csv", "more.csv"}, {"--noise-scale", "2"})), "usage");
  EXPECT_EQ(refusal(audit({"t.csv", "absent.csv"}, {}), 1), "io");
}

TEST(AuditSelf, DecidesOnAllClaimsTogether) {
  const auto claim = [](const char* name, double epsilon, double found) {
    return audit::SelfClaim{name, {"noise"}, [=](const audit::SelfAuditRequest& request, Progress&) {
                              audit::ClaimAudit audit;
                              audit.claimed = {.epsilon = epsilon, .delta = 0};
                              audit.epsilon_lower = found;
                              audit.alarm_lower = found;
                              audit.alarm_rate = request.levels.alarm;
                              audit.decide();
                              return Result<audit::ClaimAudit>(std::move(audit));
                            }};
  };
  Progress silent;
  const auto kept = audit::audit_self({claim("a", 1, 0.9), claim("b", 2, 1.9)}, {}, silent);
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->holds(), true);
  ASSERT_EQ(kept->audits.size(), 2U);
  EXPECT_EQ(kept->audits[1].claim, "b");
  EXPECT_LE(kept->audits[1].alarm_rate, 5e-7);  // divided among both
  const auto broken = audit::audit_self({claim("a", 1, 0.9), claim("b", 2, 2.1)}, {}, silent);
  ASSERT_TRUE(broken);
  EXPECT_EQ(broken->holds(), false);
}

TEST(AuditSelf, NoClaimIsTheSameTwice) {
  std::vector<std::string> names;
  for (const audit::SelfClaim& claim : audit::claims_of_gauze()) names.push_back(claim.claim);
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
}

// Whatever writes a label is audited, or here is why not.
TEST(AuditSelf, HasAClaimOfEveryCommandThatLabelsWhatItWrites) {
  const std::map<std::string, std::string, std::less<>> names_no_epsilon = {
      {"account", "says what others cost; nothing is drawn"},
      {"anonymize", "promises classes of k rows, which `check` reads off the table"},
      {"collect merge", "adds up reports that devices drew"},
      {"collect task", "says what devices will draw"},
      {"compare", "internal: compares with the raw table"},
      {"evaluate", "internal: compares with the raw table"},
      {"patterns compare", "hides patterns, and says that it is no differential privacy"},
      {"patterns hide", "hides patterns, and says that it is no differential privacy"},
      {"predict", "reads a model that was paid for"},
  };
  std::vector<std::string> audited;
  for (const audit::SelfClaim& claim : audit::claims_of_gauze())
    audited.insert(audited.end(), claim.commands.begin(), claim.commands.end());
  const auto is_audited = [&](const std::string& name) {
    return std::find(audited.begin(), audited.end(), name) != audited.end();
  };
  const Registry registry = make_registry();
  std::vector<std::string> missing;
  for (const Command& command : registry.commands()) {
    const bool labels = std::any_of(command.flags.begin(), command.flags.end(),
                                    [](const Flag& flag) { return flag.makes == Makes::labelled_file; });
    if (labels && !is_audited(command.name) && !names_no_epsilon.contains(command.name))
      missing.push_back(command.name);
  }
  EXPECT_THAT(missing, IsEmpty());
  for (const std::string& name : audited) EXPECT_NE(registry.find(name), nullptr) << name;
  for (const auto& [name, why] : names_no_epsilon)
    EXPECT_TRUE(registry.find(name) != nullptr && !is_audited(name)) << name << ": " << why;
}

}  // namespace audit_commands_test
}  // namespace gauze::cli
