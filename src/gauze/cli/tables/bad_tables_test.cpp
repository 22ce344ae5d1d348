// Input that is not as it should be: what the commands on tables answer, and that nothing is left behind.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/cli/core/table_testing.h"

namespace gauze::cli {
namespace bad_tables_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

/// Runs a refused command with --json: the code of the error, which is alone on stdout.
std::string refused(std::vector<std::string> args, int status, std::string* message = nullptr) {
  args.emplace_back("--json");
  const Ran ran = run(args);
  EXPECT_EQ(ran.status, status) << ran.out << ran.err;
  const Json json = json_of(ran);
  if (message != nullptr) *message = at(json, {"error", "message"});
  EXPECT_THAT(ran.err, Not(HasSubstr("error")));
  return at(json, {"error", "code"});
}

class BadTables : public ::testing::Test {
 protected:
  std::string message_;
  Folder folder_;
  std::string people_ = folder_.write("people.csv", kPeople);
  std::string out_ = folder_ / "out.csv";

  std::string anonymize(const std::vector<std::string>& flags, int status) {
    std::vector<std::string> args = {"anonymize", people_, "-o", out_, "--keep-order"};
    args.insert(args.end(), flags.begin(), flags.end());
    const std::string code = refused(args, status, &message_);
    EXPECT_FALSE(folder_.has("out.csv"));
    EXPECT_FALSE(folder_.has("out.csv.label.json"));
    return code;
  }
};

TEST_F(BadTables, QuasiIdentifiersMustBeNamedAndBeThere) {
  EXPECT_EQ(anonymize({"--k", "2"}, 2), "invalid_parameter");
  EXPECT_THAT(message_, HasSubstr("--quasi"));
  EXPECT_EQ(anonymize({"--k", "2", "--quasi", "age,zop"}, 2), "unknown_column");
  EXPECT_THAT(message_, HasSubstr("did you mean 'zip'?"));
  EXPECT_EQ(anonymize({"--k", "2", "--quasi", "age,,zip"}, 2), "invalid_parameter");
  EXPECT_EQ(refused({"check", people_}, 2), "invalid_parameter");
  EXPECT_EQ(refused({"check", people_, "--quasi", "agee"}, 2), "unknown_column");
  EXPECT_EQ(refused({"inspect", people_, "--target", "nothing"}, 2), "unknown_column");
  EXPECT_EQ(refused({"inspect", people_, "--availability", "nothing=3"}, 2), "unknown_column");
}

TEST_F(BadTables, ServersAreRefusedByTheirScheme) {
  for (const std::string server : {"postgresql://ann:secret@host/db?table=t", "clickhouse://host/db?table=t"}) {
    people_ = server;
    EXPECT_EQ(anonymize({"--quasi", "age", "--k", "2"}, 3), "unsupported");
    EXPECT_THAT(message_, HasSubstr("reads files"));
    EXPECT_THAT(message_, Not(HasSubstr("secret")));
    EXPECT_EQ(refused({"check", server, "--quasi", "age", "--k", "2"}, 3), "unsupported");
    EXPECT_EQ(refused({"inspect", server}, 3), "unsupported");
  }
}

TEST_F(BadTables, FiguresOutOfRangeAreRefused) {
  const std::vector<std::vector<std::string>> wrong = {{"--k", "0"},
                                                       {"--k", "-1"},
                                                       {"--k", "2.5"},
                                                       {"--k", "2", "--suppression", "1.1"},
                                                       {"--k", "2", "--suppression", "-0.1"},
                                                       {"--k", "2", "--l-diversity", "illness:distinct:0"},
                                                       {"--k", "2", "--l-diversity", "illness:distinct"},
                                                       {"--k", "2", "--t-closeness", "illness:equal:2"},
                                                       {"--k", "2", "--beta-likeness", "illness:enhanced:0"},
                                                       {"--k", "2", "--delta-disclosure", "illness:-1"},
                                                       {"--k", "2", "--weight", "age=0"},
                                                       {"--k", "2", "--weight", "sex=2"},
                                                       {"--k", "2", "--time-limit", "0"},
                                                       {"--k", "2", "--pseudonym", "guest"},
                                                       {"--k", "2", "--k-map", "3"},
                                                       {"--k", "2", "--sensitive", "age"}};
  for (const auto& flags : wrong) {
    std::vector<std::string> all = {"--quasi", "age,zip"};
    all.insert(all.end(), flags.begin(), flags.end());
    anonymize(all, 2);
  }
}

TEST_F(BadTables, SomethingMustBeAskedFor) {
  EXPECT_EQ(anonymize({"--quasi", "age,zip"}, 2), "usage");
  EXPECT_THAT(message_, HasSubstr("--k 5"));
}

TEST_F(BadTables, MoreThanTheTableHasIsInfeasible) {
  EXPECT_EQ(anonymize({"--quasi", "age", "--k", "17"}, 3), "infeasible");
  EXPECT_EQ(anonymize({"--quasi", "age", "--k", "2", "--l-diversity", "illness:distinct:4"}, 3), "infeasible");
  for (const char* search : {"local", "mondrian"})
    EXPECT_EQ(anonymize({"--quasi", "age", "--k", "17", "--search", search}, 3), "infeasible");
}

TEST_F(BadTables, PolicyAndFlagsDoNotMix) {
  const std::string policy = folder_.write("p.yaml", "version: 1\ncolumns: {age: {role: quasi}}\nprivacy: {k: 2}\n");
  EXPECT_EQ(anonymize({"--policy", policy, "--k", "3"}, 2), "usage");
  EXPECT_EQ(anonymize({"--policy", folder_ / "absent.yaml"}, 1), "io");
  const std::string wrong = folder_.write("w.yaml", "version: 1\ncolumns: {age: {role: quasi}}\nprivcy: {k: 2}\n");
  EXPECT_EQ(anonymize({"--policy", wrong}, 2), "invalid_parameter");
  EXPECT_THAT(message_, HasSubstr(":3: "));
}

TEST_F(BadTables, EmptyAndUnreadableFiles) {
  people_ = folder_.write("empty.csv", "");
  EXPECT_EQ(anonymize({"--quasi", "age", "--k", "2"}, 1), "bad_data");
  people_ = folder_.write("header.csv", "age,zip\n");
  EXPECT_EQ(anonymize({"--quasi", "age", "--k", "2"}, 1), "bad_data");
  EXPECT_THAT(message_, HasSubstr("no rows"));
  EXPECT_EQ(run({"check", people_, "--quasi", "age", "--k", "2"}).status, 0);  // nobody is there to be found
  EXPECT_EQ(refused({"hierarchy", "build", people_, "--column", "age", "-o", folder_ / "h.csv"}, 1), "bad_data");
  people_ = folder_ / "absent.csv";
  EXPECT_EQ(anonymize({"--quasi", "age", "--k", "2"}, 1), "io");
  people_ = folder_.write("broken.parquet", "PAR1 this is no Parquet file");
  EXPECT_EQ(anonymize({"--quasi", "age", "--k", "2"}, 1), "bad_data");
  EXPECT_EQ(refused({"inspect", people_}, 1), "bad_data");
}

TEST_F(BadTables, BrokenHierarchiesAreRefusedByNameAndLine) {
  const auto with = [&](std::string_view text) {
    anonymize({"--quasi", "sex", "--k", "2", "--hierarchy", "sex=" + folder_.write("sex.csv", text)}, 1);
    return message_;
  };
  EXPECT_EQ(with("F;a;*\nM;a\n"), "hierarchy 'sex': line 2 has 2 levels, the lines before it have 3");
  EXPECT_EQ(with("F;*\nM;*\nF;*\n"), "hierarchy 'sex': line 3: the ground value of line 1 is listed again");
  EXPECT_THAT(with("F;a;x\nM;a;y\n"), HasSubstr("levels are not nested"));
  EXPECT_THAT(with(""), HasSubstr("has no lines"));
  EXPECT_THAT(with("F;*\n"), HasSubstr("misses 1 of the 2 values"));
  EXPECT_THAT(message_, HasSubstr("gauze hierarchy check"));
  anonymize({"--quasi", "sex", "--k", "2", "--hierarchy", "sex=" + (folder_ / "absent.csv")}, 1);
  anonymize({"--quasi", "sex", "--k", "2", "--hierarchy", "age=" + (folder_ / "sex.csv")}, 2);
  anonymize({"--quasi", "sex", "--k", "2", "--hierarchy", "sex.csv"}, 2);
}

TEST_F(BadTables, OutputsThatCannotBeWritten) {
  EXPECT_EQ(anonymize({"--quasi", "age", "--k", "2", "--write-policy", folder_ / "absent/p.yaml"}, 1), "io");
  out_ = folder_ / "absent/out.csv";
  EXPECT_EQ(anonymize({"--quasi", "age", "--k", "2"}, 1), "io");
  out_ = folder_ / ".";
  EXPECT_EQ(anonymize({"--quasi", "age", "--k", "2"}, 1), "io");
  EXPECT_THAT(message_, HasSubstr("folder"));
  EXPECT_THAT(folder_.list(), ElementsAre("people.csv"));
}

TEST_F(BadTables, OutputIntoAFolderWithoutPermission) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  std::filesystem::create_directory(folder_ / "locked");
  std::filesystem::permissions(folder_ / "locked", std::filesystem::perms::owner_read);
  out_ = folder_ / "locked/out.csv";
  EXPECT_EQ(anonymize({"--quasi", "age", "--k", "2"}, 1), "io");
}

TEST_F(BadTables, AFailureLeavesTheOutputAsItWas) {
  folder_.write("out.csv", "precious\n");
  const Ran ran = run({"anonymize", people_, "--quasi", "age", "--k", "17", "-o", out_});
  EXPECT_EQ(ran.status, 3);
  EXPECT_EQ(folder_.read("out.csv"), "precious\n");
  EXPECT_THAT(folder_.list(), ElementsAre("out.csv", "people.csv"));
}

TEST_F(BadTables, JsonAndRowsCannotShareTheStandardOutput) {
  EXPECT_EQ(refused({"anonymize", people_, "--quasi", "age", "--k", "2", "-o", "-"}, 2), "usage");
  EXPECT_EQ(refused({"hierarchy", "build", people_, "--column", "age", "-o", "-"}, 2), "usage");
}

TEST_F(BadTables, MessagesNeverQuoteCells) {
  const std::string broken = folder_.write("cells.csv", "age,zip\nSECRETCELL,1\nx,\"SECRETQUOTE\n");
  for (const auto& args :
       std::vector<std::vector<std::string>>{{"inspect", broken},
                                             {"check", broken, "--quasi", "age"},
                                             {"anonymize", broken, "--quasi", "age", "--k", "2", "-o", out_}}) {
    const Ran ran = run(args);
    EXPECT_THAT(ran.err, Not(HasSubstr("SECRET")));
  }
}

TEST_F(BadTables, AFileWithoutHeaderNeedsNames) {
  std::string text;
  for (int i = 0; i < 30; ++i)
    text += fmt::format("{}, Private, {}, <=50K\n", 20 + i % 5, i % 2 == 0 ? "Male" : "Female");
  people_ = folder_.write("adult.data", text);
  EXPECT_EQ(anonymize({"--quasi", "age,sex", "--k", "2"}, 2), "unknown_column");
  EXPECT_THAT(message_, HasSubstr("--names"));
  const Ran ran = run({"anonymize", people_, "--no-header", "--names", "age,work,sex,income", "--quasi", "age,sex",
                       "--k", "3", "-o", out_});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(lines_of(folder_.read("out.csv")).size(), 31U);
  EXPECT_EQ(lines_of(folder_.read("out.csv")).front(), "age,work,sex,income");
}

TEST_F(BadTables, QuotesThatDoNotFitAreRefusedUntilItIsSaidThatThereAreNone) {
  people_ = folder_.write("people.csv", "age,note\n30,\"a\" b\n30,\"c\n30,d\n");
  for (const char* command : {"inspect", "check"}) {
    std::vector<std::string> args = {command, people_};
    if (args[0] == "check") args.insert(args.end(), {"--quasi", "age", "--k", "2"});
    const Ran refused_one = run(args);
    EXPECT_EQ(refused_one.status, 1) << command;
    EXPECT_THAT(refused_one.err, HasSubstr("--quote"));
    args.insert(args.end(), {"--quote", "none"});
    EXPECT_EQ(run(args).status, 0) << command;
  }
}

TEST_F(BadTables, TooManyColumns) {
  std::string names = "c0";
  for (int i = 1; i <= 20'000; ++i) names += ",c" + std::to_string(i);
  const Ran ran = run({"inspect", folder_.write("wide.csv", names + "\n" + names + "\n")});
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.err, HasSubstr("20001 columns"));
}

TEST_F(BadTables, FiveThousandColumns) {
  std::string text;
  for (int column = 0; column < 5000; ++column) text += fmt::format("{}c{}", column == 0 ? "" : ",", column);
  for (int row = 0; row < 12; ++row)
    for (int column = 0; column < 5000; ++column)
      text += fmt::format("{}{}", column == 0 ? "\n" : ",", row * column % 3);
  people_ = folder_.write("wide.csv", text + "\n");
  const Ran ran = run({"anonymize", people_, "--quasi", "c1,c4999", "--k", "4", "-o", out_, "--json"});
  EXPECT_EQ(ran.status, 0) << ran.out;
  EXPECT_EQ(lines_of(folder_.read("out.csv")).size(), 13U);
  const Ran inspected = run({"inspect", people_});
  EXPECT_EQ(inspected.status, 0) << inspected.err;
  EXPECT_THAT(inspected.out, HasSubstr("5000 columns"));
  EXPECT_LT(lines_of(inspected.out).size(), 450U) << "two lines a column for the first 200";
}

TEST_F(BadTables, DamagedUtf8IsRefusedWithItsLine) {
  const std::string file = folder_.write("damaged.csv", "age,city\n30,Z\xC3\xBCrich\n30,K\xFCln\n");
  const Ran refused = run({"anonymize", file, "--quasi", "age", "--k", "2", "-o", out_});
  EXPECT_EQ(refused.status, 1);
  EXPECT_THAT(refused.err, HasSubstr("UTF-8 but for bytes such as those in line 3"));
  EXPECT_THAT(refused.err, HasSubstr("--encoding"));
  EXPECT_EQ(run({"anonymize", file, "--quasi", "age", "--k", "2", "-o", out_, "--encoding", "latin-1"}).status, 0);
}

TEST_F(BadTables, ChineseInUtf8AndGb18030) {
  std::string text = "年龄,城市,病\n";
  for (int i = 0; i < 24; ++i)
    text += fmt::format("{},{},{}\n", 20 + i % 4, i % 3 == 0 ? "北京" : "上海", i % 2 == 0 ? "流感" : "哮喘");
  const std::vector<std::string> rest = {"--quasi",       "年龄,城市", "--k", "2",  "--l-diversity", "病:distinct:2",
                                         "--suppression", "0.5",       "-o",  out_, "--json"};
  std::vector<std::string> outputs;
  for (const std::string& file : {folder_.write("utf8.csv", text), folder_.write("gb.csv", encoded(text, "GB18030")),
                                  folder_.write("bom.csv", "\xEF\xBB\xBF" + text)}) {
    std::vector<std::string> args = {"anonymize", file, "--keep-order"};
    args.insert(args.end(), rest.begin(), rest.end());
    const Ran ran = run(args);
    ASSERT_EQ(ran.status, 0) << ran.out;
    const Json json = json_of(ran);
    EXPECT_THAT(keys_of(*json.find("levels")), ElementsAre("城市", "年龄"));
    outputs.push_back(folder_.read("out.csv"));
  }
  EXPECT_EQ(outputs[1], encoded(outputs[0], "GB18030")) << "each in the encoding it came in";
  EXPECT_EQ(outputs[2], "\xEF\xBB\xBF" + outputs[0]);
  EXPECT_TRUE(outputs[0].starts_with("年龄,城市,病\n"));
}

TEST_F(BadTables, WindowsLineEnds) {
  std::string crlf = kPeople;
  for (std::size_t at = 0; (at = crlf.find('\n', at)) != std::string::npos; at += 2) crlf.replace(at, 1, "\r\n");
  const std::vector<std::string> rest = {"--quasi", "age,zip", "--k", "2", "-o", out_};
  std::vector<std::string> outputs;
  for (const std::string& file : {people_, folder_.write("crlf.csv", crlf)}) {
    std::vector<std::string> args = {"anonymize", file, "--keep-order"};
    args.insert(args.end(), rest.begin(), rest.end());
    const Ran ran = run(args);
    ASSERT_EQ(ran.status, 0) << ran.err;
    std::string output = folder_.read("out.csv");
    std::erase(output, '\r');
    outputs.push_back(output);
  }
  EXPECT_EQ(outputs[0], outputs[1]);
}

}  // namespace bad_tables_test
}  // namespace gauze::cli
