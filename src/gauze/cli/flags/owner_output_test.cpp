#include "gauze/cli/flags/owner_output.h"

#include <gtest/gtest.h>

#include "gauze/cli/core/cli_testing.h"
#include "gauze/files/testing/folder.h"

namespace gauze::cli {
namespace owner_output_test {

class OwnerOutput : public ::testing::Test {
 protected:
  /// A command that writes two lines; with --monotone it fails after them.
  static Ran write(const std::vector<std::string>& flags) {
    const auto action = [](Invocation& invocation) -> Result<int> {
      const auto lines = [&](const publish::ByteSink& sink) -> Result<void> {
        GAUZE_TRY_VOID(sink("one\n"));
        GAUZE_TRY_VOID(sink("two\n"));
        if (invocation.has("monotone")) return make_error(ErrorCode::bad_data, "no more");
        return {};
      };
      GAUZE_TRY_VOID(write_for_owner(invocation, lines));
      return 0;
    };
    std::vector<std::string> args = {"probe", "alpha"};
    args.insert(args.end(), flags.begin(), flags.end());
    return run(probe_registry(action), args);
  }
  Folder folder_;
};

TEST_F(OwnerOutput, GoesToTheStandardOutputUnlessAFileIsNamed) {
  EXPECT_EQ(write({}).out, "one\ntwo\n");
  EXPECT_EQ(write({"-o", "-"}).out, "one\ntwo\n");
}

TEST_F(OwnerOutput, AFileHasNoLabel) {
  const Ran ran = write({"-o", folder_ / "list.txt"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(folder_.read("list.txt"), "one\ntwo\n");
  EXPECT_FALSE(folder_.has("list.txt.label.json"));
}

TEST_F(OwnerOutput, AFailureLeavesWhatWasThere) {
  folder_.write("list.txt", "old\n");
  EXPECT_EQ(write({"-o", folder_ / "list.txt", "--monotone"}).status, 1);
  EXPECT_EQ(folder_.read("list.txt"), "old\n");
  EXPECT_EQ(write({"-o", folder_ / "new.txt", "--monotone"}).status, 1);
  EXPECT_FALSE(folder_.has("new.txt"));
}

}  // namespace owner_output_test
}  // namespace gauze::cli
