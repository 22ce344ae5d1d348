// What `gauze anonymize` writes: rows, suppressed rows, pseudonyms, formats, the label.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "gauze/cli/core/table_testing.h"

namespace gauze::cli {
namespace anonymize_output_test {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') quoted = !quoted;
    if (c == ',' && !quoted)
      cells.emplace_back();
    else if (c != '"')
      cells.back() += c;
  }
  return cells;
}

/// Amounts with decimal commas, between semicolons.
std::string amounts() {
  std::string text = "amount;town\n";
  for (int i = 0; i < 24; ++i)
    text += fmt::format("{},{};{}\n", i < 12 ? std::to_string(i * 10) : fmt::format("1.{:03}", i), 5,
                        i % 2 == 0 ? "Kiel" : "Bonn");
  return text;
}

class AnonymizeOutput : public ::testing::Test {
 protected:
  Folder folder_;
  std::string people_ = folder_.write("people.csv", kPeople);
  std::string out_ = folder_ / "out.csv";

  Json done(const std::vector<std::string>& flags, const std::string& file = "") {
    std::vector<std::string> args = {"anonymize",   file.empty() ? people_ : file, "-o", out_, "--json",
                                     "--keep-order"};
    args.insert(args.end(), flags.begin(), flags.end());
    const Ran ran = run(args);
    EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
    return json_of(ran);
  }
  Json check(const std::vector<std::string>& flags, const std::string& file = "") {
    std::vector<std::string> args = {"check", file.empty() ? out_ : file, "--json"};
    args.insert(args.end(), flags.begin(), flags.end());
    const Ran ran = run(args);
    EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
    return json_of(ran);
  }
  /// The cells of a column, without the header.
  std::vector<std::string> cells(const std::string& name) {
    const auto lines = lines_of(folder_.read("out.csv"));
    const auto header = split(lines.at(0));
    const auto place = static_cast<std::size_t>(std::find(header.begin(), header.end(), name) - header.begin());
    std::vector<std::string> found;
    for (std::size_t i = 1; i < lines.size(); ++i) found.push_back(split(lines[i]).at(place));
    return found;
  }
};

TEST_F(AnonymizeOutput, DecimalCommasAreNumbersAndStayAsTheyWere) {
  const std::string file = folder_.write("amounts.csv", amounts());
  EXPECT_EQ(at(json_of(run({"inspect", file, "--json"})), {"columns", "0", "type"}), "number");
  EXPECT_THAT(run({"inspect", file}).out, HasSubstr("decimal comma"));
  done({"--quasi", "amount", "--k", "4", "--search", "mondrian", "--write-policy", folder_ / "p.yaml"}, file);
  const std::string text = folder_.read("out.csv");
  EXPECT_THAT(text, HasSubstr("[0,5; ")) << text;
  EXPECT_THAT(text, HasSubstr("1.023,5]")) << "by size, not by letters: " << text;
  EXPECT_THAT(folder_.read("p.yaml"), HasSubstr("decimal: \",\""));
  done({"--quasi", "amount", "--k", "4"}, file);
  EXPECT_THAT(folder_.read("out.csv"), HasSubstr("; ")) << "intervals";
  done({"--quasi", "town", "--k", "4", "--keep", "amount"}, file);
  EXPECT_THAT(folder_.read("out.csv"), HasSubstr("1.023,5;")) << "as it was written";
  EXPECT_EQ(at(json_of(run({"inspect", file, "--decimal", ".", "--json"})), {"columns", "0", "type"}), "text");
}

TEST_F(AnonymizeOutput, CheckReadsItAsTheInputWasRead) {
  // 9,125 lies below 10 and 11, or far above them; `-` is missing, or a value.
  const std::string file =
      folder_.write("signs.csv", "age,cost,ill\n30,\"9,125\",flu\n30,10,-\n30,11,flu\n40,11,flu\n40,11,-\n40,11,?\n");
  const std::vector<std::string> by = {"--quasi", "age", "--k", "3", "--sensitive", "cost", "--sensitive", "ill"};
  std::vector<std::string> with_flags = by;
  with_flags.insert(with_flags.end(), {"--decimal", ",", "--null", "-"});
  const Json made = done(with_flags, file);
  EXPECT_EQ(at(made, {"label", "parameters", "decimal"}), ",");
  EXPECT_EQ(at(made, {"label", "parameters", "null_tokens"}), "[\"-\"]");
  EXPECT_EQ(at(check(by), {"sensitive"}), at(check(with_flags), {"sensitive"}));
  const std::string alone = folder_.write("alone.csv", folder_.read("out.csv"));
  EXPECT_NE(at(check(by, alone), {"sensitive"}), at(check(with_flags, alone), {"sensitive"})) << "without the label";
}

TEST_F(AnonymizeOutput, AStarIsNoWayToWriteMissing) {
  const std::string file = folder_.write("stars.csv", "age,ill\n30,flu\n30,*\n30,flu\n");
  for (const char* command : {"anonymize", "check"}) {
    std::vector<std::string> args = {command, file, "--quasi", "age", "--k", "2", "--null", "*"};
    if (std::string(command) == "anonymize") args.insert(args.end(), {"-o", out_});
    const Ran ran = run(args);
    EXPECT_EQ(ran.status, 2) << ran.out;
    EXPECT_THAT(ran.err, HasSubstr("suppressed cells"));
  }
}

TEST_F(AnonymizeOutput, RowsKeepTheirOrderAndOtherColumnsStay) {
  done({"--quasi", "age,sex", "--k", "4"});
  const auto lines = lines_of(folder_.read("out.csv"));
  ASSERT_EQ(lines.size(), 17U);
  EXPECT_EQ(lines[0], "guest,age,zip,sex,illness");
  EXPECT_TRUE(lines[1].starts_with("Ada,"));
  EXPECT_THAT(lines[1], HasSubstr(",81667,"));
  EXPECT_TRUE(lines[16].starts_with("Pam,"));
  EXPECT_THAT(lines[16], HasSubstr(",?,"));
}

// 16 rows come out in their order in one of 2e13 runs.
TEST_F(AnonymizeOutput, RowsAreShuffledUnlessTheirOrderIsWanted) {
  for (const char* name : {"out.csv", "out.parquet"}) {
    out_ = folder_ / name;
    const Ran ran = run({"anonymize", people_, "--quasi", "age", "--k", "1", "-o", out_, "--json"});
    ASSERT_EQ(ran.status, 0) << ran.out;
    EXPECT_EQ(at(json_of(ran), {"label", "parameters", "row_order"}), "random");
    const Ran back =
        run({"anonymize", out_, "--quasi", "age", "--k", "1", "-o", folder_ / "back.csv", "--keep-order"});
    ASSERT_EQ(back.status, 0) << back.err;
    EXPECT_THAT(back.err, HasSubstr("the order of the rows is kept: it links"));
    auto rows = lines_of(folder_.read("back.csv"));
    auto people = lines_of(folder_.read("people.csv"));
    EXPECT_NE(rows, people) << name;
    std::sort(rows.begin(), rows.end());
    std::sort(people.begin(), people.end());
    EXPECT_EQ(rows, people) << "nothing but the order";
  }
  EXPECT_THAT(folder_.read("back.csv.label.json"),
              AllOf(HasSubstr("that of the input"), HasSubstr("links them to it")));
}

TEST_F(AnonymizeOutput, SuppressedRowsAreStarsOrDropped) {
  const std::string file = folder_.write("odd.csv", "age,sex\n30,F\n30,F\n30,F\n30,M\n30,M\n30,M\n99,X\n");
  const Json kept = done({"--quasi", "age,sex", "--k", "3", "--suppression", "0.2"}, file);
  EXPECT_EQ(at(kept, {"suppressed"}), "1");
  EXPECT_EQ(lines_of(folder_.read("out.csv")).back(), "*,*");
  const Json checked = check({"--quasi", "age,sex", "--k", "3"});
  EXPECT_EQ(at(checked, {"suppressed"}), "1");
  EXPECT_EQ(at(checked, {"classes"}), "2");
  const Json dropped = done({"--quasi", "age,sex", "--k", "3", "--suppression", "0.2", "--drop-suppressed"}, file);
  EXPECT_EQ(at(dropped, {"suppressed"}), "1");
  EXPECT_EQ(folder_.read("out.csv"), "age,sex\n30,F\n30,F\n30,F\n30,M\n30,M\n30,M\n");
  const Json again = check({"--quasi", "age,sex", "--k", "3"});
  EXPECT_EQ(at(again, {"suppressed"}), "0");
  EXPECT_THAT(at(again, {"compared_with"}), HasSubstr("dropped"));
}

TEST_F(AnonymizeOutput, AllRowsMayBeSuppressed) {
  const std::string file = folder_.write("lonely.csv", "age,ill\n1,a\n2,a\n3,a\n");
  const Ran ran = run({"anonymize", file, "--quasi", "age", "--k", "2", "--l-diversity", "ill:distinct:2",
                       "--suppression", "1", "-o", out_});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("all rows are suppressed"));
  EXPECT_EQ(folder_.read("out.csv"), "age,ill\n*,*\n*,*\n*,*\n");
  const Json checked = check({"--quasi", "age", "--k", "2"});
  EXPECT_EQ(at(checked, {"suppressed"}), "3");
  EXPECT_EQ(at(checked, {"k"}), "null");
  EXPECT_EQ(at(checked, {"satisfied"}), "true");
  done({"--quasi", "age", "--k", "2", "--l-diversity", "ill:distinct:2", "--suppression", "1", "--drop-suppressed"},
       file);
  EXPECT_EQ(folder_.read("out.csv"), "age,ill\n");
}

TEST_F(AnonymizeOutput, SuppressedRowsShowNothingUnlessAskedFor) {
  std::string rows = "age,ill,ward\n";
  for (int i = 0; i < 18; ++i) rows += fmt::format("30,{},a\n", i % 2 == 0 ? "flu" : "asthma");
  const std::string file = folder_.write("lonely.csv", rows + "99,HIV,b\n");
  const std::vector<std::string> flags = {"--quasi", "age",         "--k", "2",      "--suppression",
                                          "0.1",     "--sensitive", "ill", "--keep", "ward"};
  done(flags, file);
  EXPECT_EQ(lines_of(folder_.read("out.csv")).back(), "*,*,*") << "fewer than k rows";
  EXPECT_EQ(at(check({"--quasi", "age", "--k", "2"}), {"k"}), "18");
  std::vector<std::string> keeping = flags;
  keeping.insert(keeping.end(), {"--suppressed", "keep"});
  const Json kept = done(keeping, file);
  EXPECT_EQ(lines_of(folder_.read("out.csv")).back(), "*,HIV,b");
  EXPECT_EQ(at(kept.find("warnings")->elements()->at(0), {"code"}), "suppressed_rows_kept") << kept.dump();
  EXPECT_EQ(run({"check", out_, "--quasi", "age", "--k", "2"}).status, 3);
  keeping.back() = "drop";
  done(keeping, file);
  EXPECT_EQ(lines_of(folder_.read("out.csv")).size(), 19U);
  keeping.emplace_back("--drop-suppressed");
  keeping.insert(keeping.begin(), {"anonymize", file, "-o", out_});
  EXPECT_EQ(run(keeping).status, 2) << "two names for one thing";
}

// With all levels at the top every row is `*`: if there are other columns, they are a class like any other.
TEST_F(AnonymizeOutput, ATableAtTheTopIsAClass) {
  const std::string file = folder_.write("apart.csv", "age,sex,ward\n1,F,a\n50,M,a\n99,D,b\n");
  done({"--quasi", "age,sex", "--k", "3"}, file);
  EXPECT_EQ(folder_.read("out.csv"), "age,sex,ward\n*,*,a\n*,*,a\n*,*,b\n");
  EXPECT_EQ(at(check({"--quasi", "age,sex", "--k", "3"}), {"k"}), "3");
  std::filesystem::remove(out_ + ".label.json");
  const Json unlabelled = check({"--quasi", "age,sex", "--k", "3"});
  EXPECT_EQ(at(unlabelled, {"k"}), "3") << "with or without a label";
  EXPECT_EQ(at(unlabelled, {"suppressed_class", "rows"}), "3");
}

TEST_F(AnonymizeOutput, ReadingAReleaseAgainGivesTheSameFigures) {
  for (const char* search : {"optimal", "local", "mondrian"}) {
    const Json made = done(
        {"--quasi", "age,zip,sex", "--k", "3", "--suppression", "0.2", "--sensitive", "illness", "--search", search});
    const Json read = check({"--quasi", "age,zip,sex", "--k", "3", "--sensitive", "illness"});
    for (const char* key : {"classes", "suppressed", "smallest_class", "largest_class"})
      EXPECT_EQ(at(made, {key}), at(read, {key})) << search << ' ' << key;
    EXPECT_EQ(at(read, {"k"}), at(made, {"smallest_class"}));
    EXPECT_EQ(made.find("risk")->dump(), read.find("risk")->dump()) << search;
  }
}

TEST_F(AnonymizeOutput, TheInputsRiskIsWhatCheckSaysOfTheInput) {
  const Json made = done({"--quasi", "age,zip,sex", "--k", "3"});
  EXPECT_EQ(made.find("input_risk")->dump(), check({"--quasi", "age,zip,sex"}, people_).find("risk")->dump());
}

TEST_F(AnonymizeOutput, OrderOfRowsAndColumnsChangesNothingElse) {
  auto lines = lines_of(kPeople);
  std::reverse(lines.begin() + 1, lines.end());
  std::string reversed;
  for (const std::string& line : lines) reversed += line + "\n";
  std::string swapped;
  for (const std::string& line : lines_of(kPeople)) {
    const auto one = split(line);
    swapped += one[4] + "," + one[3] + "," + one[2] + "," + one[1] + "," + one[0] + "\n";
  }
  for (const char* search : {"optimal", "local", "mondrian"}) {
    const std::vector<std::string> flags = {"--quasi",       "age,zip,sex", "--k",      "3",
                                            "--suppression", "0.2",         "--search", search};
    const Json plain = done(flags);
    const auto rows = sorted(lines_of(folder_.read("out.csv")));
    const auto ages = cells("age");
    const Json back = done(flags, folder_.write("reversed.csv", reversed));
    EXPECT_EQ(sorted(lines_of(folder_.read("out.csv"))), rows) << search;
    const Json other = done(flags, folder_.write("swapped.csv", swapped));
    EXPECT_EQ(cells("age"), ages) << search;
    std::vector<std::string> quasi = flags;
    quasi[1] = "sex,age,zip";
    const Json named = done(quasi);
    EXPECT_EQ(cells("age"), ages) << search;
    for (const char* key : {"levels", "metric", "classes", "risk"}) {
      EXPECT_EQ(plain.find(key)->dump(), back.find(key)->dump()) << search << ' ' << key;
      EXPECT_EQ(plain.find(key)->dump(), other.find(key)->dump()) << search << ' ' << key;
      EXPECT_EQ(plain.find(key)->dump(), named.find(key)->dump()) << search << ' ' << key;
    }
  }
}

TEST_F(AnonymizeOutput, IdentifiersAreDroppedOrBecomePseudonyms) {
  done({"--quasi", "age", "--k", "2", "--drop", "guest,zip"});
  EXPECT_EQ(lines_of(folder_.read("out.csv")).front(), "age,sex,illness");

  const auto pseudonyms = [&](const std::string& key) {
    done({"--quasi", "age", "--k", "2", "--pseudonym", "guest", "--key", folder_ / key});
    return cells("guest");
  };
  const auto first = pseudonyms("a.key");
  EXPECT_EQ(std::filesystem::status(folder_ / "a.key").permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  EXPECT_EQ(pseudonyms("a.key"), first) << "the same key gives the same pseudonyms";
  EXPECT_NE(pseudonyms("b.key"), first);
  for (const std::string& one : first) {
    EXPECT_EQ(one.size(), 32U);
    EXPECT_EQ(one.find_first_not_of("0123456789abcdef"), std::string::npos);
  }
  EXPECT_THAT(folder_.read("out.csv"), Not(HasSubstr("Ada")));
  folder_.write("bad.key", "short");
  EXPECT_NE(run({"anonymize", people_, "--quasi", "age", "--k", "2", "--pseudonym", "guest", "--key",
                 folder_ / "bad.key", "-o", out_})
                .status,
            0);
}

TEST_F(AnonymizeOutput, RefusesIdentifiersThatNobodyDecidedAbout) {
  const std::string file = folder_.write("named.csv", "name,age\nAda,30\nBob,30\n");
  const std::vector<std::string> base = {"anonymize", file, "--quasi", "age", "--k", "2", "-o", out_};
  const auto with = [&](std::vector<std::string> flags) {
    flags.insert(flags.begin(), base.begin(), base.end());
    return run(flags);
  };
  const Ran refused = with({"--json"});
  EXPECT_EQ(refused.status, 3);
  EXPECT_EQ(at(json_of(refused), {"error", "code"}), "not_private");
  EXPECT_EQ(at(json_of(refused).find("undecided_columns")->elements()->at(0), {"column"}), "name");
  EXPECT_FALSE(std::filesystem::exists(out_)) << "nothing is written";
  EXPECT_EQ(with({"--drop", "name"}).status, 0);
  EXPECT_EQ(with({"--pseudonym", "name", "--key", folder_ / "key"}).status, 0);
  const Ran checked = run({"check", out_, "--quasi", "age", "--k", "2"});
  EXPECT_EQ(checked.status, 0) << "the label says that these are pseudonyms: " << checked.err;
  const Ran kept = with({"--keep", "name", "--quiet", "--write-policy", folder_ / "p.yaml"});
  EXPECT_EQ(kept.status, 0);
  EXPECT_THAT(kept.err, HasSubstr("'name' looks like an identifier (its name says 'name') and stays as it is"));
  EXPECT_THAT(folder_.read("out.csv.label.json"), HasSubstr("\"columns_unchanged\": [\"name\"]"));
  EXPECT_THAT(folder_.read("p.yaml"), HasSubstr("action: keep"));
  EXPECT_EQ(run({"anonymize", file, "--policy", folder_ / "p.yaml", "-o", out_}).status, 0);
  EXPECT_EQ(with({"--keep", "age"}).status, 2) << "a quasi-identifier";
  EXPECT_EQ(with({"--keep", "name", "--drop", "name"}).status, 2);
  EXPECT_EQ(with({"--keep", "nam"}).status, 2) << "unknown";
}

TEST_F(AnonymizeOutput, AColumnThatThePolicyDoesNotListIsUndecided) {
  const std::string policy = folder_.write("p.yaml", "version: 1\ncolumns:\n  age: {role: quasi}\nprivacy: {k: 2}\n");
  const std::string named = folder_.write("named.csv", "手机号,age\n13812345678,30\n15900001111,30\n");
  EXPECT_EQ(run({"anonymize", named, "--policy", policy, "-o", out_}).status, 3);
  const std::string plain = folder_.write("plain.csv", "ward,age\na,30\nb,30\n");
  EXPECT_EQ(run({"anonymize", plain, "--policy", policy, "-o", out_}).status, 0);
}

TEST_F(AnonymizeOutput, EqualIdentifiersBecomeEqualPseudonyms) {
  const std::string file = folder_.write("visits.csv", "id,age\nx,1\ny,1\nx,1\n?,1\n");
  done({"--quasi", "age", "--k", "2", "--pseudonym", "id", "--key", folder_ / "k"}, file);
  const auto ids = cells("id");
  EXPECT_EQ(ids[0], ids[2]);
  EXPECT_NE(ids[0], ids[1]);
}

TEST_F(AnonymizeOutput, TheLabelFitsTheFileAndNamesNoCounts) {
  const Json made =
      done({"--quasi", "age,zip", "--k", "3", "--l-diversity", "illness:distinct:2", "--suppression", "0.1"});
  EXPECT_EQ(run({"label", "check", out_}).status, 0);
  const std::string label = folder_.read("out.csv.label.json");
  EXPECT_THAT(label, HasSubstr("illness:distinct:2"));
  for (const char* secret : {"\"rows\"", "\"classes\"", "\"suppressed\"", "gastritis", "81667"})
    EXPECT_THAT(label, Not(HasSubstr(secret)));
  const Ran shown = run({"label", "show", out_});
  EXPECT_THAT(shown.out, HasSubstr("k-anonymity"));
  folder_.write("out.csv", folder_.read("out.csv") + "\n");
  EXPECT_EQ(run({"label", "check", out_}).status, 1);
  const Ran ran = run({"check", out_, "--quasi", "age"});
  EXPECT_THAT(ran.err, HasSubstr("not the label of this file"));
}

TEST_F(AnonymizeOutput, CheckTakesQuasiIdentifiersFromTheLabel) {
  done({"--quasi", "age,zip", "--k", "3"});
  const Json read = check({"--k", "3"});
  EXPECT_EQ(at(read, {"satisfied"}), "true");
}

TEST_F(AnonymizeOutput, ParquetInAndOut) {
  const std::vector<std::string> flags = {"--quasi", "age,zip", "--k", "3", "--json"};
  const auto anonymize = [&](const std::string& from, const std::string& to) {
    std::vector<std::string> args = {"anonymize", from, "-o", to, "--keep-order"};
    args.insert(args.end(), flags.begin(), flags.end());
    const Ran ran = run(args);
    EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
    return json_of(ran);
  };
  const Json csv = anonymize(people_, out_);
  const Ran copied = run({"anonymize", people_, "-o", folder_ / "people.parquet", "--quasi", "age", "--k", "1"});
  ASSERT_EQ(copied.status, 0) << copied.err;
  EXPECT_TRUE(folder_.read("people.parquet").starts_with("PAR1"));
  const Json parquet = anonymize(folder_ / "people.parquet", folder_ / "out.parquet");
  EXPECT_EQ(csv.find("levels")->dump(), parquet.find("levels")->dump());
  EXPECT_EQ(csv.find("risk")->dump(), parquet.find("risk")->dump());
  const Json checked = check({"--quasi", "age,zip", "--k", "3"}, folder_ / "out.parquet");
  EXPECT_EQ(checked.find("risk")->dump(), csv.find("risk")->dump());
  anonymize(folder_ / "people.parquet", folder_ / "back.csv");
  EXPECT_EQ(sorted(lines_of(folder_.read("back.csv"))), sorted(lines_of(folder_.read("out.csv"))));
}

TEST_F(AnonymizeOutput, ParquetHasNoNamesThatDifferInCaseAlone) {
  const std::string twins = folder_.write("twins.csv", "Age,age\n1,30\n1,30\n");
  const Ran ran = run({"anonymize", twins, "--quasi", "Age,age", "--k", "2", "-o", folder_ / "out.parquet"});
  EXPECT_EQ(ran.status, 2) << ran.out << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("'age'"));
  EXPECT_FALSE(folder_.has("out.parquet"));
  EXPECT_EQ(
      run({"anonymize", twins, "--quasi", "Age", "--drop", "age", "--k", "2", "-o", folder_ / "out.parquet"}).status,
      0);
  EXPECT_EQ(run({"anonymize", twins, "--quasi", "Age,age", "--k", "2", "-o", out_}).status, 0);
}

TEST_F(AnonymizeOutput, StandardInputAndOutput) {
  done({"--quasi", "age,zip", "--k", "3"});
  const StandardInput input(people_);
  ::testing::internal::CaptureStdout();
  const Ran ran = run({"anonymize", "-", "--quasi", "age,zip", "--k", "3", "-o", "-", "--keep-order"});
  const std::string written = ::testing::internal::GetCapturedStdout();
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(written + ran.out, folder_.read("out.csv"));
  EXPECT_THAT(ran.err, HasSubstr("k-anonymity"));
}

TEST_F(AnonymizeOutput, OtherDelimitersCompressionAndJsonLines) {
  std::string semicolons = kPeople;
  std::replace(semicolons.begin(), semicolons.end(), ',', ';');
  done({"--quasi", "age", "--k", "3", "--delimiter", ";"}, folder_.write("semi.csv", semicolons));
  EXPECT_EQ(lines_of(folder_.read("out.csv")).front(), "guest;age;zip;sex;illness");
  std::string lines;
  for (int i = 0; i < 8; ++i) lines += "{\"age\": " + std::to_string(30 + i) + ", \"sex\": \"F\"}\n";
  done({"--quasi", "age,sex", "--k", "4"}, folder_.write("people.jsonl", lines));
  EXPECT_EQ(lines_of(folder_.read("out.csv")).size(), 9U);
  const Ran zipped = run({"anonymize", people_, "--quasi", "age", "--k", "3", "-o", folder_ / "out.csv.gz"});
  EXPECT_EQ(zipped.status, 0) << zipped.err;
  EXPECT_EQ(at(check({"--quasi", "age", "--k", "3"}, folder_ / "out.csv.gz"), {"satisfied"}), "true");
}

TEST_F(AnonymizeOutput, LinksAreReplacedAndPermissionsKept) {
  const auto owner_only = std::filesystem::perms::owner_read | std::filesystem::perms::owner_write;
  folder_.write("real.csv", "old");
  std::filesystem::create_symlink("real.csv", out_);
  done({"--quasi", "age", "--k", "2"});
  EXPECT_FALSE(std::filesystem::is_symlink(out_));
  EXPECT_EQ(folder_.read("real.csv"), "old");
  std::filesystem::permissions(out_, owner_only);
  done({"--quasi", "age", "--k", "2"});
  EXPECT_EQ(lines_of(folder_.read("out.csv")).size(), 17U);
  EXPECT_EQ(std::filesystem::status(out_).permissions(), owner_only);
  EXPECT_EQ(run({"label", "check", out_}).status, 0);
}

TEST_F(AnonymizeOutput, DevicesAreNotReplaced) {
  EXPECT_EQ(run({"anonymize", people_, "--quasi", "age", "--k", "2", "-o", "/dev/null"}).status, 0);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  EXPECT_EQ(run({"anonymize", people_, "--quasi", "age", "--k", "2", "-o", "/dev/full"}).status, 1);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
}

TEST_F(AnonymizeOutput, ReplacesNeitherItsInputsNorItsOwnOutputs) {
  const std::string before = folder_.read("people.csv");
  const std::vector<std::string> flags = {"anonymize", people_, "--quasi",       "age,sex",
                                          "--k",       "4",     "--suppression", "0.5"};
  const auto with = [&](std::vector<std::string> more) {
    std::vector<std::string> all = flags;
    all.insert(all.end(), more.begin(), more.end());
    return run(all);
  };
  const std::string& out = out_;
  EXPECT_EQ(with({"-o", people_}).status, 2);
  EXPECT_EQ(with({"-o", out, "--write-policy", people_}).status, 2);
  EXPECT_EQ(with({"-o", out, "--write-policy", out}).status, 2);
  EXPECT_EQ(with({"-o", out, "--write-policy", out + ".label.json"}).status, 2);
  EXPECT_EQ(with({"-o", out, "--pseudonym", "guest", "--key", out}).status, 2);
  EXPECT_EQ(folder_.read("people.csv"), before);
  EXPECT_EQ(with({"-o", out}).status, 0);
}

TEST_F(AnonymizeOutput, LooksLikeTheInput) {
  const std::vector<std::string> forms = {"age;city\r\n30;Z\xFCrich\r\n30;K\xF6ln\r\n",  // Latin-1, CR LF
                                          "\xEF\xBB\xBF"
                                          "age,city\n30,Z\xC3\xBCrich\n30,x\n",                    // a mark
                                          "age,city\n30,\xB1\xB1\xBE\xA9\n30,\xC9\xCF\xBA\xA3\n",  // GB 18030
                                          std::string("\xFF\xFE"
                                                      "a\0,\0b\0\n\0"
                                                      "1\0,\0\x17\x53\n\0",
                                                      18)};  // UTF-16
  for (const std::string& bytes : forms) {
    const std::string file = folder_.write("form.csv", bytes);
    const std::string quasi = bytes.starts_with("\xFF") ? "a" : "age";
    ASSERT_EQ(run({"anonymize", file, "--quasi", quasi, "--k", "1", "--keep-order", "-o", out_}).status, 0) << bytes;
    EXPECT_EQ(folder_.read("out.csv"), bytes);
  }
}

TEST_F(AnonymizeOutput, MayHaveAnotherEncoding) {
  const std::string file = folder_.write("form.csv", "age,city\n30,\xB1\xB1\xBE\xA9\n30,\xC9\xCF\xBA\xA3\n");
  done({"--quasi", "age", "--k", "2", "--output-encoding", "utf-8", "--write-policy", folder_ / "p.yaml"}, file);
  EXPECT_EQ(folder_.read("out.csv"), "age,city\n30,北京\n30,上海\n");
  EXPECT_THAT(folder_.read("p.yaml"), HasSubstr("input: {delimiter: \",\", encoding: gb18030, decimal: \".\"}"))
      << "as it was found";
  const Ran refused =
      run({"anonymize", file, "--quasi", "age", "--k", "2", "-o", out_, "--output-encoding", "latin-1"});
  EXPECT_EQ(refused.status, 1) << "cells that Latin-1 does not have";
  EXPECT_EQ(folder_.read("out.csv"), "age,city\n30,北京\n30,上海\n") << "as it was";
}

TEST_F(AnonymizeOutput, IsUtf8WhereTheInputsEncodingCannotHoldAClass) {
  const std::string hierarchy = folder_.write("city.csv", "Z\xC3\xBCrich;欧洲;*\nK\xC3\xB6ln;欧洲;*\n");
  const std::string file = folder_.write("form.csv", "city,x\nZ\xFCrich,\xFC\nK\xF6ln,\xF6\n");
  const Json made = done({"--quasi", "city", "--k", "2", "--hierarchy", "city=" + hierarchy}, file);
  EXPECT_THAT(made.find("warnings")->dump(), HasSubstr("output_encoding"));
  EXPECT_EQ(folder_.read("out.csv"), "city,x\n欧洲,ü\n欧洲,ö\n");
}

}  // namespace anonymize_output_test
}  // namespace gauze::cli
