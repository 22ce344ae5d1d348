// The streams of a real process: each test runs a command line in a child with pipes, files or nothing as its
// streams.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <functional>

#include "gauze/cli/core/cli_testing.h"
#include "gauze/cli/flags/publishing.h"

namespace gauze::cli {
namespace process_streams_test {

using ::testing::HasSubstr;
using ::testing::StartsWith;

struct Pipe {
  Pipe() { EXPECT_EQ(::pipe(ends), 0); }
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  void close_end(int end) {
    if (ends[end] >= 0) ::close(ends[end]);
    ends[end] = -1;
  }
  std::string read_all() {
    std::string text(1 << 20, '\0');
    std::size_t size = 0;
    for (ssize_t got = 1; got > 0; size += static_cast<std::size_t>(std::max<ssize_t>(0, got))) {
      got = ::read(ends[0], text.data() + size, text.size() - size);
    }
    return text.substr(0, size);
  }
  int ends[2] = {-1, -1};
};

/// A child that prepares its streams, then runs the command line as main() does. Its stderr comes back as text.
class Child {
 public:
  Child(const Registry& registry, const std::vector<std::string>& args, const std::function<void()>& prepare) {
    pid_ = ::fork();
    if (pid_ == 0) {
      ::dup2(errors_.ends[1], STDERR_FILENO);
      prepare();
      Streams streams = process_streams();
      ::_exit(run_command_line(registry, args, streams));
    }
    errors_.close_end(1);
  }

  void interrupt(int signal = SIGINT) const { ::kill(pid_, signal); }

  /// The exit status, or minus the signal that ended it.
  int wait() {
    err = errors_.read_all();
    int status = 0;
    ::waitpid(pid_, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

  std::string err;

 private:
  Pipe errors_;
  pid_t pid_ = -1;
};

/// Prints so much that no pipe holds it.
Registry talkative() {
  return probe_registry([](Invocation& in) -> Result<int> {
    for (int i = 0; i < 200'000 && !in.out().failed(); ++i) in.out().write("a line of a long result\n");
    return 0;
  });
}

TEST(ProcessStreams, DeliverResultsAndErrors) {
  Pipe out;
  Child child(make_registry(), {"--version"}, [&] { ::dup2(out.ends[1], STDOUT_FILENO); });
  out.close_end(1);
  EXPECT_EQ(child.wait(), 0);
  EXPECT_THAT(out.read_all(), StartsWith("gauze "));
  EXPECT_EQ(child.err, "");
  Child wrong(make_registry(), {"lable"}, [] {});
  EXPECT_EQ(wrong.wait(), 2);
  EXPECT_EQ(wrong.err, "gauze: unknown command 'lable'; did you mean 'label'?\n");
}

/// A command that writes an output; it may have charged somebody before.
Registry writing(const std::string& aftermath) {
  Registry registry;
  registry.add({.name = "emit",
                .group = "Test",
                .summary = "writes",
                .description = "Writes.",
                .examples = {{"gauze emit -o x", "writes x"}},
                .flags = {{.name = "output",
                           .placeholder = "OUT",
                           .help = "where",
                           .is_file = true,
                           .makes = Makes::labelled_file,
                           .or_stdout = true}},
                .run = [aftermath](Invocation& in) -> Result<int> {
                  in.set_aftermath(aftermath);
                  GAUZE_TRY(publish::LabelledOutput output, open_output(in, *in.optional_text("output")));
                  GAUZE_TRY_VOID(output.write("7\n"));
                  in.set_aftermath("");
                  return 0;
                }});
  return registry;
}

TEST(ProcessStreams, AReaderOfAnOutputThatWentAwayHearsNothingUnlessSomebodyWasCharged) {
  const auto told = [](const std::string& aftermath) {
    Pipe out;
    out.close_end(0);
    Child child(writing(aftermath), {"emit", "--output", "-"}, [&] { ::dup2(out.ends[1], STDOUT_FILENO); });
    EXPECT_EQ(child.wait(), 1);
    return child.err;
  };
  EXPECT_EQ(told(""), "");
  EXPECT_THAT(told("epsilon 1 stays charged"), HasSubstr("stays charged"));
}

TEST(ProcessStreams, AnOutputGoesTheWayOfAllResults) {
  Pipe out;
  Child child(writing(""), {"emit", "--output", "/dev/stdout"}, [&] { ::dup2(out.ends[1], STDOUT_FILENO); });
  out.close_end(1);
  EXPECT_EQ(child.wait(), 0);
  EXPECT_EQ(out.read_all(), "7\n");
  Child full(writing(""), {"emit", "--output", "-"}, [] {
    const int device = ::open("/dev/full", O_WRONLY);
    ::dup2(device, STDOUT_FILENO);
  });
  EXPECT_EQ(full.wait(), 1);
  EXPECT_THAT(full.err, HasSubstr("cannot write")) << "before it is recorded that the release is out";
}

TEST(ProcessStreams, ReadStdin) {
  Pipe in;
  Pipe out;
  const Registry registry = probe_registry([](Invocation& invocation) -> Result<int> {
    GAUZE_TRY(const std::string text, invocation.read_input("-", 10));
    invocation.out().write(text);
    return 0;
  });
  ASSERT_EQ(::write(in.ends[1], "0123456789", 10), 10);
  Child child(registry, {"probe", "alpha"}, [&] {
    ::dup2(in.ends[0], STDIN_FILENO);
    ::dup2(out.ends[1], STDOUT_FILENO);
    in.close_end(1);
  });
  in.close_end(1);
  out.close_end(1);
  EXPECT_EQ(child.wait(), 0);
  EXPECT_EQ(out.read_all(), "0123456789");
}

TEST(ProcessStreams, RefuseTooMuchOnStdin) {
  Pipe in;
  const Registry registry = probe_registry([](Invocation& invocation) -> Result<int> {
    GAUZE_TRY(const std::string text, invocation.read_input("-", 9));
    return 0;
  });
  ASSERT_EQ(::write(in.ends[1], "0123456789", 10), 10);
  Child child(registry, {"probe", "alpha"}, [&] { ::dup2(in.ends[0], STDIN_FILENO); });
  EXPECT_EQ(child.wait(), 1);
  EXPECT_THAT(child.err, HasSubstr("more than 9 bytes"));
}

TEST(ProcessStreams, ReportAFullDisk) {
  const int full = ::open("/dev/full", O_WRONLY);
  if (full < 0) GTEST_SKIP() << "this system has no /dev/full";
  for (const std::vector<std::string>& args : std::vector<std::vector<std::string>>{{"help"}, {"help", "--json"}}) {
    Child child(make_registry(), args, [&] { ::dup2(full, STDOUT_FILENO); });
    EXPECT_EQ(child.wait(), 1);
    EXPECT_EQ(child.err, "gauze: cannot write the results to stdout: No space left on device\n");
  }
  ::close(full);
}

TEST(ProcessStreams, EndQuietlyWhenTheReaderGoesAway) {
  Pipe out;
  Child child(talkative(), {"probe", "alpha"}, [&] {
    ::dup2(out.ends[1], STDOUT_FILENO);
    out.close_end(0);
    out.close_end(1);
  });
  out.close_end(1);
  char first[16];
  EXPECT_GT(::read(out.ends[0], first, sizeof first), 0);
  out.close_end(0);
  EXPECT_EQ(child.wait(), 1);
  EXPECT_EQ(child.err, "");
}

TEST(ProcessStreams, DoNotWriteResultsIntoAFileOpenedInPlaceOfAClosedStdout) {
  const Registry registry = probe_registry([](Invocation& in) -> Result<int> {
    const int opened = ::open("/dev/null", O_WRONLY);  // would be 1 if that were free
    in.out().write("result");
    return opened > 2 ? 0 : 9;
  });
  Child child(registry, {"probe", "alpha"}, [] {
    ::close(STDIN_FILENO);
    ::close(STDOUT_FILENO);
  });
  EXPECT_EQ(child.wait(), 1);
  EXPECT_EQ(child.err, "gauze: cannot write the results to stdout: Bad file descriptor\n");
}

/// A command that tells by its status whether a core dump or a debugger would show its memory.
Registry open_or_hidden() {
  return probe_registry([](Invocation&) -> Result<int> {
    rlimit core{};
    ::getrlimit(RLIMIT_CORE, &core);
    const bool dumpable = ::prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 1;
    return dumpable ? 41 : core.rlim_max == 0 ? 42 : 43;
  });
}

TEST(ProcessStreams, HideTheMemoryBeforeACommandRuns) {
  Child hidden(open_or_hidden(), {"probe", "alpha"}, [] {});
  EXPECT_EQ(hidden.wait(), 42);
  Child shown(open_or_hidden(), {"probe", "alpha", "--allow-core-dumps"}, [] {});
  EXPECT_EQ(shown.wait(), 41);
  Child shown_before(open_or_hidden(), {"--allow-core-dumps", "probe", "alpha"}, [] {});
  EXPECT_EQ(shown_before.wait(), 41);
}

/// A command that says on `ready` that it runs, then does what the test wants.
Registry announcing(Pipe& ready, std::function<Result<int>(Invocation&)> action) {
  return probe_registry([&ready, action = std::move(action)](Invocation& in) -> Result<int> {
    if (::write(ready.ends[1], "!", 1) != 1) return 9;
    return action(in);
  });
}

void wait_for(Pipe& ready) {
  char mark = '\0';
  ASSERT_EQ(::read(ready.ends[0], &mark, 1), 1);
}

TEST(ProcessStreams, TurnCtrlCIntoARequestToStop) {
  Pipe ready;
  Child child(announcing(ready,
                         [](Invocation& in) -> Result<int> {
                           for (;;) {
                             GAUZE_TRY_VOID(in.progress().check());
                             ::usleep(1000);
                           }
                         }),
              {"probe", "alpha"}, [] {});
  wait_for(ready);
  child.interrupt();
  EXPECT_EQ(child.wait(), 130);
  EXPECT_EQ(child.err, "gauze: interrupted; nothing was written\n");
}

TEST(ProcessStreams, LetCtrlCEndAWaitForStdin) {
  Pipe ready;
  Pipe in;
  Child child(announcing(ready,
                         [](Invocation& invocation) -> Result<int> {
                           GAUZE_TRY(const std::string text, invocation.read_input("-", 10));
                           return 0;
                         }),
              {"probe", "alpha"}, [&] {
                ::dup2(in.ends[0], STDIN_FILENO);
                in.close_end(1);
              });
  wait_for(ready);
  ::usleep(100'000);  // until it waits; if it does not yet, it waits for nothing and the pipe's end below frees it
  child.interrupt();
  ::usleep(100'000);
  in.close_end(1);
  const int status = child.wait();
  EXPECT_TRUE(status == 130 || status == 0) << status;
}

TEST(ProcessStreams, EndAtOnceAtTheSecondCtrlC) {
  Pipe ready;
  Child child(announcing(ready,
                         [&ready](Invocation& in) -> Result<int> {
                           while (!in.progress().stop_requested()) ::usleep(1000);
                           if (::write(ready.ends[1], "!", 1) != 1) return 9;
                           for (;;) ::usleep(1000);  // does not listen
                         }),
              {"probe", "alpha"}, [] {});
  wait_for(ready);
  child.interrupt();
  wait_for(ready);
  child.interrupt();
  EXPECT_EQ(child.wait(), -SIGINT);
}

TEST(ProcessStreams, LetAClosedTerminalStopAsOftenAsItLikes) {
  Pipe ready;
  Child child(announcing(ready,
                         [&ready](Invocation& in) -> Result<int> {
                           while (!in.progress().stop_requested()) ::usleep(1000);
                           if (::write(ready.ends[1], "!", 1) != 1) return 9;
                           ::usleep(100'000);  // what is left to be cleared away
                           return in.progress().check().error().code == ErrorCode::interrupted ? 7 : 8;
                         }),
              {"probe", "alpha"}, [] { std::signal(SIGHUP, SIG_DFL); });
  wait_for(ready);
  child.interrupt(SIGHUP);
  wait_for(ready);
  child.interrupt(SIGHUP);
  EXPECT_EQ(child.wait(), 7);
}

TEST(ProcessStreams, LeaveAnIgnoredHangUpIgnored) {
  Child child(probe_registry([](Invocation& in) -> Result<int> {
                std::raise(SIGHUP);
                return in.progress().stop_requested() ? 8 : 7;
              }),
              {"probe", "alpha"}, [] { std::signal(SIGHUP, SIG_IGN); });
  EXPECT_EQ(child.wait(), 7) << "nohup";
}

TEST(ProcessStreams, OutliveAFileThatMayNotGrow) {
  Child child(probe_registry([](Invocation&) -> Result<int> {
                std::raise(SIGXFSZ);
                return 7;
              }),
              {"probe", "alpha"}, [] {});
  EXPECT_EQ(child.wait(), 7);
}

}  // namespace process_streams_test
}  // namespace gauze::cli
