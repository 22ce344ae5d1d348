#include "gauze/anonymize/job/anonymized_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/files/testing/folder.h"
#include "gauze/table/testing/memory_table.h"

namespace gauze::anonymize {
namespace anonymized_table_test {

using namespace schema;  // the vocabulary of this file
using table::MemoryTable;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::vector<std::string> kNames = {"mail", "age", "town", "illness"};

MemoryTable::Rows people() {
  MemoryTable::Rows rows;
  for (int i = 0; i < 12; ++i)
    rows.push_back({fmt::format("p{}@example.org", i), i < 6 ? "31" : "52", i < 6 ? "Kiel" : "Bonn",
                    i % 2 == 0 ? "flu" : "asthma"});
  rows.push_back({"p12@example.org", "90", "Rome", "flu"});
  return rows;
}

Policy policy(IdentifierAction mail = IdentifierAction::drop) {
  Policy made;
  for (const char* name : {"age", "town"}) made.columns.push_back({.name = name, .roles = {Role::quasi}});
  made.columns.push_back({.name = "illness", .roles = {Role::sensitive}});
  made.columns.push_back({.name = "mail", .roles = {Role::identifier}, .action = mail});
  made.privacy.k = 3;
  made.search.suppression = Rational(1, 10);
  return made;
}

std::vector<std::string> codes(const std::vector<Warning>& warnings) {
  std::vector<std::string> all;
  for (const Warning& warning : warnings) all.push_back(warning.code);
  return all;
}

class AnonymizedTableTest : public ::testing::Test {
 protected:
  [[nodiscard]] tl::expected<AnonymizedTable, NotAnonymized> make(const Policy& by,
                                                                  const AnonymizedTable::Options& options = {},
                                                                  const table::TextForm& form = {}) {
    return AnonymizedTable::make(
        *made_of_, form,
        [](const std::string&, const table::ReadOptions&) -> Result<std::unique_ptr<table::Source>> {
          return make_error(ErrorCode::io, "there is no population");
        },
        by, options, progress_);
  }
  /// Another table in its place; results that were made of it are no good any more.
  void set_table(const std::vector<std::string>& names, const MemoryTable::Rows& rows) {
    made_of_ = std::make_unique<MemoryTable>(names, rows);
  }
  [[nodiscard]] std::string written(const AnonymizedTable& made) const { return made_of_->rewritten(made.rewrite()); }

  std::unique_ptr<MemoryTable> made_of_ = std::make_unique<MemoryTable>(kNames, people());
  Folder folder_;
  Progress progress_;
};

TEST_F(AnonymizedTableTest, IsAllThatIsNeededToWriteALabelledRelease) {
  const auto made = make(policy(), {.keep_order = true});
  ASSERT_TRUE(made) << made.error().message;
  const std::string text = written(*made);
  ASSERT_TRUE(made->check_written());
  EXPECT_THAT(text, HasSubstr("31,Kiel,flu\n31,Kiel,asthma\n"));
  EXPECT_THAT(text, HasSubstr("*,*,*\n")) << "the one from Rome";
  EXPECT_THAT(text, ::testing::Not(HasSubstr("@")));
  const PrivacyLabel& label = made->label();
  EXPECT_TRUE(label.check_rules());
  EXPECT_EQ(label.definition, Definition::k_anonymity);
  EXPECT_EQ(label.parameters.find("columns_unchanged")->dump(), R"(["illness"])");
  EXPECT_EQ(label.parameters.find("row_order")->text(), "that of the input");
  EXPECT_THAT(codes(made->warnings()), ElementsAre("order_kept"));
  EXPECT_EQ(made->result().recoding.suppressed, 1U);
}

TEST_F(AnonymizedTableTest, RowsAreShuffledUnlessTheirOrderIsKept) {
  const auto made = make(policy());
  ASSERT_TRUE(made);
  EXPECT_TRUE(made->rewrite().shuffle);
  EXPECT_EQ(made->label().parameters.find("row_order")->text(), "random");
  EXPECT_THAT(made->warnings(), IsEmpty());
  EXPECT_FALSE(make(policy(), {.keep_order = true})->rewrite().shuffle);
}

TEST_F(AnonymizedTableTest, RefusesAnIdentifierThatNobodyDecidedAbout) {
  Policy undecided = policy();
  undecided.columns.pop_back();
  undecided.privacy.k = 1;
  const auto refused = make(undecided);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::not_private);
  ASSERT_EQ(refused.error().undecided.size(), 1U);
  EXPECT_EQ(refused.error().undecided[0].name, "mail");
  EXPECT_THAT(refused.error().message, HasSubstr("'mail'"));
  EXPECT_THAT(codes(refused.error().warnings), ElementsAre("k_is_one"));
  const auto kept = make(policy(IdentifierAction::keep));
  ASSERT_TRUE(kept);
  EXPECT_THAT(codes(kept->warnings()), ElementsAre("identifier_kept"));
  EXPECT_EQ(kept->label().parameters.find("columns_unchanged")->dump(), R"(["mail","illness"])");
}

TEST_F(AnonymizedTableTest, APseudonymNeedsAKeyAndMakesOneForATableThatIsWritten) {
  Policy by = policy(IdentifierAction::pseudonym);
  EXPECT_THAT(make(by).error().message, HasSubstr("need a key file"));
  by.columns.back().key_file = folder_ / "key";
  by.privacy.k = 1000;
  ASSERT_FALSE(make(by));
  by.privacy.k = 3;
  ASSERT_FALSE(make(by, {.encoding = "klingon"}));
  EXPECT_FALSE(folder_.has("key")) << "nothing is going to be written";
  const auto made = make(by, {.keep_order = true});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->new_key_file(), folder_ / "key");
  EXPECT_TRUE(folder_.has("key"));
  EXPECT_EQ(made->label().parameters.find("columns_pseudonymous")->dump(), R"(["mail"])");
  const auto again = make(by, {.keep_order = true});
  EXPECT_EQ(again->new_key_file(), "");
  EXPECT_EQ(written(*again), written(*made)) << "the same key";
  by.columns[0].roles.push_back(Role::identifier);
  by.columns[0].action = IdentifierAction::pseudonym;
  by.columns[0].key_file = folder_ / "other";
  EXPECT_FALSE(make(by)) << "one key for a table";
}

TEST_F(AnonymizedTableTest, TheOutputIsEncodedAsTheInputWhereItCanBe) {
  const table::TextForm latin{.delimiter = ";", .encoding = table::Encoding::latin1, .crlf = true};
  const auto made = make(policy(), {}, latin);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->form().encoding, table::Encoding::latin1);
  EXPECT_EQ(made->form().delimiter, ";");
  EXPECT_TRUE(made->form().crlf);
  EXPECT_EQ(make(policy(), {.encoding = "utf-8"}, latin)->form().encoding, table::Encoding::utf8);
  MemoryTable::Rows rows = people();
  for (auto& row : rows) row[2] = "北京";
  set_table(kNames, rows);
  const auto other = make(policy(), {}, latin);
  ASSERT_TRUE(other);
  EXPECT_EQ(other->form().encoding, table::Encoding::utf8);
  EXPECT_THAT(codes(other->warnings()), ElementsAre("output_encoding"));
  EXPECT_EQ(make(policy(), {.encoding = "latin-1"}).error().code, ErrorCode::invalid_parameter);
}

TEST_F(AnonymizedTableTest, CellsThatASpreadsheetWouldRunAreToldOfOrMadeTexts) {
  MemoryTable::Rows rows = people();
  for (auto& row : rows) row[3] = row[3] == "flu" ? "=1+1" : "asthma";
  set_table(kNames, rows);
  const auto told = make(policy());
  ASSERT_TRUE(told);
  EXPECT_THAT(written(*told), HasSubstr(",=1+1"));
  EXPECT_THAT(codes(told->check_written().value()), ElementsAre("formula_cells"));
  const auto safe = make(policy(), {.spreadsheet_safe = true});
  EXPECT_THAT(written(*safe), HasSubstr(",'=1+1"));
  EXPECT_THAT(safe->check_written().value(), IsEmpty());
  EXPECT_NE(safe->label().parameters.find("spreadsheet_safe"), nullptr);
  std::vector<std::string> names = kNames;
  names[3] = "=illness";
  set_table(names, people());
  Policy by = policy();
  by.columns[2].name = "=illness";
  EXPECT_THAT(make(by, {.spreadsheet_safe = true}).error().message, HasSubstr("name of the column"));
}

TEST_F(AnonymizedTableTest, ATableThatChangedMeanwhileIsNotLetOut) {
  const auto made = make(policy());
  ASSERT_TRUE(made);
  MemoryTable::Rows more = people();
  more.push_back({"p13@example.org", "77", "Oslo", "flu"});
  static_cast<void>(MemoryTable(kNames, more).rewritten(made->rewrite()));
  const auto checked = made->check_written();
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().code, ErrorCode::io);
}

TEST_F(AnonymizedTableTest, SaysWhatSuppressionLeaves) {
  const auto kept = make(policy(), {.suppressed = SuppressedRows::keep});
  ASSERT_TRUE(kept) << kept.error().message;
  EXPECT_THAT(codes(kept->warnings()), ElementsAre("suppressed_rows_kept"));
  Policy all = policy();
  all.privacy.l_diversity = {{.column = "illness", .l = 3}};  // there are two
  all.search.suppression = Rational(1);
  const auto nothing = make(all);
  ASSERT_TRUE(nothing) << nothing.error().message;
  EXPECT_THAT(codes(nothing->warnings()), ElementsAre("all_suppressed"));
}

TEST_F(AnonymizedTableTest, ACompletedPolicyDecidesAboutEveryColumn) {
  Policy by = policy();
  by.columns.pop_back();
  by.provenance.k = Provenance::public_knowledge;
  const table::TextForm form{.delimiter = ";", .encoding = table::Encoding::latin1};
  const Policy all = completed_policy(by, *made_of_, form);
  ASSERT_NE(all.find("mail"), nullptr);
  EXPECT_EQ(all.find("mail")->action, IdentifierAction::keep);
  EXPECT_EQ(all.columns.size(), kNames.size());
  EXPECT_EQ(all.input.delimiter, ";");
  EXPECT_EQ(all.input.encoding, "latin-1");
  EXPECT_EQ(all.provenance.k, Policy().provenance.k);
  EXPECT_FALSE(completed_policy(by, *made_of_, {}).input.delimiter);
}

}  // namespace anonymized_table_test
}  // namespace gauze::anonymize
