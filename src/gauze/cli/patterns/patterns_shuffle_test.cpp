// patterns hide --shuffle, and the way back.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include "gauze/cli/core/table_testing.h"

namespace gauze::cli {
namespace patterns_shuffle_test {

using ::testing::HasSubstr;
using ::testing::Not;

class PatternsShuffle : public ::testing::Test {
 protected:
  PatternsShuffle() {
    for (int i = 0; i < 200; ++i)
      baskets_ += "bread item" + std::to_string(i) + (i % 3 == 0 ? " milk" : "") + (i % 4 == 0 ? " salt\n" : "\n");
    folder_.write("in.dat", baskets_);
    folder_.write("secret.txt", "bread milk\n");
  }
  Ran hide(const std::vector<std::string>& more) {
    std::vector<std::string> line = {
        "patterns", "hide", folder_ / "in.dat",  "--sensitive", folder_ / "secret.txt", "--min-count",
        "30",       "-o",   folder_ / "out.dat", "--json"};
    line.insert(line.end(), more.begin(), more.end());
    return run(line);
  }

  Folder folder_;
  std::string baskets_;
};

TEST_F(PatternsShuffle, KeepsTheOrderByDefaultAndSaysSo) {
  const Ran ran = hide({});
  ASSERT_EQ(ran.status, 0) << ran.out;
  const auto before = lines_of(baskets_), after = lines_of(folder_.read("out.dat"));
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_THAT(after[i], HasSubstr("item" + std::to_string(i)));
  EXPECT_EQ(at(json_of(ran), {"label", "parameters", "order"}), "that of the original");
  EXPECT_THAT(at(json_of(ran), {"label", "does_not_cover"}), HasSubstr("the order of the transactions"));
}

TEST_F(PatternsShuffle, MovesTransactionsAndComesBackByteForByte) {
  const Ran ran = hide({"--shuffle", "--marks", folder_ / "key.csv"});
  ASSERT_EQ(ran.status, 0) << ran.out;
  EXPECT_EQ(at(json_of(ran), {"label", "parameters", "order"}), "random");
  EXPECT_THAT(at(json_of(ran), {"label", "does_not_cover"}), Not(HasSubstr("order")));
  EXPECT_EQ(run({"label", "check", folder_ / "out.dat"}).status, 0);
  // A fixed point is as likely as not to be there; 100 of 200 have a probability below 1e-150.
  const auto after = lines_of(folder_.read("out.dat"));
  int stayed = 0;
  for (std::size_t i = 0; i < after.size(); ++i)
    stayed += after[i].find("item" + std::to_string(i) + " ") != std::string::npos ? 1 : 0;
  EXPECT_LT(stayed, 100);
  EXPECT_EQ(run({"patterns", "restore", folder_ / "out.dat", "--marks", folder_ / "key.csv", "-o", folder_ / "back"})
                .status,
            0);
  EXPECT_EQ(folder_.read("back"), baskets_);
}

TEST_F(PatternsShuffle, TheMarksNameRowsOfTheInput) {
  const Ran ran = hide({"--shuffle", "--marks", folder_ / "key.csv"});
  const auto lines = lines_of(folder_.read("key.csv"));
  const Json* marks = json_of(ran).find("marks");
  ASSERT_NE(marks, nullptr);
  const Json document = json_of(ran);
  const auto before = lines_of(baskets_);
  for (const Json& mark : *document.find("marks")->elements()) {
    const std::size_t row = std::stoul(std::string((*mark.elements())[0].text()));
    EXPECT_THAT(before.at(row - 1), HasSubstr(std::string((*mark.elements())[1].text())));
  }
  std::size_t places = 0;
  const auto after = lines_of(folder_.read("out.dat"));
  for (const std::string& line : lines) {
    if (line.find(",,place,") == std::string::npos) continue;
    const std::size_t comma = line.find(',');
    const std::size_t row = std::stoul(line), place = std::stoul(line.substr(comma + 1));
    EXPECT_THAT(after.at(place - 1), HasSubstr("item" + std::to_string(row - 1)));
    ++places;
  }
  EXPECT_EQ(places, 200U);
}

TEST_F(PatternsShuffle, AnAuditMatchesAShuffledReleaseByItsMarks) {
  ASSERT_EQ(hide({"--marks", folder_ / "kept.csv"}).status, 0);
  const std::vector<std::string> audit = {"patterns",          "audit",       folder_ / "in.dat",
                                          folder_ / "out.dat", "--sensitive", folder_ / "secret.txt",
                                          "--min-count",       "30",          "--json"};
  const Json in_order = json_of(run(audit));
  ASSERT_EQ(hide({"--shuffle", "--marks", folder_ / "key.csv"}).status, 0);
  auto with_marks = audit;
  with_marks.insert(with_marks.end(), {"--marks", folder_ / "key.csv"});
  const Ran matched = run(with_marks);
  ASSERT_EQ(matched.status, 0) << matched.out;
  EXPECT_EQ(json_of(matched).dump(), in_order.dump());
  auto with_others = audit;
  with_others.insert(with_others.end(), {"--marks", folder_ / "kept.csv"});
  EXPECT_EQ(run(with_others).status, 1);
  // Without the marks transactions do not match: items seem to have been added to many.
  EXPECT_EQ(at(in_order, {"attacks", "added_items"}), "0");
  EXPECT_GT(number_at(json_of(run(audit)), {"attacks", "added_items"}), 50);
}

TEST_F(PatternsShuffle, TheKeyIsReadableByItsOwnerAlone) {
  const mode_t before = ::umask(0);
  folder_.write("key.csv", "an old key, open to everybody");
  ASSERT_EQ(hide({"--marks", folder_ / "key.csv"}).status, 0);
  ::umask(before);
  struct stat status {};
  ASSERT_EQ(::stat((folder_ / "key.csv").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
}

TEST_F(PatternsShuffle, ALongTableIsRefusedWithAReason) {
  folder_.write("long.csv", "transaction,item\n1,bread\n1,milk\n2,bread\n2,milk\n3,salt\n");
  const Ran ran = run({"patterns", "hide", folder_ / "long.csv", "--sensitive", folder_ / "secret.txt", "--min-count",
                       "1", "--shuffle", "-o", folder_ / "out.csv"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, HasSubstr("long table"));
  EXPECT_FALSE(folder_.has("out.csv"));
}

}  // namespace patterns_shuffle_test
}  // namespace gauze::cli
