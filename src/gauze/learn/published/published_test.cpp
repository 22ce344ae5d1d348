#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "gauze/learn/learn_testing.h"
#include "gauze/learn/plan/plan_price.h"
#include "gauze/learn/published/published_training.h"

namespace gauze::learn {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Columns of known entropy: a coin, four values equally often, a constant.
LearningRows known_rows(const schema::LearnPolicy& policy) {
  LearningRows rows(policy, InputEncoding::positions, table::DecimalSign::point, {});
  for (int i = 0; i < 400; ++i) {
    const std::vector<std::string_view> cells = {i % 2 == 0 ? "a" : "b",
                                                 i % 4 == 0   ? "1"
                                                 : i % 4 == 1 ? "2"
                                                 : i % 4 == 2 ? "3"
                                                              : "4",
                                                 "x", i % 3 == 0 ? "no" : "yes"};
    rows.add(cells);
  }
  rows.finish();
  return rows;
}

schema::LearnPolicy known_policy() {
  schema::LearnPolicy policy;
  policy.rows = 400;
  policy.features = {{.name = "coin", .kind = schema::LearnFeature::Kind::values, .values = {"a", "b"}},
                     {.name = "die", .low = 1, .high = 4},
                     {.name = "same", .kind = schema::LearnFeature::Kind::values, .values = {"x"}}};
  policy.target = {.column = "y", .classes = {{"no", {"no"}}, {"yes", {"yes"}}}};
  return policy;
}

TEST(BudgetAllocation, IsTheFormulaOfThePaper) {
  const LearningRows rows = known_rows(known_policy());
  const auto budgets = allocate_budgets(rows, {"coin", "die"}, Rational(2, 5), EntropyLog::e);
  EXPECT_NEAR(*budgets.columns[0].entropy, std::log(2.0), 1e-12);
  EXPECT_NEAR(*budgets.columns[1].entropy, std::log(4.0), 1e-12);
  EXPECT_FALSE(budgets.columns[2].entropy);
  EXPECT_NEAR(budgets.columns[0].epsilon, 0.4, 1e-12);
  EXPECT_NEAR(budgets.columns[1].epsilon, 0.4 / (2 - std::exp(-std::log(2.0))), 1e-12);
  EXPECT_EQ(budgets.columns[2].epsilon, 0.4);
  const auto bits = allocate_budgets(rows, {"coin", "die"}, Rational(2, 5), EntropyLog::two);
  EXPECT_NEAR(bits.columns[1].scale, 2 - std::exp(-1.0), 1e-12);
  // a constant column drives all others towards half the budget, as the notes say
  const auto junk = allocate_budgets(rows, {"die", "same"}, Rational(2, 5), EntropyLog::e);
  EXPECT_NEAR(junk.columns[1].scale, 2 - 0.25, 1e-12);
}

TEST(BudgetAllocation, ChoosesSensitiveAttributesInTheOrderThatIsDocumented) {
  schema::LearnPolicy policy = known_policy();
  EXPECT_THAT(*sensitive_names(policy, {}), ElementsAre("coin"));
  policy.sensitive = {"die"};
  EXPECT_THAT(*sensitive_names(policy, {}), ElementsAre("die"));
  EXPECT_THAT(*sensitive_names(policy, {.names = {}, .share = Rational(2, 3)}), ElementsAre("coin", "die"));
  EXPECT_THAT(*sensitive_names(policy, {.names = {"same"}, .share = {}}), ElementsAre("same"));
  EXPECT_FALSE(sensitive_names(policy, {.names = {"other"}, .share = {}}));
}

TEST(PublishedPlan, HasTheConstantsOfThePaper) {
  const auto plan = PublishedPlan::make({}, known_policy());
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(plan->claimed_epsilon(), Rational(1));
  EXPECT_EQ(plan->steps(), 30u * (400 / 64));
  EXPECT_NEAR(plan->mapping_sensitivity(), 10.0 / 400, 1e-15);
  EXPECT_NEAR(plan->laplace_scale(0.4), 30 * 10.0 / 400 / 0.4, 1e-12);
  EXPECT_EQ(plan->sigma, Rational(10, 3));
  EXPECT_EQ(plan->mapping_weights, 12u);
  PublishedOptions variance;
  variance.gaussian = GaussianFigure::variance;
  variance.laplace_epochs = false;
  const auto other = PublishedPlan::make(variance, known_policy());
  EXPECT_NEAR(other->sigma.to_double(), std::sqrt(2 * 10 / 0.6) / 10, 1e-9);
  EXPECT_NEAR(other->laplace_scale(0.4), 10.0 / 400 / 0.4, 1e-12);
}

TEST(PublishedPlan, ProvesOnlyWhatHolds) {
  const auto plan_of = [](Reading reading, Allocation allocation) {
    PublishedOptions options;
    options.reading = reading;
    options.allocation = allocation;
    return *PublishedPlan::make(options, known_policy());
  };
  EXPECT_FALSE(plan_of(Reading::frozen, Allocation::entropy).is_proved());
  EXPECT_FALSE(plan_of(Reading::plain, Allocation::uniform).is_proved());
  EXPECT_FALSE(plan_of(Reading::plain, Allocation::entropy).if_public);
  const PublishedPlan proved = plan_of(Reading::private_, Allocation::uniform);
  ASSERT_TRUE(proved.is_proved());
  PrivacyEvent event{.kind = PrivacyEvent::Kind::gaussian,
                     .sigma = 10.0 / 3,
                     .sensitivity = 2,
                     .count = 180,
                     .sampling = PrivacyEvent::Sampling::fixed_size,
                     .rate = 64.0 / 400,
                     .neighbours = Neighbours::replace_one};
  EXPECT_NEAR(proved.if_public->upper, epsilon_of({event}, Rational(1, 10'000))->upper, 1e-9);
  EXPECT_GT(proved.if_public->upper, 1);  // more than is claimed
  const PrivacyLabel label = published_label(proved, {});
  EXPECT_EQ(label.definition, Definition::approximate);
  EXPECT_TRUE(label.check_rules()) << label.check_rules().error().message;
  const PrivacyLabel none = published_label(plan_of(Reading::frozen, Allocation::entropy), {});
  EXPECT_EQ(none.definition, Definition::none);
  EXPECT_TRUE(none.check_rules()) << none.check_rules().error().message;
}

TEST(PublishedTraining, MovesTheMappingLayerAsTheReadingSays) {
  schema::Policy policy;
  policy.learn = known_policy();
  const LearningRows rows = known_rows(*policy.learn);
  // without noise to speak of, a frozen mapping layer is its first value scaled into the ball, in every run of one seed
  PublishedOptions options;
  options.shape.hidden = {4};
  options.epochs = 1;
  options.epsilon_1 = 1'000'000;
  options.clip_w = 100;  // nothing is scaled
  options.epsilon_2 = 1;
  std::vector<std::vector<float>> mapping;
  for (const Reading reading : {Reading::frozen, Reading::plain, Reading::private_}) {
    options.reading = reading;
    const auto plan = PublishedPlan::make(options, *policy.learn);
    ASSERT_TRUE(plan) << plan.error().message;
    SeededStreams streams(3);
    Progress progress;
    const auto made = simulate_as_published(*plan, policy, rows, streams, progress);
    ASSERT_TRUE(made) << made.error().message;
    mapping.push_back(made->file.tensors.at("0.weight").values);
    EXPECT_EQ(made->file.description.encoding, InputEncoding::positions);
    EXPECT_TRUE(ModelFile::parse(made->file.to_bytes()));
  }
  SeededStreams streams(3);
  const auto plan = PublishedPlan::make(options, *policy.learn);
  const auto network = Network<float>::make(plan->layers, plan->attributes);
  const std::vector<float> first = initial_weights(*network, InitialWeights::scaled, streams);
  for (std::size_t i = 0; i < mapping[0].size(); ++i) EXPECT_NEAR(mapping[0][i], first[i], 1e-4);
  EXPECT_NE(mapping[1], mapping[0]);
  EXPECT_NE(mapping[2], mapping[0]);
  EXPECT_NE(mapping[2], mapping[1]);
}

TEST(PublishedTraining, TheMappingLayerIsNoisedByTheBudgetOfItsAttribute) {
  schema::Policy policy;
  policy.learn = known_policy();
  const LearningRows rows = known_rows(*policy.learn);
  PublishedOptions options;
  options.shape.hidden = {2};
  options.epochs = 1;
  options.initial = InitialWeights::zero;
  options.sensitive.names = {"coin", "die"};
  const auto plan = PublishedPlan::make(options, *policy.learn);
  ASSERT_TRUE(plan);
  std::vector<double> sizes(3);
  const int runs = 3'000;
  for (int seed = 0; seed < runs; ++seed) {
    SeededStreams streams(static_cast<std::uint64_t>(seed));
    Progress progress;
    const auto made = simulate_as_published(*plan, policy, rows, streams, progress);
    for (std::size_t i = 0; i < 9; ++i)
      sizes[i % 3] += std::abs(static_cast<double>(made->file.tensors.at("0.weight").values[i])) / (3 * runs);
  }
  // E|Lap(b)| = b; its deviation is b too: within 6 of 9,000 draws
  const double base = plan->laplace_scale(0.4);
  const double scales[] = {1, 1.5, 1};
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(sizes[i] / (base * scales[i]), 1, 6 / std::sqrt(3.0 * runs));
}

}  // namespace
}  // namespace gauze::learn
