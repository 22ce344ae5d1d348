#include "gauze/files/find_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/files/testing/folder.h"

namespace gauze {
namespace find_files_test {

using ::testing::ElementsAre;

TEST(FindFiles, TakesWhatExistsLiterally) {
  const Folder folder;
  for (const char* name : {"a*.csv", "ab.csv", "ac.csv", "[1].csv", "1.csv"})
    static_cast<void>(folder.write(name, "x"));
  EXPECT_THAT(find_files(folder / "a*.csv").value(), ElementsAre(folder / "a*.csv"));
  EXPECT_THAT(find_files(folder / "[1].csv").value(), ElementsAre(folder / "[1].csv"));
  EXPECT_THAT(find_files(folder / "a[bc].csv").value(), ElementsAre(folder / "ab.csv", folder / "ac.csv"));
  EXPECT_THAT(find_files("-").value(), ElementsAre("-"));
  EXPECT_THAT(find_files(folder / "absent").value(), ElementsAre(folder / "absent")) << "opening it says why not";
  EXPECT_EQ(find_files(folder / "absent*").error().code, ErrorCode::io);
}

}  // namespace find_files_test
}  // namespace gauze
