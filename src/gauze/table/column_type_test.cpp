#include "gauze/table/column_type.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace gauze::table {
namespace column_type_test {

TEST(InferType, KnowsIntegers) {
  for (const char* text : {"0", "-1", "+17", "123456789012345678901234567890"})
    EXPECT_EQ(infer_type(text), ColumnType::integer) << text;
}

TEST(InferType, KnowsNumbers) {
  for (const char* text : {"0.5", "-1.25", ".5", "5.", "1e5", "1.5E-3", "2e+10"})
    EXPECT_EQ(infer_type(text), ColumnType::number) << text;
}

TEST(InferType, TakesLeadingZerosForCodes) {
  for (const char* text : {"007", "01234", "00", "-01", "00.5"})
    EXPECT_EQ(infer_type(text), ColumnType::text) << text;
}

TEST(InferType, KnowsDates) {
  for (const char* text :
       {"2024-02-29", "1999/12/31", "2020.1.5", "31.12.1999", "1.2.2003", "12/31/1999", "31/12/1999", "2/3/2004",
        "2024-05-06 12:30:00", "2024-05-06T12:30:00Z", "2024-05-06T12:30+08:00"})
    EXPECT_EQ(infer_type(text), ColumnType::date) << text;
}

TEST(InferType, KnowsWhatIsNoDate) {
  for (const char* text :
       {"2023-02-29", "1900-02-29", "2024-13-01", "2024-00-10", "32.12.1999", "31-12-1999", "13/13/2000",
        "2024-05-06x", "2024-05/06", "20240506x", "1.2.03", "12345-01-01", "2024-05-06 noon"})
    EXPECT_EQ(infer_type(text), ColumnType::text) << text;
}

TEST(InferType, KnowsTruth) {
  for (const char* text : {"true", "FALSE", "Yes", "no"}) EXPECT_EQ(infer_type(text), ColumnType::boolean) << text;
  for (const char* text : {"y", "t", "on", "truer", "ye"}) EXPECT_EQ(infer_type(text), ColumnType::text) << text;
}

TEST(InferType, TakesTheRestForText) {
  for (const char* text :
       {"-", "+", ".", "e5", "1e", "1e+", "--1", "1 2", "0x10", "1,5", "nan", "inf", "A11", "<=50K"})
    EXPECT_EQ(infer_type(text), ColumnType::text) << text;
}

Dictionary values(std::vector<std::string> texts, std::optional<std::uint32_t> missing = {}) {
  return {.values = std::move(texts), .missing = missing};
}

TEST(InferType, FitsAllValuesOfADictionary) {
  EXPECT_EQ(infer_type(values({"1", "2"})), ColumnType::integer);
  EXPECT_EQ(infer_type(values({"1", "2.5"})), ColumnType::number);
  EXPECT_EQ(infer_type(values({"1", "2024-01-01"})), ColumnType::text);
  EXPECT_EQ(infer_type(values({"1", "yes"})), ColumnType::text);
  EXPECT_EQ(infer_type(values({"01", "1"})), ColumnType::text);
}

TEST(InferType, LooksPastMissing) {
  EXPECT_EQ(infer_type(values({"1", "?"}, 1)), ColumnType::integer);
  EXPECT_EQ(infer_type(values({"?"}, 0)), ColumnType::text);
  EXPECT_EQ(infer_type(values({})), ColumnType::text);
}

TEST(InferType, KnowsEveryIntegerAndEveryDouble) {
  EXPECT_TRUE(rc::check(
      "integers", [](std::int64_t number) { RC_ASSERT(infer_type(std::to_string(number)) == ColumnType::integer); }));
  EXPECT_TRUE(rc::check("decimals", [](double number) {
    const ColumnType type = infer_type(std::to_string(number));
    RC_ASSERT(type == ColumnType::number || type == ColumnType::integer);
  }));
  EXPECT_TRUE(rc::check("any text has a type", [](const std::string& text) { static_cast<void>(infer_type(text)); }));
}

}  // namespace column_type_test
}  // namespace gauze::table
