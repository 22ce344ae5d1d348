#include "gauze/mechanisms/job/noise_job.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace gauze {
namespace noise_job_test {

using ::testing::HasSubstr;
using ::testing::Not;

NoiseRequest request(const std::string& mechanism) {
  NoiseRequest result;
  result.mechanism = mechanism;
  result.epsilon = Rational(1, 2);
  if (mechanism.find("gaussian") != std::string::npos) result.delta = Rational(1, 1'000'000);
  if (mechanism == "snapping") result.bound = 100;
  if (mechanism == "randomized-response") result.categories = 4;
  result.value = 3;
  return result;
}

TEST(NoiseJob, EveryNamedMechanismDrawsAndSaysWhatItPromises) {
  SeededRandom random(1);
  for (const std::string& name : all_words(kNoiseWords)) {
    const auto job = NoiseJob::make(request(name));
    ASSERT_TRUE(job) << name << job.error().message;
    const std::string lines = job->simulate(random, 5);
    EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 5) << name;
    EXPECT_EQ(std::count_if(lines.begin(), lines.end(), [](char c) { return c == '\n'; }), 5);
    const PrivacyLabel label = job->label();
    EXPECT_TRUE(label.check_rules()) << name;
    EXPECT_EQ(label.mechanism, name);
    EXPECT_EQ(job->to_json().find("mechanism")->text(), name);
    EXPECT_TRUE(job->release(SecureRandom::of_thread(), 1).ends_with('\n'));
  }
}

TEST(NoiseJob, TheCostIsThatOfAllDraws) {
  NoiseRequest asked = request("laplace");
  asked.count = 10;
  EXPECT_EQ(*NoiseJob::make(asked)->cost().epsilon, Rational(5));
  asked = request("gaussian");
  asked.count = 3;
  EXPECT_EQ(*NoiseJob::make(asked)->cost().delta, Rational(3, 1'000'000));
  asked.count = 2'000'000;
  EXPECT_THAT(NoiseJob::make(asked).error().message, HasSubstr("promises nothing"));
  asked.count = 0;
  EXPECT_FALSE(NoiseJob::make(asked));
}

TEST(NoiseJob, GaussianNoiseBySigmaIsStatedAsZcdp) {
  NoiseRequest asked = request("gaussian");
  asked.epsilon = 0;
  asked.delta = 0;
  asked.sigma = 2;
  const auto job = NoiseJob::make(asked);
  ASSERT_TRUE(job);
  EXPECT_EQ(job->cost().definition, Definition::zcdp);
  EXPECT_EQ(*job->cost().rho, Rational(1, 8));  // sensitivity^2 / (2 sigma^2)
}

TEST(NoiseJob, SaysNothingOfTheValue) {
  NoiseRequest asked = request("geometric");
  asked.value = Rational(47'115, 10);
  EXPECT_THAT(NoiseJob::make(asked).error().message, Not(HasSubstr("4711")));
  asked = request("randomized-response");
  asked.value = 4711;
  EXPECT_THAT(NoiseJob::make(asked).error().message, Not(HasSubstr("4711")));
  asked = request("laplace");
  asked.value = 4711;
  const auto job = NoiseJob::make(asked);
  EXPECT_THAT(job->to_json().dump() + job->label().to_json().dump(), Not(HasSubstr("4711")));
}

TEST(NoiseJob, RandomisedResponseIsAboutAnyTwoInputs) {
  const auto job = NoiseJob::make(request("randomized-response"));
  EXPECT_FALSE(job->is_about_a_dataset());
  EXPECT_EQ(job->cost().neighbours, Neighbours::any_two_inputs);
  EXPECT_TRUE(job->to_json().find("interval95")->is_null());
}

TEST(NoiseJob, RefusesWhatItDoesNotKnow) {
  EXPECT_THAT(NoiseJob::make(request("lapalce")).error().message, HasSubstr("did you mean 'laplace'"));
  NoiseRequest asked = request("laplace");
  asked.neighbours = Neighbours::not_applicable;
  EXPECT_FALSE(NoiseJob::make(asked));
  asked = request("laplace");
  asked.categories = 3;
  EXPECT_FALSE(NoiseJob::make(asked));
}

}  // namespace noise_job_test
}  // namespace gauze
