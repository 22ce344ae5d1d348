#include "gauze/cli/core/output_writer.h"

#include <gtest/gtest.h>

#include "gauze/cli/core/cli_testing.h"

namespace gauze::cli {
namespace output_writer_test {

TEST(OutputWriter, DeliversEverythingInOrder) {
  std::string target;
  OutputWriter writer(string_sink(target));
  std::string expected;
  for (int i = 0; i < 50'000; ++i) {
    writer.print("{}\n", i);
    expected += std::to_string(i) + "\n";
  }
  EXPECT_TRUE(writer.flush());
  EXPECT_EQ(target, expected);
}

TEST(OutputWriter, HandsOverInLargePieces) {
  int calls = 0;
  OutputWriter writer({[&](std::string_view) {
    ++calls;
    return Sink::Outcome{};
  }});
  for (int i = 0; i < 1'000'000; ++i) writer.write("x");
  EXPECT_TRUE(writer.flush());
  EXPECT_LT(calls, 20);
}

TEST(OutputWriter, ReportsAFailureOnceAndWritesNoMore) {
  int calls = 0;
  OutputWriter writer({[&](std::string_view) {
    ++calls;
    return Sink::Outcome{.written = false, .reader_gone = false, .reason = "No space left on device"};
  }});
  for (int i = 0; i < 1'000'000; ++i) writer.write("x");
  const auto result = writer.flush();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::io);
  EXPECT_EQ(result.error().message, "cannot write the results to stdout: No space left on device");
  EXPECT_EQ(calls, 1);
  EXPECT_TRUE(writer.failed());
  EXPECT_FALSE(writer.reader_gone());
}

TEST(OutputWriter, ForgetsWhatIsDiscarded) {
  std::string target;
  OutputWriter writer(string_sink(target));
  writer.write("half of a result");
  writer.discard();
  EXPECT_TRUE(writer.flush());
  EXPECT_EQ(target, "");
}

TEST(OutputWriter, EndsLongOutputOfWorkThatWasAskedToStop) {
  std::string target;
  Progress progress;
  OutputWriter writer(string_sink(target));
  writer.stop_with(progress);
  writer.write(std::string(100'000, 'a'));
  progress.request_stop();
  writer.write(std::string(100'000, 'b'));
  EXPECT_FALSE(writer.flush());
  EXPECT_EQ(target, std::string(100'000, 'a'));
}

TEST(Style, PaintsOnlyWhenEnabled) {
  EXPECT_EQ(Style{.enabled = false}.red("x"), "x");
  EXPECT_EQ(Style{.enabled = true}.red("x"), "\033[1;31mx\033[0m");
  EXPECT_NE(Style{.enabled = true}.bold("x"), Style{.enabled = true}.faint("x"));
  EXPECT_NE(Style{.enabled = true}.yellow("x"), "x");
}

}  // namespace output_writer_test
}  // namespace gauze::cli
