#include "gauze/cli/core/terminal_progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "gauze/cli/core/cli_testing.h"

namespace gauze::cli {
namespace terminal_progress_test {

using ::testing::EndsWith;
using ::testing::HasSubstr;

class TerminalProgressTest : public ::testing::Test {
 protected:
  TerminalProgress::Clock clock() {
    return [this] { return std::chrono::steady_clock::time_point(now_); };
  }
  std::chrono::milliseconds now_{0};
  std::string shown_;
};

TEST_F(TerminalProgressTest, ShowsNothingForQuickWork) {
  {
    TerminalProgress terminal(string_sink(shown_), true, clock());
    terminal.progress().begin("reading", 10);
    now_ = std::chrono::milliseconds(499);
    terminal.progress().advance(10);
  }
  EXPECT_EQ(shown_, "");
}

TEST_F(TerminalProgressTest, DrawsABarForSlowWorkAndTakesItAway) {
  TerminalProgress terminal(string_sink(shown_), true, clock());
  terminal.progress().begin("reading", 10);
  now_ = std::chrono::milliseconds(600);
  terminal.progress().advance(5);
  EXPECT_EQ(shown_, "\r\033[Kreading [###############...............]  50 %");
  terminal.erase();
  EXPECT_THAT(shown_, EndsWith("%\r\033[K"));
  const std::string before = shown_;
  terminal.erase();
  EXPECT_EQ(shown_, before);
}

TEST_F(TerminalProgressTest, DoesNotDrawMoreThanTenTimesASecond) {
  TerminalProgress terminal(string_sink(shown_), true, clock());
  terminal.progress().begin("reading", 1000);
  int drawn = 0;
  for (int i = 0; i < 1000; ++i) {
    now_ += std::chrono::milliseconds(2);
    const std::size_t before = shown_.size();
    terminal.progress().advance(1);
    if (shown_.size() != before) ++drawn;
  }
  EXPECT_LE(drawn, 16);
  EXPECT_GE(drawn, 10);
}

TEST_F(TerminalProgressTest, NeverGoesBackAndNumbersAStageThatComesAgain) {
  TerminalProgress terminal(string_sink(shown_), true, clock());
  now_ = std::chrono::seconds(1);
  terminal.progress().begin("reading", 10);
  now_ = std::chrono::seconds(2);
  terminal.progress().advance(8);
  EXPECT_THAT(shown_, EndsWith(" 80 %"));
  now_ = std::chrono::seconds(3);
  terminal.progress().begin("searching", 4);
  terminal.progress().advance(2);
  now_ = std::chrono::seconds(4);
  terminal.progress().begin("reading", 10);
  terminal.progress().advance(1);
  EXPECT_THAT(shown_, HasSubstr("\033[Kreading (2) ["));
}

TEST_F(TerminalProgressTest, CountsWhereTheTotalIsUnknown) {
  TerminalProgress terminal(string_sink(shown_), true, clock());
  terminal.progress().begin("searching", 0);
  now_ = std::chrono::seconds(1);
  terminal.progress().advance(42);
  EXPECT_THAT(shown_, HasSubstr("searching ... 42"));
}

TEST_F(TerminalProgressTest, SurvivesWorkThatOvershoots) {
  TerminalProgress terminal(string_sink(shown_), true, clock());
  now_ = std::chrono::seconds(1);
  terminal.progress().begin("reading", 3);
  now_ = std::chrono::seconds(2);
  terminal.progress().advance(3);
  now_ = std::chrono::seconds(3);
  terminal.progress().advance(30);
  EXPECT_THAT(shown_, EndsWith("[##############################] 100 %"));
}

TEST_F(TerminalProgressTest, StaysSilentWhenNotDrawn) {
  TerminalProgress terminal(string_sink(shown_), false, clock());
  terminal.progress().begin("reading", 10);
  now_ = std::chrono::seconds(5);
  terminal.progress().advance(5);
  EXPECT_EQ(shown_, "");
}

TEST_F(TerminalProgressTest, MayBeToldFromManyThreads) {
  TerminalProgress terminal(string_sink(shown_), true);
  terminal.progress().begin("reading", 4000);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 1000; ++i) terminal.progress().advance();
    });
  }
  for (auto& thread : threads) thread.join();
}

}  // namespace terminal_progress_test
}  // namespace gauze::cli
