#include "gauze/base/did_you_mean.h"

#include <gtest/gtest.h>

namespace gauze {
namespace did_you_mean_test {

TEST(EditDistance, CountsSlips) {
  EXPECT_EQ(edit_distance("", ""), 0);
  EXPECT_EQ(edit_distance("noise", "noise"), 0);
  EXPECT_EQ(edit_distance("nosie", "noise"), 1);  // swapped
  EXPECT_EQ(edit_distance("nois", "noise"), 1);
  EXPECT_EQ(edit_distance("noisee", "noise"), 1);
  EXPECT_EQ(edit_distance("noize", "noise"), 1);
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
}

TEST(EditDistance, IsSymmetric) {
  const std::vector<std::string> words = {"noise", "nosie", "select", "threshold", "label", "", "a"};
  for (const auto& a : words) {
    for (const auto& b : words) EXPECT_EQ(edit_distance(a, b), edit_distance(b, a));
  }
}

TEST(DidYouMean, SuggestsTheNearestName) {
  const std::vector<std::string> names = {"noise", "select", "threshold", "label"};
  EXPECT_EQ(closest("nosie", names), "noise");
  EXPECT_EQ(closest("treshhold", names), "threshold");
  EXPECT_EQ(closest("thr", names), "threshold");
  EXPECT_EQ(did_you_mean("lable", names), "; did you mean 'label'?");
  EXPECT_EQ(did_you_mean("slect", names, "--"), "; did you mean '--select'?");
}

TEST(DidYouMean, IsSilentWhereNothingIsNear) {
  const std::vector<std::string> names = {"noise", "select"};
  EXPECT_EQ(closest("xyzzy", names), "");
  EXPECT_EQ(closest("", names), "");
  EXPECT_EQ(closest("x", names), "");
  EXPECT_EQ(closest(std::string(100'000, 'n'), names), "");
  EXPECT_EQ(did_you_mean("xyzzy", names), "");
  EXPECT_EQ(closest("noise", {}), "");
}

TEST(QuotedName, ShowsNamesAndHidesWhatMayBeData) {
  EXPECT_EQ(quoted_name("nosie"), " 'nosie'");
  EXPECT_EQ(quoted_name("min-group_2"), " 'min-group_2'");
  for (const char* text : {"", "12", "-3", "3,2,0", "Jane Roe", "a\033b", "caf\xC3\xA9", "x=1"}) {
    EXPECT_EQ(quoted_name(text), "") << text;
  }
  EXPECT_EQ(quoted_name(std::string(41, 'a')), "");
}

}  // namespace did_you_mean_test
}  // namespace gauze
