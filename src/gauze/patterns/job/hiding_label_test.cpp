#include "gauze/patterns/job/hiding_label.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/patterns/testing/small_baskets.h"

namespace gauze::patterns {
namespace hiding_label_test {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class HidingLabel : public ::testing::Test {
 protected:
  HidingOptions options_;
  HidingResult result_;

  HidingLabel() {
    result_.released = baskets("A ?B\nA\n");
    result_.level = HidingLevel::h2;
  }
  [[nodiscard]] PrivacyLabel label(RowOrder order = RowOrder::kept) const {
    PrivacyLabel made = make_label(options_, result_, order);
    EXPECT_TRUE(made.check_rules()) << made.check_rules().error().message;
    return made;
  }
  [[nodiscard]] std::string text(RowOrder order = RowOrder::kept) const { return label(order).to_json().dump(); }
};

TEST_F(HidingLabel, PromisesWhatIsReachedAndNotMoreThanWasAskedFor) {
  EXPECT_EQ(label().parameters.find("level")->text(), "H2");
  EXPECT_EQ(label().covers.size(), 2U);
  result_.level = HidingLevel::h1;
  EXPECT_EQ(label().parameters.find("level")->text(), "H1");
  EXPECT_EQ(label().covers.size(), 1U);
  result_.level = HidingLevel::h3;
  EXPECT_EQ(label().parameters.find("level")->text(), "H2") << "what was not asked for may be by chance";
  options_.level = HidingLevel::h3;
  EXPECT_EQ(label().covers.size(), 3U);
}

TEST_F(HidingLabel, OfWhatIsNotHiddenPromisesNothing) {
  result_.level = HidingLevel::none;
  const PrivacyLabel made = label();
  EXPECT_EQ(made.definition, Definition::none);
  EXPECT_TRUE(made.covers.empty());
  ASSERT_TRUE(made.warning);
  EXPECT_THAT(*made.warning, HasSubstr("not hidden"));
}

TEST_F(HidingLabel, SaysWhoFindsThePatternsAgain) {
  EXPECT_THAT(text(), AllOf(HasSubstr("fill the marks in"), Not(HasSubstr("leave out transactions with marks"))));
  result_.level = HidingLevel::h1;
  EXPECT_THAT(text(), AllOf(HasSubstr("fill the marks in"), HasSubstr("leave out transactions with marks")));
  result_.released = baskets("A\nA\n");
  EXPECT_THAT(text(), Not(HasSubstr("marks in"))) << "there are none to fill in";
}

TEST_F(HidingLabel, SaysWhetherTheOrderLinks) {
  EXPECT_THAT(text(RowOrder::kept), HasSubstr("the order of the transactions"));
  EXPECT_THAT(text(RowOrder::shuffled), Not(HasSubstr("the order of the transactions")));
  EXPECT_EQ(label(RowOrder::shuffled).parameters.find("order")->text(), "random");
}

TEST_F(HidingLabel, NamesHowItWasDone) {
  options_.algorithm = HidingAlgorithm::psh;
  options_.as_published = true;
  options_.change = ChangeKind::remove;
  options_.mark_style = MarkStyle::anonymous;
  EXPECT_EQ(label().mechanism, "psh, as published");
  EXPECT_EQ(label().parameters.find("operation")->text(), "delete");
  EXPECT_EQ(label().parameters.find("mark_style")->text(), "anonymous");
  options_.min_confidence = Rational(9, 10);
  EXPECT_THAT(label().covers.at(0), HasSubstr("less often than the owner's confidence"));
}

TEST_F(HidingLabel, HoldsNoPatternSupportThresholdOrCount) {
  options_.min_count = 7919;
  options_.min_support = Rational(7919, 10007);
  options_.min_confidence = Rational(6301, 10000);
  result_.patterns.push_back({.pattern = {.items = {0, 1}, .left = {}, .text = "pregnancy test"},
                              .threshold = {.count = 7919},
                              .before = {.definite = 8087},
                              .after = {.definite = 7907}});
  result_.edits = {{4241, 1, Operation::mark}};
  for (const char* secret : {"pregnancy", "7919", "10007", "6301", "8087", "7907", "4241", "4242"})
    EXPECT_THAT(label().to_text() + label().parameters.dump(), Not(HasSubstr(secret)));
  EXPECT_EQ(label().released.count, std::nullopt);
}

}  // namespace hiding_label_test
}  // namespace gauze::patterns
