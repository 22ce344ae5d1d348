#include "gauze/files/scratch_folder.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <vector>

#include "gauze/files/atomic_file.h"

namespace gauze {
namespace scratch_folder_test {

namespace fs = std::filesystem;

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

fs::path folder_with(const fs::path& where, const std::string& name, int seconds_old) {
  const fs::path folder = where / name;
  fs::create_directory(folder);
  EXPECT_TRUE(write_file(folder / "rows", "private"));
  fs::last_write_time(folder, fs::file_time_type::clock::now() - std::chrono::seconds(seconds_old));
  return folder;
}

TEST(ScratchFolder, ClearsUpAfterTheKilled) {
  const auto place = ScratchFolder::make();
  ASSERT_TRUE(place);
  const fs::path where = place->path();
  const fs::path left = folder_with(where, ".gauze-abcdef", 3600);
  const fs::path fresh = folder_with(where, ".gauze-ABCDEF", 0);
  const fs::path other = folder_with(where, "gauze-abcdef", 3600);
  const fs::path longer = folder_with(where, ".gauze-abcdefg", 3600);
  fs::create_directory_symlink(other, where / ".gauze-linked");
  const auto living = ScratchFolder::make(where);
  ASSERT_TRUE(living);
  fs::last_write_time(living->path(), fs::file_time_type::clock::now() - std::chrono::hours(1));
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(fresh)) << "may be about to be locked";
  EXPECT_TRUE(fs::exists(other));
  EXPECT_TRUE(fs::exists(longer));
  ASSERT_TRUE(ScratchFolder::make(where));
  EXPECT_TRUE(fs::exists(living->path())) << "locked by the living";
}

TEST(ScratchFolder, OfAKilledProcessIsGoneWithTheNext) {
  const auto place = ScratchFolder::make();
  ASSERT_TRUE(place);
  const ::pid_t child = ::fork();
  if (child == 0) {
    const auto made = ScratchFolder::make(place->path());
    const bool written = made && write_file(made->file("rows"), "private").has_value();
    ::raise(written ? SIGKILL : SIGTERM);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_EQ(WTERMSIG(status), SIGKILL);
  std::vector<fs::path> left;
  for (const auto& entry : fs::directory_iterator(place->path())) left.push_back(entry.path());
  ASSERT_EQ(left.size(), 1U);
  fs::last_write_time(left[0], fs::file_time_type::clock::now() - std::chrono::hours(1));
  ASSERT_TRUE(ScratchFolder::make(place->path()));
  EXPECT_FALSE(fs::exists(left[0]));
}

}  // namespace scratch_folder_test
}  // namespace gauze
