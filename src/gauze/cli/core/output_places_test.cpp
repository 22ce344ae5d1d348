#include "gauze/cli/core/output_places.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "gauze/cli/core/table_testing.h"

namespace gauze::cli {
namespace output_places_test {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;
using Words = std::vector<std::string>;

/// A folder with what no output may replace.
class OutputPlaces : public ::testing::Test {
 protected:
  OutputPlaces() {
    EXPECT_EQ(run({"ledger", "create", "people", "--ledger", ledger_, "--epsilon", "1"}).status, 0);
    EXPECT_EQ(run({"noise", "laplace", "--epsilon", "1", "-o", folder_ / "old.txt"}).status, 0);
  }

  /// A command line with a value for whatever the command cannot do without: files that are there, words that are allowed.
  [[nodiscard]] Words line_of(const Command& command) const {
    Words words;
    std::size_t begin = 0;
    for (std::size_t end = 0; end != std::string::npos; begin = end + 1) {
      end = command.name.find(' ', begin);
      words.push_back(command.name.substr(begin, end - begin));
    }
    for (const Positional& positional : command.positionals)
      if (!positional.optional && !positional.after_dashes)
        words.push_back(positional.choices.empty() ? input_ : positional.choices.front());
    for (const Flag& flag : command.flags) {
      if (!flag.required || flag.makes != Makes::nothing) continue;
      words.push_back("--" + flag.name);
      words.push_back(flag.choices.empty() ? flag.is_file ? input_ : "1" : flag.choices.front());
    }
    return words;
  }

  /// Every command that makes a file, with every flag that names one, is told to put it there.
  void expect_all_refuse(const std::string& place, const std::string& reason) const {
    const Registry registry = make_registry();
    int asked = 0;
    for (const Command& command : registry.commands()) {
      for (const Flag& flag : command.flags) {
        if (flag.makes == Makes::nothing) continue;
        Words words = line_of(command);
        for (const Flag& other : command.flags) {
          if (other.makes == Makes::nothing || (!other.required && other.name != flag.name)) continue;
          words.push_back("--" + other.name);
          words.push_back(other.name == flag.name ? place : folder_ / "elsewhere");
        }
        for (const Positional& positional : command.positionals)
          if (positional.after_dashes && !positional.optional) words.insert(words.end(), {"--", "true"});
        const Ran ran = run(words);
        EXPECT_EQ(ran.status, 2) << command.name << " --" << flag.name << ": " << ran.err;
        EXPECT_THAT(ran.err, HasSubstr(reason)) << command.name << " --" << flag.name;
        ++asked;
      }
    }
    EXPECT_GE(asked, 20);
  }

  Folder folder_;
  const std::string ledger_ = folder_ / "budget.ledger";
  const std::string input_ = folder_.write("people.csv", kPeople);
};

TEST_F(OutputPlaces, EveryFlagThatNamesAnOutputSaysSo) {
  const Registry registry = make_registry();
  for (const Command& command : registry.commands()) {
    for (const Flag& flag : command.flags) {
      const bool named =
          flag.short_name == 'o' || flag.placeholder.starts_with("OUT") || flag.help.starts_with("write ");
      EXPECT_TRUE(!named || !flag.is_file || flag.makes != Makes::nothing) << command.name << " --" << flag.name;
      EXPECT_TRUE(flag.short_name != 'o' || flag.makes != Makes::nothing) << command.name;
    }
  }
}

TEST_F(OutputPlaces, NoCommandReplacesALedger) {
  const std::string before = folder_.read("budget.ledger");
  expect_all_refuse(ledger_, "would replace a ledger");
  fs::create_symlink("budget.ledger", folder_ / "link.csv");
  fs::create_hard_link(ledger_, folder_ / "second.csv");
  expect_all_refuse(folder_ / "link.csv", "would replace a ledger");
  expect_all_refuse(folder_ / "second.csv", "would replace a ledger");
  fs::remove(folder_ / "second.csv");
  EXPECT_EQ(folder_.read("budget.ledger"), before);
  EXPECT_EQ(run({"ledger", "verify", "--ledger", ledger_}).status, 0);
}

TEST_F(OutputPlaces, NoCommandTakesThePlaceOfAJournal) {
  for (const char* suffix : {"-journal", "-wal", "-shm"}) {
    fs::remove(ledger_ + suffix);
    expect_all_refuse(ledger_ + suffix, "would replace a journal of a ledger");
    EXPECT_FALSE(fs::exists(ledger_ + suffix));
  }
  // By content, where the name tells nothing.
  folder_.write("a", std::string("\xd9\xd5\x05\xf9\x20\xa1\x63\xd7", 8) + std::string(100, 'x'));
  folder_.write("b", "\x37\x7f\x06\x82 and more");
  folder_.write("c", "\x37\x7f\x06\x83 and more");
  for (const char* name : {"a", "b", "c"}) expect_all_refuse(folder_ / name, "a journal of a ledger");
}

TEST_F(OutputPlaces, NoCommandReplacesALabel) {
  expect_all_refuse(folder_ / "old.txt.label.json", "'*.label.json'");
  expect_all_refuse(folder_ / "new.label.json", "'*.label.json'");
  fs::create_symlink("old.txt.label.json", folder_ / "link.csv");
  fs::create_hard_link(folder_ / "old.txt.label.json", folder_ / "second.csv");
  expect_all_refuse(folder_ / "link.csv", "would replace a label");
  expect_all_refuse(folder_ / "second.csv", "would replace a label");
  EXPECT_EQ(run({"label", "check", folder_ / "old.txt"}).status, 0);
}

TEST_F(OutputPlaces, NoCommandReplacesWhatItReads) {
  fs::create_symlink("people.csv", folder_ / "link.csv");
  fs::create_hard_link(input_, folder_ / "second.csv");
  const std::string roundabout =
      folder_ / "." + std::string("/../") + fs::path(input_).parent_path().filename().string() + "/people.csv";
  for (const std::string& place : {input_, folder_ / "link.csv", folder_ / "second.csv", roundabout}) {
    const std::vector<Words> lines = {
        {"anonymize", input_, "--quasi", "age", "--k", "2", "-o", place},
        {"anonymize", folder_ / "peo*.csv", "--quasi", "age", "--k", "2", "-o", place},
        {"anonymize", folder_ / "x.csv", "--quasi", "age", "--hierarchy", "age=" + input_, "--k", "2", "-o", place},
        {"hierarchy", "build", input_, "--column", "age", "-o", place},
        {"text", "sanitize", folder_ / "t.txt", "--vectors", input_, "--epsilon", "1", "-o", place},
        {"text", "sanitize", input_, "--vectors", folder_ / "v", "--epsilon", "1", "-o", place},
        {"text", "vectors", "import", input_, "-o", place},
        {"text", "stats", "--vectors", input_, "--epsilon", "1", "--plot", place},
        {"patterns", "hide", input_, "--sensitive", folder_ / "s", "--min-count", "2", "-o", place},
        {"patterns", "hide", folder_ / "b", "--sensitive", input_, "--min-count", "2", "-o", place},
        {"patterns", "hide", folder_ / "b", "--sensitive", input_, "--min-count", "2", "-o", folder_ / "o", "--marks",
         place},
        {"patterns", "restore", folder_ / "b", "--marks", input_, "-o", place},
        {"patterns", "mine", input_, "--min-count", "2", "-o", place},
        {"patterns", "suggest", input_, "--min-count", "2", "-o", place},
        {"release", folder_ / "x.csv", "--policy", input_, "--epsilon", "1", "-o", place},
        {"evaluate", input_, "--policy", folder_ / "p", "--report", place},
        {"evaluate", folder_ / "x.csv", "--policy", input_, "--write-policy", place},
        {"account", "--spec", input_, "--delta", "1e-6", "-o", place},
    };
    for (const Words& line : lines) {
      const Ran ran = run(line);
      EXPECT_EQ(ran.status, 2) << line[0] << " " << line[1] << ": " << ran.err;
      EXPECT_THAT(ran.err, HasSubstr("would replace")) << line[0] << " " << line[1];
    }
  }
  EXPECT_EQ(folder_.read("people.csv"), kPeople);
}

TEST_F(OutputPlaces, NoLabelReplacesWhatIsRead) {
  const std::string policy = folder_.write("out.csv.label.json", "version: 1\n");
  const Ran ran = run({"release", input_, "--policy", policy, "--epsilon", "1", "-o", folder_ / "out.csv"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, HasSubstr("the label of -o would replace what --policy names"));
  EXPECT_EQ(run({"ledger", "create", "a", "--ledger", folder_ / "n.txt.label.json", "--epsilon", "1"}).status, 0);
  EXPECT_THAT(run({"noise", "laplace", "--epsilon", "1", "-o", folder_ / "n.txt"}).err,
              HasSubstr("the label of -o would replace a ledger"));
}

TEST_F(OutputPlaces, NoCommandReplacesAFileThatItsPolicyNames) {
  folder_.write("age.csv", "34,*\n");
  folder_.write("policy.yaml",
                "version: 1\ncolumns:\n  age: {role: quasi, hierarchy: {csv: age.csv}}\n"
                "  name: {role: identifier, action: pseudonym, key: secret.key}\nprivacy: {k: 2}\n");
  for (const char* name : {"age.csv", "secret.key"}) {
    const Ran ran = run({"anonymize", input_, "--policy", folder_ / "policy.yaml", "-o", folder_ / name});
    EXPECT_EQ(ran.status, 2) << ran.err;
    EXPECT_THAT(ran.err, HasSubstr("would replace the")) << name;
  }
}

TEST_F(OutputPlaces, TwoOutputsOfOneCommandAreTwoFiles) {
  const Words hide = {"patterns",    "hide", input_, "--sensitive", folder_ / "s",
                      "--min-count", "2",    "-o",   folder_ / "o"};
  for (const char* marks : {"o", "./o"}) {
    Words line = hide;
    line.insert(line.end(), {"--marks", folder_ / marks});
    EXPECT_THAT(run(line).err, HasSubstr("-o would replace --marks")) << marks;
  }
  Words line = hide;
  line.insert(line.end(), {"--marks", folder_ / "o.label.json"});
  EXPECT_EQ(run(line).status, 2);
}

TEST_F(OutputPlaces, APlantedLinkIsReplacedAndItsTargetLeftAlone) {
  folder_.write("victim", "keep");
  for (const char* name : {"out.csv", "out.csv.label.json"}) {
    fs::create_symlink("victim", folder_ / name);
    const Ran ran = run(
        {"anonymize", input_, "--quasi", "age,zip,sex", "--k", "2", "--suppression", "1", "-o", folder_ / "out.csv"});
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_EQ(folder_.read("victim"), "keep");
    EXPECT_EQ(run({"label", "check", folder_ / "out.csv"}).status, 0);
    fs::remove(folder_ / "out.csv");
    fs::remove(folder_ / "out.csv.label.json");
  }
}

TEST_F(OutputPlaces, TheStandardOutputHasOtherNames) {
  for (const char* name : {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}) {
    const Ran noise = run({"noise", "geometric", "--epsilon", "5", "--value", "1000", "-o", name});
    EXPECT_EQ(noise.status, 0) << noise.err;
    EXPECT_NEAR(std::stod(noise.out), 1000, 50);  // further with probability e^-250
    const Ran built = run({"hierarchy", "build", input_, "--column", "age", "-o", name});
    EXPECT_THAT(built.out, HasSubstr("34,")) << name;
    for (const Words& line : {Words{"evaluate", input_, "--policy", input_, "--report", name},
                              Words{"patterns", "hide", input_, "--sensitive", "s", "--min-count", "2", "-o", name},
                              Words{"text", "vectors", "import", input_, "-o", name}}) {
      const Ran ran = run(line);
      EXPECT_EQ(ran.status, 2);
      EXPECT_THAT(ran.err, HasSubstr("needs a file")) << name;
    }
  }
  EXPECT_FALSE(fs::exists("-"));
}

TEST_F(OutputPlaces, TheNullDeviceTakesEveryOutputAndGetsNoLabel) {
  for (const Words& line :
       {Words{"noise", "laplace", "--epsilon", "1", "-o", "/dev/null"},
        Words{"anonymize", input_, "--quasi", "age,zip,sex", "--k", "2", "--suppression", "1", "-o", "/dev/null"},
        Words{"hierarchy", "build", input_, "--column", "age", "-o", "/dev/null"},
        Words{"patterns", "mine", input_, "--min-count", "2", "-o", "/dev/null"},
        Words{"ledger", "export", "--ledger", ledger_, "-o", "/dev/null"}}) {
    const Ran ran = run(line);
    EXPECT_EQ(ran.status, 0) << line[0] << ": " << ran.err;
    EXPECT_THAT(ran.err, Not(HasSubstr(".label.json"))) << line[0];
  }
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_FALSE(fs::exists("/dev/null.label.json"));
}

TEST_F(OutputPlaces, APlaceThatCannotBeWrittenIsToldBeforeAnythingIsDone) {
  for (const std::string& place :
       {folder_ / "none/out", folder_ / ".", std::string("/dev/full"), std::string("/dev/stderr"),
        std::string("/dev/./stdout"), std::string("/proc/self/fd/2")}) {
    const Ran ran = run({"noise", "laplace", "--epsilon", "1", "-o", place});
    EXPECT_EQ(ran.status, 1) << place;
    EXPECT_THAT(ran.err, HasSubstr("cannot write")) << place;
    EXPECT_EQ(ran.out, "");
  }
}

}  // namespace output_places_test
}  // namespace gauze::cli
