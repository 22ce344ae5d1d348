#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/label/label.h"
#include "gauze/label/label_testing.h"
#include "gauze/label/printable_text.h"
#include "gauze/label/version.h"

namespace gauze {
namespace label_text_test {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(LabelText, SaysAPlainLabelInPlainWords) {
  PrivacyLabel label = plain_label();
  label.does_not_cover = {"The declared sensitivity is taken on trust."};
  EXPECT_EQ(label.to_text(),
            "Released: 1 noisy number. Mechanism: laplace.\n"
            "Guarantee: pure differential privacy with epsilon 1 (neighbours: one unit added or removed). The\n"
            "unit is one row.\n"
            "Meaning: a belief of 50 % about whether one row is in the data can become one of 73.2 % at most, or\n"
            "fall to one of 26.8 % at least, by this release.\n"
            "Not covered: The declared sensitivity is taken on trust.\n"
            "Budget: not recorded. Whoever adds up what has been spent on this data must count this release.\n"
            "Made by gauze " +
                std::string(version()) + ".\n");
}

TEST(LabelText, SaysEverythingOfAFullLabel) {
  const std::string text = full_label().to_text(1000);
  EXPECT_EQ(text.substr(0, 20), "WARNING: an example\n");
  for (const char* part :
       {"Released: 3 noisy numbers, in the file counts.csv.", "epsilon 0.30 and delta 1e-5",
        "The unit is one person.", "Covered: Every number in the file.", "Covered: Whoever sees all of them.",
        "Not covered: The declared",
        "Choices: public: epsilon; selected within the budget: levels; chosen on this data: columns.",
        "Budget: recorded in the ledger for the dataset patients as entry 17.",
        "Bound to the inputs (orders) and the policy"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
}

TEST(LabelText, NamesEachDefinition) {
  const auto text = [](Definition definition) {
    PrivacyLabel label = plain_label();
    label.definition = definition;
    label.cost = {.epsilon = "2", .delta = "1e-6", .rho = "0.125"};
    return label.to_text(1000);
  };
  EXPECT_THAT(text(Definition::pure), HasSubstr("pure differential privacy with epsilon 2"));
  EXPECT_THAT(text(Definition::approximate), HasSubstr("epsilon 2 and delta 1e-6"));
  EXPECT_THAT(text(Definition::zcdp), HasSubstr("zero-concentrated differential privacy with rho 0.125"));
  EXPECT_THAT(text(Definition::metric), HasSubstr("epsilon 2 per unit of distance"));
  EXPECT_THAT(text(Definition::umldp), HasSubstr("inputs declared sensitive"));
  EXPECT_THAT(text(Definition::k_anonymity), HasSubstr("no differential privacy"));
  EXPECT_THAT(text(Definition::pattern_hiding), HasSubstr("no differential privacy"));
}

TEST(LabelText, PromisesNothingWhereThereIsNoGuarantee) {
  PrivacyLabel label = plain_label();
  label.definition = Definition::internal;
  label.cost = {};
  label.warning = "INTERNAL, no guarantee";
  EXPECT_THAT(label.to_text(), HasSubstr("WARNING: INTERNAL, no guarantee\n"));
  EXPECT_THAT(label.to_text(), HasSubstr("Guarantee: none.\n"));
  EXPECT_THAT(label.to_text(), Not(HasSubstr("neighbours")));
}

TEST(LabelText, SaysWhoCountsAsNeighbours) {
  PrivacyLabel label = plain_label();
  label.neighbours = Neighbours::replace_one;
  EXPECT_THAT(label.to_text(1000), HasSubstr("one unit replaced by another"));
  label.neighbours = Neighbours::any_two_inputs;
  EXPECT_THAT(label.to_text(1000), HasSubstr("any two inputs"));
  label.neighbours = Neighbours::not_applicable;
  EXPECT_THAT(label.to_text(1000), Not(HasSubstr("neighbours")));
}

TEST(LabelText, CountsInProperEnglish) {
  const auto released = [](std::string kind, std::uint64_t count) {
    PrivacyLabel label = plain_label();
    label.released.kind = std::move(kind);
    label.released.count = count;
    const std::string text = label.to_text(1000);
    return text.substr(0, text.find('.'));
  };
  EXPECT_EQ(released("noisy number", 1), "Released: 1 noisy number");
  EXPECT_EQ(released("noisy number", 0), "Released: 0 noisy numbers");
  EXPECT_EQ(released("selected index", 2), "Released: 2 selected indexes");
  EXPECT_EQ(released("table of noisy counts", 2), "Released: 2 tables of noisy counts");
  EXPECT_EQ(released("query", 3), "Released: 3 queries");
  EXPECT_EQ(released("survey", 3), "Released: 3 surveys");
}

TEST(LabelText, KeepsToTheWidth) {
  for (const int width : {40, 60, 80, 100, 120}) {
    const std::string text = full_label().to_text(width);
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = text.find('\n', begin);
      EXPECT_LE(text_width(text.substr(begin, end - begin)), width);
      begin = end + 1;
    }
  }
}

}  // namespace label_text_test
}  // namespace gauze
