// check and anonymize on cells that a spreadsheet would run.
#include <gmock/gmock.h>

#include "gauze/cli/core/table_testing.h"

namespace gauze::cli {
namespace spreadsheet_cells_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

/// Six people; two columns hold formulas, one negative numbers.
const std::string kRisky =
    "age,sex,note,change\n"
    "34,F,\"=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\",-5\n"
    "34,F,fine,+3.2\n"
    "34,F,@SUM(A1),-1\n"
    "51,+M,good,2\n"
    "51,+M,so,-2.5\n"
    "51,+M,-cmd,0\n";

class SpreadsheetCells : public ::testing::Test {
 protected:
  Ran anonymize(const std::vector<std::string>& more) {
    std::vector<std::string> line = {"anonymize", input_,   "--quasi",  "age", "--k",
                                     "3",         "--keep", "sex,note", "-o",  out_};
    line.insert(line.end(), more.begin(), more.end());
    return run(line);
  }

  Folder folder_;
  const std::string input_ = folder_.write("risky.csv", kRisky);
  const std::string out_ = folder_ / "out.csv";
};

TEST_F(SpreadsheetCells, AreToldByCheckWithTheirColumns) {
  const Ran ran = run({"check", input_, "--quasi", "age", "--k", "3", "--json"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(at(json_of(ran), {"warnings", "0", "code"}), "formula_cells");
  EXPECT_THAT(at(json_of(ran), {"warnings", "0", "message"}), HasSubstr("cells of 'sex', 'note' as formulas"));
  EXPECT_THAT(ran.err, HasSubstr("spreadsheet-safe"));
  EXPECT_THAT(ran.err, Not(HasSubstr("HYPERLINK")));
  folder_.write("plain.csv", kPeople);
  EXPECT_EQ(at(json_of(run({"check", folder_ / "plain.csv", "--quasi", "age", "--keep", "guest,zip,sex", "--json"})),
               {"warnings"}),
            "[]");
}

TEST_F(SpreadsheetCells, AreToldByAnonymizeAndLeftAsTheyAre) {
  const Ran ran = anonymize({"--json"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(at(json_of(ran), {"warnings", "0", "message"}), HasSubstr("'sex', 'note'"));
  EXPECT_EQ(at(json_of(ran), {"label", "parameters", "spreadsheet_safe"}), "(absent)");
  EXPECT_EQ(sorted(lines_of(folder_.read("out.csv"))), sorted(lines_of(kRisky)));
}

TEST_F(SpreadsheetCells, AreWrittenAsTextWhenThatIsAskedFor) {
  const Ran ran = anonymize({"--spreadsheet-safe", "--json"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(at(json_of(ran), {"warnings"}), "[]");
  EXPECT_THAT(at(json_of(ran), {"label", "parameters", "spreadsheet_safe"}), HasSubstr("apostrophe"));
  EXPECT_EQ(sorted(lines_of(folder_.read("out.csv"))),
            sorted({"age,sex,note,change", "34,F,\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\",-5", "34,F,fine,+3.2",
                    "34,F,'@SUM(A1),-1", "51,'+M,good,2", "51,'+M,so,-2.5", "51,'+M,'-cmd,0"}));
  EXPECT_EQ(at(json_of(run({"check", out_, "--quasi", "age", "--keep", "sex,note", "--json"})), {"warnings"}), "[]");
  EXPECT_EQ(run({"label", "check", out_}).status, 0);
}

TEST_F(SpreadsheetCells, AreWrittenAsTextsThatNoOtherCellIs) {
  const std::string twins = folder_.write("twins.csv", "age,ill\n34,=1\n34,'=1\n51,=1\n51,'=1\n");
  const std::vector<std::string> criteria = {"--quasi", "age", "--k", "2", "--l-diversity", "ill:distinct:2"};
  std::vector<std::string> line = {"anonymize", twins, "--spreadsheet-safe", "-o", out_};
  line.insert(line.end(), criteria.begin(), criteria.end());
  ASSERT_EQ(run(line).status, 0);
  EXPECT_EQ(sorted(lines_of(folder_.read("out.csv"))), sorted({"age,ill", "34,'=1", "34,''=1", "51,'=1", "51,''=1"}));
  line = {"check", out_};
  line.insert(line.end(), criteria.begin(), criteria.end());
  EXPECT_EQ(run(line).status, 0);
}

TEST_F(SpreadsheetCells, AreWrittenAsTextInParquetToo) {
  const std::string parquet = folder_ / "out.parquet";
  EXPECT_EQ(run({"anonymize", input_, "--quasi", "age", "--k", "3", "--spreadsheet-safe", "-o", parquet}).status, 0);
  const Ran ran = run({"check", parquet, "--quasi", "age", "--keep", "sex,note", "--json"});
  EXPECT_EQ(at(json_of(ran), {"warnings"}), "[]") << ran.err;
  EXPECT_EQ(run({"anonymize", input_, "--quasi", "age", "--k", "3", "-o", parquet}).status, 0);
  EXPECT_THAT(at(json_of(run({"check", parquet, "--quasi", "age", "--json"})), {"warnings", "0", "message"}),
              HasSubstr("'sex', 'note'"));
}

TEST_F(SpreadsheetCells, AColumnThatIsDroppedOrGeneralisedIsNoWarning) {
  const Ran ran =
      run({"anonymize", input_, "--quasi", "age,sex", "--hierarchy",
           "sex=" + folder_.write("sex.csv", "F,any\n+M,any\n"), "--k", "6", "--drop", "note", "-o", out_, "--json"});
  EXPECT_EQ(ran.status, 0) << ran.err << ran.out;
  EXPECT_EQ(at(json_of(ran), {"warnings"}), "[]");
}

TEST_F(SpreadsheetCells, NamesOfColumnsThatWouldRunAreRefused) {
  const std::string named = folder_.write("named.csv", "age,=cmd\n34,a\n34,b\n34,c\n");
  const Ran ran = run({"anonymize", named, "--quasi", "age", "--k", "3", "--spreadsheet-safe", "-o", out_});
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, HasSubstr("name of the column '=cmd'"));
  EXPECT_FALSE(folder_.has("out.csv"));
}

}  // namespace spreadsheet_cells_test
}  // namespace gauze::cli
