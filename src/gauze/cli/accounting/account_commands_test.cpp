#include <gtest/gtest.h>

#include <cmath>

#include "gauze/base/testing/watched.h"
#include "gauze/cli/core/cli_testing.h"
#include "gauze/files/json_reader.h"

namespace gauze::cli {
namespace account_commands_test {

Json json_of(const std::vector<std::string>& args) {
  auto with_json = args;
  with_json.emplace_back("--json");
  const Ran ran = run(with_json);
  const auto document = read_json(ran.out);
  EXPECT_TRUE(document) << ran.out << ran.err;
  return document ? *document : Json::object();
}

double number(const Json* json) {
  return json == nullptr || json->text().empty() ? std::nan("") : std::stod(std::string(json->text()));
}

TEST(AccountCommand, PrintsBoundsAllMethodsAndALabel) {
  const Json document =
      json_of({"account", "gaussian", "--sigma", "1", "--poisson", "0.01", "--steps", "1000", "--delta", "1e-5"});
  EXPECT_NEAR(number(document.find("epsilon")->find("lower")), 1.8282, 0.006);
  EXPECT_NEAR(number(document.find("epsilon")->find("upper")), 1.8282, 0.005);
  EXPECT_EQ(document.find("method")->text(), "pld");
  EXPECT_NEAR(number(document.find("all")->find("rdp")->find("epsilon")), 2.1014, 0.001);
  EXPECT_GT(number(document.find("all")->find("rdp")->find("order")), 1);
  EXPECT_EQ(document.find("label")->find("definition")->text(), "approximate");
}

TEST(AccountCommand, SaysHowFarApartTheBoundsAre) {
  const Json close = json_of({"account", "laplace", "--scale", "10", "--steps", "100", "--delta", "1e-6"});
  const double lower = number(close.find("epsilon")->find("lower")),
               upper = number(close.find("epsilon")->find("upper"));
  EXPECT_NEAR(number(close.find("gap")), upper - lower, 1e-12);
  EXPECT_EQ(close.find("wide")->dump(), "false");
  const Json unknown = json_of({"account", "exponential", "--epsilon", "0.1", "--steps", "5", "--delta", "1e-6"});
  EXPECT_EQ(unknown.find("gap")->dump(), "null");
  EXPECT_EQ(unknown.find("wide")->dump(), "null");
}

// A rare large loss among very many tiny ones at a tiny delta: rounding errors keep the bounds apart.
TEST(AccountCommand, SaysWhenTheBoundsAreWide) {
  if (is_watched()) GTEST_SKIP() << "of figures, not of memory";
  const std::string spec =
      "version: 1\nevents:\n  - {mechanism: pure, epsilon: 0.0001, steps: 100000}\n"
      "  - {mechanism: gaussian, sigma: 0.8, poisson: 0.0001}\n";
  const Ran ran = run({"account", "--spec", "-", "--delta", "1.4e-15", "--json"}, spec);
  ASSERT_EQ(ran.status, 0) << ran.err;
  const auto document = read_json(ran.out);
  ASSERT_TRUE(document);
  EXPECT_GT(number(document->find("gap")), 0.005);
  EXPECT_EQ(document->find("wide")->dump(), "true");
  EXPECT_NE(ran.err.find("further apart"), std::string::npos) << ran.err;
}

TEST(AccountCommand, AnswersBothDirections) {
  const Json document = json_of({"account", "gaussian", "--sigma", "1", "--target-epsilon", "1"});
  EXPECT_NEAR(number(document.find("delta")->find("upper")), 0.126936737507, 1e-9);
  const Json renyi = json_of({"account", "gaussian", "--sigma", "2", "--steps", "3", "--renyi", "8"});
  EXPECT_NEAR(number(renyi.find("rdp")), 3 * 8 / (2 * 4.0), 1e-9);
}

TEST(AccountCommand, PureMechanismsHaveABoundAtDeltaZero) {
  const Json document = json_of({"account", "laplace", "--scale", "2", "--steps", "10", "--delta", "0"});
  EXPECT_NEAR(number(document.find("epsilon")->find("upper")), 5, 1e-12);
  EXPECT_EQ(run({"account", "gaussian", "--sigma", "2", "--delta", "0"}).status, 3);
}

TEST(AccountCommand, RefusesWhatIsUnproved) {
  const auto status = [](std::vector<std::string> args) { return run(args).status; };
  EXPECT_EQ(status({"account", "gaussian", "--sigma", "1", "--poisson", "0.1", "--adjacency", "replace-one",
                    "--delta", "1e-5"}),
            2);
  EXPECT_EQ(status({"account", "gaussian", "--sigma", "1", "--fixed-size", "10/100", "--delta", "1e-5"}), 2);
  EXPECT_EQ(status({"account", "gaussian", "--sigma", "1"}), 2);
  EXPECT_EQ(status({"account", "gaussian", "--epsilon", "1", "--delta", "1e-5"}), 2);
  EXPECT_EQ(status({"account", "gaussian", "--sigma", "0", "--delta", "1e-5"}), 2);
  EXPECT_EQ(status({"account", "gaussian", "--sigma", "1", "--delta", "1"}), 2);
  EXPECT_EQ(status({"account", "gaussian", "--sigma", "1", "--delta", "1e-5", "--method", "basic"}), 3);
  EXPECT_EQ(status({"account", "approx", "--epsilon", "1", "--delta", "1e-5"}), 2);
  EXPECT_EQ(status({"account", "gaussian", "--sigma", "1", "--fixed-size", "5/2", "--adjacency", "replace-one",
                    "--delta", "1e-5"}),
            2);
}

TEST(AccountCommand, ReadsACompositionFromAFile) {
  const std::string spec =
      "version: 1\nevents:\n  - {mechanism: pure, epsilon: 0.5}\n  - parallel:\n"
      "      - [{mechanism: pure, epsilon: 1}]\n      - [{mechanism: pure, epsilon: 2}]\n";
  const Ran ran = run({"account", "--spec", "-", "--delta", "0", "--json"}, spec);
  ASSERT_EQ(ran.status, 0) << ran.out;
  const auto document = read_json(ran.out);
  EXPECT_NEAR(number(document->find("epsilon")->find("upper")), 2.5, 1e-9);
  EXPECT_EQ(run({"account", "--spec", "-", "--delta", "0"}, "version: 1\n").status, 2);
  EXPECT_EQ(run({"account", "--delta", "0"}).status, 2);
  EXPECT_EQ(run({"account", "gaussian", "--spec", "-", "--delta", "0"}, spec).status, 2);
}

TEST(CalibrateCommand, MeetsTheTarget) {
  const Json document = json_of({"calibrate", "gaussian", "--epsilon", "1", "--delta", "1e-5"});
  EXPECT_NEAR(number(document.find("sigma")), 3.73063, 0.001);
  const Json laplace = json_of({"calibrate", "laplace", "--epsilon", "2", "--steps", "4"});
  EXPECT_NEAR(number(laplace.find("scale")), 2, 0.001);
  const Json steps =
      json_of({"calibrate", "gaussian", "--sigma", "10", "--epsilon", "1", "--delta", "1e-5", "--solve", "steps"});
  EXPECT_EQ(number(steps.find("steps")), 7);  // 10 / sqrt(7) = 3.78 fits, 10 / sqrt(8) = 3.54 does not
  EXPECT_EQ(run({"calibrate", "gaussian", "--sigma", "0.1", "--epsilon", "1", "--delta", "1e-5", "--solve", "steps"})
                .status,
            3);
  EXPECT_EQ(run({"calibrate", "gaussian", "--epsilon", "1"}).status, 2);
}

}  // namespace account_commands_test
}  // namespace gauze::cli
