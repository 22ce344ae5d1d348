#include "gauze/query/check/schema_draft.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/engines/open_source.h"
#include "gauze/files/testing/folder.h"

namespace gauze::query {
namespace schema_draft_test {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class SchemaDraftTest : public ::testing::Test {
 protected:
  /// The draft of files in the folder, which it names without it.
  std::string draft(const std::vector<std::string>& names, const table::ReadOptions& options = {}) {
    std::vector<DraftTable> tables;
    for (const std::string& name : names) {
      Progress progress;
      auto table = draft_table(folder_ / name, options, progress);
      EXPECT_TRUE(table) << table.error().message;
      if (!table) return {};
      table->source = name;
      tables.push_back(*std::move(table));
    }
    give_different_names(tables);
    return draft_schema(tables);
  }

  Folder folder_;
};

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto place = text.find(from);
  EXPECT_NE(place, std::string::npos) << from << "\nin\n" << text;
  return place == std::string::npos ? text : text.replace(place, from.size(), to);
}

TEST_F(SchemaDraftTest, OfOneFileIsASchemaAlready) {
  folder_.write("people.csv",
                "id,age,height,born,member,town\n17,34,1.71,1990-02-03,true,Ulm\n18,35,1.62,1989-04-05,false,Rom\n");
  const std::string text = draft({"people.csv"});
  const auto schema = schema::parse_database_schema(text, "s", folder_.path());
  ASSERT_TRUE(schema) << schema.error().message << "\n" << text;
  EXPECT_TRUE(schema->unit.is_row);
  const schema::TableSchema& people = *schema->find("people");
  using schema::DeclaredType;
  EXPECT_EQ(people.find("id")->type, DeclaredType::integer);
  EXPECT_EQ(people.find("height")->type, DeclaredType::real);
  EXPECT_EQ(people.find("born")->type, DeclaredType::date);
  EXPECT_EQ(people.find("member")->type, DeclaredType::boolean);
  EXPECT_EQ(people.find("town")->type, DeclaredType::text);
  for (const schema::ColumnSchema& column : people.columns) {
    EXPECT_FALSE(column.bounds) << column.name;
    EXPECT_TRUE(column.values.empty()) << column.name;
  }
}

TEST_F(SchemaDraftTest, NeverWritesWhatItSaw) {
  folder_.write("people.csv",
                "id,age,height,born,town\n4711,834,61.71,1990-02-03,Ulm\n4712,835,61.62,1989-04-05,Rom\n");
  const std::string text = draft({"people.csv"});
  for (const char* seen : {"47", "83", "61", "1990", "1989", "Ulm", "Rom"}) EXPECT_THAT(text, Not(HasSubstr(seen)));
}

TEST_F(SchemaDraftTest, OfSeveralFilesIsOneAfterItIsFilledIn) {
  folder_.write("customers.csv", "c_id,segment\n1,x\n");
  folder_.write("orders.csv", "o_id,c_id,price\n7,1,2.5\n");
  folder_.write("nations.csv", "id,name\n1,A\n");
  std::string text = draft({"customers.csv", "orders.csv", "nations.csv"});
  const auto open = schema::parse_database_schema(text, "s.yaml");
  ASSERT_FALSE(open);
  EXPECT_THAT(open.error().message, AllOf(HasSubstr("s.yaml:"), HasSubstr("unit must be")));
  EXPECT_THAT(text, HasSubstr("#   c_id is a column of customers and orders"));
  text = replaced(text, "unit:      #", "unit: {name: one customer, table: customers, key: c_id}  #");
  text = replaced(text, "limits:    #", "limits: {groups: 1, rows: 1}  #");
  text = replaced(text, "# unit: {column: c_id}", "unit: {column: c_id}");
  text = replaced(text, "    # unit: {column: c_id}", "    unit: {column: c_id}");
  const auto nations = text.find("  nations:");
  text = text.substr(0, nations) + replaced(text.substr(nations), "# public: true", "public: true");
  const auto schema = schema::parse_database_schema(text, "s.yaml");
  ASSERT_TRUE(schema) << schema.error().message << "\n" << text;
  EXPECT_TRUE(schema->find("nations")->is_public);
}

TEST_F(SchemaDraftTest, SaysHowAFileIsWritten) {
  folder_.write("t.csv", "a;b\n1,5;\xe4\n2,5;\xf6\n");
  const std::string text = draft({"t.csv"});
  const auto schema = schema::parse_database_schema(text, "s", folder_.path());
  ASSERT_TRUE(schema) << schema.error().message << "\n" << text;
  EXPECT_EQ(schema->tables[0].input.delimiter, ";");
  EXPECT_EQ(schema->tables[0].input.encoding, "latin-1");
  EXPECT_EQ(schema->tables[0].input.decimal, table::DecimalSign::comma);
}

TEST_F(SchemaDraftTest, FilesWithoutALineOfNamesGetNames) {
  folder_.write("t.csv", "1,x\n2,y\n");
  table::ReadOptions options;
  options.header = false;
  for (const std::string& text : {draft({"t.csv"}, options), draft({"t.csv"})}) {
    const auto schema = schema::parse_database_schema(text, "s", folder_.path());
    ASSERT_TRUE(schema) << schema.error().message << "\n" << text;
    const table::ReadOptions& input = schema->tables[0].input;
    EXPECT_EQ(input.header, false);
    EXPECT_EQ(input.delimiter, ",");
    EXPECT_EQ(input.names, (std::vector<std::string>{"column1", "column2"}));
  }
}

TEST_F(SchemaDraftTest, ARowIsNotTakenForNames) {
  const std::string path = folder_.write("t.csv", "Ada,1815-12-10\nAlan,1912-06-23\n");
  table::ReadOptions options;
  options.header = true;
  Progress progress;
  const auto table = draft_table(path, options, progress);
  ASSERT_FALSE(table);
  EXPECT_EQ(table.error().code, ErrorCode::invalid_parameter);
  EXPECT_EQ(table.error().parameter, "names");
  EXPECT_THAT(table.error().message, AllOf(Not(HasSubstr("1815")), Not(HasSubstr("Ada"))));
}

TEST_F(SchemaDraftTest, TakesTheTypesOfParquet) {
  const auto session = engines::open_session();
  ASSERT_TRUE(session);
  const auto rows = (*session)->run(
      fmt::format(
          "COPY (SELECT 1 AS i, TIMESTAMP '2020-01-01 10:00:00' AS t, 1.5::DECIMAL(9, 2) AS m, '7' AS s) TO {} (FORMAT parquet)",
          (*session)->dialect().text(folder_ / "t.parquet")),
      "write");
  ASSERT_TRUE(rows);
  while (*(*rows)->next()) continue;
  const std::string text = draft({"t.parquet"});
  const auto schema = schema::parse_database_schema(text, "s", folder_.path());
  ASSERT_TRUE(schema) << schema.error().message << "\n" << text;
  using schema::DeclaredType;
  const schema::TableSchema& table = schema->tables[0];
  EXPECT_EQ(table.find("i")->type, DeclaredType::integer);
  EXPECT_EQ(table.find("t")->type, DeclaredType::timestamp);
  EXPECT_EQ(table.find("m")->type, DeclaredType::real);
  EXPECT_EQ(table.find("s")->type, DeclaredType::text);
}

TEST_F(SchemaDraftTest, OddNamesReadBackAsTheyAre) {
  folder_.write("t.csv", "\"a: b\",\"#c\",年龄,\"it's\"\nx,y,1,z\nx,y,2,z\n");
  const auto schema = schema::parse_database_schema(draft({"t.csv"}), "s", folder_.path());
  ASSERT_TRUE(schema) << schema.error().message;
  for (const char* name : {"a: b", "#c", "年龄", "it's"}) EXPECT_NE(schema->tables[0].find(name), nullptr) << name;
}

TEST(TableNames, ComeFromFiles) {
  EXPECT_EQ(table_name_of("data/customers.csv"), "customers");
  EXPECT_EQ(table_name_of("orders-*.parquet"), "orders");
  EXPECT_EQ(table_name_of("line items.csv.gz"), "line_items");
  EXPECT_EQ(table_name_of("2024.csv"), "t_2024");
  EXPECT_EQ(table_name_of("病人.csv"), "病人");
  EXPECT_EQ(table_name_of("*.csv"), "data");
  EXPECT_EQ(table_name_of("postgresql://h/db?table=public.visits&sslmode=require"), "visits");
}

TEST(TableNames, AreMadeDifferent) {
  std::vector<DraftTable> tables(3);
  for (DraftTable& table : tables) table.name = "t";
  give_different_names(tables);
  EXPECT_EQ(tables[1].name, "t_2");
  EXPECT_EQ(tables[2].name, "t_3");
}

}  // namespace schema_draft_test
}  // namespace gauze::query
