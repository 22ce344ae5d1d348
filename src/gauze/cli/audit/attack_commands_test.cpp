#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/cli/core/table_testing.h"
#include "gauze/random/seeded_random.h"

namespace gauze::cli {
namespace attack_commands_test {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// Scores of members that lie higher by `shift`, of a range of 1,000.
std::string score_table(int count, int shift) {
  SeededRandom random(5);
  std::string table = "分数,m\n";
  for (int i = 0; i < count; ++i) {
    const bool member = random.below(2) == 1;
    table += fmt::format("{},{}\n", random.below(1'000) + (member ? shift : 0), member ? 1 : 0);
  }
  return table;
}

class AttackScores : public testing::Test {
 protected:
  Ran attack(const std::string& table, std::vector<std::string> more) {
    folder_.write("s.csv", table);
    std::vector<std::string> args = {"attack", "scores", folder_ / "s.csv", "--score", "分数", "--member", "m"};
    args.insert(args.end(), more.begin(), more.end());
    return run(args);
  }
  std::string bad_data(const std::string& table) {
    const Ran ran = attack(table, {"--json"});
    EXPECT_EQ(ran.status, 1) << ran.out;
    return at(json_of(ran), {"error", "code"});
  }
  std::string refused(std::vector<std::string> more) {
    more.emplace_back("--json");
    const Ran ran = attack(score_table(100, 0), std::move(more));
    EXPECT_EQ(ran.status, 2) << ran.out;
    return at(json_of(ran), {"error", "code"});
  }
  Folder folder_;
};

TEST_F(AttackScores, ABoundNeedsAReasonToBeValid) {
  const std::string table = score_table(4'000, 900);
  const Ran none = attack(table, {"--claimed-epsilon", "1", "--json"});
  ASSERT_EQ(none.status, 0) << none.err;
  const Json figures = json_of(none);
  EXPECT_EQ(at(figures, {"internal"}), "true");
  EXPECT_GT(number_at(figures, {"auc"}), 0.95);
  EXPECT_EQ(at(figures, {"one_run"}), "null");
  EXPECT_EQ(at(figures, {"clopper_pearson"}), "null");
  EXPECT_EQ(at(figures, {"holds"}), "null");
  EXPECT_THAT(warning_codes(figures), ElementsAre("no_bound", "internal"));

  const Ran coins = attack(table, {"--claimed-epsilon", "1", "--fair-coins", "--json"});
  EXPECT_EQ(coins.status, 3);
  EXPECT_GT(number_at(json_of(coins), {"one_run", "epsilon_lower"}), 1);
  EXPECT_EQ(at(json_of(coins), {"clopper_pearson"}), "null");
  const Ran runs = attack(table, {"--claimed-epsilon", "1", "--independent", "--json"});
  EXPECT_EQ(runs.status, 3);
  EXPECT_EQ(at(json_of(runs), {"one_run"}), "null");
  EXPECT_GT(number_at(json_of(runs), {"clopper_pearson", "epsilon_lower"}), 1);
}

TEST_F(AttackScores, ScoresThatSayNothingAreHalfRight) {
  std::string equal = "分数,m\n";
  for (int i = 0; i < 50; ++i) equal += fmt::format("3,{}\n", i % 2);
  const Json figures = json_of(attack(equal, {"--fair-coins", "--json"}));
  EXPECT_EQ(at(figures, {"auc"}), "0.5");
  EXPECT_EQ(at(figures, {"one_run", "epsilon_lower"}), "0");
}

TEST_F(AttackScores, InfiniteScoresSortAsInfinite) {
  const Json figures = json_of(attack("分数,m\ninf,1\n5,0\n-inf,0\n7,1\n", {"--json"}));
  EXPECT_EQ(at(figures, {"auc"}), "1");
  EXPECT_EQ(at(figures, {"members"}), "2");
}

TEST_F(AttackScores, RefusesTablesThatAreNoScores) {
  EXPECT_EQ(bad_data("分数,m\nnan,1\n2,0\n"), "bad_data");
  EXPECT_EQ(bad_data("分数,m\nhigh,1\n2,0\n"), "bad_data");
  EXPECT_EQ(bad_data("分数,m\n,1\n2,0\n"), "bad_data");
  EXPECT_EQ(bad_data("分数,m\n1,yes\n2,0\n"), "bad_data");
  EXPECT_EQ(bad_data("分数,m\n1,2\n2,0\n"), "bad_data");
  for (const char* one_kind : {"分数,m\n1,1\n2,1\n", "分数,m\n1,0\n2,0\n"}) {
    const Ran ran = attack(one_kind, {"--json"});
    EXPECT_EQ(ran.status, 2);
  }
}

TEST_F(AttackScores, RefusesWhatCannotBe) {
  EXPECT_EQ(refused({"--fair-coins", "--independent"}), "usage");
  EXPECT_EQ(refused({"--fpr", "0"}), "invalid_parameter");
  EXPECT_EQ(refused({"--fpr", "1.5"}), "invalid_parameter");
  EXPECT_EQ(refused({"--confidence", "0.4"}), "invalid_parameter");
  EXPECT_EQ(refused({"--claimed-delta", "1"}), "invalid_parameter");
}

/// 40 records in 6 models; the target, like its shadows, gives members a higher confidence.
std::string shadow_table(const std::string& target = "target") {
  SeededRandom random(8);
  std::string table = "record,model,member,score\n";
  for (const std::string& model : {target, std::string("a"), std::string("b"), std::string("c"), std::string("d")})
    for (int i = 0; i < 40; ++i) {
      const auto member = random.below(2);
      table += fmt::format("\"r,{}\",{},{},{}\n", i, model, member,
                           static_cast<double>(random.below(100)) / 250 + (member == 1 ? 0.5 : 0.05));
    }
  return table;
}

TEST(AttackShadows, AttacksTheTargetWithAllOtherModels) {
  const Folder folder;
  folder.write("s.csv", shadow_table());
  for (const char* method : {"lira", "lira-offline", "rmia"}) {
    const Ran ran =
        run({"attack", "shadows", folder / "s.csv", "--method", method, "-o", folder / "out.csv", "--json"});
    ASSERT_EQ(ran.status, 0) << ran.err;
    const Json json = json_of(ran);
    EXPECT_GT(number_at(json, {"auc"}), 0.9) << method;
    EXPECT_EQ(json.find("records")->elements()->size(), 40U);
    const std::vector<std::string> lines = lines_of(folder.read("out.csv"));
    ASSERT_EQ(lines.size(), 41U);
    EXPECT_EQ(lines[0], "record,member,score");
    EXPECT_THAT(lines[1], HasSubstr("\"r,"));
  }
}

TEST(AttackShadows, RefusesWhatCannotBe) {
  const Folder folder;
  folder.write("s.csv", shadow_table());
  const auto with = [&](std::vector<std::string> more) {
    std::vector<std::string> args = {"attack", "shadows", folder / "s.csv"};
    args.insert(args.end(), more.begin(), more.end());
    return refusal(std::move(args));
  };
  EXPECT_EQ(with({"--method", "guess"}), "usage");
  EXPECT_EQ(with({"--method", "lira", "--target", "e"}), "invalid_parameter");
  EXPECT_EQ(with({"--method", "rmia", "--gamma", "0"}), "invalid_parameter");
  EXPECT_EQ(with({"--method", "rmia", "--a", "2"}), "invalid_parameter");
  EXPECT_EQ(with({}), "usage");
  folder.write("two.csv", "record,model,member,score\nx,target,1,0.5\ny,target,0,0.5\nx,a,0,0.5\ny,a,1,0.5\n");
  EXPECT_EQ(refusal({"attack", "shadows", folder / "two.csv", "--method", "lira"}), "invalid_parameter");
  EXPECT_EQ(run({"attack", "shadows", folder / "two.csv", "--method", "rmia"}).status, 0);
  folder.write("twice.csv", "record,model,member,score\nx,target,1,0.5\nx,target,0,0.5\nx,a,0,0.5\n");
  EXPECT_EQ(refusal({"attack", "shadows", folder / "twice.csv", "--method", "rmia"}, 1), "bad_data");
}

class AttackModel : public testing::Test {
 protected:
  void SetUp() override {
    folder_.write("p.yaml",
                  "version: 1\n"
                  "learn:\n"
                  "  rows: 60\n"
                  "  features: {x: {numeric: [0, 10]}, town: {values: [Kiel, 北京]}}\n"
                  "  target: {column: y, values: [no, yes]}\n"
                  "  groups: {town: {values: [Kiel, 北京]}}\n"
                  "provenance: {features: public, hyperparameters: public}\n");
    std::string table = "x,town,y\n";
    for (int i = 0; i < 120; ++i)
      table += fmt::format("{},{},{}\n", i % 11, i % 3 == 0 ? "Kiel" : "北京", i % 7 < 3 ? "yes" : "no");
    folder_.write("t.csv", table);
  }
  [[nodiscard]] std::vector<std::string> attack(std::vector<std::string> more) const {
    std::vector<std::string> args = {"attack",  "model",    folder_ / "t.csv", "--policy", folder_ / "p.yaml",
                                     "--model", "logistic", "--steps",         "4",        "--batch",
                                     "20"};
    args.insert(args.end(), more.begin(), more.end());
    return args;
  }
  [[nodiscard]] std::vector<std::string> small(std::vector<std::string> more) const {
    more.insert(more.begin(), {"--epsilon", "1", "--delta", "1e-3", "--shadows", "4", "--targets", "2"});
    return attack(std::move(more));
  }
  Folder folder_;
};

TEST_F(AttackModel, GivesAllFiguresAndNoCells) {
  const Ran ran = run(small({"--json", "--report", folder_ / "r.html"}));
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json json = json_of(ran);
  EXPECT_THAT(keys_of(json), ElementsAre("internal", "model", "method", "shadows", "targets", "attacks", "roc", "gap",
                                         "claimed", "advantage_bound", "unprotected", "alarm", "holds", "warnings"));
  EXPECT_EQ(json.find("attacks")->elements()->size(), 8U);
  for (const Json& one : *json.find("attacks")->elements()) {
    EXPECT_EQ(one.find("exposed")->elements()->size(), 10U);
    EXPECT_LE(number_at(one, {"delta1"}), 1e-3);
  }
  EXPECT_EQ(at(json, {"holds"}), "true");
  EXPECT_EQ(at(json, {"internal"}), "true");
  EXPECT_THAT(folder_.read("r.html"), HasSubstr("INTERNAL"));
  // Without a seed of its own, everything is of seed 1.
  EXPECT_EQ(run(small({"--json", "--seed", "1"})).out, run(small({"--json"})).out);
}

TEST_F(AttackModel, ChoosesAttacksAndPrintsThem) {
  const Ran ran = run(small({"--attacks", "loss,rmia"}));
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("rmia"));
  EXPECT_THAT(ran.out, Not(HasSubstr("entropy")));
}

TEST_F(AttackModel, RefusesWhatCannotBe) {
  const auto with = [&](std::vector<std::string> more) { return refusal(small(std::move(more))); };
  EXPECT_EQ(with({"--attacks", "loss,guess"}), "invalid_parameter");
  for (const char* flag : {"--ledger", "--checkpoint", "--resume", "--holdout"})
    EXPECT_EQ(with({flag, "x"}), "usage") << flag;
  EXPECT_EQ(with({"--plan"}), "usage");
  const auto shadows = [&](const char* count, const char* targets, const char* attacks) {
    return refusal(attack(
        {"--epsilon", "1", "--delta", "1e-3", "--shadows", count, "--targets", targets, "--attacks", attacks}));
  };
  EXPECT_EQ(shadows("2", "1", "lira"), "invalid_parameter");
  EXPECT_EQ(shadows("1", "1", "rmia"), "invalid_parameter");
  EXPECT_EQ(shadows("3", "4", "loss"), "invalid_parameter");
}

}  // namespace attack_commands_test
}  // namespace gauze::cli
