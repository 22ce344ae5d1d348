#include "gauze/schema/cleaning/cell_cleaning.h"

#include <gtest/gtest.h>

#include <random>

#include "gauze/schema/testing/small_tables.h"

namespace gauze::schema {
namespace cell_cleaning_test {

ValidBounds numbers(int low, int high, OutsideCells outside) {
  return {.range = NumberBounds{low, high}, .outside = outside};
}

ValidBounds days(Date from, Date to, OutsideCells outside) {
  return {.range = DateRange{from, to}, .outside = outside};
}

TEST(CellCleaning, GivesEverySpellingItsNameAndLeavesTheRest) {
  const CellCleaning cleaning({.same = {{"male", {"Male", "M", "男"}}, {"female", {"F"}}}});
  EXPECT_EQ(cleaning.clean("Male"), "male");
  EXPECT_EQ(cleaning.clean("男"), "male");
  EXPECT_EQ(cleaning.clean("F"), "female");
  EXPECT_EQ(cleaning.clean("male"), "male");
  EXPECT_EQ(cleaning.clean("MALE"), "MALE") << "matches are exact";
  EXPECT_EQ(cleaning.clean("m"), "m");
}

TEST(CellCleaning, NumbersOutsideBecomeOtherABoundOrMissing) {
  for (const char* inside : {"1", "400", "1.0", "4e2", "+7", "399.999"})
    for (const auto outside : {OutsideCells::other, OutsideCells::clamp, OutsideCells::missing})
      EXPECT_EQ(CellCleaning({.valid = numbers(1, 400, outside)}).clean(inside), inside) << "both ends are in";
  const CellCleaning other({.valid = numbers(1, 400, OutsideCells::other)});
  const CellCleaning clamp({.valid = numbers(1, 400, OutsideCells::clamp)});
  const CellCleaning missing({.valid = numbers(1, 400, OutsideCells::missing)});
  for (const char* text : {"0.999", "400.001", "-5", "1e300", "heavy", "inf", "nan", "1,,2", "2024-01-01"}) {
    EXPECT_EQ(other.clean(text), "other") << text;
    EXPECT_EQ(missing.clean(text), "") << text;
  }
  EXPECT_EQ(clamp.clean("0.999"), "1");
  EXPECT_EQ(clamp.clean("1e300"), "400");
  EXPECT_EQ(clamp.clean("heavy"), "") << "what is no number has no nearer bound";
}

TEST(CellCleaning, ClampsToBoundsAsTheTableWritesNumbers) {
  const ValidBounds half{.range = NumberBounds{Rational(1, 2), Rational(5, 2)}, .outside = OutsideCells::clamp};
  EXPECT_EQ(CellCleaning({.valid = half}).clean("0.1"), "0.5");
  const CellCleaning comma({.valid = half, .decimal = table::DecimalSign::comma});
  EXPECT_EQ(comma.clean("0,1"), "0,5");
  EXPECT_EQ(comma.clean("9,1"), "2,5");
  EXPECT_EQ(comma.clean("1,5"), "1,5");
}

TEST(CellCleaning, DatesAreReadInEveryWayThatIsClear) {
  const CellCleaning other({.valid = days({1920, 1, 1}, {2024, 12, 31}, OutsideCells::other)});
  for (const char* inside :
       {"1920-01-01", "2024-12-31", "31.12.2024", "2024年5月17日", "1920-01", "2000-02-29T10:00"})
    EXPECT_EQ(other.clean(inside), inside);
  for (const char* out : {"1919-12-31", "2025-01-01", "2001-02-29", "1919-12", "soon", "1987", "03/04/2024"})
    EXPECT_EQ(other.clean(out), "other") << out;
  const CellCleaning ordered(
      {.valid = days({1920, 1, 1}, {2024, 12, 31}, OutsideCells::clamp), .order = DateOrder::day_first});
  EXPECT_EQ(ordered.clean("03/04/2024"), "03/04/2024");
  EXPECT_EQ(ordered.clean("03/04/1919"), "1920-01-01");
  EXPECT_EQ(ordered.clean("2031-01-01"), "2024-12-31");
  EXPECT_EQ(ordered.clean("soon"), "");
}

TEST(CellCleaning, SpellingsComeBeforeBounds) {
  const CellCleaning cleaning(
      {.same = {{"30", {"thirty"}}, {"500", {"many"}}}, .valid = numbers(0, 120, OutsideCells::other)});
  EXPECT_EQ(cleaning.clean("thirty"), "30");
  EXPECT_EQ(cleaning.clean("many"), "other");
}

TEST(CellCleaning, KeepsTextsOfFinishedTablesButNoNumbersOutside) {
  const CellCleaning cleaning({.valid = numbers(0, 120, OutsideCells::other), .keeps_texts = true});
  EXPECT_EQ(cleaning.clean("[20, 40)"), "[20, 40)");
  EXPECT_EQ(cleaning.clean("*"), "*");
  EXPECT_EQ(cleaning.clean("999"), "other");
}

/// Any text at all, of letters that look alike, digits, blanks of no width and halves of characters.
std::string odd_text(std::mt19937_64& generator) {
  static const std::vector<std::string> kPieces = {
      "M", "Ｍ", "м",  "男",   "\u200b",   "\u00e9",     "e\u0301", "1", "9",     ".", ",", "-",
      "e", "/",  "年", "\xff", "\xf0\x9f", "\U0001F600", "\0",      " ", "other", "[", "*", "İ"};
  std::string text;
  for (std::size_t i = 1 + generator() % 6; i > 0; --i) text += kPieces[generator() % kPieces.size()];
  return text;
}

TEST(CellCleaning, IsTotalAndIdempotentOnAnyText) {
  std::mt19937_64 generator(7);
  std::vector<CellCleaning::Rules> all;
  for (const auto outside : {OutsideCells::other, OutsideCells::clamp, OutsideCells::missing}) {
    all.push_back({.same = {{"male", {"M", "Ｍ", "男"}}, {"9", {"1"}}}, .valid = numbers(-3, 50, outside)});
    all.push_back({.same = {{"é", {"e\u0301"}}}, .valid = days({2000, 1, 1}, {2010, 1, 1}, outside)});
  }
  for (const CellCleaning::Rules& rules : all) {
    const CellCleaning cleaning(rules);
    for (int round = 0; round < 5000; ++round) {
      const std::string text = odd_text(generator);
      const std::string once(cleaning.clean(text));
      EXPECT_EQ(cleaning.clean(text), once) << "the same text becomes the same text";
      if (once.empty()) continue;
      EXPECT_EQ(cleaning.clean(once), once) << text;
    }
  }
}

TEST(CleanTuples, MergesWhatBecomesEqualAndKeepsEveryRow) {
  const auto sexes = std::make_shared<const CellCleaning>(CellCleaning::Rules{.same = {{"m", {"M", "male"}}}});
  const auto ages =
      std::make_shared<const CellCleaning>(CellCleaning::Rules{.valid = numbers(0, 120, OutsideCells::other)});
  const table::TupleCounts raw = make_tuples(
      {{"M", "30"}, {"male", "30"}, {"f", "30"}, {"m", "999"}, {"M", "abc"}, {"f", "?"}}, {1, 2, 4, 8, 16, 32});
  const table::TupleCounts tuples = clean(raw, std::vector<std::shared_ptr<const CellCleaning>>{sexes, ages});
  ASSERT_EQ(tuples.dictionaries[0].values, (std::vector<std::string>{"f", "m"}));
  ASSERT_EQ(tuples.dictionaries[1].values, (std::vector<std::string>{"30", "?", "other"}));
  EXPECT_EQ(tuples.dictionaries[1].missing, 1U);
  EXPECT_EQ(tuples.dictionaries[1].outside, 2U);
  EXPECT_EQ(tuples.codes[0], (std::vector<std::uint32_t>{0, 0, 1, 1}));
  EXPECT_EQ(tuples.codes[1], (std::vector<std::uint32_t>{0, 1, 0, 2}));
  EXPECT_EQ(tuples.counts, (std::vector<std::uint64_t>{4, 32, 3, 24}));
}

TEST(CleanTuples, WhatBecomesMissingIsOneWithWhatWas) {
  const auto ages =
      std::make_shared<const CellCleaning>(CellCleaning::Rules{.valid = numbers(0, 120, OutsideCells::missing)});
  const table::TupleCounts tuples =
      clean(make_tuples({{"30"}, {"999"}, {"?"}}, {1, 2, 4}), std::vector<std::shared_ptr<const CellCleaning>>{ages});
  ASSERT_EQ(tuples.dictionaries[0].values, (std::vector<std::string>{"", "30"}));
  EXPECT_EQ(tuples.dictionaries[0].missing, 0U);
  EXPECT_FALSE(tuples.dictionaries[0].outside);
  EXPECT_EQ(tuples.counts, (std::vector<std::uint64_t>{6, 1}));
}

}  // namespace cell_cleaning_test
}  // namespace gauze::schema
