#include "gauze/files/atomic_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <functional>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace gauze {
namespace atomic_file_test {

namespace fs = std::filesystem;

/// An empty folder of its own for every test.
class AtomicFileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "gauze-atomic-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override {
    fs::permissions(folder_, fs::perms::owner_all);
    fs::remove_all(folder_);
  }

  [[nodiscard]] fs::path path(const std::string& name) const { return folder_ / name; }

  [[nodiscard]] std::set<std::string> names() const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_)) names.insert(entry.path().filename().string());
    return names;
  }

  void put(const std::string& name, const std::string& bytes) {
    ASSERT_TRUE(write_file(path(name), bytes).has_value());
  }

  fs::path folder_;
};

/// Runs the body in a child process and gives its wait status.
int in_child(const std::function<void()>& body) {
  const pid_t child = ::fork();
  if (child == 0) {
    body();
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

/// Whether permissions bind this process: they do not bind root.
bool is_root() { return ::geteuid() == 0; }

/// In a child that is not root.
int as_nobody(const std::function<void()>& body) {
  return in_child([&] {
    if (is_root() && ::setresuid(65534, 65534, 65534) != 0) ::_exit(99);
    body();
  });
}

TEST_F(AtomicFileTest, AppearsOnlyWithCommit) {
  auto file = AtomicFile::create(path("out.csv"));
  ASSERT_TRUE(file.has_value());
  ASSERT_TRUE(file->write("a,b\n").has_value());
  ASSERT_TRUE(file->write("1,2\n").has_value());
  EXPECT_FALSE(fs::exists(path("out.csv")));
  ASSERT_TRUE(file->commit().has_value());
  EXPECT_EQ(read_file(path("out.csv")).value(), "a,b\n1,2\n");
  EXPECT_EQ(names(), std::set<std::string>{"out.csv"});
}

TEST_F(AtomicFileTest, WithoutCommitNothingIsLeft) {
  put("out", "old");
  {
    auto file = AtomicFile::create(path("out"));
    ASSERT_TRUE(file->write("new").has_value());
    EXPECT_EQ(names().size(), 2U) << "the temporary file lies beside";
  }
  EXPECT_EQ(names(), std::set<std::string>{"out"});
  EXPECT_EQ(read_file(path("out")).value(), "old");
}

TEST_F(AtomicFileTest, MovingHandsTheFileOn) {
  auto file = AtomicFile::create(path("out"));
  {
    AtomicFile moved = std::move(*file);
    ASSERT_TRUE(moved.write("x").has_value());
    ASSERT_TRUE(moved.commit().has_value());
  }
  EXPECT_EQ(read_file(path("out")).value(), "x");
}

TEST_F(AtomicFileTest, WritesAnyBytesOfAnySize) {
  std::string bytes(3'000'000, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 31 % 251);
  auto file = AtomicFile::create(path("out"));
  for (std::size_t at = 0; at < bytes.size(); at += 77'777) {
    ASSERT_TRUE(file->write(std::string_view(bytes).substr(at, 77'777)).has_value());
  }
  ASSERT_TRUE(file->commit().has_value());
  EXPECT_EQ(read_file(path("out")).value(), bytes);
  put("empty", "");
  EXPECT_EQ(read_file(path("empty")).value(), "");
}

TEST_F(AtomicFileTest, AKilledWriterLeavesTheOldFile) {
  put("out", "old");
  const int status = in_child([&] {
    auto file = AtomicFile::create(path("out"));
    if (!file || !file->write(std::string(1'000'000, 'n'))) ::_exit(1);
    ::kill(::getpid(), SIGKILL);
  });
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  EXPECT_EQ(read_file(path("out")).value(), "old");
  put("out", "newer");  // what the dead left does not stand in the way
  EXPECT_EQ(read_file(path("out")).value(), "newer");
}

TEST_F(AtomicFileTest, AnExitWithoutCommitLeavesTheOldFile) {
  put("out", "old");
  const int status = in_child([&] {
    auto file = AtomicFile::create(path("out"));
    if (!file || !file->write("new")) ::_exit(1);
  });
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_EQ(read_file(path("out")).value(), "old");
}

TEST_F(AtomicFileTest, AReaderSeesOldOrNewNeverHalf) {
  const std::string old_bytes(400'000, 'o');
  const std::string new_bytes(400'000, 'n');
  put("out", old_bytes);
  std::thread writer([&] {
    for (int i = 0; i < 30; ++i) EXPECT_TRUE(write_file(path("out"), i % 2 == 0 ? new_bytes : old_bytes).has_value());
  });
  for (int i = 0; i < 60; ++i) {
    const auto seen = read_file(path("out"));
    EXPECT_TRUE(seen.has_value() && (*seen == old_bytes || *seen == new_bytes));
  }
  writer.join();
}

TEST_F(AtomicFileTest, WritersOfOneTargetDoNotMix) {
  std::vector<std::thread> writers;
  for (int i = 0; i < 4; ++i) {
    writers.emplace_back([&, i] {
      const std::string bytes(100'000, static_cast<char>('a' + i));
      for (int round = 0; round < 10; ++round) EXPECT_TRUE(write_file(path("out"), bytes).has_value());
    });
  }
  for (auto& writer : writers) writer.join();
  const std::string bytes = read_file(path("out")).value();
  EXPECT_EQ(bytes, std::string(100'000, bytes.front()));
  EXPECT_EQ(names(), std::set<std::string>{"out"});
}

TEST_F(AtomicFileTest, AFolderThatIsMissingIsAnError) {
  const auto result = AtomicFile::create(path("no/such/out"));
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().code, ErrorCode::io);
  EXPECT_THAT(result.error().message, ::testing::HasSubstr("No such file or directory"));
}

TEST_F(AtomicFileTest, AFolderThatCannotBeWrittenIsAnErrorAtOnce) {
  fs::permissions(folder_,
                  fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_read | fs::perms::others_exec);
  const int status = as_nobody([&] {
    const auto result = AtomicFile::create(path("out"));
    ::_exit(!result && result.error().code == ErrorCode::io ? 7 : 1);
  });
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 7) << status;
}

TEST_F(AtomicFileTest, AReadOnlyFileIsNotReplaced) {
  put("out", "keep");
  fs::permissions(path("out"), fs::perms::owner_read | fs::perms::group_read | fs::perms::others_read);
  fs::permissions(folder_, fs::perms::all);
  const int status = as_nobody([&] { ::_exit(write_file(path("out"), "new") ? 1 : 7); });
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 7) << status;
  EXPECT_EQ(read_file(path("out")).value(), "keep");
}

TEST_F(AtomicFileTest, WhatIsNotARegularFileIsRefused) {
  fs::create_directory(path("folder"));
  for (const fs::path& target : {path("folder"), fs::path("/dev/full")}) {
    const auto result = AtomicFile::create(target);
    ASSERT_FALSE(result.has_value()) << target;
    EXPECT_EQ(result.error().code, ErrorCode::io);
    EXPECT_THAT(result.error().message, ::testing::HasSubstr("not a regular file"));
  }
  EXPECT_FALSE(AtomicFile::create("").has_value());
  EXPECT_FALSE(AtomicFile::create(path("new/")).has_value());
  put("plain", "x");
  EXPECT_FALSE(AtomicFile::create(path("plain/below")).has_value());
  EXPECT_EQ(names(), (std::set<std::string>{"folder", "plain"}));
}

TEST_F(AtomicFileTest, ATargetThatBecomesAFolderFailsAndLeavesNothing) {
  auto file = AtomicFile::create(path("out"));
  ASSERT_TRUE(file->write("x").has_value());
  fs::create_directory(path("out"));
  EXPECT_FALSE(file->commit().has_value());
  file = make_error(ErrorCode::internal, "dropped");
  EXPECT_EQ(names(), std::set<std::string>{"out"});
}

TEST_F(AtomicFileTest, APlantedLinkIsReplacedAndItsTargetLeftAlone) {
  put("victim", "keep");
  fs::create_symlink("victim", path("out"));
  fs::create_symlink(path("out"), path("link to link"));
  for (const char* name : {"out", "link to link"}) {
    put(name, "new");
    EXPECT_FALSE(fs::is_symlink(path(name)));
    EXPECT_EQ(read_file(path(name)).value(), "new");
  }
  EXPECT_EQ(read_file(path("victim")).value(), "keep");
}

TEST_F(AtomicFileTest, ALinkThatLeadsNowhereOrInACircleIsReplaced) {
  fs::create_symlink("later", path("out"));
  fs::create_symlink("b", path("a"));
  fs::create_symlink("a", path("b"));
  put("out", "x");
  put("a", "y");
  EXPECT_FALSE(fs::exists(path("later")));
  EXPECT_EQ(read_file(path("out")).value(), "x");
  EXPECT_EQ(read_file(path("a")).value(), "y");
  EXPECT_TRUE(fs::is_symlink(path("b")));
}

TEST_F(AtomicFileTest, ALinkToADeviceOrAFolderIsReplacedToo) {
  fs::create_directory(path("folder"));
  fs::create_symlink("folder", path("to folder"));
  fs::create_symlink("/dev/null", path("to device"));
  for (const char* name : {"to folder", "to device"}) {
    EXPECT_FALSE(is_null_device(path(name)));
    put(name, "x");
    EXPECT_EQ(read_file(path(name)).value(), "x");
  }
  EXPECT_TRUE(fs::is_empty(path("folder")));
}

// A link that is put there while the file is being written is not followed either.
TEST_F(AtomicFileTest, ALinkThatComesBetweenIsReplaced) {
  put("victim", "keep");
  auto file = AtomicFile::create(path("out"));
  ASSERT_TRUE(file->write("new").has_value());
  fs::create_symlink("victim", path("out"));
  ASSERT_TRUE(file->commit().has_value());
  EXPECT_EQ(read_file(path("victim")).value(), "keep");
  EXPECT_EQ(read_file(path("out")).value(), "new");
}

TEST_F(AtomicFileTest, AFileWithASecondNameLosesOneNameOnly) {
  put("kept", "old");
  fs::create_hard_link(path("kept"), path("out"));
  put("out", "new");
  EXPECT_EQ(read_file(path("kept")).value(), "old");
}

TEST_F(AtomicFileTest, TheNullDeviceTakesEverythingAndStaysOne) {
  ASSERT_TRUE(is_null_device("/dev/null"));
  EXPECT_FALSE(is_null_device("/dev/zero"));
  EXPECT_FALSE(is_null_device(path("none")));
  EXPECT_TRUE(check_place("/dev/null").has_value());
  EXPECT_TRUE(write_file("/dev/null", std::string(1'000'000, 'x')).has_value());
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(AtomicFileTest, ASecretIsReadableByItsOwnerAlone) {
  put("open", "old");
  ASSERT_EQ(::chmod(path("open").c_str(), 0666), 0);
  fs::create_symlink("open", path("link"));
  const mode_t before = ::umask(0);
  for (const char* name : {"new", "open", "link"}) {
    ASSERT_TRUE(write_file(path(name), "key", FileReaders::owner_alone).has_value());
    struct stat status {};
    ASSERT_EQ(::lstat(path(name).c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777U, 0600U) << name;
    EXPECT_EQ(read_file(path(name)).value(), "key");
  }
  ::umask(before);
}

TEST_F(AtomicFileTest, APlaceIsCheckedWithoutBeingTouched) {
  fs::create_directory(path("folder"));
  put("plain", "x");
  EXPECT_TRUE(check_place(path("out")).has_value());
  EXPECT_TRUE(check_place(path("plain")).has_value());
  for (const char* name : {"folder", "folder/", "none/out", "plain/out"}) {
    const auto checked = check_place(path(name));
    ASSERT_FALSE(checked.has_value()) << name;
    EXPECT_EQ(checked.error().code, ErrorCode::io);
  }
  EXPECT_FALSE(check_place("/dev/full").has_value());
  EXPECT_EQ(names(), (std::set<std::string>{"folder", "plain"}));
}

TEST_F(AtomicFileTest, AFinishedFileTakesAPlaceWithItsPermissions) {
  put("victim", "keep");
  put("out", "old");
  ASSERT_EQ(::chmod(path("out").c_str(), 0640), 0);
  put("made", "new");
  ASSERT_TRUE(put_in_place(path("made"), path("out")).has_value());
  struct stat status {};
  ASSERT_EQ(::stat(path("out").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777U, 0640U);
  EXPECT_EQ(read_file(path("out")).value(), "new");
  fs::create_symlink("victim", path("link"));
  ASSERT_TRUE(put_in_place(path("out"), path("link")).has_value());
  EXPECT_EQ(read_file(path("victim")).value(), "keep");
  EXPECT_FALSE(fs::exists(path("out")));
  fs::create_directory(path("folder"));
  EXPECT_FALSE(put_in_place(path("link"), path("folder")).has_value());
}

TEST_F(AtomicFileTest, PermissionsAreKept) {
  put("out", "old");
  for (const mode_t mode : {0600U, 0640U, 0666U, 0755U}) {
    ASSERT_EQ(::chmod(path("out").c_str(), mode), 0);
    put("out", "new");
    struct stat status {};
    ASSERT_EQ(::stat(path("out").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777U, mode);
  }
}

TEST_F(AtomicFileTest, ANewFileFollowsTheCreationMask) {
  const mode_t before = ::umask(027);
  put("out", "x");
  ::umask(before);
  struct stat status {};
  ASSERT_EQ(::stat(path("out").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777U, 0640U);
}

TEST_F(AtomicFileTest, AFullDiskIsAnErrorAndKeepsTheOldFile) {
  put("out", "old");
  const int status = in_child([&] {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{.rlim_cur = 1000, .rlim_max = 1000};  // no file may grow beyond: the disk is full
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) ::_exit(1);
    auto file = AtomicFile::create(path("out"));
    if (!file) ::_exit(2);
    if (file->write(std::string(1'000'000, 'x'))) ::_exit(3);
    if (file->commit()) ::_exit(4);  // half a file must not be put in place
    if (names().size() != 1) ::_exit(5);
  });
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << WEXITSTATUS(status);
  EXPECT_EQ(read_file(path("out")).value(), "old");
}

TEST_F(AtomicFileTest, ASecondCommitIsAnError) {
  auto file = AtomicFile::create(path("out"));
  ASSERT_TRUE(file->write("x").has_value());
  ASSERT_TRUE(file->commit().has_value());
  EXPECT_FALSE(file->commit().has_value());
  EXPECT_EQ(read_file(path("out")).value(), "x");
}

TEST_F(AtomicFileTest, ReadingHasALimit) {
  put("in", "12345");
  EXPECT_EQ(read_file(path("in"), 5).value(), "12345");
  const auto result = read_file(path("in"), 4);
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().code, ErrorCode::io);
  EXPECT_THAT(result.error().message, ::testing::HasSubstr("larger than 4 bytes"));
  EXPECT_FALSE(read_file("/dev/zero", 1'000'000).has_value()) << "it has no end";
}

TEST_F(AtomicFileTest, ReadingWhatIsNotThereIsAnError) {
  EXPECT_EQ(read_file(path("none")).error().code, ErrorCode::io);
  EXPECT_EQ(read_file(folder_).error().code, ErrorCode::io);
  EXPECT_EQ(read_file("/dev/null").value(), "");
}

TEST_F(AtomicFileTest, ClearsUpWhatTheKilledLeftBesideIt) {
  const auto make_old = [](const fs::path& file) {
    fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(1));
  };
  for (const char* name :
       {"out.csv.123-4.part", "other.csv.123-4.part", "out.csv.12a-4.part", "out.csv.1-2.part.txt"}) {
    std::ofstream(path(name)) << "half";
    make_old(path(name));
  }
  std::ofstream(path("out.csv.123-5.part")) << "half, and new";
  auto living = AtomicFile::create(path("out.csv"));
  ASSERT_TRUE(living);
  std::set<std::string> left = names();
  EXPECT_FALSE(left.contains("out.csv.123-4.part"));
  for (const char* name :
       {"other.csv.123-4.part", "out.csv.12a-4.part", "out.csv.1-2.part.txt", "out.csv.123-5.part"})
    EXPECT_TRUE(left.contains(name)) << name;
  for (const std::string& name : left) make_old(path(name));
  ASSERT_TRUE(write_file(path("out.csv"), "second"));
  ASSERT_TRUE(living->write("first"));
  EXPECT_TRUE(living->commit()) << "its file was locked by the living";
}

}  // namespace atomic_file_test
}  // namespace gauze
