#include "gauze/base/progress.h"

#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <thread>
#include <vector>

namespace gauze {
namespace progress_test {

struct Heard {
  std::vector<std::uint64_t> done;
  std::uint64_t total = 0;
  std::string stage;

  Progress::Listener listener() {
    return [this](const Progress::Report& report) {
      done.push_back(report.done);
      total = report.total;
      stage = report.stage;
    };
  }
};

TEST(Progress, ReportsBeginAndEveryStepOfShortWork) {
  Heard heard;
  Progress progress(heard.listener());
  progress.begin("grouping rows", 3);
  for (int i = 0; i < 3; ++i) progress.advance();
  EXPECT_EQ(heard.done, (std::vector<std::uint64_t>{0, 1, 2, 3}));
  EXPECT_EQ(heard.total, 3U);
  EXPECT_EQ(heard.stage, "grouping rows");
}

TEST(Progress, ReportsLongWorkAtMostAThousandTimesAndItsEnd) {
  for (const std::uint64_t total : {999U, 1000U, 1001U, 1999U, 123'457U}) {
    Heard heard;
    Progress progress(heard.listener());
    progress.begin("counting", total);
    for (std::uint64_t i = 0; i < total; ++i) progress.advance();
    EXPECT_LE(heard.done.size(), 1002U) << total;
    EXPECT_GE(heard.done.size(), 400U) << total;
    EXPECT_EQ(heard.done.back(), total);
  }
}

TEST(Progress, WorkOfUnknownLengthIsNotReportedStepByStep) {
  Heard heard;
  Progress progress(heard.listener());
  progress.begin("reading", 0);
  for (int i = 0; i < 1'000'000; ++i) progress.advance();
  EXPECT_LE(heard.done.size(), 1200U);
  EXPECT_GE(heard.done.size(), 100U);
  EXPECT_GE(heard.done.back(), 960'000U);
}

TEST(Progress, LargeStepsReachTheEnd) {
  Heard heard;
  Progress progress(heard.listener());
  progress.begin("searching", std::numeric_limits<std::uint64_t>::max());
  progress.advance(std::numeric_limits<std::uint64_t>::max() - 1);
  progress.advance(1);
  EXPECT_EQ(heard.done.back(), std::numeric_limits<std::uint64_t>::max());
  progress.begin("again", 10);
  progress.advance(7);
  progress.advance(7);  // more than was promised
  EXPECT_EQ(heard.done.back(), 14U);
  progress.advance(0);
  EXPECT_EQ(heard.done.size(), 6U) << "no step, no report";
}

TEST(Progress, ANewStageStartsFromZero) {
  Heard heard;
  Progress progress(heard.listener());
  progress.begin("first", 2);
  progress.advance(2);
  progress.begin("second", 5);
  EXPECT_EQ(heard.done.back(), 0U);
  EXPECT_EQ(heard.total, 5U);
  EXPECT_EQ(heard.stage, "second");
}

TEST(Progress, NobodyNeedsToListen) {
  Progress progress;
  progress.begin("quiet", 10);
  progress.advance(10);
  EXPECT_TRUE(progress.check().has_value());
}

TEST(Progress, AStopIsSeenByTheWork) {
  Progress progress;
  EXPECT_FALSE(progress.stop_requested());
  progress.request_stop();
  EXPECT_TRUE(progress.stop_requested());
  const auto result = progress.check();
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().code, ErrorCode::interrupted);
  EXPECT_EQ(exit_status(result.error().code), 130);
}

TEST(Progress, StepsOfManyThreadsAddUp) {
  constexpr std::uint64_t kThreads = 4;
  constexpr std::uint64_t kSteps = 20'000;
  std::atomic<std::uint64_t> most{0};
  std::atomic<int> ends{0};
  Progress progress([&](const Progress::Report& report) {
    std::uint64_t seen = most.load();
    while (seen < report.done && !most.compare_exchange_weak(seen, report.done)) {
    }
    if (report.done == report.total) ++ends;
  });
  progress.begin("sampling", kThreads * kSteps);
  std::vector<std::thread> threads;
  for (std::uint64_t i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      for (std::uint64_t step = 0; step < kSteps && !progress.stop_requested(); ++step) progress.advance();
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(most.load(), kThreads * kSteps);
  EXPECT_EQ(ends.load(), 1);
}

}  // namespace progress_test
}  // namespace gauze
