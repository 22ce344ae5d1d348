#include "gauze/table/decimal_sign.h"

#include <gtest/gtest.h>

namespace gauze::table {
namespace decimal_sign_test {

std::string read(std::string_view text, DecimalSign sign) {
  const auto number = parse_number(text, sign);
  return number ? number->to_decimal() : "none";
}

TEST(DecimalSign, NumbersAreReadBySignAndGroups) {
  EXPECT_EQ(read("1.234,5", DecimalSign::comma), "1234.5");
  EXPECT_EQ(read("1234,5", DecimalSign::comma), "1234.5");
  EXPECT_EQ(read("-1.234.567,25", DecimalSign::comma), "-1234567.25");
  EXPECT_EQ(read("1.234", DecimalSign::comma), "1234");
  EXPECT_EQ(read("0,5", DecimalSign::comma), "0.5");
  EXPECT_EQ(read("1,5e3", DecimalSign::comma), "1500");
  EXPECT_EQ(read("12", DecimalSign::comma), "12");
  EXPECT_EQ(read("1,234.5", DecimalSign::point), "1234.5");
  EXPECT_EQ(read("1,234", DecimalSign::point), "1234");
  EXPECT_EQ(read("1234.5", DecimalSign::point), "1234.5");
}

TEST(DecimalSign, SignsInOtherPlacesMakeNoNumber) {
  for (const char* text :
       {"1.5", "1.23,5", "1234.567,8", "0.123.456", "1,2,3", ".123", "1..234", "1.2.2024", "31.12.2024"})
    EXPECT_EQ(read(text, DecimalSign::comma), "none") << text;
  for (const char* text : {"1,5", "1,23.5", "1234,567.8", "0,123", ",123", "1,,234", "1.2.3", "12,34"})
    EXPECT_EQ(read(text, DecimalSign::point), "none") << text;
}

TEST(DecimalSign, IsFoundOutWhereTheCellsTell) {
  const auto found = [](const std::vector<std::string>& cells, DecimalSign usual = DecimalSign::point) {
    DecimalEvidence evidence;
    for (const std::string& cell : cells) evidence.see(cell);
    return evidence.sign(usual);
  };
  EXPECT_EQ(found({"1,5", "2,25", "31.12.2024", "Berlin, Mitte"}), DecimalSign::comma);
  EXPECT_EQ(found({"1.234,567"}), DecimalSign::comma);
  EXPECT_EQ(found({"1.5", "1,234"}), DecimalSign::point);
  EXPECT_EQ(found({"1,234", "5,250"}), DecimalSign::point) << "thousands, where commas are not usual";
  EXPECT_EQ(found({"1,234", "5,250"}, DecimalSign::comma), DecimalSign::comma);
  EXPECT_EQ(found({"1", "x", ""}, DecimalSign::comma), DecimalSign::point) << "nothing shows";
}

}  // namespace decimal_sign_test
}  // namespace gauze::table
