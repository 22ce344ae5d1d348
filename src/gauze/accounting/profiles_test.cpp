#include "gauze/accounting/profiles.h"

#include <gtest/gtest.h>

namespace gauze::profiles_test {
namespace {

TEST(SpendingProfiles, AreThoseOfTheStandard) {
  const auto finance = find_profile("finance");
  ASSERT_TRUE(finance);
  EXPECT_EQ(finance->central_epsilon, Rational(1, 4));
  EXPECT_EQ(finance->local_epsilon, Rational(2));
  EXPECT_EQ(finance->delta, Rational(1, 1'000'000));
  EXPECT_EQ(find_profile("medical")->local_epsilon, find_profile("government")->local_epsilon);
  EXPECT_EQ(find_profile("other")->local_epsilon, Rational(6));
  EXPECT_FALSE(find_profile("basic")->delta);
}

TEST(SpendingProfiles, NameWhatThereIs) {
  const auto none = find_profile("finanse");
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("finance"), std::string::npos);
}

}  // namespace
}  // namespace gauze::profiles_test
