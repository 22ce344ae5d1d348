#include "gauze/cli/query/query_text.h"

#include <gtest/gtest.h>

namespace gauze::cli {
namespace query_text_test {

TEST(SqlInLines, GivesClausesLinesOfTheirOwn) {
  EXPECT_EQ(
      sql_in_lines(
          "WITH a AS (SELECT x FROM (SELECT 1 AS x) AS q LEFT JOIN t ON true) SELECT sum(x) FROM a GROUP BY x", 2),
      "  WITH a AS (\n"
      "    SELECT x\n"
      "    FROM (\n"
      "      SELECT 1 AS x\n"
      "    ) AS q\n"
      "    LEFT JOIN t ON true\n"
      "  )\n"
      "  SELECT sum(x)\n"
      "  FROM a\n"
      "  GROUP BY x\n");
}

TEST(SqlInLines, LeavesTextsNamesAndOtherParenthesesAlone) {
  for (const char* sql : {"SELECT 'a FROM b', \"x WHERE y\"", "SELECT extract(year FROM d)",
                          "SELECT 'it''s FROM' || ')'", "SELECT 'open", "SELECT )", ""})
    EXPECT_EQ(sql_in_lines(sql, 0), std::string(sql) + "\n");
}

}  // namespace query_text_test
}  // namespace gauze::cli
