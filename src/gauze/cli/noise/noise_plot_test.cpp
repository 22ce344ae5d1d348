#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/cli/core/table_testing.h"
#include "gauze/files/testing/folder.h"

namespace gauze::cli {
namespace noise_plot_test {

using ::testing::HasSubstr;

TEST(NoisePlotCommand, WritesAPageAndShowsNumbersBeforeAndAfter) {
  const Folder folder;
  const Ran ran = run({"noise", "laplace", "--plot", folder / "noise.html"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("before:"));
  EXPECT_THAT(ran.out, HasSubstr("0.1 "));
  EXPECT_THAT(ran.err, HasSubstr("wrote "));
  const std::string page = folder.read("noise.html");
  EXPECT_THAT(page, HasSubstr("noise-plot"));
  EXPECT_FALSE(folder.has("noise.html.label.json")) << "nothing of anybody's is in it";
  const Json document = json_of(run(
      {"noise", "gaussian", "--delta", "1e-6", "--epsilons", "1,2,3", "--plot", folder / "three.html", "--json"}));
  EXPECT_EQ(at(document, {"draws"}), "10000");
  EXPECT_EQ(document.find("panels")->elements()->size(), 3U);
}

TEST(NoisePlotCommand, TakesNothingThatARealReleaseTakes) {
  const Folder folder;
  const std::string page = folder / "p.html";
  const auto refused = [&](std::vector<std::string> more) {
    std::vector<std::string> args = {"noise", "laplace", "--plot", page};
    args.insert(args.end(), more.begin(), more.end());
    const Ran ran = run(args);
    EXPECT_EQ(ran.status, 2) << ran.out;
    EXPECT_FALSE(folder.has("p.html"));
    return ran.err;
  };
  EXPECT_THAT(refused({"--value", "5"}), HasSubstr("--plot takes no --value"));
  EXPECT_THAT(refused({"--ledger", folder / "l", "--dataset", "d"}), HasSubstr("--plot takes no --ledger"));
  EXPECT_THAT(refused({"--scale", "1"}), HasSubstr("--plot takes no --scale"));
  EXPECT_THAT(refused({"--epsilon", "1", "--epsilons", "1,2"}), HasSubstr("not both"));
  EXPECT_THAT(refused({"--epsilons", "0"}), HasSubstr("must be positive"));
  EXPECT_EQ(run({"noise", "laplace", "--epsilons", "1,2"}).status, 2);
  EXPECT_EQ(run({"noise", "snapping", "--bound", "5", "--plot", page}).status, 2);
  EXPECT_EQ(run({"noise", "gaussian", "--plot", page}).status, 2) << "no delta";
  EXPECT_EQ(run({"noise", "laplace", "--plot", folder / "nowhere/p.html"}).status, 1);
}

}  // namespace noise_plot_test
}  // namespace gauze::cli
