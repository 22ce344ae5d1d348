#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/cli/core/cli_testing.h"
#include "gauze/files/json_reader.h"
#include "gauze/files/testing/folder.h"

namespace gauze::cli {
namespace query_command_test {

using ::testing::HasSubstr;
using ::testing::Not;

class QueryCommand : public ::testing::Test {
 protected:
  QueryCommand() {
    std::string people = "id,town,age\n";
    for (int i = 0; i < 300; ++i) people += fmt::format("{},{},{}\n", i, i % 3 == 0 ? "Kiel" : "Oslo", 20 + i % 50);
    folder_.write("people.csv", people);
  }
  Ran query(const std::string& sql, std::vector<std::string> flags, const std::string& in = "") {
    std::vector<std::string> args{"query", sql, "--schema", schema_};
    args.insert(args.end(), flags.begin(), flags.end());
    return run(args, in);
  }
  static Json json_of(const Ran& ran) {
    auto read = read_json(ran.out);
    EXPECT_TRUE(read.has_value()) << ran.out << ran.err;
    return read ? *read : Json();
  }

  Folder folder_;
  std::string schema_ = folder_.write(
      "schema.yaml",
      "version: 1\nunit: {name: one person, table: people, key: id}\nlimits: {groups: 1, rows: 1}\ntables:\n  people:\n    source: people.csv\n"
      "    unit: {column: id}\n    columns: {id: {type: integer}, town: {type: text, values: [Kiel, Oslo]}, age: {type: integer, bounds: [0, 100]}}\n"
      "provenance: {bounds: public, values: public, limits: public}\n");
};

constexpr const char* kByTown = "SELECT town, COUNT(*), AVG(age) FROM people GROUP BY town";

TEST_F(QueryCommand, PrintsKeysValuesAndIntervals) {
  const Ran ran = query(kByTown, {"--epsilon", "1"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("Kiel"));
  EXPECT_THAT(ran.out, HasSubstr("95 %"));
  EXPECT_THAT(ran.err, HasSubstr("cost epsilon 1"));
}

TEST_F(QueryCommand, JsonHasTheDocumentedKeys) {
  const Json json = json_of(query(kByTown, {"--epsilon", "1", "--json"}));
  for (const char* key : {"columns", "rows", "keys", "threshold", "noise", "epsilon", "delta", "rho", "limits",
                          "measurements", "consistent", "warnings", "ledger", "label"})
    EXPECT_NE(json.find(key), nullptr) << key;
  EXPECT_EQ(json.find("rows")->elements()->size(), 3U);  // and people whose town is no known one
  EXPECT_EQ(json.find("keys")->text(), "public");
  const Json& row = json.find("rows")->elements()->front();
  EXPECT_EQ(row.find("town")->text(), "Kiel");
  for (const char* key : {"value", "low", "high"}) EXPECT_NE(row.find("count")->find(key), nullptr);
}

TEST_F(QueryCommand, RefusalsPointIntoTheSql) {
  const Ran ran = query("SELECT town, age FROM people", {"--epsilon", "1", "--json"});
  EXPECT_EQ(ran.status, 3);
  const Json json = json_of(ran);
  EXPECT_EQ(json.find("error")->find("code")->text(), "unsupported");
  EXPECT_EQ(json.find("position")->find("column")->text(), "8");
  EXPECT_EQ(json.find("position")->find("length")->text(), "4");
  EXPECT_NE(json.find("hint"), nullptr);
  const Ran text = query("SELECT SUM(id)\nFROM people", {"--epsilon", "1"});
  EXPECT_EQ(text.status, 2);
  EXPECT_THAT(text.err, HasSubstr("  SELECT SUM(id)\n             ^^\n"));
}

TEST_F(QueryCommand, ReadsSqlFromTheStandardInputAndWritesCsvWithItsLabel) {
  const std::string out = folder_ / "answer.csv";
  const Ran ran = query("-", {"--epsilon", "1", "-o", out}, kByTown);
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(folder_.read("answer.csv"), HasSubstr("town,count,count_low,count_high,avg,avg_low,avg_high\nKiel,"));
  EXPECT_TRUE(folder_.has("answer.csv.label.json"));
  EXPECT_EQ(run({"label", "check", out}).status, 0);
  EXPECT_THAT(folder_.read("answer.csv.label.json"), Not(HasSubstr("300")));
}

TEST_F(QueryCommand, TheDatasetMustNameTheSchemasUnit) {
  const std::string ledger = folder_ / "l.ledger";
  ASSERT_EQ(run({"ledger", "create", "d", "--ledger", ledger, "--epsilon", "1", "--unit", "one household",
                 "--neighbours", "add-remove"})
                .status,
            0);
  const Ran ran = query(kByTown, {"--epsilon", "1", "--ledger", ledger, "--dataset", "d"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, HasSubstr("one household"));
}

TEST_F(QueryCommand, BadParametersExitTwoBeforeAnythingIsRead) {
  for (const std::vector<std::string>& flags : {std::vector<std::string>{"--epsilon", "0"},
                                                {"--epsilon", "1", "--rho", "1"},
                                                {},
                                                {"--epsilon", "1", "--groups-per-unit", "0"},
                                                {"--epsilon", "1", "--rows-per-unit", "2000000"},
                                                {"--epsilon", "1", "--memory", "100MB"},
                                                {"--epsilon", "1", "--max-groups", "2"},
                                                {"--epsilon", "1", "--consistent", "--raw"},
                                                {"--epsilon", "1", "--pad-time", "-1"}})
    EXPECT_EQ(query(kByTown, flags).status, 2);
  EXPECT_THAT(query(kByTown, {"--epsilon", "1", "--delta", "1e-6"}).err, HasSubstr("not charged"));
}

TEST_F(QueryCommand, AMissingColumnIsFoundBeforeTheCharge) {
  const std::string ledger = folder_ / "l.ledger";
  ASSERT_EQ(run({"ledger", "create", "d", "--ledger", ledger, "--epsilon", "1", "--unit", "one person",
                 "--neighbours", "add-remove"})
                .status,
            0);
  folder_.write("people.csv", "id,town\n1,Kiel\n");
  const Ran ran = query(kByTown, {"--epsilon", "1", "--ledger", ledger, "--dataset", "d"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(run({"ledger", "show", "d", "--ledger", ledger, "--json"}).out, HasSubstr("\"queries\":0"));
}

TEST_F(QueryCommand, OddCellsMakeNothingFail) {
  folder_.write(
      "people.csv",
      "id,town,age\n1,Kiel,nan\n2,,inf\n3,Oslo,-1e400\n9223372036854775807,Kiel,9223372036854775807\n-9223372036854775808,Oslo,-9223372036854775808\n,Kiel,5\nx,Kiel,5\n4,K\xC3,5\n5");
  const Ran ran =
      query("SELECT town, COUNT(*), SUM(age), VARIANCE(age), MEDIAN(age), MIN(age) FROM people GROUP BY town",
            {"--epsilon", "1"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  folder_.write("people.csv", "id,town,age\n");
  EXPECT_EQ(query(kByTown, {"--epsilon", "1"}).status, 0);
}

TEST_F(QueryCommand, LargeCellsMakeNoCastFail) {
  folder_.write("people.csv",
                "id,town,age\n1,99999999999999999999999999999999999,1\n2,1e35,2\n3,-9223372036854775808,3\n"
                "4,-92233720368547758.08,4\n5,1e300,5\n");
  folder_.write(
      "schema.yaml",
      "version: 1\nunit: {name: one person, table: people, key: id}\nlimits: {groups: 1, rows: 1}\ntables:\n"
      "  people:\n    source: people.csv\n    unit: {column: id}\n"
      "    columns: {id: {type: integer}, town: {type: text}, age: {type: integer, bounds: [0, 9]}}\n"
      "  amounts:\n    source: people.csv\n    unit: {column: id}\n"
      "    columns: {id: {type: integer}, town: {type: decimal, scale: 2}}\n"
      "provenance: {bounds: public, values: public, limits: public}\n");
  for (const char* sql : {"SELECT COUNT(*) FROM amounts WHERE town > 3",
                          "SELECT COUNT(*) FROM people WHERE CAST(town AS DECIMAL(10,2)) > 3",
                          "SELECT COUNT(*) FROM people WHERE abs(CAST(town AS BIGINT)) > 3",
                          "SELECT COUNT(*) FROM people WHERE -CAST(town AS BIGINT) > 3",
                          "SELECT COUNT(*) FROM people WHERE CAST(town AS BIGINT) / (age - 4) > 3",
                          "SELECT COUNT(*) FROM people WHERE abs(CAST(town AS DECIMAL(10,2))) > 1"}) {
    const Ran ran = query(sql, {"--epsilon", "1"});
    EXPECT_EQ(ran.status, 0) << sql << ran.err;
  }
}

TEST_F(QueryCommand, ASeedTakesTheGuaranteeAway) {
  const std::vector<std::string> flags{"--epsilon", "1", "--seed", "5", "--insecure-seed", "--json"};
  const Ran first = query(kByTown, flags);
  EXPECT_EQ(first.out, query(kByTown, flags).out);
  EXPECT_THAT(first.out, HasSubstr("seed"));
  EXPECT_EQ(query(kByTown, {"--epsilon", "1", "--seed", "5"}).status, 2);
}

}  // namespace query_command_test
}  // namespace gauze::cli
