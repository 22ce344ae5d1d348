#include "gauze/collect/reports/internal/period_counts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/collect/reports/testing/report_files.h"

namespace gauze::collect::internal {
namespace period_counts_test {

using testing::direct_task;
using ::testing::ElementsAre;

TEST(PeriodCounts, GivesAwayWhatItHasNoRoomFor) {
  const ReportTask task = direct_task(3);
  SharedCounts shared;
  PeriodCounts first(task, shared, 2);
  PeriodCounts second(task, shared, 1);
  const unsigned char reports[] = {0, 1, 2, 2, 3};
  for (std::uint32_t i = 0; i < 30; ++i)
    (i % 2 == 0 ? first : second).add({.reports = reports, .count = 5, .period = i % 5});
  for (PeriodCounts* each : {&first, &second}) {
    each->flush();
    each->give_away();
  }
  EXPECT_EQ(first.out_of_range() + second.out_of_range(), 30U);
  const Periods periods = shared.take();
  ASSERT_EQ(periods.size(), 5U);
  for (const auto& [period, parts] : periods) {
    EXPECT_EQ(parts[0].reports, 24U) << period;
    EXPECT_THAT(parts[0].cells, ElementsAre(6, 6, 12)) << period;
  }
}

TEST(PeriodCounts, CountsManySmallRunsAsOneLargeOne) {
  const ReportTask task = direct_task(200);
  std::mt19937_64 random(1);
  std::vector<unsigned char> reports(300'000);
  for (auto& report : reports) report = static_cast<unsigned char>(random() % 210);
  SharedCounts small_runs;
  SharedCounts one_run;
  PeriodCounts small(task, small_runs, 10);
  PeriodCounts large(task, one_run, 10);
  large.add({.reports = reports.data(), .count = 300'000, .period = 7});
  for (std::size_t done = 0; done < reports.size();) {
    const auto count = static_cast<std::uint32_t>(std::min<std::size_t>(reports.size() - done, 1 + random() % 700));
    small.add({.reports = reports.data() + done, .count = count, .period = 7});
    done += count;
  }
  for (PeriodCounts* each : {&small, &large}) {
    each->flush();
    each->give_away();
  }
  EXPECT_EQ(small.out_of_range(), large.out_of_range());
  EXPECT_TRUE(small_runs.take() == one_run.take());
}

}  // namespace period_counts_test
}  // namespace gauze::collect::internal
