#include "gauze/schema/database/database_schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/schema/database/value_text.h"

namespace gauze::schema {
namespace database_schema_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* kShop = R"(version: 1
unit: {name: one customer, table: customers, key: c_id}
limits: {groups: 3, rows: 20}
min_group: 2
stored_answers: none
tables:
  customers:
    source: customers.parquet
    input: {delimiter: ";", header: true, null: ["?"], encoding: utf-8}
    unit: {column: c_id}
    columns:
      c_id:    {type: integer}
      segment: {type: text, values: [private, company], other: unknown}
      nation:  {type: integer, bounds: [0, 24]}
      balance: {type: decimal, scale: 2, bounds: [-1000, 10000.005], nullable: false}
      since:   {type: date, bounds: [2015-01-01, 2026-12-31]}
  orders:
    source: "orders-*.parquet"
    unit: {column: c_id}
    columns: {o_id: {type: integer}, c_id: {type: integer}, price: {type: real, bounds: [0, 60000], per_unit: [0, 200000], bins: {from: 0, to: 60000, width: 1000}}}
  items:
    source: items.csv
    unit: {column: o_id, table: orders, key: o_id}
    columns: {o_id: {type: integer}, quantity: {type: integer, bounds: [1, 50]}, at: {type: timestamp, bounds: [1970-01-01, 1970-01-02 12:00]}}
  nations:
    public: true
    source: nations.csv
    key: [id]
    columns: {id: {type: integer}, name: {type: text}}
provenance: {bounds: public, values: public, limits: public}
)";

/// The text of the shop with one piece replaced.
std::string shop_with(const std::string& from, const std::string& to) {
  std::string text = kShop;
  const auto place = text.find(from);
  EXPECT_NE(place, std::string::npos) << from;
  return text.replace(place, from.size(), to);
}

Error error_of(const std::string& text) {
  const auto schema = parse_database_schema(text, "shop.yaml");
  EXPECT_FALSE(schema) << text;
  return schema ? Error{ErrorCode::internal, "none"} : schema.error();
}

TEST(DatabaseSchema, ReadsAllThatItSays) {
  const auto schema = parse_database_schema(kShop, "shop.yaml", "data");
  ASSERT_TRUE(schema) << schema.error().message;
  EXPECT_EQ(schema->unit,
            (PrivacyUnit{.is_row = false, .name = "one customer", .table = "customers", .key = "c_id"}));
  EXPECT_EQ(schema->limits, (ContributionLimits{.groups = 3, .rows = 20}));
  EXPECT_EQ(schema->min_group, 2U);
  EXPECT_EQ(schema->text, kShop);
  ASSERT_EQ(schema->tables.size(), 4U);
  const TableSchema& customers = schema->tables[0];
  EXPECT_EQ(customers.source, "data/customers.parquet");
  EXPECT_EQ(customers.input.delimiter, ";");
  EXPECT_THAT(customers.find("segment")->values, ElementsAre("private", "company"));
  EXPECT_EQ(customers.find("segment")->other, "unknown");
  EXPECT_EQ(customers.find("balance")->scale, 2);
  EXPECT_EQ(customers.find("balance")->bounds->high, *Rational::parse("10000.005"));
  EXPECT_FALSE(customers.find("balance")->nullable);
  EXPECT_EQ(customers.find("since")->bounds->low, Rational(*parse_day("2015-01-01")));
  const TableSchema& orders = *schema->find("orders");
  EXPECT_EQ(orders.find("price")->per_unit->high, Rational(200'000));
  EXPECT_EQ(orders.find("price")->bins.size(), 61U);
  const TableSchema& items = *schema->find("items");
  EXPECT_EQ(*items.unit, (UnitPath{.column = "o_id", .table = "orders", .key = "o_id"}));
  EXPECT_EQ(items.find("at")->bounds->high, Rational(std::int64_t{129'600'000'000}));
  const TableSchema& nations = *schema->find("nations");
  EXPECT_TRUE(nations.is_public);
  EXPECT_THAT(nations.key, ElementsAre("id"));
  EXPECT_EQ(schema->find("nation"), nullptr);
}

TEST(DatabaseSchema, ARowCanBeTheUnit) {
  const auto schema = parse_database_schema(
      "version: 1\nunit: row\ntables: {people: {source: people.csv, columns: {age: {type: integer, bounds: [0, 120]}}}}\n");
  ASSERT_TRUE(schema) << schema.error().message;
  EXPECT_TRUE(schema->unit.is_row);
  EXPECT_EQ(schema->unit.name, "one row");
  EXPECT_EQ(schema->limits, ContributionLimits{});
}

TEST(DatabaseSchema, RefusesWhatIsWrongWithItsLine) {
  const std::vector<std::array<std::string, 3>> wrong = {
      {"version: 1", "version: 2", "the only one"},
      {"min_group: 2", "min_groups: 2", "unknown key 'min_groups'"},
      {"min_group: 2", "min_group: 0", "min_group"},
      {"limits: {groups: 3, rows: 20}\n", "", "needs limits"},
      {"limits: {groups: 3, rows: 20}", "limits: {groups: 3}", "groups and rows"},
      {"limits: {groups: 3, rows: 20}", "limits: {groups: 0, rows: 20}", "groups"},
      {"limits: {groups: 3, rows: 20}", "limits: {groups: 3, rows: 1000001}", "rows"},
      {"stored_answers: none", "stored_answers: analyst", "must be none"},
      {"key: c_id}\nlimits", "key: id}\nlimits", "no column 'id'"},
      {"table: customers, key", "table: nations, key", "private table"},
      {"    unit: {column: c_id}\n    columns: {o_id", "    columns: {o_id", "no path to the unit"},
      {"unit: {column: o_id, table: orders, key: o_id}", "unit: {column: o_id, table: order, key: o_id}",
       "no private table"},
      {"unit: {column: o_id, table: orders, key: o_id}", "unit: {column: o_id, table: nations, key: id}",
       "no private table"},
      {"unit: {column: o_id, table: orders, key: o_id}", "unit: {column: o_id, table: orders, key: id}",
       "no column 'id'"},
      {"unit: {column: o_id, table: orders, key: o_id}", "unit: {column: o_id, table: orders, key: price}",
       "one type"},
      {"unit: {column: o_id, table: orders, key: o_id}", "unit: {column: o_id, table: orders}", "belong together"},
      {"unit: {column: o_id, table: orders, key: o_id}", "unit: {column: order, table: orders, key: o_id}",
       "no column 'order'"},
      {"unit: {column: o_id, table: orders, key: o_id}", "unit: {column: o_id, table: items, key: o_id}", "circle"},
      {"unit: {column: c_id}\n    columns: {o_id",
       "unit: {column: o_id, table: items, key: o_id}\n    columns: {o_id", "circle"},
      {"    public: true\n", "", "only a public table has a key"},
      {"key: [id]", "key: [name, nr]", "no column 'nr'"},
      {"key: [id]", "unit: {column: id}", "public: it belongs to no unit"},
      {"source: items.csv", "file: items.csv", "unknown key 'file'"},
      {"type: real, bounds", "type: float, bounds", "type"},
      {"bounds: [0, 24]", "bounds: [24, 0]", "empty"},
      {"bounds: [0, 24]", "bounds: [0, 24.5]", "of its type, integer"},
      {"bounds: [0, 24]", "bounds: [0]", "two values"},
      {"bounds: [0, 24]", "bounds: [0, 24], values: [1, 2]", "bounds and values"},
      {"bounds: [0, 24]", "values: [1, 1.0]", "lists '1' twice"},
      {"bounds: [0, 24]", "values: [1, x]", "of its type, integer"},
      {"bounds: [0, 24]", "values: []", "not empty"},
      {"bounds: [0, 24]", "other: 3", "no meaning for the type integer"},
      {"bounds: [0, 24]", "scale: 3", "no meaning for the type integer"},
      {"type: decimal, scale: 2", "type: decimal", "needs its scale"},
      {"type: decimal, scale: 2", "type: decimal, scale: 19", "scale"},
      {"values: [private, company], other: unknown", "other: unknown", "other belongs to values"},
      {"values: [private, company], other: unknown", "bounds: [a, b]", "no meaning for the type text"},
      {"bounds: [0, 60000], per_unit", "values: [1], per_unit", "cannot be listed"},
      {"per_unit: [0, 200000]", "per_unit: [2, 1]", "empty"},
      {"bins: {from: 0, to: 60000, width: 1000}", "bins: [0, 10, 10]", "rise"},
      {"bins: {from: 0, to: 60000, width: 1000}", "bins: {from: 0, to: 60000, width: 0}", "positive"},
      {"bins: {from: 0, to: 60000, width: 1000}", "bins: {from: 0, to: 60000, width: 0.0001}", "more than"},
      {"[2015-01-01, 2026-12-31]", "[2015-01-01, 2026-02-30]", "of its type, date"},
      {"nullable: false", "nullable: maybe", "nullable"},
      {"limits: public}", "limits: guess}", "limits"},
  };
  for (const auto& [from, to, message] : wrong) {
    const Error error = error_of(shop_with(from, to));
    EXPECT_EQ(error.code, ErrorCode::invalid_parameter) << to;
    EXPECT_THAT(error.message, HasSubstr(message)) << to;
    EXPECT_THAT(error.message, StartsWith("shop.yaml:")) << to;
  }
}

TEST(DatabaseSchema, ARowHasNoLimitsAndNoPaths) {
  const std::string start = "version: 1\nunit: row\n";
  const std::string table = "{source: a.csv, columns: {x: {type: integer}}}";
  EXPECT_THAT(error_of(start + "limits: {groups: 1, rows: 1}\ntables: {a: " + table + "}\n").message,
              HasSubstr("no limits"));
  EXPECT_THAT(error_of(start + "tables: {a: " + table + ", b: " + table + "}\n").message,
              HasSubstr("one private table"));
  EXPECT_THAT(
      error_of(start + "tables: {a: {source: a.csv, unit: {column: x}, columns: {x: {type: integer}}}}\n").message,
      HasSubstr("no path to another"));
}

TEST(DatabaseSchema, ListedValuesMustBeSaidToBePublic) {
  for (const char* origin : {"", "provenance: {values: data}\n", "provenance: {bounds: public}\n"}) {
    const Error error = error_of(shop_with("provenance: {bounds: public, values: public, limits: public}\n", origin));
    EXPECT_EQ(error.code, ErrorCode::not_private) << origin;
    EXPECT_THAT(error.message, HasSubstr("customers.segment"));
  }
}

TEST(DatabaseSchema, TooManyValuesAreRefused) {
  const auto listing = [](std::size_t count) {
    std::string text =
        "version: 1\nunit: row\nprovenance: {values: public}\ntables: {a: {source: a, columns: {x: {type: integer, values: [";
    for (std::size_t i = 0; i < count; ++i) text += (i == 0 ? "" : ",") + std::to_string(i);
    return text + "]}}}}\n";
  };
  EXPECT_TRUE(parse_database_schema(listing(20'000)));
  EXPECT_THAT(error_of(listing(1'000'001)).message, HasSubstr("more than 1000000 values"));
}

TEST(DatabaseSchema, NamesMayBeChineseAndSourcesUris) {
  const auto schema = parse_database_schema(
      "version: 1\nunit: row\ntables: {病人: {source: 'postgresql://h/db?table=t', columns: {年龄: {type: integer}}}}\n",
      "s", "d");
  ASSERT_TRUE(schema) << schema.error().message;
  EXPECT_EQ(schema->tables[0].source, "postgresql://h/db?table=t");
  EXPECT_NE(schema->tables[0].find("年龄"), nullptr);
}

}  // namespace database_schema_test
}  // namespace gauze::schema
