// What children of a process draw, however they are made.
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <set>
#include <vector>

#include "gauze/random/secure_random.h"

namespace gauze {
namespace forked_streams_test {

constexpr std::size_t kWords = 16;
using Words = std::array<std::uint64_t, kWords>;

Words draw(SecureRandom& stream) {
  Words words{};
  stream.fill(words);
  return words;
}

/// A pipe that several processes write words into.
class Channel {
 public:
  Channel() { EXPECT_EQ(::pipe(ends_.data()), 0); }
  ~Channel() {
    ::close(ends_[0]);
    close_writing();
  }
  [[nodiscard]] bool send(const Words& words) const {
    return ::write(ends_[1], words.data(), sizeof words) == static_cast<ssize_t>(sizeof words);
  }
  void close_writing() {
    if (ends_[1] >= 0) ::close(ends_[1]);
    ends_[1] = -1;
  }
  [[nodiscard]] std::vector<Words> receive() {
    close_writing();
    std::vector<Words> all;
    Words words{};
    while (::read(ends_[0], words.data(), sizeof words) == static_cast<ssize_t>(sizeof words)) all.push_back(words);
    return all;
  }

 private:
  std::array<int, 2> ends_{};
};

std::size_t different_words(const std::vector<Words>& all) {
  std::set<std::uint64_t> seen;
  for (const Words& words : all) seen.insert(words.begin(), words.end());
  return seen.size();
}

/// Runs `work` as the first process of a new PID namespace; its exit status, or nothing where that is not permitted.
template <class Work>
int as_first_process(const Work& work) {
  constexpr int kNotPermitted = 77;
  const pid_t outer = ::fork();
  if (outer == 0) {
    if (::unshare(CLONE_NEWPID) != 0) ::_exit(kNotPermitted);
    const pid_t inner = ::fork();
    if (inner == 0) ::_exit(::getpid() == 1 ? work() : kNotPermitted);
    int status = 0;
    ::waitpid(inner, &status, 0);
    ::_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
  }
  int status = 0;
  ::waitpid(outer, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

// As `docker run` does from inside a container: parent and child both have the process id 1.
TEST(SecureRandom, AChildOfTheSameProcessIdDrawsItsOwnWords) {
  Channel channel;
  const int status = as_first_process([&] {
    SecureRandom inherited;
    (void)inherited.next();
    const int child = as_first_process([&] {
      SecureRandom fresh;
      return channel.send(draw(inherited)) && channel.send(draw(fresh)) ? 0 : 1;
    });
    if (child != 0) return child;
    SecureRandom fresh;
    return channel.send(draw(fresh)) && channel.send(draw(inherited)) ? 0 : 1;
  });
  if (status == 77) GTEST_SKIP() << "namespaces of processes are not permitted here";
  ASSERT_EQ(status, 0);
  const auto all = channel.receive();
  ASSERT_EQ(all.size(), 4U);
  // 64 words of 64 bits collide with probability 1e-16.
  EXPECT_EQ(different_words(all), 4 * kWords);
}

// No handler of pthread_atfork runs here: only what the kernel itself does to the memory of the child counts.
TEST(SecureRandom, AChildOfARawCloneDrawsItsOwnWords) {
  Channel channel;
  SecureRandom inherited;
  (void)inherited.next();
  const long child = ::syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr);
  ASSERT_GE(child, 0);
  if (child == 0) ::_exit(channel.send(draw(inherited)) ? 0 : 1);
  int status = 0;
  ::waitpid(static_cast<pid_t>(child), &status, 0);
  ASSERT_EQ(status, 0);
  ASSERT_TRUE(channel.send(draw(inherited)));
  const auto all = channel.receive();
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(different_words(all), 2 * kWords);
}

TEST(SecureRandom, ManySiblingsOfOneParentShareNoWord) {
  constexpr int kChildren = 20;
  Channel channel;
  SecureRandom inherited;
  (void)inherited.next();
  std::vector<pid_t> children;
  for (int i = 0; i < kChildren; ++i) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) ::_exit(channel.send(draw(inherited)) ? 0 : 1);
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_EQ(status, 0);
  }
  ASSERT_TRUE(channel.send(draw(inherited)));
  EXPECT_EQ(different_words(channel.receive()), (kChildren + 1) * kWords);
}

}  // namespace forked_streams_test
}  // namespace gauze
