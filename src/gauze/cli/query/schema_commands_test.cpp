#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/cli/core/table_testing.h"

extern const char gauze_source_folder[];

namespace gauze::cli {
namespace schema_commands_test {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kExample = std::string(gauze_source_folder) + "/examples/query/";

const std::string kSchema =
    "version: 1\nunit: row\nprovenance: {bounds: public}\ntables: {t: {source: t.csv, columns: {a: {type: integer, bounds: [0, 9]}}}}\n";

TEST(SchemaCheckCommand, TellsHowTheExampleFits) {
  const Ran ran = run({"schema", "check", kExample + "shop.yaml", "--json"});
  ASSERT_EQ(ran.status, 0) << ran.out << ran.err;
  const Json json = json_of(ran);
  EXPECT_THAT(keys_of(json),
              ElementsAre("tables", "units", "rows_per_unit", "cut", "problems", "grants", "internal", "warnings"));
  EXPECT_EQ(at(json, {"tables", "orders", "rows"}), "90");
  EXPECT_EQ(number_at(json, {"tables", "orders", "without_unit"}), 1.0 / 90);
  EXPECT_EQ(number_at(json, {"tables", "customers", "columns", "balance", "clamped"}), 1.0 / 40);
  EXPECT_EQ(number_at(json, {"tables", "customers", "columns", "balance", "unreadable"}), 1.0 / 40);
  EXPECT_EQ(at(json, {"units"}), "40");
  EXPECT_EQ(at(json, {"rows_per_unit", "max"}), "13");
  EXPECT_NE(ran.out.find("\"internal\":true"), std::string::npos);
  EXPECT_NE(ran.out.find("\"grants\":[]"), std::string::npos);
}

TEST(SchemaCheckCommand, HasATableForPeople) {
  const Ran ran = run({"schema", "check", kExample + "shop.yaml"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, AllOf(HasSubstr("INTERNAL"), HasSubstr("orders.price"), HasSubstr("units 40 (one customer)"),
                             HasSubstr("limits cut"), HasSubstr("no problems")));
}

TEST(SchemaCheckCommand, EndsWithThreeWhereAColumnDoesNotFit) {
  const Folder folder;
  folder.write("t.csv", "b\n1\n");
  const std::string schema = folder.write("s.yaml", kSchema);
  const Ran json = run({"schema", "check", schema, "--json"});
  EXPECT_EQ(json.status, 3);
  EXPECT_EQ(at(json_of(json), {"error", "code"}), "infeasible");
  EXPECT_THAT(at(json_of(json), {"error", "message"}), HasSubstr("t.a"));
  EXPECT_THAT(json.out,
              AllOf(HasSubstr("column_absent"), HasSubstr("\"internal\":true"), HasSubstr("\"warnings\":[]")));
  const Ran text = run({"schema", "check", schema});
  EXPECT_EQ(text.status, 3);
  EXPECT_THAT(text.out, AllOf(HasSubstr("1 problem"), HasSubstr("no column 'a'")));
  folder.write("t.csv", "a\nx\n");
  EXPECT_EQ(run({"schema", "check", schema}).status, 3) << "no cell can be read";
  folder.write("t.csv", "a\nx\n1\n");
  EXPECT_EQ(run({"schema", "check", schema}).status, 0) << "one can";
}

TEST(SchemaCheckCommand, RefusesWhatItCannotRead) {
  const Folder folder;
  EXPECT_EQ(run({"schema", "check", folder / "none.yaml"}).status, 1);
  EXPECT_EQ(run({"schema", "check", folder.write("s.yaml", "version: 2\n")}).status, 2);
  EXPECT_EQ(run({"schema", "check", folder.write("s.yaml", kSchema)}).status, 1) << "the table is not there";
  EXPECT_EQ(run({"schema", "check"}).status, 2);
}

TEST(SchemaCheckCommand, NeverQuotesCells) {
  const Folder folder;
  folder.write("t.csv", "a\nsecret\n4711\n");
  const std::string schema = folder.write("s.yaml", kSchema);
  for (const Ran& ran : {run({"schema", "check", schema}), run({"schema", "check", schema, "--json"})})
    EXPECT_THAT(ran.out + ran.err, AllOf(Not(HasSubstr("secret")), Not(HasSubstr("4711"))));
}

TEST(SchemaDraftCommand, WritesASchemaThatChecks) {
  const Folder folder;
  folder.write("people.csv", kPeople);
  const std::string schema = folder / "s.yaml";
  const Ran ran = run({"schema", "draft", folder / "people.csv", "-o", schema});
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("1 table"));
  EXPECT_FALSE(folder.has("s.yaml.label.json")) << "it is the owner's";
  const Ran checked = run({"schema", "check", schema, "--json"});
  EXPECT_EQ(checked.status, 0) << checked.out << folder.read("s.yaml");
  EXPECT_EQ(at(json_of(checked), {"units"}), "16");
  EXPECT_THAT(folder.read("s.yaml"), AllOf(Not(HasSubstr("81667")), Not(HasSubstr("asthma"))));
}

TEST(SchemaDraftCommand, PrintsAndTellsPrograms) {
  const Ran text = run({"schema", "draft", kExample + "customers.csv", kExample + "orders.csv"});
  ASSERT_EQ(text.status, 0) << text.err;
  EXPECT_THAT(text.out, AllOf(HasSubstr("version: 1"), HasSubstr("customers:"), HasSubstr("c_id is a column of")));
  const Ran json = run({"schema", "draft", kExample + "orders.csv", "--json"});
  ASSERT_EQ(json.status, 0) << json.err;
  EXPECT_THAT(keys_of(json_of(json)), ElementsAre("file", "tables", "schema", "warnings"));
  EXPECT_THAT(at(json_of(json), {"schema"}), HasSubstr("unit: row"));
}

TEST(SchemaDraftCommand, RefusesWhatHasNoName) {
  const Folder folder;
  EXPECT_EQ(run({"schema", "draft", "-"}).status, 2);
  EXPECT_EQ(run({"schema", "draft"}).status, 2);
  EXPECT_EQ(run({"schema", "draft", folder / "none.csv"}).status, 1);
  EXPECT_EQ(run({"schema", "draft", kExample + "orders.csv", "-o", "-", "--json"}).status, 2);
}

}  // namespace schema_commands_test
}  // namespace gauze::cli
