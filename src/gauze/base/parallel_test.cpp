#include "gauze/base/parallel.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <limits>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "gauze/base/testing/watched.h"

namespace gauze {
namespace parallel_test {

using Piece = std::pair<std::size_t, std::size_t>;

/// Every test leaves the number of threads as it was.
class ParallelFor : public ::testing::Test {
 protected:
  void TearDown() override { set_thread_count(0); }
};

std::vector<Piece> pieces_of(std::size_t size, std::size_t grain) {
  std::mutex mutex;
  std::vector<Piece> pieces;
  parallel_for(size, grain, [&](std::size_t begin, std::size_t end) {
    const std::lock_guard lock(mutex);
    pieces.emplace_back(begin, end);
  });
  std::sort(pieces.begin(), pieces.end());
  return pieces;
}

TEST_F(ParallelFor, PiecesAreTheSameWhateverTheThreads) {
  for (const auto& [size, grain] : std::vector<Piece>{{1, 1}, {7, 3}, {1000, 1}, {1000, 999}, {64, 64}, {65, 64}}) {
    std::vector<Piece> expected;
    for (std::size_t begin = 0; begin < size; begin += grain)
      expected.emplace_back(begin, std::min(size, begin + grain));
    for (int threads = 1; threads <= 8; ++threads) {
      set_thread_count(threads);
      EXPECT_EQ(pieces_of(size, grain), expected) << size << " by " << grain << " on " << threads;
    }
  }
}

TEST_F(ParallelFor, NothingToDoCallsNothing) {
  parallel_for(0, 1, [](std::size_t, std::size_t) { ADD_FAILURE() << "there is no piece"; });
}

TEST_F(ParallelFor, AGrainOfZeroMeansOne) {
  EXPECT_EQ(pieces_of(3, 0), (std::vector<Piece>{{0, 1}, {1, 2}, {2, 3}}));
}

TEST_F(ParallelFor, ExtremeSizesDoNotWrapAround) {
  constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();
  set_thread_count(8);
  EXPECT_EQ(pieces_of(10, kMost), (std::vector<Piece>{{0, 10}}));
  EXPECT_EQ(pieces_of(kMost, kMost / 2),
            (std::vector<Piece>{{0, kMost / 2}, {kMost / 2, kMost - 1}, {kMost - 1, kMost}}));
  EXPECT_EQ(pieces_of(kMost, kMost - 1), (std::vector<Piece>{{0, kMost - 1}, {kMost - 1, kMost}}));
}

TEST_F(ParallelFor, NoWorkIsLostOrDoneTwice) {
  set_thread_count(4);
  for (int round = 0; round < 300; ++round) {
    std::vector<int> touched(997, 0);  // plain ints: the thread sanitizer would see two writers
    parallel_for(touched.size(), 5, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) ++touched[i];
    });
    ASSERT_EQ(std::count(touched.begin(), touched.end(), 1), 997);
  }
}

TEST_F(ParallelFor, ResultsCombinedByPieceDoNotDependOnThreads) {
  const auto sum_by_piece = [] {
    std::vector<double> sums(100, 0.0);
    parallel_for(10'000, 100, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) sums[begin / 100] += 1.0 / static_cast<double>(i + 1);
    });
    return std::accumulate(sums.begin(), sums.end(), 0.0);
  };
  set_thread_count(1);
  const double alone = sum_by_piece();
  for (int threads = 2; threads <= 8; ++threads) {
    set_thread_count(threads);
    EXPECT_EQ(sum_by_piece(), alone);  // to the last bit
  }
}

TEST_F(ParallelFor, UsesSeveralThreadsWhenAsked) {
  set_thread_count(3);
  std::atomic<int> inside{0};
  std::mutex mutex;
  std::set<std::thread::id> ids;
  // Three pieces that wait for each other end only when three threads run them.
  parallel_for(3, 1, [&](std::size_t, std::size_t) {
    ++inside;
    while (inside.load() < 3) std::this_thread::yield();
    const std::lock_guard lock(mutex);
    ids.insert(std::this_thread::get_id());
  });
  EXPECT_EQ(ids.size(), 3U);
}

TEST_F(ParallelFor, OneThreadMeansTheCaller) {
  set_thread_count(1);
  parallel_for(50, 1, [caller = std::this_thread::get_id()](std::size_t, std::size_t) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
  });
}

TEST_F(ParallelFor, LoopsNest) {
  set_thread_count(4);
  std::atomic<int> cells{0};
  parallel_for(20, 1, [&](std::size_t, std::size_t) {
    const auto outer = std::this_thread::get_id();
    parallel_for(30, 7, [&](std::size_t begin, std::size_t end) {
      EXPECT_EQ(std::this_thread::get_id(), outer);
      parallel_for(2, 1, [&](std::size_t, std::size_t) {});
      cells += static_cast<int>(end - begin);
    });
  });
  EXPECT_EQ(cells.load(), 600);
  EXPECT_EQ(pieces_of(4, 2).size(), 2U) << "an outer loop still works afterwards";
}

TEST_F(ParallelFor, CallersOfDifferentThreadsDoNotDisturbEachOther) {
  set_thread_count(3);
  std::vector<std::thread> callers;
  std::vector<std::size_t> sums(6, 0);
  for (std::size_t caller = 0; caller < sums.size(); ++caller) {
    callers.emplace_back([&, caller] {
      for (int round = 0; round < 50; ++round) {
        std::atomic<std::size_t> sum{0};
        parallel_for(100, 3, [&](std::size_t begin, std::size_t end) { sum += end - begin; });
        sums[caller] += sum.load();
      }
    });
  }
  for (auto& caller : callers) caller.join();
  for (const std::size_t sum : sums) EXPECT_EQ(sum, 5000U);
}

TEST_F(ParallelFor, WorksAndEndsInAForkedChild) {
  if (is_watched()) GTEST_SKIP() << "the sanitizers' own locks do not survive a fork among threads";
  set_thread_count(4);
  ASSERT_EQ(pieces_of(8, 1).size(), 8U);  // the pool has its threads now; the child will not have them
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ::alarm(20);
    std::exit(pieces_of(8, 1).size() == 8 ? 0 : 1);  // runs the destructors of statics
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

TEST_F(ParallelFor, ThreadCountsAreBounded) {
  set_thread_count(5);
  EXPECT_EQ(thread_count(), 5);
  set_thread_count(0);
  EXPECT_EQ(thread_count(), std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
  set_thread_count(-3);
  EXPECT_GE(thread_count(), 1);
  set_thread_count(1'000'000);
  EXPECT_EQ(thread_count(), 1024);
}

TEST(ParallelForDeathTest, AnExceptionOfTheBodyEndsTheProgram) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(parallel_for(1, 1, [](std::size_t, std::size_t) { throw std::runtime_error("body"); }), "body");
}

}  // namespace parallel_test
}  // namespace gauze
