#include "gauze/audit/events/event_audit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "gauze/random/seeded_random.h"

namespace gauze::audit {
namespace event_audit_test {

using ::testing::HasSubstr;
using ::testing::StartsWith;

EventAuditRequest request_of(double claimed) {
  return {.claim = "a test", .claimed = {.epsilon = claimed, .delta = 0}};
}

double uniform(SeededRandom& random) { return (static_cast<double>(random.next() >> 11U) + 0.5) * 0x1p-53; }

/// As many a programmer writes it: the logarithm of a random double, one added to the true value.
double naive_laplace(SeededRandom& random) {
  const double magnitude = -std::log(uniform(random));
  return random.below(2) == 0 ? magnitude : -magnitude;
}

template <class Draw>
OutcomePair pair_of(std::size_t runs, const Draw& draw, std::uint64_t seed = 5) {
  SeededRandom random(seed);
  OutcomePair pair;
  for (std::size_t i = 0; i < runs; ++i) {
    draw(random, pair, pair.left, false);
    draw(random, pair, pair.right, true);
  }
  return pair;
}

TEST(EventAudit, FindsAThresholdAndSaysItInWords) {
  const OutcomePair pair = pair_of(20'000, [](SeededRandom& random, OutcomePair&, Outcomes& side, bool right) {
    side.add_number(std::round(naive_laplace(random) * 1024) / 1024 + (right ? 2 : 0));
  });
  const ClaimAudit found = audit_outcomes(pair, request_of(1));
  EXPECT_EQ(found.holds, false) << found.in_words();
  EXPECT_GT(*found.epsilon_lower, 1.6);
  EXPECT_LT(*found.epsilon_lower, 2.0);
  EXPECT_THAT(*found.event, ::testing::ContainsRegex("^value [<>]= "));
  EXPECT_EQ(*found.runs, 10'000U);
  EXPECT_LT(*found.alarm_lower, *found.epsilon_lower);
  EXPECT_GT(*found.reach, *found.epsilon_lower);
}

TEST(EventAudit, FindsTheLowBitsThatRoundingLeavesBehind) {
  // Around 0 doubles are finer than around 1: a multiple of 2^-55 that is none of 2^-52 tells them apart for certain.
  const OutcomePair pair = pair_of(4'000, [](SeededRandom& random, OutcomePair&, Outcomes& side, bool right) {
    side.add_number(0.001 * naive_laplace(random) + (right ? 1000 : 0));
  });
  EXPECT_EQ(audit_outcomes(pair, request_of(1)).holds, false);
  const OutcomePair near = pair_of(20'000, [](SeededRandom& random, OutcomePair&, Outcomes& side, bool right) {
    side.add_number(naive_laplace(random) + (right ? 1 : 0));
  });
  const ClaimAudit found = audit_outcomes(near, request_of(1));
  EXPECT_EQ(found.holds, false) << found.in_words();
  EXPECT_THAT(*found.event, HasSubstr("2^")) << found.in_words();
}

TEST(EventAudit, WhatIsAlikeIsNotToldApart) {
  int above_zero = 0;
  int alarms = 0;
  constexpr int kAudits = 400;
  for (int i = 0; i < kAudits; ++i) {
    const OutcomePair pair = pair_of(
        300,
        [](SeededRandom& random, OutcomePair&, Outcomes& side, bool) {
          side.add_numbers(std::vector<double>{naive_laplace(random), std::floor(4 * uniform(random))});
        },
        static_cast<std::uint64_t>(i) + 1);
    const ClaimAudit found = audit_outcomes(pair, request_of(0));
    above_zero += *found.epsilon_lower > 0 ? 1 : 0;
    alarms += found.holds == std::optional(false) ? 1 : 0;
  }
  // 5 % of 400 are 20: 45 come by chance once in ten million times
  EXPECT_LE(above_zero, 45);
  EXPECT_EQ(alarms, 0);
}

TEST(EventAudit, WhatIsSeenInTheFirstHalfAloneProvesNothing) {
  OutcomePair pair;
  for (int i = 0; i < 1'000; ++i) {
    pair.left.add_number(i < 500 ? 1 : 0);
    pair.right.add_number(0);
  }
  const ClaimAudit found = audit_outcomes(pair, request_of(0.1));
  EXPECT_EQ(*found.epsilon_lower, 0);
  EXPECT_EQ(found.holds, true);
}

TEST(EventAudit, TellsTextsLengthsAndFailuresApart) {
  const OutcomePair texts = pair_of(600, [](SeededRandom& random, OutcomePair& pair, Outcomes& side, bool right) {
    pair.add_text(side, random.below(10) < (right ? 9U : 1U) ? "yes" : "no");
  });
  const ClaimAudit told = audit_outcomes(texts, request_of(0.5));
  EXPECT_EQ(told.holds, false);
  EXPECT_THAT(*told.event, ::testing::AnyOf(HasSubstr("yes"), HasSubstr("no"), HasSubstr("length")));
  const OutcomePair failures = pair_of(600, [](SeededRandom& random, OutcomePair& pair, Outcomes& side, bool right) {
    if (right && random.below(3) == 0)
      pair.add_failure(side, "exit status 3");
    else
      side.add_number(1);
  });
  const ClaimAudit failed = audit_outcomes(failures, request_of(1));
  EXPECT_EQ(failed.holds, false);
  EXPECT_FALSE(failed.event->empty());
}

TEST(EventAudit, ACoordinateThatIsThereOnOneSideOnlyIsAnEvent) {
  const OutcomePair pair = pair_of(2'000, [](SeededRandom& random, OutcomePair&, Outcomes& side, bool right) {
    const bool named = right && random.below(5) == 0;
    side.add_numbers(std::vector<double>{uniform(random), named ? 7 : std::nan("")});
  });
  const ClaimAudit found = audit_outcomes(pair, request_of(1));
  EXPECT_EQ(found.holds, false);
  EXPECT_THAT(*found.event, HasSubstr("value 2"));
  // the same shows nothing where a delta above its chance is granted
  EventAuditRequest granted = request_of(1);
  granted.delta = granted.claimed.delta = 0.25;
  EXPECT_EQ(audit_outcomes(pair, granted).holds, true);
}

TEST(EventAudit, NoiseThatWasUsedTwiceShowsInADifference) {
  const OutcomePair pair = pair_of(4'000, [](SeededRandom& random, OutcomePair&, Outcomes& side, bool right) {
    const double noise = 50 * naive_laplace(random);
    side.add_numbers(std::vector<double>{std::round(noise), std::round(noise) + (right ? 1 : 0)});
  });
  EXPECT_EQ(audit_outcomes(pair, request_of(1)).holds, false);
}

TEST(EventAudit, NothingIsSaidOfTooFewRuns) {
  OutcomePair pair;
  pair.left.add_number(1);
  pair.right.add_number(2);
  const ClaimAudit found = audit_outcomes(pair, request_of(1));
  EXPECT_FALSE(found.holds.has_value());
}

TEST(EventAudit, ChoicesMakeItHarderToRaiseTheAlarm) {
  const OutcomePair pair = pair_of(2'000, [](SeededRandom& random, OutcomePair&, Outcomes& side, bool right) {
    side.add_number(random.below(10) < (right ? 6U : 3U) ? 1 : 0);
  });
  EventAuditRequest many = request_of(0.2);
  many.choices = 1'000;
  EXPECT_LT(*audit_outcomes(pair, many).epsilon_lower, *audit_outcomes(pair, request_of(0.2)).epsilon_lower);
}

TEST(EventAudit, FindsThatTooLittleRandomnessLeavesValuesOut) {
  // either side has half of 20,000 values to itself, each of which is rare
  SeededRandom random(21);
  OutcomePair pair;
  for (int run = 0; run < 20'000; ++run) {
    pair.left.add_number(static_cast<double>(2 * random.below(10'000)) * 0.37);
    pair.right.add_number(static_cast<double>(2 * random.below(10'000) + 1) * 0.37);
  }
  const ClaimAudit audit = audit_outcomes(pair, {.claimed = {.epsilon = 1, .delta = 0}});
  EXPECT_EQ(audit.holds, false);
  EXPECT_NE(audit.event->find("side alone had shown before"), std::string::npos) << *audit.event;
}

TEST(EventAudit, TwoCountsThatMoveTogetherAreFoundAmongMany) {
  SeededRandom random(22);
  const auto laplace = [&] {
    const double u = (static_cast<double>(random.below(1'000'000)) + 0.5) / 1e6 - 0.5;
    return -std::copysign(std::log(1 - 2 * std::abs(u)), u);  // of scale 1: each count alone spends 1
  };
  OutcomePair pair;
  for (int run = 0; run < 20'000; ++run) {
    std::vector<double> left;
    std::vector<double> right;
    for (int i = 0; i < 100; ++i) {
      left.push_back(laplace() + (i == 7 ? 1 : 0));
      right.push_back(laplace() + (i == 50 ? 1 : 0));
    }
    pair.left.add_numbers(left);
    pair.right.add_numbers(right);
  }
  const ClaimAudit audit = audit_outcomes(pair, {.claimed = {.epsilon = 1, .delta = 0}});
  EXPECT_EQ(audit.holds, false) << *audit.event << ' ' << *audit.alarm_lower;
}

TEST(EventAudit, FindsNoiseThatIsNeverNegative) {
  // what is below the true count never comes: one person more, and the smallest value is gone
  SeededRandom random(23);
  OutcomePair pair;
  for (int run = 0; run < 4'000; ++run) {
    const auto size = [&] {
      return std::floor(-std::log((static_cast<double>(random.below(1'000'000)) + 0.5) / 1e6));
    };
    pair.left.add_number(10 + size());
    pair.right.add_number(11 + size());
  }
  EXPECT_EQ(audit_outcomes(pair, {.claimed = {.epsilon = 1, .delta = 0}}).holds, false);
}

}  // namespace event_audit_test
}  // namespace gauze::audit
