#include "gauze/label/neighbours.h"

#include <gtest/gtest.h>

namespace gauze {
namespace neighbours_test {

TEST(Neighbours, HaveTheWordsOfTheLabel) {
  EXPECT_EQ(to_string(Neighbours::any_two_inputs), "any-two-inputs");
  EXPECT_EQ(value_of(kNeighboursWords, "replace-one"), Neighbours::replace_one);
  EXPECT_FALSE(value_of(kOneUnitWords, "any-two-inputs"));
}

TEST(Neighbours, OnlyThoseOfOneUnitHaveASensitivity) {
  EXPECT_TRUE(check_one_unit(Neighbours::add_remove));
  EXPECT_TRUE(check_one_unit(Neighbours::replace_one));
  for (const Neighbours other : {Neighbours::any_two_inputs, Neighbours::not_applicable})
    EXPECT_EQ(check_one_unit(other).error().code, ErrorCode::invalid_parameter);
}

}  // namespace neighbours_test
}  // namespace gauze
