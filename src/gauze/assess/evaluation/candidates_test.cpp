// Several k beside several epsilons, scenarios of the thesis, and the figures that both are read by.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "gauze/assess/evaluation/advice.h"
#include "gauze/table/testing/memory_table.h"

namespace gauze::assess {
namespace candidates_test {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

EvaluationSetting setting_of(const std::string& release = "mode: grid, levels: {age: 1, town: 1}") {
  EvaluationSetting setting;
  const auto policy = schema::parse_policy(fmt::format(R"(
version: 1
columns:
  age:  {{role: quasi, hierarchy: {{intervals: [[0, 30, 60, 120], [0, 60, 120]]}}}}
  town: {{role: quasi, hierarchy: {{groups: [{{north: [Kiel, Oslo], south: [Rom, Wien]}}]}}}}
  sex:  {{role: protected}}
  sick: {{role: target, values: ["yes", "no"], positive: "yes"}}
privacy: {{k: 5}}
release: {{{}}}
provenance: {{quasi: public, hierarchies: public, levels: public, k: public, epsilon: public}}
)",
                                                       release));
  EXPECT_TRUE(policy) << policy.error().message;
  setting.policy = *policy;
  setting.take_roles_from_policy();
  setting.epsilons = {Rational(1, 5), Rational(1, 2), Rational(2)};
  setting.repetitions = 8;
  setting.minimum_group = 10;
  return setting;
}

table::MemoryTable people() {
  SeededRandom random(3);
  table::MemoryTable::Rows rows;
  const char* towns[] = {"Kiel", "Oslo", "Rom", "Wien"};
  for (int i = 0; i < 500; ++i) {
    const std::uint64_t age = random.below(90);
    const std::uint64_t town = random.below(12) == 0 ? 3 : random.below(3);
    rows.push_back(
        {std::to_string(age), towns[town], random.below(3) == 0 ? "f" : "m", random.below(100) < age ? "yes" : "no"});
  }
  return {{"age", "town", "sex", "sick"}, std::move(rows)};
}

Result<Evaluation> evaluated(const EvaluationSetting& setting) {
  table::MemoryTable table = people();
  Progress progress;
  return Evaluation::run(table, setting, true, progress);
}

/// A document without what is scored over all candidates.
std::string before_scoring(const Json& document) {
  std::string text;
  for (const auto& [key, value] : *document.members()) {
    if (key == "k" || key == "score" || key == "win_rate" || key == "privacy" || key == "utility" ||
        key == "fairness") {
      if (value.members() == nullptr) continue;
      for (const auto& [inner, figure] : *value.members())
        if (inner != "score" && key != "score" && key != "win_rate") text += key + "." + inner + figure.dump() + "\n";
      continue;
    }
    text += key + value.dump() + "\n";
  }
  return text;
}

TEST(Candidates, EveryKWithEveryEpsilonIsTheSingleRunWithTheSameSeed) {
  for (const char* release : {"mode: grid, levels: {age: 1, town: 1}", "mode: select",
                              "mode: grid, kind: records, levels: {age: 1, town: 1}", "as published"}) {
    const bool published = release == std::string("as published");
    EvaluationSetting several = setting_of(published ? "mode: grid, levels: {age: 1, town: 1}" : release);
    several.as_published = published;
    several.ks = {2, 5, 40};
    const auto all = evaluated(several);
    ASSERT_TRUE(all) << all.error().message;
    const Json together = all->to_json("x");
    ASSERT_EQ(together.find("epsilons")->elements()->size(), 9U);
    for (std::size_t k = 0; k < several.ks.size(); ++k) {
      EvaluationSetting single = several;
      single.ks.clear();
      single.policy.privacy.k = several.ks[k];
      const auto one = evaluated(single);
      ASSERT_TRUE(one) << one.error().message;
      const Json alone = one->to_json("x");
      for (std::size_t e = 0; e < single.epsilons.size(); ++e) {
        const Json& here = together.find("epsilons")->elements()->at(3 * k + e);
        EXPECT_EQ(here.find("k")->text(), std::to_string(several.ks[k]));
        EXPECT_EQ(before_scoring(here), before_scoring(alone.find("epsilons")->elements()->at(e))) << release;
      }
    }
  }
}

TEST(Candidates, ScoresAndWinsAreOverAllPairs) {
  EvaluationSetting setting = setting_of();
  setting.ks = {2, 200};
  const auto evaluation = evaluated(setting);
  ASSERT_TRUE(evaluation) << evaluation.error().message;
  const Json document = evaluation->to_json("x");
  double wins = 0;
  for (const Json& one : *document.find("epsilons")->elements())
    wins += std::stod(std::string(one.find("win_rate")->find("mean")->text()));
  EXPECT_NEAR(wins, 1, 1e-12);
  const Json& found = *document.find("recommendation");
  EXPECT_EQ(found.find("k")->text(), "2") << "k = 200 empties nearly all classes";
  EXPECT_NE(found.find("runner_up")->find("k"), nullptr);
  EXPECT_NE(found.find("by_weighting")->find("privacy")->find("k"), nullptr);
  std::vector<std::string> keys;
  double space = 0;
  for (const auto& [key, share] : *found.find("weight_space")->members()) {
    keys.push_back(key);
    space += std::stod(std::string(share.text()));
  }
  EXPECT_THAT(keys, ElementsAre("2/0.2", "2/0.5", "2/2", "200/0.2", "200/0.5", "200/2"));
  EXPECT_NEAR(space, 1, 1e-9);
  EXPECT_THAT(std::string(found.find("text")->text()), HasSubstr("with k = 2"));
  EXPECT_EQ(document.find("setting")->find("ks")->dump(), "[2,200]");
}

TEST(Candidates, WithoutKsADocumentNamesEpsilonsAlone) {
  const auto evaluation = evaluated(setting_of());
  ASSERT_TRUE(evaluation) << evaluation.error().message;
  const Json document = evaluation->to_json("x");
  EXPECT_EQ(document.find("epsilons")->elements()->at(0).find("k"), nullptr);
  EXPECT_EQ(document.find("recommendation")->find("k"), nullptr);
  EXPECT_TRUE(document.find("setting")->find("ks")->is_null());
  EXPECT_TRUE(document.find("scenario")->is_null());
}

TEST(Candidates, KsOutOfOrderOrBeyondTheRowsAreRefused) {
  EvaluationSetting setting = setting_of();
  setting.ks = {0, 2};
  EXPECT_EQ(evaluated(setting).error().code, ErrorCode::invalid_parameter);
  setting.ks = {3, 3};
  EXPECT_EQ(evaluated(setting).error().code, ErrorCode::invalid_parameter);
  setting.ks = {2, 501};
  const auto beyond = evaluated(setting);
  ASSERT_FALSE(beyond);
  EXPECT_EQ(beyond.error().code, ErrorCode::infeasible);
  setting.ks = {2, 500};
  EXPECT_TRUE(evaluated(setting)) << "one class of everybody";
}

TEST(Candidates, RequirementsTakeTheSmallestEpsilonThenTheLargestK) {
  EvaluationSetting setting = setting_of();
  setting.counts_only = true;
  setting.repetitions = 40;
  setting.epsilons = {Rational(1, 100), Rational(1), Rational(100)};
  setting.ks = {2, 3, 300};
  setting.requirements = {*Requirement::parse("tvd<=0.2")};
  const auto evaluation = evaluated(setting);
  ASSERT_TRUE(evaluation) << evaluation.error().message;
  const RequirementsAnswer& answer = *evaluation->requirements();
  ASSERT_TRUE(answer.epsilon) << answer.text();
  EXPECT_LT(answer.epsilon->to_double(), 1) << "refined";
  EXPECT_NE(answer.k, 300U) << "which leaves nearly nobody";
  ASSERT_TRUE(answer.k);
  EXPECT_THAT(answer.text(), HasSubstr(fmt::format("with k = {}", *answer.k)));
  EXPECT_EQ(evaluation->to_json("x").find("requirements")->find("k")->text(), std::to_string(*answer.k));
  // Where noise is nothing all of the small ones pass alike: the largest is taken.
  setting.epsilons = {Rational(1'000'000)};
  EXPECT_EQ(evaluated(setting)->requirements()->k, 3U);
  setting.requirements = {*Requirement::parse("tvd<=0")};
  setting.epsilons = {Rational(1, 100)};
  const auto none = evaluated(setting);
  ASSERT_TRUE(none) << none.error().message;
  EXPECT_FALSE(none->requirements()->epsilon);
  EXPECT_TRUE(none->requirements()->unmet.at(0).k);
}

TEST(Scenarios, AreThoseOfTheThesis) {
  for (const Scenario& one : scenarios()) {
    const double sum = one.weights.privacy + one.weights.utility + one.weights.fairness;
    EXPECT_NEAR(sum, 1, 1e-12) << one.name;
  }
  EXPECT_EQ((*find_scenario("medical"))->weights.privacy, 0.6);
  EXPECT_EQ((*find_scenario("research"))->weights.utility, 0.6);
  EXPECT_EQ((*find_scenario("social"))->weights.fairness, 0.6);
  EXPECT_EQ((*find_scenario("business"))->weights.privacy, 0.4);
  EXPECT_EQ(ceiling_of(**find_scenario("finance")), Rational(1, 4));
  EXPECT_EQ(ceiling_of(**find_scenario("medical")), Rational(1, 2));
  EXPECT_FALSE(ceiling_of(**find_scenario("research")));
  const auto slip = find_scenario("medcal");
  ASSERT_FALSE(slip);
  EXPECT_THAT(slip.error().message, HasSubstr("medical"));
  EXPECT_THAT(advised_epsilons(), ElementsAre(Rational(1, 5), Rational(1, 2), Rational(1), Rational(2), Rational(3)));
}

TEST(Scenarios, WhatLiesAboveTheCeilingStaysInTheSweepAndIsNeverRecommended) {
  EvaluationSetting setting = setting_of();
  setting.scenario = *find_scenario("medical");
  setting.weights = {0, 1, 0};  // the largest epsilon would win
  const auto evaluation = evaluated(setting);
  ASSERT_TRUE(evaluation) << evaluation.error().message;
  const Json document = evaluation->to_json("x");
  EXPECT_EQ(document.find("epsilons")->elements()->size(), 3U);
  EXPECT_EQ(document.find("epsilons")->elements()->at(2).find("above_ceiling")->dump(), "true");
  EXPECT_EQ(document.find("epsilons")->elements()->at(1).find("above_ceiling")->dump(), "false")
      << "the ceiling itself";
  EXPECT_EQ(document.find("recommendation")->find("epsilon")->text(), "0.5");
  for (const auto& [name, choice] : *document.find("recommendation")->find("by_weighting")->members())
    EXPECT_NE(choice.find("epsilon")->text(), "2") << name;
  EXPECT_EQ(document.find("recommendation")->find("weight_space")->find("2")->text(), "0");
  const Json& scenario = *document.find("scenario");
  EXPECT_EQ(scenario.find("ceiling")->text(), "0.5");
  const auto& advice = *scenario.find("advice")->elements();
  ASSERT_EQ(advice.size(), 2U);
  EXPECT_EQ(advice[0].find("epsilon")->text(), "0.5");
  EXPECT_EQ(advice[0].find("tried")->dump(), "true");
  EXPECT_EQ(advice[1].find("epsilon")->text(), "1");
  EXPECT_EQ(advice[1].find("tried")->dump(), "false");
  EXPECT_EQ(advice[1].find("above_ceiling")->dump(), "true");
  EXPECT_THAT(advice_text(*evaluation), AllOf(HasSubstr("1 (Table 4.7): not tried, above the ceiling"),
                                              HasSubstr("0.5 (closing list): won in")));
  setting.epsilons = {Rational(1), Rational(2)};
  const auto none = evaluated(setting);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::invalid_parameter);
  setting.requirements = {*Requirement::parse("tvd<=0.9")};
  setting.repetitions = 40;
  setting.epsilons = {Rational(1, 100), Rational(2)};
  setting.requirements = {*Requirement::parse("tvd<=0.05")};
  EXPECT_FALSE(evaluated(setting)->requirements()->epsilon) << "met at 2 alone, which may not be spent";
}

TEST(Scenarios, TheDefaultSweepHoldsWhatIsAdvised) {
  EvaluationSetting setting = setting_of();
  setting.scenario = *find_scenario("business");
  setting.epsilons.clear();
  setting.counts_only = true;
  setting.repetitions = 2;
  const auto evaluation = evaluated(setting);
  ASSERT_TRUE(evaluation) << evaluation.error().message;
  for (const Rational& epsilon : advised_epsilons())
    EXPECT_THAT(evaluation->setting().epsilons, ::testing::Contains(epsilon));
  EXPECT_GE(evaluation->setting().epsilons.size(), 11U);
  EXPECT_THAT(advice_text(*evaluation), Not(HasSubstr("not tried")));
}

TEST(Figures, TheGapsOfBothRatesAddUpToTheSumThatIsScored) {
  const auto evaluation = evaluated(setting_of());
  ASSERT_TRUE(evaluation) << evaluation.error().message;
  const auto& runs = *evaluation->runs();
  const auto values = [&](const char* word) { return runs.values[2][runs.figures.find({"fairness", "sex", word})]; };
  const auto sum = values("eod_sum"), tpr = values("tpr_gap"), fpr = values("fpr_gap"), largest = values("eod_max");
  for (std::size_t run = 0; run < sum.size(); ++run) {
    EXPECT_EQ(sum[run], tpr[run] + fpr[run]);
    EXPECT_EQ(largest[run], std::max(tpr[run], fpr[run]));
  }
}

TEST(Figures, MeanSquaredErrorIsOverTheClassesThatOneOfTheTablesHas) {
  ClassTable truth, released;
  truth.classes = {{0, 30}, {2, 50}, {5, 20}};
  released.classes = {{0, 10}, {3, 30}, {5, 10}};
  // Shares 0.3, 0.5, 0, 0.2 and 0.2, 0, 0.6, 0.2.
  EXPECT_NEAR(mean_squared_error(truth, released), (0.01 + 0.25 + 0.36 + 0) / 4, 1e-15);
  EXPECT_EQ(mean_squared_error(truth, truth), 0);
  EXPECT_EQ(mean_squared_error({}, {}), 0);
  EXPECT_NEAR(mean_squared_error(truth, {}), (0.09 + 0.25 + 0.04) / 3, 1e-15);
}

}  // namespace candidates_test
}  // namespace gauze::assess
