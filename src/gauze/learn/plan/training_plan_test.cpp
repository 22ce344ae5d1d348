#include "gauze/learn/plan/training_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/learn/job/plan_fit.h"
#include "gauze/learn/learn_testing.h"
#include "gauze/learn/plan/plan_price.h"

namespace gauze::learn {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TrainingOptions options_at(const Rational& epsilon) {
  TrainingOptions options;
  options.epsilon = epsilon;
  options.delta = Rational(1, 100'000);
  return options;
}

TEST(TrainingPlan, ClaimsWhatWasAskedForAndIsPricedByTheAccountant) {
  const auto plan = TrainingPlan::make(options_at(1), separable_policy(35'000));
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(plan->claimed_epsilon, Rational(1));
  EXPECT_EQ(plan->steps, 1'000u);
  EXPECT_EQ(plan->batch, 512u);
  // what `gauze account` says of the same events
  PrivacyEvent event{.kind = PrivacyEvent::Kind::gaussian,
                     .sigma = plan->sigma.to_double(),
                     .count = 1'000,
                     .sampling = PrivacyEvent::Sampling::poisson,
                     .rate = 512.0 / 35'000};
  const auto answers = Accountant::make({event})->epsilon(1e-5);
  ASSERT_TRUE(answers);
  EXPECT_LE(answers->front().bounds.upper, 1);
  EXPECT_GT(answers->front().bounds.upper, 0.99);
}

TEST(TrainingPlan, ASigmaHasThePriceOfTheAccountant) {
  TrainingOptions options = options_at(1);
  options.epsilon.reset();
  options.sigma = 2;
  const auto plan = TrainingPlan::make(options, separable_policy(35'000));
  ASSERT_TRUE(plan) << plan.error().message;
  const auto bounds = epsilon_of(plan->events, plan->delta);
  EXPECT_EQ(plan->claimed_epsilon, Rational(bounds->upper));
  EXPECT_LT(*plan->training_epsilon.lower, plan->training_epsilon.upper);
}

TEST(TrainingPlan, HistogramsAreWithinTheClaim) {
  schema::LearnPolicy policy = separable_policy(35'000);
  policy.sensitive = {"x"};
  policy.entropies = schema::LearnEntropies{.given = {}, .rho = Rational(1, 500)};
  TrainingOptions options = options_at(1);
  options.method = MethodKind::shaped;
  const auto plan = TrainingPlan::make(options, policy);
  ASSERT_TRUE(plan) << plan.error().message;
  ASSERT_EQ(plan->events.size(), 2u);
  EXPECT_LE(epsilon_of(plan->events, plan->delta)->upper, 1);
  EXPECT_GT(epsilon_of(plan->events, plan->delta)->upper, 0.98);
  const auto plain = TrainingPlan::make(options_at(1), policy);
  EXPECT_GT(plan->sigma, plain->sigma);
  policy.entropies->rho = 100;
  const auto refused = TrainingPlan::make(options, policy);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::infeasible);
}

TEST(TrainingPlan, SamplersFollowFromNeighbours) {
  TrainingOptions options = options_at(1);
  options.neighbours = Neighbours::replace_one;
  const auto fixed = TrainingPlan::make(options, separable_policy(35'000));
  ASSERT_TRUE(fixed) << fixed.error().message;
  EXPECT_EQ(fixed->sampling, SamplingKind::fixed_size);
  EXPECT_EQ(fixed->events.front().sensitivity, 2);
  options.neighbours.reset();
  options.sampling = SamplingKind::full;
  const auto full = TrainingPlan::make(options, separable_policy(3'000));
  ASSERT_TRUE(full) << full.error().message;
  EXPECT_EQ(full->batch, 3'000u);
  options.sampling.reset();
  options.batch = 3'000;
  EXPECT_EQ(TrainingPlan::make(options, separable_policy(3'000))->sampling, SamplingKind::full);
}

TEST(TrainingPlan, StepsOfEpochsRoundUp) {
  TrainingOptions options = options_at(1);
  options.epochs = 30;
  options.batch = 64;
  EXPECT_EQ(TrainingPlan::make(options, separable_policy(1'000))->steps, 469u);  // 30 x 1000 / 64 = 468.75
}

TEST(TrainingPlan, KeepsTheProofsLimits) {
  TrainingOptions options = options_at(1);
  options.batch = 8'192;
  EXPECT_EQ(TrainingPlan::make(options, separable_policy(100'000))->micro_batch, 512u);
  schema::LearnPolicy persons = separable_policy(100'000);
  persons.unit = schema::LearnUnit{.id = "who", .max_rows = 600};
  const auto plan = TrainingPlan::make(options, persons);
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_LE(plan->micro_batch * plan->micro_batch * std::uint64_t{600}, kMostTerms);
}

struct Refused {
  const char* name;
  std::function<void(TrainingOptions&)> change;
  const char* message;
};
void PrintTo(const Refused& refused, std::ostream* out) { *out << refused.name; }
class TrainingPlanRefuses : public testing::TestWithParam<Refused> {};

TEST_P(TrainingPlanRefuses, WhatCannotBeProvedOrMakesNoSense) {
  TrainingOptions options = options_at(1);
  GetParam().change(options);
  const auto plan = TrainingPlan::make(options, separable_policy(35'000));
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().code, ErrorCode::invalid_parameter);
  EXPECT_THAT(plan.error().message, HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    Options, TrainingPlanRefuses,
    testing::Values(
        Refused{"NoBudget", [](auto& o) { o.epsilon.reset(); }, "give one of epsilon with delta"},
        Refused{"TwoBudgets", [](auto& o) { o.sigma = 1; }, "give one of epsilon with delta"},
        Refused{"NoDelta", [](auto& o) { o.delta.reset(); }, "delta is needed"},
        Refused{"DeltaZero", [](auto& o) { o.delta = 0; }, "delta must be above 0"},
        Refused{"EpsilonZero", [](auto& o) { o.epsilon = 0; }, "epsilon must be above 0"},
        Refused{"SigmaZero",
                [](auto& o) {
                  o.epsilon.reset();
                  o.sigma = 0;
                },
                "sigma must be above 0"},
        Refused{"SigmaBeyondTheProof",
                [](auto& o) {
                  o.epsilon.reset();
                  o.sigma = 32'769;
                },
                "at most 32768"},
        Refused{"ClipZero", [](auto& o) { o.clip = 0; }, "clip must be above 0"},
        Refused{"BatchAboveRows", [](auto& o) { o.batch = 35'001; }, "above the declared number"},
        Refused{"BatchBeyondTheProof",
                [](auto& o) {
                  o.batch = (1U << 26U) + 1;
                  o.rows = 1'000'000'000;
                },
                "2^26"},
        Refused{"FixedSizeWithAddRemove", [](auto& o) { o.sampling = SamplingKind::fixed_size; }, "replace-one"},
        Refused{"PoissonWithReplaceOne",
                [](auto& o) {
                  o.neighbours = Neighbours::replace_one;
                  o.sampling = SamplingKind::poisson;
                },
                "add-remove"},
        Refused{"FullWithABatch",
                [](auto& o) {
                  o.sampling = SamplingKind::full;
                  o.batch = 5;
                },
                "leave batch out"},
        Refused{"StepsAndEpochs",
                [](auto& o) {
                  o.steps = 5;
                  o.epochs = 5;
                },
                "either steps or epochs"},
        Refused{"NoSteps", [](auto& o) { o.steps = 0; }, "steps must be"},
        Refused{"ShapedWithoutEntropies", [](auto& o) { o.method = MethodKind::shaped; }, "sensitive attributes"},
        Refused{"ShapedAndAdaptive",
                [](auto& o) {
                  o.method = MethodKind::shaped;
                  o.adaptive = AdaptiveClip{};
                },
                "shaped"},
        Refused{"DearHoldout",
                [](auto& o) {
                  o.holdout = Rational(1, 5);
                  o.holdout_epsilon = 2;
                },
                "at most the epsilon"},
        Refused{"HoldoutOfAll",
                [](auto& o) {
                  o.holdout = 1;
                  o.holdout_epsilon = 1;
                },
                "between 0 and 1"},
        Refused{"UnprotectedWithDelta",
                [](auto& o) {
                  o.epsilon.reset();
                  o.unprotected = true;
                },
                "takes no delta"},
        Refused{"HeadsThatDoNotDivide",
                [](auto& o) {
                  o.kind = ModelKind::transformer;
                  o.shape.heads = 5;
                },
                "no multiple of heads"},
        Refused{"NarrowReshape",
                [](auto& o) {
                  o.kind = ModelKind::lstm;
                  o.shape.reshape = {1, 2};
                },
                "holds 2 numbers"},
        Refused{"SquaredClasses", [](auto& o) { o.loss = LossKind::squared; }, "numeric target"}),
    [](const testing::TestParamInfo<Refused>& one) { return std::string(one.param.name); });

TEST(TrainingPlan, NeedsADeclaredNumberOfRows) {
  schema::LearnPolicy policy = separable_policy(1);
  policy.rows.reset();
  const auto plan = TrainingPlan::make(options_at(1), policy);
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().parameter, "rows");
}

TEST(TrainingPlan, WarnsOfADeltaThatAllowsToPublishOnePerson) {
  TrainingOptions options = options_at(1);
  options.delta = Rational(1, 35'000);
  const auto plan = TrainingPlan::make(options, separable_policy(35'000));
  ASSERT_TRUE(plan);
  ASSERT_EQ(plan->warnings.size(), 1u);
  EXPECT_EQ(plan->warnings.front().code, "large_delta");
}

PrivacyCost cost_under(const TrainingPlan& plan, const char* accountant) {
  const auto cost = plan.cost(*PrivacyFilter::parse(accountant));
  GAUZE_CHECK(cost.has_value());
  return *cost;
}

TEST(TrainingPlan, IsChargedInTheFiguresOfTheAccountant) {
  TrainingOptions options = options_at(1);
  options.epsilon.reset();
  options.sigma = 4;
  options.steps = 100;
  options.sampling = SamplingKind::full;
  const auto full = TrainingPlan::make(options, separable_policy(3'000));
  ASSERT_TRUE(full) << full.error().message;
  // mu^2 = 100 / 16, rho = mu^2 / 2
  EXPECT_EQ(cost_under(*full, "zcdp").rho, Rational(25, 8));
  const Rational mu = *cost_under(*full, "gdp").mu;
  EXPECT_GE(mu * mu, Rational(25, 4));
  EXPECT_LE(mu, Rational(5, 2) + Rational(1, 1'000'000));
  EXPECT_FALSE(cost_under(*full, "basic").rho);
  options.neighbours = Neighbours::replace_one;
  EXPECT_EQ(cost_under(*TrainingPlan::make(options, separable_policy(3'000)), "zcdp").rho, Rational(25, 2));
  options.neighbours.reset();
  options.sampling.reset();
  const auto sampled = TrainingPlan::make(options, separable_policy(35'000));
  EXPECT_FALSE(cost_under(*sampled, "zcdp").rho);
  EXPECT_FALSE(sampled->cost(*PrivacyFilter::parse("gdp")));
  const PrivacyCost renyi = cost_under(*sampled, "rdp:8");
  EXPECT_EQ(renyi.renyi_order, Rational(8));
  EXPECT_EQ(*renyi.renyi_epsilon, Rational(*Accountant::make(sampled->events)->renyi(8)));
}

TEST(TrainingPlan, AHoldoutCostsTheLargerOfTheTwo) {
  TrainingOptions options = options_at(1);
  options.holdout = Rational(1, 4);
  options.holdout_epsilon = 1;
  const auto plan = TrainingPlan::make(options, separable_policy(35'000));
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(plan->normaliser, Rational(384));
  EXPECT_EQ(plan->cost().epsilon, Rational(1));
  const PrivacyCost renyi = cost_under(*plan, "rdp:2");
  EXPECT_EQ(*renyi.renyi_epsilon, Rational(1));  // min(1, 2 x 1 / 2): above the training's own
}

TEST(PlanFit, NamesTheAccountantsThatWouldTakeIt) {
  TrainingOptions options = options_at(Rational(9, 10));
  const auto plan = TrainingPlan::make(options, separable_policy(35'000));
  DatasetOptions dataset;
  dataset.name = "ess";
  dataset.epsilon = 1;
  dataset.delta = Rational(1, 10'000);
  const auto terms = DatasetTerms::make(dataset);  // zcdp
  ASSERT_TRUE(terms) << terms.error().message;
  Balance balance;
  balance.terms = std::make_shared<const DatasetTerms>(*terms);
  const auto fit = fit_of(*plan, balance);
  ASSERT_TRUE(fit);
  EXPECT_FALSE(fit->ok);
  EXPECT_EQ(fit->accountant, "zcdp");
  EXPECT_THAT(fit->suited, testing::Contains("basic"));
  EXPECT_THAT(fit->suited, testing::Not(testing::Contains("zcdp")));
}

}  // namespace
}  // namespace gauze::learn
