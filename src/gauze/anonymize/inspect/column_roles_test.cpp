#include "gauze/anonymize/inspect/column_roles.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>

#include "gauze/table/column_type.h"

namespace gauze::anonymize {
namespace column_roles_test {

using namespace schema;  // the vocabulary of this file

table::ColumnSummary summary(std::uint64_t distinct, table::ColumnType type = table::ColumnType::text) {
  table::ColumnSummary made;
  made.distinct = distinct;
  made.type = type;
  return made;
}

Role role_of(std::string_view name, std::uint64_t distinct, table::ColumnType type = table::ColumnType::text) {
  return suggest_role(name, summary(distinct, type), {}, 100).role;
}

/// A column of these cells, each once.
table::ColumnSummary column_of(std::vector<std::string> values) {
  table::ColumnSummary made;
  made.distinct = values.size();
  made.counts.assign(values.size(), 1);
  made.dictionary = table::Dictionary{.values = std::move(values), .missing = {}};
  made.type = table::infer_type(*made.dictionary);
  return made;
}

std::optional<std::string> why(std::string_view name, const table::ColumnSummary& column) {
  IdentifierEvidence evidence;
  for (const std::string& value : column.dictionary->values) evidence.see(value, 1);
  return why_identifier(name, column, evidence, column.distinct);
}

std::vector<std::string> numbers(int count, const std::function<std::string(int)>& text) {
  std::vector<std::string> made;
  for (int i = 0; i < count; ++i) made.push_back(text(i));
  return made;
}

TEST(ColumnRoles, NamesSayMoreThanCounts) {
  for (const char* name :
       {"age", "Age", "birthDate", "date_of_birth", "born", "zip-code", "年龄", "出生日期", "city_name"})
    EXPECT_EQ(role_of(name, 100), Role::quasi) << name;
  for (const char* name : {"diagnosis", "疾病", "monthly income"})
    EXPECT_EQ(role_of(name, 100), Role::sensitive) << name;
  for (const char* name : {"email", "姓名", "customer_id", "Phone"})
    EXPECT_EQ(role_of(name, 10), Role::identifier) << name;
}

TEST(ColumnRoles, AWordIsAWordOfItsOwn) {
  EXPECT_EQ(role_of("stage", 5), Role::quasi) << "by its counts";
  EXPECT_EQ(suggest_role("stage", summary(5), {}, 100).reason.find("age"), std::string::npos);
  EXPECT_EQ(role_of("valid", 60), Role::quasi) << "no 'id'";
}

TEST(ColumnRoles, CountsDecideWhereNamesSayNothing) {
  EXPECT_EQ(role_of("x", 100), Role::identifier);
  EXPECT_EQ(role_of("x", 1), Role::insensitive);
  EXPECT_EQ(role_of("x", 60), Role::quasi);
  EXPECT_EQ(role_of("x", 60, table::ColumnType::date), Role::quasi);
  EXPECT_EQ(role_of("x", 60, table::ColumnType::integer), Role::insensitive);
  EXPECT_EQ(role_of("x", 8), Role::quasi);
  EXPECT_EQ(role_of("x", 8, table::ColumnType::number), Role::insensitive);
  EXPECT_EQ(role_of("x", 100, table::ColumnType::number), Role::quasi) << "a nearly unique amount is no identifier";
}

TEST(ColumnRoles, NumbersOfSomethingAreIdentifiersWhateverTheNameSaysBesides) {
  for (const char* name : {"病人编号", "病例号", "病案编号", "diagnosis_id", "income_ref", "salary_code", "visit_id",
                           "city_id", "diseaseID"})
    EXPECT_EQ(role_of(name, 80), Role::identifier) << name;
  EXPECT_EQ(role_of("diagnosis_code", 12), Role::sensitive) << "codes of groups";
  EXPECT_NE(role_of("型号", 8), Role::identifier);
}

TEST(ColumnRoles, AmountsNumberNoRows) {
  IdentifierEvidence evidence;
  for (int i = 0; i < 100; ++i) evidence.see(std::to_string(123'457 + 7'919 * i), 1);
  EXPECT_TRUE(why_identifier("x", summary(100, table::ColumnType::integer), evidence, 100));
  for (const char* name : {"amount", "net_price", "金额"})
    EXPECT_FALSE(why_identifier(name, summary(100, table::ColumnType::integer), evidence, 100)) << name;
}

TEST(ColumnRoles, SomeWordsAlwaysMeanAnIdentifier) {
  for (const char* name :
       {"email address", "home_phone", "手机号", "病历号", "record number", "Kundennummer", "prénom"})
    EXPECT_EQ(role_of(name, 10), Role::identifier) << name;
  EXPECT_EQ(role_of("country_id", 10), Role::quasi) << "a country is no person";
  EXPECT_EQ(role_of("number_of_children", 5), Role::quasi) << "by its counts";
}

TEST(ColumnRoles, GermanAndFrenchNamesAreKnown) {
  for (const char* name :
       {"Geburtsdatum", "Geburtsjahr", "PLZ", "Straße", "Geschlecht", "date de naissance", "Ville"})
    EXPECT_EQ(role_of(name, 100), Role::quasi) << name;
  for (const char* name : {"Diagnosen", "Gehalt", "Maladie", "revenus"})
    EXPECT_EQ(role_of(name, 50), Role::sensitive) << name;
  for (const char* name : {"Vorname", "Telefonnummer", "Nom", "courriel"})
    EXPECT_EQ(role_of(name, 50), Role::identifier) << name;
}

TEST(ColumnRoles, ANameOfGroupsIsNoIdentifier) {
  EXPECT_EQ(suggest_role("ward_id", summary(12), {}, 10'000).role, Role::quasi);
  EXPECT_EQ(suggest_role("ward_id", summary(12), {}, 100).role, Role::identifier) << "hardly more than their number";
}

TEST(ColumnRoles, CellsTellWhatNamesHide) {
  EXPECT_TRUE(why("contact", column_of({"a@example.org", "none", "b@example.com"})));
  EXPECT_TRUE(why("city", column_of({"11010519491231002X", "x", "440524188001010014"}))) << "whatever the name says";
  EXPECT_TRUE(why("x", column_of({"13812345678", "15900001111", "x"})));
  EXPECT_TRUE(why("x", column_of({"+49 30 1234567", "030 7654321"})));
  EXPECT_TRUE(why("x", column_of({"4111 1111 1111 1111", "5500000000000004"})));
  EXPECT_TRUE(why("x", column_of({"DE89 3704 0044 0532 0130 00", "GB82WEST12345698765432"})));
  EXPECT_TRUE(why("x", column_of({"123-45-6789", "987-65-4321"})));
  EXPECT_TRUE(why("who", column_of(numbers(30, [](int i) {
                    return "Anna Berg" + std::string(1, char('a' + i % 26)) + std::string(i / 26, 'n');
                  }))));
  const std::vector<std::string> given = {"伟", "芳", "娜", "敏", "静", "丽", "强", "磊", "军", "洋", "勇", "艳"};
  std::vector<std::string> people;
  for (const std::string& name : given)
    for (const char* family : {"王", "李", "张"}) people.push_back(family + name);
  EXPECT_TRUE(why("负责人", column_of(people)));
}

TEST(ColumnRoles, AWrongCheckDigitIsNoIdentityCard) {
  EXPECT_FALSE(why("x", column_of({"110105194912310021", "440524188001010015"})));
  EXPECT_FALSE(why("x", column_of({"DE88 3704 0044 0532 0130 00", "GB83WEST12345698765432"})));
}

TEST(ColumnRoles, NumbersOfRecordsAreToldFromAmounts) {
  EXPECT_TRUE(why("x", column_of(numbers(50, [](int i) { return std::to_string(1000 + i); })))) << "counted through";
  EXPECT_TRUE(why("x", column_of(numbers(50, [](int i) { return std::to_string(20'240'000 + 7919 * i); }))));
  EXPECT_FALSE(why("x", column_of(numbers(50, [](int i) { return std::to_string(100 + i * i * 37); })))) << "amounts";
  EXPECT_FALSE(why("x", column_of(numbers(50, [](int i) { return std::to_string(i) + ".5"; }))));
}

TEST(ColumnRoles, IdentifiersAreKnownHoweverTheyAreWritten) {
  EXPECT_TRUE(why("x", column_of({"13812345678.0", "15900001111.0"}))) << "a program took it for a number";
  EXPECT_TRUE(why("x", column_of({"212-555-0123", "646-555-0199", "1-415-555-0111"})));
  EXPECT_TRUE(why("x", column_of({"212.555.0123", "646.555.0199"})));
  EXPECT_FALSE(why("x", column_of({"12-31-1999", "11-30-1998"})));
  EXPECT_TRUE(why("x", column_of(numbers(50, [](int i) { return std::to_string(100'003 + 17'389 * i); }))));
  EXPECT_TRUE(why("x", column_of(numbers(50, [](int i) { return std::to_string(1'000'003 + 173'891 * i); }))));
}

TEST(ColumnRoles, AddressesAreKnownInTheirWrappings) {
  EXPECT_EQ(why("x", column_of({"Bob <a@b.org>", "\"Ann B\" <ann@example.org>"})), "its cells are e-mail addresses");
  EXPECT_EQ(why("x", column_of({"mailto:a@b.org", "MAILTO:c@d.org"})), "its cells are e-mail addresses");
  EXPECT_EQ(why("x", column_of({"tel:+49301234567", "Tel:030 1234567"})), "its cells are telephone numbers");
  EXPECT_EQ(why("x", column_of({"1.38e+10", "1.39E+10", "1.5912345678e10"})), "its cells are telephone numbers");
  EXPECT_EQ(why("x", column_of({"192.168.1.7", "10.0.0.255", "2001:db8::1"})), "its cells are IP addresses");
  EXPECT_FALSE(why("x", column_of({"1.5e-3", "2e+5", "1e5e5", "e+10", "1.2.3e9"})));
  EXPECT_FALSE(why("x", column_of({"12:30:45", "1.2.3", "300.1.1.1"})));
  EXPECT_FALSE(why("pressure", column_of({"120/80", "135/90", "118/76", "140/95", "125/85"})));
}

TEST(ColumnRoles, NamesAreKnownInSmallLettersAndWithoutGivenOnes) {
  EXPECT_TRUE(why("who", column_of({"anna berg", "peter klein"})));
  EXPECT_FALSE(why("what", column_of({"high speed", "low speed"})));
  const std::vector<std::string> rare = {"Zorica Ilic", "Bao Nguyen",  "Aoife Byrne",
                                         "Njeri Kamau", "Sanna Virta", "Ilze Ozola"};
  EXPECT_EQ(why("who", column_of(rare)), "its cells are names of people") << "six of them, all different";
  EXPECT_FALSE(why("city", column_of(rare))) << "a place may be called like that";
}

TEST(ColumnRoles, NamesOfThingsAndPlacesAreNone) {
  EXPECT_FALSE(why("城市", column_of({"石家庄", "金华", "江门", "万宁"})));
  EXPECT_TRUE(why("负责人", column_of({"石家明", "金华", "江山", "万宁"})));
  EXPECT_EQ(role_of("product_name", 60), Role::quasi);
  EXPECT_EQ(role_of("first_name", 60), Role::identifier);
}

TEST(ColumnRoles, NamesAreKnownInSmallTablesAndOnSeveralRows) {
  EXPECT_TRUE(why("who", column_of({"Anna Berg", "Peter Klein", "Maria Sanchez"})));
  EXPECT_TRUE(why("who", column_of({"Berg, Anna", "Klein, Peter"})));
  EXPECT_TRUE(why("who", column_of({"Wang Wei", "Zhang Min", "Liu Yang"})));
  EXPECT_TRUE(why("who", column_of({"王伟", "李娜", "张敏"})));
  IdentifierEvidence visits;
  for (const char* name : {"Anna Berg", "Peter Klein", "Maria Sanchez"}) visits.see(name, 12);
  EXPECT_TRUE(why_identifier("who", summary(3), visits, 36));
  IdentifierEvidence groups;
  for (const char* name : {"Anna Ward", "Peter House"}) groups.see(name, 5'000);
  EXPECT_FALSE(why_identifier("house", summary(2), groups, 10'000)) << "thousands of rows each";
}

TEST(ColumnRoles, WordsOfAnIdentifierAreFoundWhenWrittenTogether) {
  for (const char* name : {"userid", "patientid", "PatientId", "recordno", "nhs_number", "customernumber", "病案号",
                           "医保号", "门诊号", "numero dossier"})
    EXPECT_EQ(role_of(name, 60), Role::identifier) << name;
  EXPECT_EQ(role_of("covid", 60), Role::quasi);
  EXPECT_EQ(role_of("casino", 60), Role::quasi);
}

TEST(ColumnRoles, ColumnsAboutAnIdentifierAreNone) {
  for (const char* name : {"email_opt_in", "phone_type", "has_phone", "num_card_payments", "mobile"})
    EXPECT_NE(role_of(name, 2), Role::identifier) << name;
  EXPECT_EQ(role_of("phone_type", 4), Role::quasi);
  EXPECT_EQ(role_of("phone", 4), Role::identifier);
  EXPECT_EQ(role_of("phone_type", 80), Role::identifier) << "these are no types";
}

TEST(ColumnRoles, PlacesAreNoNamesOfPeople) {
  EXPECT_FALSE(why("x", column_of({"New York", "Los Angeles", "San Diego", "United Kingdom"}))) << "few of them";
  EXPECT_FALSE(why("x", column_of({"北京市", "上海市", "成都", "西安"})));
  std::vector<std::string> fruits;
  for (const char* first : {"苹", "香", "橘", "葡", "樱"})
    for (const char* second : {"果", "蕉", "子", "萄", "桃"}) fruits.push_back(std::string(first) + second);
  EXPECT_EQ(why("商品", column_of(fruits)), "nearly every row has a value of its own") << "no surnames";
}

// In a release suppressed cells are `*`: they neither hide identifiers nor make identifiers of amounts.
TEST(ColumnRoles, SuppressedCellsSayNothing) {
  table::ColumnSummary mails = column_of(numbers(30, [](int i) { return fmt::format("a{}@example.org", i); }));
  IdentifierEvidence evidence;
  for (const std::string& value : mails.dictionary->values) evidence.see(value, 1);
  evidence.see("*", 300);
  mails.distinct += 1;
  EXPECT_EQ(why_identifier("x", mails, evidence, 330), "its cells are e-mail addresses");
  table::ColumnSummary amounts = column_of(numbers(60, [](int i) { return fmt::format("{}.25", i * i * 7); }));
  IdentifierEvidence sums;
  for (const std::string& value : amounts.dictionary->values) sums.see(value, 1);
  sums.see("*", 3);
  amounts.distinct += 1;
  amounts.type = table::ColumnType::text;
  EXPECT_EQ(why_identifier("amount", amounts, sums, 63), std::nullopt);
}

TEST(ColumnRoles, AvailabilityFollowsTheKindOfColumn) {
  EXPECT_EQ(default_availability("education", Role::quasi), 5);
  EXPECT_EQ(default_availability("country", Role::quasi), 2);
  EXPECT_EQ(default_availability("x", Role::quasi), 2);
  EXPECT_EQ(default_availability("x", Role::sensitive), 1);
}

}  // namespace column_roles_test
}  // namespace gauze::anonymize
