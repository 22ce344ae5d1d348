#include "gauze/files/scratch_folder.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "gauze/files/atomic_file.h"

namespace gauze {
namespace {

TEST(ScratchFolder, IsPrivateAndVanishes) {
  std::filesystem::path path;
  {
    auto made = ScratchFolder::make();
    ASSERT_TRUE(made) << made.error().message;
    const ScratchFolder folder = *std::move(made);
    ASSERT_TRUE(write_file(folder.file("a"), "text"));
    path = std::filesystem::path(folder.file("a")).parent_path();
    EXPECT_EQ(std::filesystem::status(path).permissions(), std::filesystem::perms::owner_all);
    const auto other = ScratchFolder::make();
    EXPECT_NE(other->file("a"), folder.file("a"));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace gauze
