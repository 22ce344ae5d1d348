// How the commands on patterns read their files: items that do not occur, delimiters, encodings.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/cli/core/table_testing.h"
#include "gauze/files/compression.h"

namespace gauze::cli {
namespace patterns_reading_test {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class PatternsReading : public ::testing::Test {
 protected:
  Folder folder_;
  std::string semicolons_ = folder_.write("t.csv", "milk;bread\nmilk;bread\nmilk;bread\nmilk;tea\ntea\nsalt\n");
  std::string secret_ = folder_.write("secret.txt", "milk, bread\n");

  Ran on(const std::string& command, const std::string& file, std::vector<std::string> flags) {
    std::vector<std::string> args = {"patterns", command, file, "--min-count", "2"};
    args.insert(args.end(), flags.begin(), flags.end());
    return run(args);
  }
  Ran hide(const std::string& file, std::vector<std::string> flags) {
    flags.insert(flags.end(), {"--sensitive", secret_, "--level", "H1", "-o", folder_ / "out.csv"});
    return on("hide", file, flags);
  }
};

TEST_F(PatternsReading, AnItemThatDoesNotOccurIsRefusedUnlessAllowed) {
  folder_.write("secret.txt", "milk, bread\nmilk, bred\n");
  const std::string file = folder_.write("c.csv", "milk,bread\nmilk,bread\ntea,salt\n");
  const Ran refused = hide(file, {});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err,
              AllOf(HasSubstr("line 2: 'bred'"), HasSubstr("did you mean 'bread'?"), HasSubstr("--allow-unknown")));
  EXPECT_FALSE(folder_.has("out.csv"));
  const Ran allowed = hide(file, {"--allow-unknown", "--quiet"});
  EXPECT_EQ(allowed.status, 0) << allowed.err;
  EXPECT_THAT(allowed.err, HasSubstr("line 2: an item does not occur"));
  for (const char* command : {"compare", "audit"}) {
    std::vector<std::string> args = {"patterns", command, file};
    if (command == std::string("audit")) args.push_back(folder_ / "out.csv");
    args.insert(args.end(), {"--sensitive", secret_, "--min-count", "2"});
    EXPECT_EQ(run(args).status, 2) << command;
    args.push_back("--allow-unknown");
    EXPECT_EQ(run(args).status, 0) << command;
  }
  folder_.write("secret.txt", "milk, \"bread\n");
  EXPECT_THAT(hide(file, {}).err, Not(HasSubstr("--allow-unknown"))) << "that would not help";
}

TEST_F(PatternsReading, PackedFilesReadLikePlainOnes) {
  const std::vector<std::pair<std::string, std::string>> texts = {
      {"m.csv", "milk,bread,tea\n1,1,0\n1,1,0\n0,1,1\n"},
      {"l.csv", "transaction,item\n1,milk\n1,bread\n2,milk\n2,bread\n3,tea\n"},
      {"d.dat", "milk bread\nmilk bread\ntea bread\n"}};
  for (const auto& [name, text] : texts) {
    const Json plain = json_of(on("mine", folder_.write(name, text), {"--count-only", "--json"}));
    for (const auto& [ending, compression] :
         {std::pair(".gz", Compression::gzip), std::pair(".zst", Compression::zstd)}) {
      const std::string file = folder_.write(name + ending, *compress_piece(text, compression));
      const Json packed = json_of(on("mine", file, {"--count-only", "--json"}));
      for (const char* key : {"transactions", "items", "itemsets"})
        EXPECT_EQ(packed.find(key)->dump(), plain.find(key)->dump()) << name << ending << ' ' << key;
      const std::string out = folder_ / ("out" + name + ending);
      const Ran hidden =
          on("hide", file, {"--sensitive", secret_, "--level", "H1", "--marks", folder_ / "key.csv", "-o", out});
      ASSERT_EQ(hidden.status, 0) << hidden.err;
      EXPECT_EQ(sniff_compression(folder_.read("out" + name + ending)), compression);
      EXPECT_EQ(run({"label", "check", out}).status, 0);
      ASSERT_EQ(run({"patterns", "restore", out, "--marks", folder_ / "key.csv", "-o", folder_ / "back"}).status, 0);
      EXPECT_EQ(folder_.read("back"), text) << name << ending;
    }
  }
}

TEST_F(PatternsReading, RowsThatLookSeparatedByAnotherDelimiterAreTold) {
  const Ran wrong = on("mine", semicolons_, {"--count-only", "--json"});
  ASSERT_EQ(wrong.status, 0) << wrong.err;
  EXPECT_THAT(warning_codes(json_of(wrong)), ElementsAre("other_delimiter"));
  EXPECT_THAT(wrong.err, HasSubstr("--delimiter ';'"));
  const Ran right = on("mine", semicolons_, {"--count-only", "--json", "--delimiter", ";"});
  EXPECT_THAT(warning_codes(json_of(right)), ElementsAre());
  EXPECT_EQ(at(json_of(right), {"itemsets"}), "4") << "milk, bread, tea, and milk with bread";
  EXPECT_EQ(on("rules", semicolons_, {"--delimiter", "x"}).status, 2);
  EXPECT_EQ(on("suggest", semicolons_, {"--delimiter", ";;"}).status, 2);
  folder_.write("wide.csv", "牛奶，面包\n牛奶，面包\n");
  EXPECT_THAT(on("mine", folder_ / "wide.csv", {}).err, HasSubstr("commas there"));
}

TEST_F(PatternsReading, ADelimiterGoesThereAndBack) {
  const std::string key = folder_ / "key.csv";
  const Ran ran = hide(semicolons_, {"--delimiter", ";", "--marks", key, "--json"});
  ASSERT_EQ(ran.status, 0) << ran.out;
  EXPECT_THAT(warning_codes(json_of(ran)), Contains("format_not_shown"));
  EXPECT_THAT(ran.err, AllOf(HasSubstr("--format csv"), HasSubstr("--delimiter ';'")));
  EXPECT_THAT(folder_.read("out.csv"), HasSubstr(";"));
  EXPECT_EQ(
      run({"patterns", "restore", folder_ / "out.csv", "--marks", key, "--delimiter", ";", "-o", folder_ / "back"})
          .status,
      0);
  EXPECT_EQ(folder_.read("back"), folder_.read("t.csv"));
}

TEST_F(PatternsReading, ChineseEncodingsAreUnderstoodAndWrittenBack) {
  const std::string text = "牛奶,面包\n牛奶,面包\n牛奶,面包\n茶\n茶\n盐\n";
  const std::string file = folder_.write("gb.csv", encoded(text, "GB18030"));
  folder_.write("secret.txt", encoded("牛奶，面包\n", "GB18030"));
  const std::string key = folder_ / "key.csv";
  const Ran ran = hide(file, {"--marks", key, "--json"});
  ASSERT_EQ(ran.status, 0) << ran.out;
  EXPECT_EQ(at(json_of(ran), {"hiding_failure"}), "0");
  EXPECT_EQ(run({"label", "check", folder_ / "out.csv"}).status, 0);
  EXPECT_EQ(folder_.read("out.csv").find("牛奶"), std::string::npos) << "it is no UTF-8";
  EXPECT_THAT(folder_.read("out.csv"), HasSubstr(encoded("面包", "GB18030")));
  EXPECT_EQ(run({"patterns", "restore", folder_ / "out.csv", "--marks", key, "-o", folder_ / "back"}).status, 0);
  EXPECT_EQ(folder_.read("back"), folder_.read("gb.csv"));
  EXPECT_EQ(hide(file, {"--encoding", "gb18030"}).status, 0);
  EXPECT_EQ(hide(file, {"--encoding", "utf-8"}).status, 1);
  EXPECT_EQ(hide(file, {"--encoding", "klingon"}).status, 2);
}

TEST_F(PatternsReading, RestoreWithTheWrongFormatSaysSo) {
  const std::string table = folder_.write("long.csv", "who,what\n1,tea\n2,milk\n2,bread\n3,milk\n3,bread\n");
  const std::string key = folder_ / "key.csv";
  ASSERT_EQ(hide(table, {"--format", "long", "--marks", key}).status, 0);
  const auto restore = [&](std::vector<std::string> flags) {
    flags.insert(flags.begin(), {"patterns", "restore", folder_ / "out.csv", "--marks", key, "-o", folder_ / "back"});
    return run(flags);
  };
  const Ran wrong = restore({"--format", "csv"});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.err, HasSubstr("the release is a long file, but was read as csv"));
  EXPECT_EQ(restore({}).status, 0);
  EXPECT_EQ(folder_.read("back"), folder_.read("long.csv"));
}

}  // namespace patterns_reading_test
}  // namespace gauze::cli
