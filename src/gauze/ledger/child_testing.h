#pragma once
// Processes of their own for the tests of the ledger: they can be killed, and report through a pipe.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace gauze {

/// A child process and what it has written into its pipe.
struct Child {
  pid_t id = -1;
  int reports = -1;
};

template <class Work>
Child start(Work work) {
  int ends[2] = {-1, -1};
  EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  const pid_t id = ::fork();
  if (id == 0) {
    ::close(ends[0]);
    ::_exit(work(ends[1]));
  }
  ::close(ends[1]);
  return {.id = id, .reports = ends[0]};
}

inline void report(int pipe, std::int64_t number) {
  if (::write(pipe, &number, sizeof number) != sizeof number) ::_exit(9);
}

/// All whole numbers that the child has reported, once it is gone.
inline std::vector<std::int64_t> reports_of(const Child& child) {
  std::vector<std::int64_t> numbers;
  std::int64_t number = 0;
  while (::read(child.reports, &number, sizeof number) == sizeof number) numbers.push_back(number);
  ::close(child.reports);
  return numbers;
}

inline int wait_for(const Child& child) {
  int status = 0;
  EXPECT_EQ(::waitpid(child.id, &status, 0), child.id);
  return status;
}

/// What takes minutes runs only when it is asked for.
inline bool long_tests_are_wanted() {
  const char* wanted = std::getenv("GAUZE_LONG_TESTS");
  return wanted != nullptr && std::string_view(wanted) == "1";
}

}  // namespace gauze
