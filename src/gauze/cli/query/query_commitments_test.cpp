#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/cli/core/cli_testing.h"
#include "gauze/files/json_reader.h"
#include "gauze/files/sha256.h"
#include "gauze/files/testing/folder.h"

namespace gauze::cli {
namespace query_commitments_test {

using ::testing::HasSubstr;
using ::testing::Not;

class QueryCommitments : public ::testing::Test {
 protected:
  void SetUp() override {
    const Ran created = run({"ledger", "create", "shop", "--ledger", ledger_, "--epsilon", "100", "--unit",
                             "one person", "--neighbours", "add-remove"});
    ASSERT_EQ(created.status, 0) << created.err;
  }
  Ran query(std::vector<std::string> flags) {
    std::vector<std::string> args{
        "query",     "SELECT name, COUNT(*) FROM visits JOIN towns ON t = town GROUP BY name",
        "--schema",  schema_,
        "--epsilon", "1",
        "-o",        out_};
    args.insert(args.end(), flags.begin(), flags.end());
    return run(args);
  }
  Ran open(std::vector<std::string> inputs) {
    std::vector<std::string> args{"label", "open", out_, "--ledger", ledger_};
    args.insert(args.end(), inputs.begin(), inputs.end());
    return run(args);
  }
  [[nodiscard]] Json label() const { return read_json(folder_.read("out.csv.label.json")).value(); }

  Folder folder_;
  std::string ledger_ = folder_ / "l.ledger";
  std::string out_ = folder_ / "out.csv";
  std::string first_ = folder_.write("visits-1.csv", "p,town\n1,1\n2,1\n");
  std::string second_ = folder_.write("visits-2.csv", "p,town\n1,2\n3,2\n");
  std::string towns_ = folder_.write("towns.csv", "t,name\n1,Kiel\n2,上海\n");
  std::string schema_ = folder_.write(
      "schema.yaml",
      "version: 1\nunit: {name: one person, table: visits, key: p}\nlimits: {groups: 1, rows: 2}\ntables:\n"
      "  visits:\n    source: visits-*.csv\n    unit: {column: p}\n    columns: {p: {type: integer}, town: {type: integer}}\n"
      "  towns:\n    public: true\n    source: towns.csv\n    key: [t]\n    columns: {t: {type: integer}, name: {type: text}}\n"
      "provenance: {bounds: public, values: public, limits: public}\n");
};

TEST_F(QueryCommitments, BindPrivateFilesWhereAskedTo) {
  const Ran ran = query({"--ledger", ledger_, "--dataset", "shop", "--commit-inputs"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json label = this->label();
  ASSERT_NE(label.find("commitments")->find("inputs"), nullptr);
  EXPECT_EQ(label.find("commitments")->find("inputs")->members()->size(), 1U) << "towns is public";
  EXPECT_THAT(label.find("does_not_cover")->dump(), Not(HasSubstr("which bytes")));
  EXPECT_THAT(run({"label", "show", out_}).out, HasSubstr("inputs (visits) and the policy"));
  const Ran opened = open({"visits=" + (folder_ / "visits-*.csv"), "--policy", schema_, "--json"});
  EXPECT_EQ(opened.status, 0) << opened.out;
  EXPECT_THAT(opened.out, HasSubstr("\"inputs\":{\"visits\":"));
  const Ran other = open({"visits=" + first_, "--json"});
  EXPECT_EQ(other.status, 1);
  EXPECT_THAT(other.out, HasSubstr("\"opens\":false"));
  EXPECT_EQ(open({"visits=" + (folder_ / "visits-*.csv"), "--policy", towns_}).status, 1);
  for (const std::string& wrong : {first_, "towns=" + towns_, std::string("visits")}) {
    const Ran refused = open({wrong});
    EXPECT_EQ(refused.status, 2) << wrong;
    EXPECT_THAT(refused.err, HasSubstr("NAME=FILE for visits"));
  }
  folder_.write("visits-2.csv", "p,town\n1,2\n3,1\n");
  EXPECT_EQ(open({"visits=" + (folder_ / "visits-*.csv")}).status, 1) << "one cell is another";
}

TEST_F(QueryCommitments, BindTheQuestionAndPublicTablesAlways) {
  ASSERT_EQ(query({}).status, 0);
  const Json label = this->label();
  EXPECT_EQ(label.find("commitments"), nullptr) << "without a ledger there is no key";
  const Json& parameters = *label.find("parameters");
  EXPECT_EQ(parameters.find("public_tables")->find("towns")->text(), sha256_hex("t,name\n1,Kiel\n2,上海\n"));
  EXPECT_EQ(parameters.find("sql_sha256")->text(),
            sha256_hex("SELECT name, COUNT(*) FROM visits JOIN towns ON t = town GROUP BY name"));
  EXPECT_THAT(label.find("does_not_cover")->dump(), HasSubstr("which bytes of the private files"));
}

TEST_F(QueryCommitments, PlainTextGoesUnderNoPackedName) {
  out_ = folder_ / "out.csv.gz";
  const std::string before = run({"ledger", "show", "--ledger", ledger_, "--json"}).out;
  EXPECT_EQ(query({"--ledger", ledger_, "--dataset", "shop"}).status, 2);
  EXPECT_EQ(run({"ledger", "show", "--ledger", ledger_, "--json"}).out, before);
  EXPECT_EQ(run({"account", "gaussian", "--sigma", "2", "--target-epsilon", "1", "-o", out_}).status, 2);
}

TEST_F(QueryCommitments, NeedALedger) {
  const Ran ran = query({"--commit-inputs"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, HasSubstr("--ledger"));
}

TEST_F(QueryCommitments, OfOneInputStayAsTheyWere) {
  const Ran ran = query({"--ledger", ledger_, "--dataset", "shop"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Ran opened = open({first_});
  EXPECT_EQ(opened.status, 1);
  EXPECT_THAT(opened.err, HasSubstr("commits to no input"));
}

}  // namespace query_commitments_test
}  // namespace gauze::cli
