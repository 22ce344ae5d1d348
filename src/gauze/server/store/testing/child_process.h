#pragma once
// This test program started anew, so that it can be killed: not forked, since threads of the store would not be in the child.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

extern char** environ;

namespace gauze::server::testing {

/// Where a child finds its pipe.
inline constexpr int kChildPipe = 3;

struct ChildProcess {
  pid_t id = -1;
  int reports = -1;
};

/// Starts the work of this name, which an Environment of the test program finds in GAUZE_STORE_CHILD, with the words in
/// GAUZE_STORE_CHILD_WORDS.
inline ChildProcess start_child(const std::string& work, const std::string& words) {
  int ends[2] = {-1, -1};
  EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  // A descriptor that is duplicated onto itself would keep its flag: it goes by way of another number.
  const int end = ::fcntl(ends[1], F_DUPFD_CLOEXEC, 10);
  ::posix_spawn_file_actions_adddup2(&actions, end, kChildPipe);
  ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  const std::string work_variable = "GAUZE_STORE_CHILD=" + work;
  const std::string words_variable = "GAUZE_STORE_CHILD_WORDS=" + words;
  std::vector<char*> environment = {const_cast<char*>(work_variable.c_str()),
                                    const_cast<char*>(words_variable.c_str())};
  for (char** one = environ; *one != nullptr; ++one) {
    const std::string_view name(*one);
    if (!name.starts_with("GTEST_") && !name.starts_with("GAUZE_STORE_CHILD")) environment.push_back(*one);
  }
  environment.push_back(nullptr);
  std::string program = "/proc/self/exe";
  std::vector<char*> arguments = {program.data(), nullptr};
  ChildProcess child{.id = -1, .reports = ends[0]};
  EXPECT_EQ(::posix_spawn(&child.id, program.c_str(), &actions, nullptr, arguments.data(), environment.data()), 0);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  ::close(end);
  return child;
}

inline void report_to_parent(std::uint64_t number) {
  if (::write(kChildPipe, &number, sizeof number) != sizeof number) ::_exit(9);
}

/// The next number that the child reports; false when it is gone.
inline bool next_report(const ChildProcess& child, std::uint64_t& number) {
  return ::read(child.reports, &number, sizeof number) == sizeof number;
}

/// Waits for the end of the child, with what it has reported until then.
inline std::vector<std::uint64_t> reports_until_end(const ChildProcess& child, int& status) {
  std::vector<std::uint64_t> numbers;
  std::uint64_t number = 0;
  while (next_report(child, number)) numbers.push_back(number);
  ::close(child.reports);
  EXPECT_EQ(::waitpid(child.id, &status, 0), child.id);
  return numbers;
}

}  // namespace gauze::server::testing
