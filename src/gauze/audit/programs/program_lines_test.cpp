#include "gauze/audit/programs/program_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "gauze/files/sha256.h"

namespace gauze::audit {
namespace program_lines_test {

using ::testing::ElementsAre;

std::vector<double> numbers(std::string_view line) {
  const ProgramLine read = ProgramLine::read(line);
  EXPECT_FALSE(read.text) << line;
  return read.numbers;
}

std::string text(std::string_view line) {
  const ProgramLine read = ProgramLine::read(line);
  EXPECT_TRUE(read.numbers.empty()) << line;
  return read.text.value_or("(numbers)");
}

TEST(ProgramLine, IsNumbersWhereAllItsFieldsAre) {
  EXPECT_THAT(numbers("3"), ElementsAre(3));
  EXPECT_THAT(numbers("1,2"), ElementsAre(1, 2));
  EXPECT_THAT(numbers(" 1 ,\t-2e3  +.5\r"), ElementsAre(1, -2000, 0.5));
  EXPECT_THAT(numbers("0x1.8p1 -0X2"), ElementsAre(3, -2));
  EXPECT_THAT(numbers("0.1"), ElementsAre(0.1));  // the nearest double, to the last bit
  EXPECT_THAT(numbers("1.7976931348623157e308 4.9406564584124654e-324"),
              ElementsAre(1.7976931348623157e308, 4.9406564584124654e-324));
}

TEST(ProgramLine, TakesWhatIsNotFiniteAsANumber) {
  EXPECT_THAT(numbers("inf,-Infinity"), ElementsAre(HUGE_VAL, -HUGE_VAL));
  EXPECT_TRUE(std::isnan(numbers("nan").at(0)));
  EXPECT_TRUE(std::isnan(numbers("1 -NaN").at(1)));
  EXPECT_THAT(numbers("1e999 -1e999 1e-999"), ElementsAre(HUGE_VAL, -HUGE_VAL, 0));
  EXPECT_THAT(numbers("0x1p9999"), ElementsAre(HUGE_VAL));
  EXPECT_TRUE(std::signbit(numbers("-0").at(0)));
}

TEST(ProgramLine, IsATextOtherwise) {
  for (const char* line : {"yes", "1 apple", "1,,2", ",1", "1,", "--1", "+-1", "1e", "0x", "x1", "1;2", "1_000", "-"})
    EXPECT_EQ(text(line), line);
  EXPECT_EQ(text(""), "");
  EXPECT_EQ(text("\r"), "");
  EXPECT_EQ(text("   "), "   ");
  EXPECT_EQ(ProgramLine::read("yes\r").bytes, 3U);
  EXPECT_EQ(ProgramLine::read("1.50 \r").bytes, 5U);
}

TEST(ProgramLine, OfALongTextTheDigestIsKept) {
  const std::string longest(ProgramLine::kLongestText, 'a');
  EXPECT_EQ(text(longest), longest);
  const ProgramLine longer = ProgramLine::read(longest + "b");
  EXPECT_EQ(longer.text, sha256_hex(longest + "b"));
  EXPECT_EQ(longer.bytes, ProgramLine::kLongestText + 1);
}

TEST(ProgramLine, KeepsNoMoreNumbersThanShowThatThereAreTooMany) {
  std::string line;
  for (std::size_t i = 0; i < 2 * ProgramLine::kMostNumbers; ++i) line += "7 ";
  EXPECT_EQ(numbers(line).size(), ProgramLine::kMostNumbers + 1);
}

TEST(ProgramLines, AreReadInWhateverPiecesTheyCome) {
  const std::string all = "1\n\nyes\n2,3";
  for (std::size_t cut = 0; cut <= all.size(); ++cut) {
    ProgramLines lines(4);
    EXPECT_TRUE(lines.add(std::string_view(all).substr(0, cut)));
    EXPECT_TRUE(lines.add(std::string_view(all).substr(cut)));
    lines.finish();
    ASSERT_EQ(lines.count(), 4U) << cut;
    ASSERT_EQ(lines.lines().size(), 4U) << cut;
    EXPECT_THAT(lines.lines()[0].numbers, ElementsAre(1));
    EXPECT_EQ(lines.lines()[1].text, "");
    EXPECT_EQ(lines.lines()[2].text, "yes");
    EXPECT_THAT(lines.lines()[3].numbers, ElementsAre(2, 3));
    EXPECT_EQ(lines.dimensions(), 2U);
  }
}

TEST(ProgramLines, CountWhatWasNotAskedForWithoutKeepingIt) {
  ProgramLines lines(2);
  EXPECT_TRUE(lines.add("1\n2\n3\nfour"));
  lines.finish();
  EXPECT_EQ(lines.count(), 4U);
  EXPECT_EQ(lines.lines().size(), 2U);
  ProgramLines none(1);
  none.finish();
  EXPECT_EQ(none.count(), 0U);
}

TEST(ProgramLines, ALineWithoutEndAndTooManyLinesAreAFlood) {
  ProgramLines endless(1);
  EXPECT_TRUE(endless.add(std::string(ProgramLines::kMostBytes, 'x')));
  EXPECT_FALSE(endless.add("x"));
  ProgramLines many(1);
  EXPECT_TRUE(many.add("1\n"));
  EXPECT_FALSE(many.add(std::string(ProgramLines::kMostBytes + 1, '\n')));
}

}  // namespace program_lines_test
}  // namespace gauze::audit
