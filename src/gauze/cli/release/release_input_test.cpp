// What a release reads, and what one record can change: nothing but counts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "gauze/cli/core/table_testing.h"

namespace gauze::cli {
namespace release_input_test {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kPolicy = R"(version: 1
columns:
  id:   {role: identifier, action: drop}
  town: {role: quasi, values: [Zürich, Kiel]}
privacy: {k: 1}
release: {mode: grid, levels: {town: 0}}
provenance: {quasi: public, hierarchies: public, levels: public, k: public, epsilon: public}
)";

class ReleaseInput : public ::testing::Test {
 protected:
  Folder folder_;
  std::string ledger_ = folder_ / "l.ledger";
  std::string out_ = folder_ / "out.csv";

  std::string policy(const std::string& from = "version", const std::string& to = "version") {
    std::string text = kPolicy;
    text.replace(text.find(from), from.size(), to);
    return folder_.write("policy.yaml", text);
  }
  Ran release(const std::string& file, const std::vector<std::string>& flags = {}, const std::string& rules = "") {
    std::vector<std::string> args = {"release",   file, "--policy", rules.empty() ? policy() : rules,
                                     "--epsilon", "5",  "-o",       out_};
    args.insert(args.end(), flags.begin(), flags.end());
    return run(args);
  }
  void create_ledger() {
    ASSERT_EQ(run({"ledger", "create", "people", "--ledger", ledger_, "--epsilon", "9"}).status, 0);
  }
  std::vector<std::string> charged() { return {"--ledger", ledger_, "--dataset", "people"}; }
  std::string left() {
    return at(json_of(run({"ledger", "show", "people", "--ledger", ledger_, "--json"})), {"left", "epsilon"});
  }
  /// The count that the release has in the row that begins so.
  std::int64_t count_of(const std::string& begin) {
    for (const std::string& line : lines_of(folder_.read("out.csv")))
      if (line.starts_with(begin + ",")) return std::stoll(line.substr(begin.size() + 1));
    return -1;
  }
};

std::string repeated(const std::string& row, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += row;
  return text;
}

// Noise at epsilon 5 is beyond 50 in 1e-100 of all runs.
TEST_F(ReleaseInput, OneLatinByteMovesNobodyElseWhateverTheFileIsCalled) {
  std::filesystem::create_directory(folder_ / "dir.json");
  const std::string rows = "id,town\n" + repeated("1,Zürich\n", 1000);
  for (const char* name : {"people.csv", "people.json.csv", "dir.json/p.csv", "people.parquet.csv"}) {
    for (const char* odd : {"", "2,Z\xFCrich\n"}) {
      const Ran ran = release(folder_.write(name, rows + odd));
      ASSERT_EQ(ran.status, 0) << ran.err;
      EXPECT_NEAR(static_cast<double>(count_of("Zürich")), 1000, 50) << name << odd;
    }
  }
  const std::string lines = repeated("{\"id\":1,\"town\":\"Zürich\"}\n", 1000);
  for (const char* odd : {"", "{\"id\":2,\"town\":\"Z\xFCrich\"}\n", "{\"id\":2", "[]", "{\"town\":{\"a\":1}}"}) {
    const Ran ran = release(folder_.write("people.jsonl", lines + odd));
    ASSERT_EQ(ran.status, 0) << ran.err;
    EXPECT_NEAR(static_cast<double>(count_of("Zürich")), 1000, 50) << odd;
  }
}

TEST_F(ReleaseInput, NoRecordIsRefusedForFreeOrForACharge) {
  create_ledger();
  const std::string rows = "id,town\n" + repeated("1,Kiel\n", 20);
  const char* const odd[] = {"2\n", "2,Kiel,3\n", "2,\"Kiel\"x\n", "2,Ki\"el\n", "\xFF\xFE,\xC0\n", "2,'Kiel\n"};
  for (const char* row : odd) {
    const Ran ran = release(folder_.write("odd.csv", rows + row));
    EXPECT_EQ(ran.status, 0) << row << ran.err;
  }
  const std::string nul = rows + std::string("2,K\0l\n", 6);
  EXPECT_EQ(release(folder_.write("odd.csv", nul)).status, 0);
  EXPECT_EQ(left(), "9");
}

TEST_F(ReleaseInput, AQuoteThatIsNeverClosedFailsAfterTheChargeAndSaysSo) {
  create_ledger();
  const std::string file = folder_.write("open.csv", "id,town\n1,Kiel\n2,\"Kiel\n3,Kiel\n");
  const Ran ran = release(file, charged());
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.err,
              AllOf(HasSubstr("never closed"), HasSubstr("epsilon 5 stays charged to 'people': reservation 2"),
                    Not(HasSubstr("line ")), Not(HasSubstr("nothing was charged"))));
  EXPECT_EQ(left(), "4");
  EXPECT_FALSE(folder_.has("out.csv"));
  EXPECT_THAT(release(file).err, Not(HasSubstr("charged"))) << "no ledger, no charge";
}

TEST_F(ReleaseInput, BeforeTheChargeOnlyWhatDoesNotDependOnRowsIsRefused) {
  create_ledger();
  const auto refused = [&](const std::string& name, const std::string& bytes, std::vector<std::string> flags = {}) {
    for (const std::string& flag : charged()) flags.push_back(flag);
    return release(folder_.write(name, bytes), flags).status;
  };
  EXPECT_EQ(refused("x.csv", "id,twon\n1,Kiel\n"), 2);
  EXPECT_EQ(refused("x.csv", ""), 1);
  EXPECT_EQ(refused("x.parquet", "id,town\n1,Kiel\n"), 1);
  EXPECT_EQ(refused("x.csv.gz", "id,town\n1,Kiel\n"), 1);
  EXPECT_EQ(refused("x.csv", "1,Kiel\n", {"--no-header", "--names", "id,town"}), 2) << "only rows tell the delimiter";
  EXPECT_EQ(refused("x.csv", "1,Kiel\n", {"--no-header", "--names", "id,town", "--delimiter", ","}), 0);
  EXPECT_EQ(left(), "4") << "the last one alone was charged";
}

TEST_F(ReleaseInput, WhoAskedToStopBeforeTheChargeIsNotCharged) {
  create_ledger();
  std::vector<std::string> args = {
      "release", folder_.write("people.csv", "id,town\n1,Kiel\n"), "--policy", policy(), "--epsilon", "5", "-o",
      out_};
  for (const std::string& flag : charged()) args.push_back(flag);
  Ran ran;
  Streams streams = string_streams(ran);
  streams.on_progress = [](Progress* progress) {
    if (progress != nullptr) progress->request_stop();
  };
  ran.status = run_command_line(args, streams);
  EXPECT_EQ(ran.status, 130);
  EXPECT_THAT(ran.err, Not(HasSubstr("charged")));
  EXPECT_EQ(left(), "9");
}

TEST_F(ReleaseInput, AnInterruptionNamesTheReservation) {
  create_ledger();
  std::vector<std::string> args = {
      "release",   folder_.write("people.csv", "id,town\n" + repeated("1,Kiel\n", 6'000'000)),
      "--policy",  policy(),
      "--epsilon", "5",
      "-o",        out_};
  for (const std::string& flag : charged()) args.push_back(flag);
  // Asks to stop as soon as the ledger has changed, while the rows are being read.
  const auto before = std::filesystem::last_write_time(ledger_);
  std::atomic<bool> over{false};
  std::thread watcher;
  Ran ran;
  Streams streams = string_streams(ran);
  streams.on_progress = [&](Progress* progress) {
    if (progress == nullptr) return;
    watcher = std::thread([&, progress] {
      while (!over && std::filesystem::last_write_time(ledger_) == before) std::this_thread::yield();
      if (!over) progress->request_stop();
    });
  };
  ran.status = run_command_line(args, streams);
  over = true;
  watcher.join();
  EXPECT_EQ(ran.status, 130);
  EXPECT_THAT(ran.err, AllOf(HasSubstr("interrupted"), HasSubstr("reservation 2")));
  EXPECT_EQ(left(), "4");
}

TEST_F(ReleaseInput, TheRemainderIsAlwaysThereUnderOneName) {
  const std::string stability = policy("town: {role: quasi, values: [Zürich, Kiel]}", "town: {role: quasi}");
  for (const char* odd : {"", "2,other\n", "2,(other)\n", "2,((other))\n"}) {
    const std::string file = folder_.write("people.csv", "id,town\n" + repeated("1,Kiel\n", 500) + odd);
    ASSERT_EQ(release(file, {"--mode", "stability", "--delta", "1e-6"}, stability).status, 0);
    EXPECT_TRUE(lines_of(folder_.read("out.csv")).back().starts_with("(other),")) << odd;
  }
  const std::string empty = folder_.write("people.csv", "id,town\n");
  for (const char* kind : {"grid", "select"}) {
    ASSERT_EQ(release(empty, {"--mode", kind}).status, 0);
    EXPECT_TRUE(lines_of(folder_.read("out.csv")).back().starts_with("(other),"));
  }
}

TEST_F(ReleaseInput, AValueThatReadsLikeTheRemainderIsWrittenEscaped) {
  const std::string rules =
      policy("values: [Zürich, Kiel]", R"yaml(values: ["(other)", '\(other)', '\\(other)', other])yaml");
  std::string text = "id,town\n";
  for (const char* value : {"(other)", "\\(other)", "\\\\(other)", "other"})
    text += repeated("1," + std::string(value) + "\n", 500);
  ASSERT_EQ(release(folder_.write("people.csv", text), {}, rules).status, 0);
  std::vector<std::string> names;
  for (const std::string& line : lines_of(folder_.read("out.csv"))) names.push_back(line.substr(0, line.find(',')));
  EXPECT_THAT(names, ::testing::ElementsAre("town", "\\(other)", "\\\\(other)", "\\\\\\(other)", "other", "(other)"));
}

// As one person they would be 1,000 rows of their class. The noise of the total has a scale of at most 25: it is beyond 400 in
// 1e-7 of all runs.
TEST_F(ReleaseInput, RowsWithoutAnIdBelongToNobody) {
  const std::string rules = policy("mode: grid", "mode: grid, unit: {id: id, max_classes: 1, max_rows: 1000}");
  std::string text = "id,town\n";
  for (int i = 0; i < 300; ++i) text += std::to_string(i) + ",Kiel\n";
  text += repeated(",Zürich\n", 500) + repeated("?,Zürich\n", 500) + repeated("\xFF,Zürich\n", 500);
  const std::string file = folder_.write("people.csv", text);
  for (const char* mode : {"grid", "select"}) {
    const Ran ran =
        run({"release", file, "--policy", rules, "--epsilon", "500", "-o", out_, "--json", "--mode", mode});
    ASSERT_EQ(ran.status, 0) << ran.out;
    EXPECT_NEAR(number_at(json_of(ran), {"total"}), 300, 400) << mode;
    EXPECT_THAT(folder_.read("out.csv.label.json"), HasSubstr("belong to nobody"));
  }
}

TEST_F(ReleaseInput, TheLabelSaysWhatIsTakenForGranted) {
  ASSERT_EQ(release(folder_.write("people.csv", "id,town\n1,Kiel\n")).status, 0);
  EXPECT_THAT(folder_.read("out.csv.label.json"), HasSubstr("closed every quote"));
  ASSERT_EQ(release(folder_.write("people.jsonl", "{\"town\":\"Kiel\"}\n")).status, 0);
  EXPECT_THAT(folder_.read("out.csv.label.json"), Not(HasSubstr("quote")));
}

TEST_F(ReleaseInput, TheOutputIsWrittenAsThePolicySaysNotAsTheInputIs) {
  const std::string file = folder_.write("people.csv", "\xEF\xBB\xBFid;town\r\n1;Kiel\r\n");
  ASSERT_EQ(release(file).status, 0);
  EXPECT_TRUE(folder_.read("out.csv").starts_with("town,count,low,high\n"));
  ASSERT_EQ(release(file, {}, policy("version: 1\n", "version: 1\ninput: {delimiter: \";\"}\n")).status, 0);
  EXPECT_TRUE(folder_.read("out.csv").starts_with("town;count;low;high\n"));
}

TEST_F(ReleaseInput, TheCommandLineDoesNotDecideHowTheOutputIsWritten) {
  const std::string file = folder_.write("people.csv", "id;town\n1;Kiel\n");
  ASSERT_EQ(release(file, {"--delimiter", ";"}).status, 0);
  EXPECT_TRUE(folder_.read("out.csv").starts_with("town,count,low,high\n"));
  EXPECT_EQ(release(file, {"--decimal", ","}).status, 2);
}

TEST_F(ReleaseInput, TheOutputHasTheEncodingAndDecimalSignOfThePolicy) {
  const std::string file = folder_.write("people.csv", "id;town;kg\n1;Kiel;70,5\n2;Kiel;1.070,5\n");
  const std::string by_policy =
      folder_.write("kg.yaml",
                    "version: 1\n"
                    "input: {delimiter: \";\", encoding: latin-1, decimal: \",\"}\n"
                    "columns:\n"
                    "  kg: {role: quasi, hierarchy: {intervals: [[0, 62.5, 125, 2000]]}}\n"
                    "  town: {role: quasi, values: [Kiel, Köln]}\n"
                    "privacy: {k: 1}\n"
                    "release: {mode: grid, levels: {kg: 1, town: 0}}\n"
                    "provenance: {quasi: public, hierarchies: public, levels: public, k: public, epsilon: public}\n");
  ASSERT_EQ(run({"release", file, "--policy", by_policy, "--epsilon", "200", "-o", folder_ / "kg.csv"}).status, 0);
  const std::string text = folder_.read("kg.csv");
  EXPECT_THAT(text, HasSubstr("\"[62,5; 125)\";Kiel;1;"));
  EXPECT_THAT(text, HasSubstr("\"[125; 2000]\";Kiel;1;")) << "1.070,5 is a number above a thousand";
  EXPECT_THAT(text, Not(HasSubstr("Köln"))) << "Latin-1, if it is named at all";
}

TEST_F(ReleaseInput, MessagesNameNoKeyThatOnlyRowsHave) {
  const std::string file = folder_.write("people.jsonl", "{\"towns-XYZ\":\"Kiel\"}\n");
  const Ran ran = release(file, {}, policy("  town:", "  towns-XY:"));
  EXPECT_THAT(ran.err + ran.out, Not(HasSubstr("XYZ")));
}

TEST_F(ReleaseInput, ADelimiterThatCannotBeWrittenCostsNothing) {
  create_ledger();
  const std::string lines = folder_.write("people.jsonl", repeated("{\"id\":1,\"town\":\"Kiel\"}\n", 10));
  for (const char* delimiter : {"'\"'", "；"}) {
    const Ran ran = release(lines, charged(),
                            policy("version: 1\n", fmt::format("version: 1\ninput: {{delimiter: {}}}\n", delimiter)));
    EXPECT_EQ(ran.status, 2) << ran.err;
    EXPECT_THAT(ran.err, HasSubstr("delimiter must be one ASCII character"));
    EXPECT_EQ(left(), "9");
  }
}

}  // namespace release_input_test
}  // namespace gauze::cli
