#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "gauze/cli/core/table_testing.h"
#include "gauze/files/testing/folder.h"

namespace gauze::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const std::string kPolicy =
    "version: 1\n"
    "learn:\n"
    "  rows: 600\n"
    "  features:\n"
    "    年龄: {numeric: [0, 10], indicator: true}\n"
    "    colour: {values: [red, blue]}\n"
    "  target: {column: y, values: [no, yes]}\n"
    "  groups: {colour: {values: [red, blue]}}\n"
    "provenance: {features: public, hyperparameters: public}\n";

class LearnCommands : public testing::Test {
 protected:
  void SetUp() override {
    write("p.yaml", kPolicy);
    std::string table = "id,年龄,colour,y\n";
    for (int i = 0; i < 600; ++i)
      table += fmt::format("{},{},{},{}\n", i, i % 11, i % 2 == 0 ? "red" : "blue", i % 11 > 5 ? "yes" : "no");
    write("t.csv", table);
  }
  void write(const std::string& name, const std::string& text) const { folder_.write(name, text); }
  [[nodiscard]] std::string at(const std::string& name) const { return folder_ / name; }
  Ran train(std::vector<std::string> more, const std::string& policy = "p.yaml", const std::string& table = "t.csv",
            const std::string& kind = "logistic") {
    std::vector<std::string> args = {"train", at(table), "--policy", at(policy), "--model",
                                     kind,    "--delta", "1e-6",     "-o",       at("m.gmodel")};
    args.insert(args.end(), more.begin(), more.end());
    return run(args);
  }

  Folder folder_;
};

TEST_F(LearnCommands, APlanReadsNothingAndNeedsNoTable) {
  const Ran ran = run({"train", "--plan", "--policy", at("p.yaml"), "--model", "mlp", "--epsilon", "1", "--delta",
                       "1e-6", "--batch", "100", "--json"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json plan = json_of(ran);
  EXPECT_EQ(cli::at(plan, {"planned"}), "true");
  EXPECT_EQ(cli::at(plan, {"epsilon", "upper"}), "1");
  EXPECT_LE(number_at(plan, {"epsilon", "lower"}), 1);
  EXPECT_EQ(cli::at(plan, {"sampling", "kind"}), "poisson");
  EXPECT_EQ(cli::at(plan, {"normaliser"}), "100");
  EXPECT_GT(number_at(plan, {"flops"}), 0);
  EXPECT_EQ(cli::at(plan, {"claimed"}), "null");
}

TEST_F(LearnCommands, AModelIsTrainedLabelledMeasuredAndAsked) {
  const Ran trained = train({"--epsilon", "4", "--json"});
  ASSERT_EQ(trained.status, 0) << trained.err;
  const Json json = json_of(trained);
  EXPECT_THAT(keys_of(json),
              ElementsAre("model", "method", "parameters", "sigma", "sigma_gradient", "clip", "sampling", "batch",
                          "steps", "normaliser", "noise_sd", "margin", "epsilon", "delta", "parts", "claimed",
                          "proved", "holdout", "ledger", "label", "warnings"));
  EXPECT_EQ(run({"label", "check", at("m.gmodel")}).status, 0);
  EXPECT_EQ(run({"model", "check", at("m.gmodel")}).status, 0);
  const Json score = json_of(run({"score", at("m.gmodel"), at("t.csv"), "--internal", "--by", "colour", "--json"}));
  EXPECT_GT(number_at(score, {"accuracy", "mean"}), 0.9);
  EXPECT_EQ(cli::at(score, {"rows"}), "600");
  EXPECT_EQ(cli::at(score, {"majority", "class"}), "no");
  EXPECT_GT(number_at(score, {"by_group", "red", "accuracy", "mean"}), 0.8);
  EXPECT_EQ(cli::at(score, {"by_group", "other", "accuracy"}), "null");
  EXPECT_THAT(warning_codes(score), ElementsAre("internal"));
  const Ran predicted = run({"predict", at("m.gmodel"), at("t.csv"), "--keep", "id", "--probabilities", "-o", "-"});
  ASSERT_EQ(predicted.status, 0) << predicted.err;
  const auto lines = lines_of(predicted.out);
  ASSERT_EQ(lines.size(), 601u);
  EXPECT_EQ(lines[0], "id,prediction,p=no,p=yes");
  EXPECT_THAT(lines[1], testing::StartsWith("0,no,"));
}

TEST_F(LearnCommands, NothingThatIsToldDependsOnTheRows) {
  // the same policy over nobody, one odd row, and everybody: the same output but for the model's own bytes
  write("none.csv", "id,年龄,colour,y\n");
  write("odd.csv", "id,年龄,colour,y\n1,inf,green,perhaps\n2,nan,\xff,yes\n");
  std::vector<std::string> outs;
  std::vector<std::string> errs;
  for (const char* table : {"t.csv", "none.csv", "odd.csv"}) {
    const Ran ran = train({"--epsilon", "1", "--steps", "20"}, "p.yaml", table);
    ASSERT_EQ(ran.status, 0) << ran.err;
    outs.push_back(ran.out);
    errs.push_back(ran.err);
    const Ran label = run({"label", "show", at("m.gmodel")});
    outs.back() += label.out;
  }
  EXPECT_EQ(outs[0], outs[1]);
  EXPECT_EQ(outs[0], outs[2]);
  EXPECT_EQ(errs[0], errs[1]);
  EXPECT_EQ(errs[0], errs[2]);
}

TEST_F(LearnCommands, LabelsSayWhatIsTakenForGrantedAboutAFile) {
  // a quote that is never closed takes all rows behind it with it
  ASSERT_EQ(train({"--epsilon", "1", "--steps", "5"}).status, 0);
  EXPECT_THAT(run({"label", "show", at("m.gmodel")}).out, HasSubstr("closed every quote"));
  EXPECT_THAT(run({"score", at("m.gmodel"), at("t.csv"), "--epsilon", "1", "--json"}).out,
              HasSubstr("closed every quote"));
  write("t.jsonl", "{\"年龄\":1,\"colour\":\"red\",\"y\":\"no\"}\n");
  ASSERT_EQ(train({"--epsilon", "1", "--steps", "5"}, "p.yaml", "t.jsonl").status, 0);
  EXPECT_THAT(run({"label", "show", at("m.gmodel")}).out, Not(HasSubstr("closed every quote")));
}

TEST_F(LearnCommands, AnEpsilonIsPrintedAsItWasAskedFor) {
  for (const char* epsilon : {"0.1", "0.23", "1", "12.5"})
    EXPECT_THAT(run({"train", "--plan", "--policy", at("p.yaml"), "--model", "logistic", "--epsilon", epsilon,
                     "--delta", "1e-6"})
                    .out,
                HasSubstr(fmt::format("epsilon {}, delta", epsilon)));
}

TEST_F(LearnCommands, FlagsThatWouldDoNothingAreRefused) {
  const auto refused = [&](const std::vector<std::string>& more) {
    std::vector<std::string> args = {"train",     "--plan", "--policy", at("p.yaml"),
                                     "--epsilon", "1",      "--delta",  "1e-6"};
    args.insert(args.end(), more.begin(), more.end());
    const Ran ran = run(args);
    EXPECT_EQ(ran.status, 2) << ran.err;
    return ran.err;
  };
  EXPECT_THAT(refused({"--model", "logistic", "--hidden", "5"}), HasSubstr("--hidden is for mlp"));
  EXPECT_THAT(refused({"--model", "mlp", "--tokens", "reshape:2x2"}), HasSubstr("--tokens is for cnn, lstm"));
  EXPECT_THAT(refused({"--model", "lstm", "--heads", "2"}), HasSubstr("--heads is for transformer"));
  const Ran study = run({"study", at("t.csv"), "--policy", at("p.yaml"), "--models", "logistic", "--methods",
                         "apba-uniform", "--epsilons", "1", "--delta", "1e-6", "--steps", "5"});
  EXPECT_EQ(study.status, 2);
  EXPECT_THAT(study.err, HasSubstr("trains by --epochs"));
}

TEST_F(LearnCommands, CellsThatAreMissingInANewTableAreNamedThere) {
  ASSERT_EQ(train({"--epsilon", "50", "--steps", "200"}).status, 0);
  const auto answers = [&](const std::string& table, std::vector<std::string> more = {}) {
    std::vector<std::string> args = {"predict", at("m.gmodel"), at(table), "--probabilities", "-o", "-"};
    args.insert(args.end(), more.begin(), more.end());
    return run(args).out;
  };
  write("none.csv", "年龄,colour,y\n,red,yes\n");
  write("nine.csv", "年龄,colour,y\n9,red,yes\n");
  EXPECT_NE(answers("none.csv"), answers("nine.csv"));
  EXPECT_EQ(answers("none.csv"), answers("nine.csv", {"--null", "9"}));
  const auto accuracy = [&](std::vector<std::string> more) {
    std::vector<std::string> args = {"score", at("m.gmodel"), at("t.csv"), "--internal", "--json"};
    args.insert(args.end(), more.begin(), more.end());
    return number_at(json_of(run(args)), {"accuracy", "mean"});
  };
  EXPECT_LT(accuracy({"--null", "9", "--null", "10", "--null", "8"}), accuracy({}));
}

TEST_F(LearnCommands, APaidScoreIsChargedAndSaysSo) {
  ASSERT_EQ(train({"--epsilon", "4"}).status, 0);
  ASSERT_EQ(run({"ledger", "create", "people", "--ledger", at("l"), "--epsilon", "1"}).status, 0);
  const std::vector<std::string> args = {"score",    at("m.gmodel"), at("t.csv"), "--epsilon", "0.75",
                                         "--ledger", at("l"),        "--dataset", "people",    "--json"};
  const Ran paid = run(args);
  ASSERT_EQ(paid.status, 0) << paid.err;
  const Json json = json_of(paid);
  EXPECT_EQ(cli::at(json, {"internal"}), "false");
  EXPECT_EQ(cli::at(json, {"rows"}), "(absent)");
  EXPECT_EQ(cli::at(json, {"log_loss"}), "null");
  EXPECT_EQ(cli::at(json, {"ledger", "left", "epsilon"}), "0.25");
  EXPECT_EQ(run(args).status, 3);
}

TEST_F(LearnCommands, TrainingIsChargedBeforeAnythingIsRead) {
  ASSERT_EQ(run({"ledger", "create", "people", "--ledger", at("l"), "--epsilon", "2", "--delta", "1e-5",
                 "--accountant", "basic"})
                .status,
            0);
  const std::vector<std::string> account = {"--epsilon", "1.5",   "--steps",   "10",
                                            "--ledger",  at("l"), "--dataset", "people"};
  EXPECT_EQ(train(account).status, 0);
  const Ran refused = train(account);
  EXPECT_EQ(refused.status, 3);
  EXPECT_THAT(refused.err, HasSubstr("left"));
  // a column that is not there is found in the line of names: before the charge
  write("short.csv", "年龄,y\n1,no\n");
  const Ran unknown = train(account, "p.yaml", "short.csv");
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.err, HasSubstr("colour"));
  const Json plan = json_of(run({"train", "--plan", "--policy", at("p.yaml"), "--model", "logistic", "--epsilon",
                                 "1.5", "--delta", "1e-6", "--ledger", at("l"), "--dataset", "people", "--json"}));
  EXPECT_EQ(cli::at(plan, {"fits", "ok"}), "false");
  EXPECT_EQ(cli::at(plan, {"fits", "accountant"}), "basic");
}

TEST_F(LearnCommands, AHoldoutIsMeasuredWithinTheSameCharge) {
  const Ran ran = train({"--epsilon", "4", "--holdout", "0.5", "--holdout-epsilon", "4", "--json"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json json = json_of(ran);
  EXPECT_EQ(cli::at(json, {"epsilon", "upper"}), "4");
  EXPECT_EQ(cli::at(json, {"normaliser"}), "256");
  EXPECT_GT(number_at(json, {"holdout", "accuracy", "mean"}), 0.8);
  EXPECT_EQ(cli::at(json, {"label", "cost", "epsilon"}), "4");
}

TEST_F(LearnCommands, WithoutPrivacyTheLabelPromisesNothing) {
  const std::vector<std::string> args = {"train",     at("t.csv"), "--policy", at("p.yaml"),   "--model", "logistic",
                                         "--epsilon", "inf",       "-o",       at("m.gmodel"), "--json"};
  const Ran ran = run(args);
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(cli::at(json_of(ran), {"label", "definition"}), "none");
  EXPECT_EQ(cli::at(json_of(ran), {"sigma"}), "null");
  EXPECT_THAT(warning_codes(json_of(ran)), testing::Contains("unprotected"));
}

struct RefusedLine {
  const char* name;
  std::vector<std::string> args;
  const char* message;
  const char* kind = "logistic";
};
void PrintTo(const RefusedLine& refused, std::ostream* out) { *out << refused.name; }
class LearnRefusals : public LearnCommands, public testing::WithParamInterface<RefusedLine> {};

TEST_P(LearnRefusals, EndWithTwoBeforeAnythingIsRead) {
  std::filesystem::remove(at("t.csv"));  // nothing may look for it
  const Ran ran = train(GetParam().args, "p.yaml", "t.csv", GetParam().kind);
  EXPECT_EQ(ran.status, 2) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr(GetParam().message));
  EXPECT_FALSE(std::filesystem::exists(at("m.gmodel")));
}

INSTANTIATE_TEST_SUITE_P(
    Lines, LearnRefusals,
    testing::Values(
        RefusedLine{"SeedAlone", {"--epsilon", "1", "--seed", "4"}, "--insecure-seed"},
        RefusedLine{"NoBudget", {}, "epsilon with delta"}, RefusedLine{"Nan", {"--epsilon", "nan"}, "epsilon"},
        RefusedLine{"LedgerWithoutPrivacy", {"--epsilon", "inf", "--ledger", "l", "--dataset", "d"}, "inf"},
        RefusedLine{"ClipZero", {"--epsilon", "1", "--clip", "0"}, "clip"},
        RefusedLine{"ClipOfAnotherKind", {"--epsilon", "1", "--clip", "adaptive:2"}, "quantile"},
        RefusedLine{"TokensOfAnotherKind", {"--epsilon", "1", "--tokens", "reshape:3"}, "reshape:SxD", "lstm"},
        RefusedLine{"HiddenZero", {"--epsilon", "1", "--hidden", "8,0"}, "--hidden", "mlp"},
        RefusedLine{"BatchAboveRows", {"--epsilon", "1", "--batch", "601"}, "above the declared"}),
    [](const testing::TestParamInfo<RefusedLine>& one) { return std::string(one.param.name); });

TEST_F(LearnCommands, ModelsThatAreNoneAndTablesThatLackAColumnAreRefused) {
  ASSERT_EQ(train({"--epsilon", "1", "--steps", "5"}).status, 0);
  write("short.csv", "年龄,y\n1,no\n");
  const Ran lacking = run({"predict", at("m.gmodel"), at("short.csv"), "-o", at("out.csv")});
  EXPECT_EQ(lacking.status, 2);
  EXPECT_THAT(lacking.err, HasSubstr("colour"));
  EXPECT_FALSE(std::filesystem::exists(at("out.csv")));
  write("broken.gmodel", "no model at all");
  EXPECT_EQ(run({"predict", at("broken.gmodel"), at("t.csv"), "-o", at("out.csv")}).status, 1);
  EXPECT_EQ(run({"model", "check", at("broken.gmodel")}).status, 1);
  EXPECT_EQ(run({"score", at("m.gmodel"), at("t.csv")}).status, 2);
  EXPECT_EQ(run({"score", at("m.gmodel"), at("t.csv"), "--internal", "--by", "shape"}).status, 2);
}

TEST_F(LearnCommands, SupportVectorsHaveNoProbabilitiesButAnAuc) {
  const Ran trained = run({"train", at("t.csv"), "--policy", at("p.yaml"), "--model", "svm", "--epsilon", "4",
                           "--delta", "1e-6", "-o", at("s.gmodel")});
  ASSERT_EQ(trained.status, 0) << trained.err;
  EXPECT_EQ(run({"predict", at("s.gmodel"), at("t.csv"), "--probabilities", "-o", at("out.csv")}).status, 2);
  const Json score = json_of(run({"score", at("s.gmodel"), at("t.csv"), "--internal", "--json"}));
  EXPECT_EQ(cli::at(score, {"log_loss"}), "null");
  EXPECT_GT(number_at(score, {"auc", "mean"}), 0.9);
}

TEST_F(LearnCommands, NumbersArePredictedOnTheirOwnScale) {
  write("n.yaml",
        "version: 1\nlearn: {rows: 600, features: {colour: {values: [red, blue]}, 年龄: {numeric: [0, 10]}}, target: "
        "{column: id, numeric: [0, 600]}}\n");
  const Ran ran = run({"train", at("t.csv"), "--policy", at("n.yaml"), "--model", "mlp", "--hidden", "8", "--epsilon",
                       "inf", "--steps", "50", "-o", at("n.gmodel")});
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json score = json_of(run({"score", at("n.gmodel"), at("t.csv"), "--internal", "--json"}));
  EXPECT_EQ(cli::at(score, {"accuracy"}), "null");
  EXPECT_NEAR(number_at(score, {"mae", "mean"}), 150, 20);  // nothing to learn: the mean of |u - 300| over 0 to 600
  EXPECT_EQ(run({"score", at("n.gmodel"), at("t.csv"), "--epsilon", "1"}).status, 2);
}

TEST_F(LearnCommands, GradientsAddUpToTheirClippedSum) {
  ASSERT_EQ(train({"--epsilon", "1", "--steps", "5"}).status, 0);
  write("few.csv", "id,年龄,colour,y\n1,3,red,no\n2,9,blue,yes\n3,5,blue,perhaps\n");
  const Json ghost = json_of(run({"model", "gradients", at("m.gmodel"), at("few.csv"), "--clip", "0.1", "--json"}));
  const Json written = json_of(run(
      {"model", "gradients", at("m.gmodel"), at("few.csv"), "--clip", "0.1", "--mode", "materialised", "--json"}));
  ASSERT_EQ(ghost.find("samples")->elements()->size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    const Json& one = ghost.find("samples")->elements()->at(i);
    const Json& other = written.find("samples")->elements()->at(i);
    EXPECT_NEAR(number_at(one, {"norm"}), number_at(other, {"norm"}), 1e-6);
  }
  EXPECT_EQ(number_at(ghost.find("samples")->elements()->at(2), {"norm"}), 0);
  EXPECT_LE(number_at(ghost.find("samples")->elements()->at(0), {"factor"}) *
                number_at(ghost.find("samples")->elements()->at(0), {"norm"}),
            0.1);
}

TEST_F(LearnCommands, TheSelfCheckEndsWell) {
  const Ran ran = run({"train", "--self-check", "--json"});
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(cli::at(json_of(ran), {"ok"}), "true");
  EXPECT_EQ(cli::at(json_of(ran), {"margin"}), "true");
}

}  // namespace
}  // namespace gauze::cli
