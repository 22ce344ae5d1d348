#include "gauze/server/store/acceptance.h"

#include <gtest/gtest.h>

#include <random>

#include "gauze/base/utc_date.h"

namespace gauze::server {
namespace acceptance_test {

using Answer = Acceptance::Answer;

TEST(Acceptance, TakesSevenPeriodsBackAndOneAheadToTheSecond) {
  const Acceptance acceptance({Acceptance::Since{}});
  for (const std::int64_t seconds : {3'600, 86'400, 366 * 86'400}) {
    const std::uint32_t period = 1'000;
    EXPECT_EQ(acceptance.answer(period, seconds, 999 * seconds - 1), Answer::not_yet);
    EXPECT_EQ(acceptance.answer(period, seconds, 999 * seconds), Answer::taken);
    EXPECT_EQ(acceptance.answer(period, seconds, 1'008 * seconds - 1), Answer::taken);
    EXPECT_EQ(acceptance.answer(period, seconds, 1'008 * seconds), Answer::expired);
    EXPECT_EQ(acceptance.closes_at(period, seconds), 1'008 * seconds);
  }
}

TEST(Acceptance, TheClosingDayIsTheFirstOneThatBeginsClosed) {
  const Acceptance acceptance({Acceptance::Since{}});
  EXPECT_EQ(acceptance.closing_day(20'000, 86'400), 20'008);  // at midnight itself
  EXPECT_EQ(acceptance.closing_day(24 * 20'000, 3'600), 20'001);
  EXPECT_EQ(acceptance.closing_day(24 * 20'000 + 16, 3'600), 20'001);
  EXPECT_EQ(acceptance.closing_day(24 * 20'000 + 17, 3'600), 20'002);
}

TEST(Acceptance, NoPeriodOverflows) {
  const Acceptance acceptance({Acceptance::Since{.time = 0, .window = {.periods_back = 4'000'000'000U}}});
  EXPECT_EQ(acceptance.answer(4'294'967'295U, 366 * 86'400, 0), Answer::not_yet);
  EXPECT_GT(acceptance.closing_day(4'294'967'295U, 366 * 86'400), 0);
}

// Whatever windows follow each other, the day on which a period is closed is the same whenever a block of it can come: or its ids would be
// looked for in one family and lie in another.
TEST(Acceptance, TheClosingDayOfAnOpenPeriodNeverMoves) {
  std::mt19937_64 random(9);
  for (int round = 0; round < 300; ++round) {
    std::int64_t now = 1'000'000'000;
    Acceptance acceptance({Acceptance::Since{.time = now, .window = {}}});
    const std::int64_t seconds = 3'600 * static_cast<std::int64_t>(1 + random() % 48);
    std::map<std::uint32_t, std::int64_t> closing;
    for (int step = 0; step < 60; ++step) {
      const auto present = static_cast<std::uint32_t>(now / seconds);
      for (std::uint32_t period = present - 40; period < present + 10; ++period) {
        if (acceptance.answer(period, seconds, now) != Answer::taken) continue;
        const auto [place, is_new] = closing.emplace(period, acceptance.closing_day(period, seconds));
        ASSERT_EQ(place->second, acceptance.closing_day(period, seconds)) << round << " " << step;
        ASSERT_GT(place->second, utc_day_of(now)) << "its family is still there";
      }
      now += static_cast<std::int64_t>(random() % 100'000);
      if (random() % 5 == 0)
        acceptance.change({.periods_back = static_cast<std::uint32_t>(random() % 20),
                           .periods_ahead = static_cast<std::uint32_t>(random() % 4)},
                          now);
    }
    const auto read = Acceptance::decode(acceptance.encode());
    ASSERT_TRUE(read);
    EXPECT_TRUE(std::equal(read->history().begin(), read->history().end(), acceptance.history().begin(),
                           acceptance.history().end()));
  }
  EXPECT_FALSE(Acceptance::decode(""));
  EXPECT_FALSE(Acceptance::decode("15 bytes only.."));
}

}  // namespace acceptance_test
}  // namespace gauze::server
