// What may not be asked and is no line of query/tests/refusals.test: texts beyond all bounds, parameters.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/query/sql/parse_sql.h"
#include "gauze/query/testing/query_testing.h"

namespace gauze::query {
namespace refusals_test {

using ::testing::HasSubstr;

const testing::Database& shop() {
  static const testing::Database database(testing::shop_files(), testing::shop_schema());
  return database;
}

TEST(QueryRefusals, BoundTheTextBeforeItIsParsed) {
  std::string sum = "SELECT COUNT(*) FROM orders WHERE price > 0";
  for (int i = 0; i < 100'000; ++i) sum += " + 1";
  std::string nested =
      "SELECT COUNT(*) FROM orders WHERE price > " + std::string(10'000, '(') + "1" + std::string(10'000, ')');
  std::string tokens = "SELECT COUNT(*) FROM orders WHERE price > 0";
  for (int i = 0; i < 2'600; ++i) tokens += "+1";
  for (const std::string& sql :
       {sum, nested, tokens, std::string("SELECT \xFF"), std::string("SELECT 1\0 ", 10), std::string(1 << 20, 'x')}) {
    const auto plan = shop().plan(sql, testing::with_epsilon(1));
    ASSERT_FALSE(plan.has_value());
    EXPECT_EQ(to_string(plan.error().code), "invalid_parameter");
  }
}

TEST(QueryRefusals, OfParametersComeBeforeAnything) {
  const std::string sql = "SELECT COUNT(*) FROM orders";
  for (const char* epsilon : {"0", "-1", "1e-12", "1e12"})
    EXPECT_FALSE(shop().plan(sql, testing::with_epsilon(Rational::parse(epsilon).value())).has_value()) << epsilon;
  EXPECT_FALSE(shop().plan(sql, testing::with_epsilon(1, 1)).has_value());
  EXPECT_FALSE(shop().plan(sql, testing::with_epsilon(1, Rational(-1))).has_value());
  QueryParameters both = testing::with_epsilon(1);
  both.budget.rho = 1;
  EXPECT_FALSE(shop().plan(sql, both).has_value());
  QueryParameters gaussian = testing::with_epsilon(1);
  gaussian.budget.noise = NoiseKind::gaussian;
  EXPECT_FALSE(shop().plan(sql, gaussian).has_value());
}

TEST(QueryRefusals, NameTheKeyOfAPublicTableThatIsNotUnique) {
  auto files = testing::shop_files();
  files[3].second += "4,F\n";
  const testing::Database database(files, testing::shop_schema());
  const auto plan = database.plan("SELECT name, COUNT(*) FROM customers JOIN nations ON nation = id GROUP BY name",
                                  testing::with_epsilon(1));
  ASSERT_FALSE(plan.has_value());
  EXPECT_EQ(to_string(plan.error().code), "invalid_parameter");
  EXPECT_THAT(plan.error().message, HasSubstr("not unique"));
}

TEST(PlaceOf, CountsLinesAndCharactersFromOne) {
  EXPECT_EQ(place_of("ab\ncüd", 3).line, 2U);
  EXPECT_EQ(place_of("ab\ncüd", 6).column, 3U);
  EXPECT_EQ(place_of("", 0).column, 1U);
}

}  // namespace refusals_test
}  // namespace gauze::query
