#include "gauze/audit/programs/program_start.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/stat.h>

#include <csignal>

#include "gauze/files/file_descriptor.h"
#include "gauze/files/testing/folder.h"

namespace gauze::audit {
namespace program_start_test {

using ::testing::HasSubstr;

/// Ends nothing by chance: whatever waits for it waits for ever.
constexpr std::chrono::milliseconds kLong{600'000};

struct Printed {
  ProgramEnd end;
  std::string text;
};

Printed printed(ProgramStart start, const Progress& progress = Progress()) {
  Printed found;
  const auto end = run_program(
      start,
      [&](std::string_view bytes) {
        found.text += bytes;
        return true;
      },
      progress);
  EXPECT_TRUE(end) << end.error().message;
  if (end) found.end = *end;
  return found;
}

ProgramStart shell(std::string script, std::vector<std::string> arguments = {}) {
  ProgramStart start{.words = {"sh", "-c", std::move(script), "sh"}, .time_limit = kLong};
  start.words.insert(start.words.end(), arguments.begin(), arguments.end());
  return start;
}

TEST(ProgramStart, HandsOverTheWordsAsTheyAre) {
  const Printed found = printed({.words = {"printf", "%s|", "a b", "", "$HOME;'\"*", "{}"}, .time_limit = kLong});
  EXPECT_EQ(found.text, "a b||$HOME;'\"*|{}|");
  EXPECT_EQ(found.end.kind, ProgramEnd::Kind::exited);
  EXPECT_EQ(found.end.code, 0);
}

TEST(ProgramStart, TellsHowItEnded) {
  const Printed failed = printed(shell("echo 1; exit 7"));
  EXPECT_EQ(failed.text, "1\n");
  EXPECT_EQ(failed.end.kind, ProgramEnd::Kind::exited);
  EXPECT_EQ(failed.end.code, 7);
  const Printed killed = printed(shell("kill -TERM $$"));
  EXPECT_EQ(killed.end.kind, ProgramEnd::Kind::signalled);
  EXPECT_EQ(killed.end.code, SIGTERM);
}

TEST(ProgramStart, GivesTheInputOrNothing) {
  ProgramStart cat{.words = {"cat"}, .time_limit = kLong};
  EXPECT_EQ(printed(cat).text, "");
  const std::string large(3 << 20, 'x');
  cat.input = large;
  EXPECT_EQ(printed(cat).text, large);
  // Whoever does not read, or reads a part, is not waited for.
  ProgramStart idle = shell("echo done");
  idle.input = large;
  EXPECT_EQ(printed(idle).text, "done\n");
  ProgramStart partly = shell("exec <&-; echo done");
  partly.input = large;
  EXPECT_EQ(printed(partly).text, "done\n");
}

TEST(ProgramStart, KeepsTheEndOfItsErrorsWhereThatIsWanted) {
  ProgramStart start = shell("i=0; while [ $i -lt 3000 ]; do echo $i >&2; i=$((i+1)); done; echo last words >&2");
  EXPECT_EQ(printed(start).end.errors, "");
  start.keeps_errors = true;
  const Printed found = printed(start);
  EXPECT_THAT(found.end.errors, HasSubstr("2999\nlast words\n"));
  EXPECT_LE(found.end.errors.size(), 2'000U);
  EXPECT_EQ(found.text, "");
}

TEST(ProgramStart, SaysWhatItCouldNotStart) {
  const auto start = [](const std::string& name) {
    return run_program(
        {.words = {name}}, [](std::string_view) { return true; }, Progress());
  };
  const auto missing = start("/no/such/program");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::io);
  EXPECT_EQ(missing.error().message, "cannot start '/no/such/program': there is no such program");
  const Folder folder;
  const auto plain = start(folder.write("plain.txt", "not a program"));
  ASSERT_FALSE(plain);
  EXPECT_THAT(plain.error().message, HasSubstr("Permission denied"));
  const std::string script = folder.write("script", "#!/no/such/program\n");
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  const auto orphan = start(script);
  ASSERT_FALSE(orphan);
  EXPECT_THAT(orphan.error().message, HasSubstr("its first line names a program that is not there"));
  const auto too_long = run_program(
      {.words = {"echo", std::string(1 << 20, 'x')}}, [](std::string_view) { return true; }, Progress());
  ASSERT_FALSE(too_long);
  EXPECT_THAT(too_long.error().message, HasSubstr("too long for an argument"));
}

TEST(ProgramStart, EndsWhatHangs) {
  ProgramStart start = shell("echo 1; sleep 600");
  start.time_limit = std::chrono::milliseconds(100);
  const Printed found = printed(start);
  EXPECT_EQ(found.end.kind, ProgramEnd::Kind::timed_out);
}

TEST(ProgramStart, EndsAProgramTogetherWithWhatItStarted) {
  const Folder folder;
  const std::string path = folder / "alive";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const FileDescriptor fifo(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  // Only the second process still holds the fifo when the first one says so.
  const auto end = run_program(
      shell("exec 3>\"$1\"; sleep 600 & exec 3>&-; echo up; sleep 600", {path}),
      [](std::string_view) { return false; }, Progress());
  ASSERT_TRUE(end);
  EXPECT_EQ(end->kind, ProgramEnd::Kind::flooded);
  pollfd watched{.fd = fifo.number(), .events = POLLIN, .revents = 0};
  EXPECT_EQ(::poll(&watched, 1, 60'000), 1);
  EXPECT_NE(watched.revents & POLLHUP, 0);
}

TEST(ProgramStart, DoesNotWaitForWhatAProgramLeftRunning) {
  const Printed found = printed(shell("echo 1; sleep 600 &"));
  EXPECT_EQ(found.text, "1\n");
  EXPECT_EQ(found.end.kind, ProgramEnd::Kind::exited);
}

TEST(ProgramStart, WaitsForAProgramThatClosedItsOutput) {
  const Printed found = printed(shell("echo 1; exec >&-; sleep 0.2; exit 5"));
  EXPECT_EQ(found.text, "1\n");
  EXPECT_EQ(found.end.code, 5);
}

TEST(ProgramStart, EndsAFloodAsSoonAsNobodyWantsMore) {
  std::size_t bytes = 0;
  const auto end = run_program(
      {.words = {"yes"}, .time_limit = kLong},
      [&](std::string_view piece) { return (bytes += piece.size()) < 100'000; }, Progress());
  ASSERT_TRUE(end);
  EXPECT_EQ(end->kind, ProgramEnd::Kind::flooded);
  EXPECT_LT(bytes, 1'000'000U);
}

TEST(ProgramStart, EndsWhenAStopIsAskedFor) {
  Progress progress;
  const auto end = run_program(
      shell("echo 1; sleep 600"),
      [&](std::string_view) {
        progress.request_stop();
        return true;
      },
      progress);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->kind, ProgramEnd::Kind::stopped);
}

TEST(ProgramStart, IsWaitedForWhereChildrenAreIgnored) {
  const auto before = std::signal(SIGCHLD, SIG_IGN);
  EXPECT_EQ(printed(shell("exit 7")).end.code, 7);
  std::signal(SIGCHLD, before);
}

TEST(ProgramStart, HearsSignalsThatWeIgnore) {
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  const Printed found = printed(shell("kill -PIPE $$; echo deaf"));
  std::signal(SIGPIPE, before);
  EXPECT_EQ(found.text, "");
  EXPECT_EQ(found.end.code, SIGPIPE);
}

}  // namespace program_start_test
}  // namespace gauze::audit
