// `gauze evaluate` and `gauze compare` on a table small enough for figures by hand. At an epsilon of a hundred million there
// is no noise: what is left is what levels and k do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gauze/cli/core/table_testing.h"

namespace gauze::cli {
namespace evaluate_command_test {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kPolicy = R"(version: 1
columns:
  age:  {role: quasi, hierarchy: {intervals: [[0, 30, 60, 120], [0, 60, 120]]}}
  town: {role: quasi, hierarchy: {groups: [{north: [Kiel, Oslo], south: [Rom, Wien]}]}}
  sick: {role: target, values: ["yes", "no"], positive: "yes"}
  sex:  {role: protected}
privacy: {k: 15}
release: {mode: grid, levels: {age: 1, town: 1}}
provenance: {quasi: public, hierarchies: public, levels: public, k: public, epsilon: public}
)";

class EvaluateCommand : public ::testing::Test {
 protected:
  Folder folder_;
  std::string policy_ = folder_.write("policy.yaml", kPolicy);
  std::string people_ = folder_.write("people.csv", people());

  /// 200 people: young north 80, young south 60, middle north 40, old south 10, and 10 from nowhere.
  static std::string people() {
    std::string text = "age,town,sick,sex\n";
    const auto add = [&](int count, const char* age, const char* town, int sick_of_ten) {
      for (int i = 0; i < count; ++i)
        text += fmt::format("{},{},{},{}\n", age, town, i % 10 < sick_of_ten ? "yes" : "no", i % 2 == 0 ? "f" : "m");
    };
    add(80, "20", "Kiel", 2);
    add(60, "25", "Rom", 4);
    add(40, "40", "Oslo", 9);
    add(10, "70", "Wien", 9);
    add(10, "70", "Mars", 5);
    return text;
  }
  [[nodiscard]] Ran ran(const std::string& command, std::vector<std::string> flags) const {
    std::vector<std::string> args = {command, people_, "--policy", policy_};
    if (std::find(flags.begin(), flags.end(), "--repetitions") == flags.end())
      args.insert(args.end(), {"--repetitions", "4"});
    args.insert(args.end(), flags.begin(), flags.end());
    return run(args);
  }
  [[nodiscard]] Json document(const std::string& command, std::vector<std::string> flags) const {
    flags.emplace_back("--json");
    const Ran result = ran(command, std::move(flags));
    EXPECT_EQ(result.status, 0) << result.out << result.err;
    return json_of(result);
  }
};

TEST_F(EvaluateCommand, FiguresWithoutNoiseAreThoseOfTheTable) {
  const Json json = document("evaluate", {"--epsilons", "100000000"});
  const auto figure = [&](std::vector<std::string> path) {
    path.insert(path.begin(), {"epsilons", "0"});
    return number_at(json, path);
  };
  // The class of 10 is below k and joins the 10 from nowhere in the rest.
  EXPECT_NEAR(figure({"tvd", "mean"}), 10.0 / 200, 1e-12);
  EXPECT_EQ(figure({"tvd", "sd"}), 0);
  EXPECT_EQ(figure({"classes", "mean"}), 3);
  EXPECT_EQ(figure({"k_noisy", "mean"}), 40);
  EXPECT_NEAR(figure({"privacy", "linkage", "mean"}), 3.0 / 200, 1e-12);
  EXPECT_NEAR(figure({"privacy", "highest_risk", "mean"}), 1.0 / 40, 1e-12);
  EXPECT_NEAR(figure({"utility", "parts", "distribution", "mean"}), 0.95, 1e-12);
  // Ages: 180 people in a quarter of the range, 20 in a half (those from nowhere have an age, too). Towns: two of four, which
  // loses a third of what could be lost, and all of it outside.
  const double age = (180 * 0.25 + 20 * 0.5) / 200, town = (190.0 / 3 + 10) / 200;
  EXPECT_NEAR(figure({"utility", "generalisation_loss", "columns", "age"}), age, 1e-12);
  EXPECT_NEAR(figure({"utility", "generalisation_loss", "columns", "town"}), town, 1e-12);
  EXPECT_NEAR(figure({"utility", "parts", "detail", "mean"}), 1 - (age + town) / 2, 1e-12);
  EXPECT_EQ(at(json, {"classes", "smallest"}), "10");
}

TEST_F(EvaluateCommand, TheTextSaysWhatTheDocumentSays) {
  const std::vector<std::string> flags = {"--epsilons", "0.5,2", "--minimum-group", "1"};
  const Ran text = ran("evaluate", flags);
  ASSERT_EQ(text.status, 0) << text.err;
  const Json json = document("evaluate", flags);
  EXPECT_THAT(text.out, AllOf(HasSubstr("200 rows, 4 classes"), HasSubstr("k = 15"), HasSubstr("4 repetitions")));
  for (const char* place : {"0", "1"}) {
    EXPECT_THAT(text.out, HasSubstr(fmt::format("{:.4f}", number_at(json, {"epsilons", place, "tvd", "mean"}))));
    EXPECT_THAT(text.out,
                HasSubstr(fmt::format("{:.3f} ({:.3f}-{:.3f})", number_at(json, {"epsilons", place, "score", "mean"}),
                                      number_at(json, {"epsilons", place, "score", "low"}),
                                      number_at(json, {"epsilons", place, "score", "high"}))));
  }
  EXPECT_THAT(text.out,
              HasSubstr(fmt::format("majority {:.3f}", number_at(json, {"baselines", "majority", "accuracy"}))));
}

TEST_F(EvaluateCommand, EpsilonsAreFoundUnlessGivenOrAsPublished) {
  const Json found = document("evaluate", {"--counts-only"});
  EXPECT_EQ(at(found, {"setting", "epsilons_found"}), "true");
  EXPECT_EQ(found.find("epsilons")->elements()->size(), 11U);
  const Json published = document("evaluate", {"--counts-only", "--as-published"});
  EXPECT_EQ(at(published, {"setting", "epsilons_found"}), "false");
  EXPECT_EQ(at(published, {"epsilons", "0", "epsilon"}), "0.1");
  EXPECT_EQ(at(published, {"epsilons", "10", "epsilon"}), "10");
}

TEST_F(EvaluateCommand, RequirementsAreAnsweredOrRefused) {
  const std::vector<std::string> flags = {"--counts-only", "--repetitions", "30", "--epsilons", "0.1,1,1000"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.end(), flags.begin(), flags.end());
    return more;
  };
  // The class of 10 is below k: a TVD of 0.05 is left without noise.
  const Json met = document("evaluate", with({"--require", "tvd<=0.06", "--require", "privacy.linkage<=0.5"}));
  EXPECT_GT(number_at(met, {"requirements", "epsilon"}), 1);
  EXPECT_EQ(met.find("requirements")->find("asked")->elements()->size(), 2U);
  EXPECT_THAT(ran("evaluate", with({"--require", "tvd<=0.06"})).out,
              AllOf(HasSubstr("from which on the requirements are met"), HasSubstr("chosen on this data")));
  const Ran refused = ran("evaluate", with({"--require", "tvd<=0.01", "--json"}));
  EXPECT_EQ(refused.status, 3);
  const Json json = json_of(refused);
  EXPECT_EQ(at(json, {"error", "code"}), "infeasible");
  EXPECT_EQ(json.find("requirements")->find("epsilon")->dump(), "null");
  EXPECT_NEAR(number_at(json, {"requirements", "unmet", "0", "value"}), 0.05, 1e-9);
  EXPECT_EQ(at(json, {"requirements", "unmet", "0", "epsilon"}), "1000");
  const Ran text = ran("evaluate", with({"--require", "tvd<=0.01"}));
  EXPECT_EQ(text.status, 3);
  EXPECT_THAT(text.out, AllOf(HasSubstr("INTERNAL"), HasSubstr("comes closest at epsilon 1000")));
  EXPECT_EQ(ran("evaluate", with({"--require", "tvd<0.01"})).status, 2);
  EXPECT_EQ(ran("evaluate", with({"--require", "nothing<=1"})).status, 2);
  EXPECT_EQ(ran("evaluate", with({"--require", "tvd<=1", "--certainty", "0.95"})).status, 2);
  EXPECT_EQ(ran("evaluate", with({"--certainty", "0.5"})).status, 2) << "of what?";
}

TEST_F(EvaluateCommand, WeightsDecideWhatIsRecommended) {
  const auto recommended = [&](const char* weights) {
    return at(document("evaluate", {"--epsilons", "8,0.1", "--weights", weights, "--counts-only"}),
              {"recommendation", "epsilon"});
  };
  EXPECT_EQ(recommended("1/0/0"), "0.1") << "epsilons are put in order, and privacy alone wants the smallest";
  EXPECT_EQ(recommended("0/1/0"), "8");
  EXPECT_EQ(recommended(".5/.0/0"), "0.1") << "weights are relative, and may begin with a point";
}

TEST_F(EvaluateCommand, ASeedRepeatsEverythingButTheTime) {
  const auto text = [&](const char* seed) {
    return document("evaluate", {"--epsilons", "1", "--seed", seed}).set("seconds", 0).dump();
  };
  EXPECT_EQ(text("5"), text("5"));
  EXPECT_NE(text("5"), text("6"));
}

TEST_F(EvaluateCommand, CountsOnlyTrainsNothing) {
  const Json json = document("evaluate", {"--epsilons", "1", "--counts-only"});
  EXPECT_EQ(at(json, {"epsilons", "0", "utility", "models"}), "null");
  EXPECT_EQ(at(json, {"epsilons", "0", "fairness"}), "null");
  EXPECT_EQ(at(json, {"baselines"}), "null");
  EXPECT_THAT(ran("evaluate", {"--epsilons", "1", "--counts-only"}).out, Not(HasSubstr("accuracy")));
}

TEST_F(EvaluateCommand, TargetAndGroupsCanBeGivenOnTheLine) {
  const Json json = document("evaluate", {"--epsilons", "1", "--target", "sex", "--positive", "f", "--protected",
                                          "sick", "--minimum-group", "1"});
  EXPECT_NE(at(json, {"epsilons", "0", "fairness", "sick", "groups", "yes"}), "(absent)");
  EXPECT_EQ(at(json, {"epsilons", "0", "fairness", "sex"}), "(absent)");
}

TEST_F(EvaluateCommand, EveryOutputSaysThatItIsInternal) {
  EXPECT_THAT(ran("evaluate", {"--epsilons", "1"}).out, HasSubstr("INTERNAL"));
  EXPECT_THAT(ran("compare", {}).out, HasSubstr("INTERNAL"));
  const std::string report = folder_ / "r.html";
  for (const char* command : {"evaluate", "compare"}) {
    const Json json = document(command, {"--report", report});
    EXPECT_EQ(at(json, {"label", "definition"}), "internal");
    EXPECT_EQ(at(json, {"label", "cost", "epsilon"}), "null") << "nothing is charged for what does not leave";
    EXPECT_EQ(run({"label", "check", report}).status, 0);
    EXPECT_THAT(folder_.read("r.html.label.json"), HasSubstr("\"definition\": \"internal\""));
  }
}

TEST_F(EvaluateCommand, RefusesWhatGoesNotTogetherWithoutReadingTheTable) {
  const std::string missing = folder_ / "none.csv";
  const auto message = [&](std::vector<std::string> flags) {
    std::vector<std::string> args = {"evaluate", missing, "--policy", policy_};
    args.insert(args.end(), flags.begin(), flags.end());
    const Ran result = run(args);
    EXPECT_EQ(result.status, 2) << result.err;
    return result.err;
  };
  EXPECT_THAT(message({"--noise-scale", "2"}), HasSubstr("--as-published"));
  EXPECT_THAT(message({"--as-published", "--delta", "0.1"}), HasSubstr("--delta"));
  EXPECT_THAT(message({"--weights", "1/2/x"}), HasSubstr("three numbers"));
  EXPECT_THAT(message({"--weights", "1/1/-1"}), HasSubstr("not negative"));
  EXPECT_THAT(message({"--epsilons", "1,0.5,1"}), HasSubstr("must rise"));
  EXPECT_THAT(message({"--minimum-group", "0"}), HasSubstr("at least 1"));
}

TEST_F(EvaluateCommand, ComparesThreeMethodsOnTheSameFigures) {
  const Json json = document("compare", {"--epsilon", "100000000"});
  EXPECT_EQ(at(json, {"epsilons"}), "(absent)") << "no sweep";
  const auto figure = [&](const char* method, std::vector<std::string> path) {
    path.insert(path.begin(), {"comparison", "methods", method});
    return number_at(json, path);
  };
  EXPECT_EQ(at(json, {"comparison", "epsilon"}), "100000000");
  const char *anonymous = "0", *noisy = "1", *hybrid = "2";
  EXPECT_EQ(at(json, {"comparison", "methods", anonymous, "epsilon"}), "null");
  EXPECT_EQ(at(json, {"comparison", "methods", noisy, "k"}), "null");
  EXPECT_EQ(at(json, {"comparison", "methods", hybrid, "k"}), "15");
  // With k the class of 10 is suppressed; those from nowhere always are. Noise alone, of which there is none, loses nothing.
  EXPECT_NEAR(figure(anonymous, {"suppressed"}), 20.0 / 200, 1e-12);
  EXPECT_NEAR(figure(hybrid, {"suppressed"}), 20.0 / 200, 1e-12);
  EXPECT_NEAR(figure(noisy, {"tvd", "mean"}), 0, 1e-12);
  EXPECT_NEAR(figure(hybrid, {"tvd", "mean"}), 10.0 / 200, 1e-12);
  for (const char* method : {anonymous, noisy, hybrid}) {
    const double accuracy = figure(method, {"models", "logistic", "accuracy", "mean"});
    const double unprotected = number_at(json, {"baselines", "unprotected", "models", "logistic", "accuracy"});
    EXPECT_NEAR(figure(method, {"models", "logistic", "retention", "mean"}), accuracy / unprotected, 1e-12);
  }
}

TEST_F(EvaluateCommand, NoiseMovesTheMethodsThatHaveIt) {
  const Json json = document("compare", {"--epsilon", "0.05"});
  const auto tvd = [&](const char* method) {
    return number_at(json, {"comparison", "methods", method, "tvd", "mean"});
  };
  EXPECT_GT(tvd("1"), 0.01);
  EXPECT_GT(tvd("2"), 0.01);
  EXPECT_EQ(at(json, {"comparison", "methods", "0", "tvd", "sd"}), "0") << "k-anonymity draws nothing";
}

TEST_F(EvaluateCommand, CompareTakesEpsilonOneUnlessTold) {
  EXPECT_EQ(at(document("compare", {}), {"comparison", "epsilon"}), "1");
  const Ran text = ran("compare", {});
  EXPECT_THAT(text.out, AllOf(HasSubstr("suppressed"), HasSubstr("10 %"), HasSubstr("retention")));
  EXPECT_EQ(ran("compare", {"--epsilon", "0"}).status, 2);
  EXPECT_EQ(ran("compare", {"--mode", "stability"}).status, 2) << "stability needs a delta";
}

TEST_F(EvaluateCommand, TriesEveryKWithEveryEpsilon) {
  const Json found = document("evaluate", {"--epsilons", "0.5,2", "--ks", "30,2,30", "--counts-only"});
  ASSERT_EQ(found.find("epsilons")->elements()->size(), 4U);
  EXPECT_EQ(at(found, {"setting", "ks"}), "[2,30]");
  EXPECT_EQ(at(found.find("epsilons")->elements()->at(2), {"k"}), "30");
  EXPECT_NE(at(found, {"recommendation", "k"}), "(absent)");
  const Ran told = ran("evaluate", {"--epsilons", "0.5,2", "--ks", "2,30", "--counts-only"});
  EXPECT_THAT(told.out, AllOf(HasSubstr("k = 2 and 30"), HasSubstr("noisy k"), HasSubstr("with k = ")));
}

TEST_F(EvaluateCommand, RefusesKsThatAreNone) {
  for (const char* ks : {"0", "2,0", "-1", "1.5", "x", ""}) EXPECT_EQ(ran("evaluate", {"--ks", ks}).status, 2) << ks;
  const Ran beyond = ran("evaluate", {"--epsilons", "1", "--ks", "2,201", "--json"});
  EXPECT_EQ(beyond.status, 3);
  EXPECT_EQ(at(json_of(beyond), {"error", "code"}), "infeasible");
}

TEST_F(EvaluateCommand, ScenariosWeighAndBoundWhatIsRecommended) {
  const Json found = document("evaluate", {"--epsilons", "0.1,0.2,0.5,1", "--scenario", "finance", "--counts-only"});
  EXPECT_EQ(at(found, {"setting", "weights", "privacy"}), "0.6");
  EXPECT_EQ(at(found, {"scenario", "ceiling"}), "0.25");
  EXPECT_EQ(at(found.find("epsilons")->elements()->at(2), {"above_ceiling"}), "true");
  EXPECT_LE(number_at(found, {"recommendation", "epsilon"}), 0.25);
  const Ran told = ran("evaluate", {"--epsilons", "0.1,0.2,0.5", "--scenario", "finance", "--counts-only"});
  EXPECT_THAT(told.out, AllOf(HasSubstr("The thesis advises for finance epsilon 0.5 (closing list)"),
                              HasSubstr("1 (Table 4.7): not tried, above the ceiling")));
  EXPECT_EQ(ran("evaluate", {"--scenario", "finance", "--weights", "1/1/1"}).status, 2);
  EXPECT_EQ(ran("evaluate", {"--scenario", "banking"}).status, 2);
  EXPECT_EQ(ran("evaluate", {"--scenario", "finance", "--epsilons", "1,2"}).status, 2) << "all above the ceiling";
}

}  // namespace evaluate_command_test
}  // namespace gauze::cli
