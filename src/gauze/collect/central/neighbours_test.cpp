#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <random>
#include <set>

#include "gauze/collect/central/testing/stored_records.h"
#include "gauze/mechanisms/testing/distribution_checks.h"
#include "gauze/mechanisms/testing/neighbour_replay.h"

// One enrolment's records added or removed, with the same randomness: what is measured moves by at most the declared sensitivity, for every
// kind of query, every limit and every number of periods; and answers have the law that their label says.
namespace gauze::collect::central_neighbours_test {
namespace {

using namespace central_testing;
using gauze::testing::NoiseRecorder;

struct Asked {
  const char* kind;
  const char* members;
};
const Asked kAsked[] = {{"count", ""},
                        {"count", R"(,"where":{"city":"Lima"})"},
                        {"histogram", R"(,"field":"city")"},
                        {"histogram", R"(,"field":"step")"},
                        {"sum", R"(,"field":"price")"},
                        {"sum", R"(,"field":"step")"},
                        {"mean", R"(,"field":"age")"},
                        {"mean", R"(,"field":"price")"},
                        {"quantile", R"(,"field":"age","tau":"0.3")"},
                        {"quantile", R"(,"field":"price","tau":1)"}};

/// Numbers of one record: mostly ends and what lies outside, where sensitivities are reached.
std::vector<std::int64_t> some_numbers(std::mt19937_64& random) {
  const auto one = [&](std::int64_t low, std::int64_t high) {
    switch (random() % 5) {
      case 0:
        return low;
      case 1:
        return high;
      case 2:
        return high + 1'000;
      case 3:
        return low - 1'000;
      default:
        return low + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(high - low + 1));
    }
  };
  return {one(0, 120), static_cast<std::int64_t>(random() % 6), one(-150, 2'025), one(-3, 4)};
}

struct Pair {
  StoredRecords with;
  StoredRecords without;
};

/// Records of a few enrolments, and on one side those of one more: L in each of the periods, some of them the same.
Pair some_neighbours(const CentralTask& task, std::uint32_t periods, std::mt19937_64& random, bool is_extreme) {
  Pair pair;
  const int others = static_cast<int>(random() % 6);
  for (int i = 0; i < others; ++i) {
    const std::uint32_t period = 10 + static_cast<std::uint32_t>(random() % periods);
    const std::string record = record_of(task, some_numbers(random));
    pair.with.add(period, record);
    pair.without.add(period, record);
  }
  const std::vector<std::int64_t> same =
      is_extreme ? std::vector<std::int64_t>{120, 1, 2'025, 4} : some_numbers(random);
  for (std::uint32_t period = 10; period < 10 + periods; ++period)
    for (std::uint32_t i = 0; i < task.spec().reports_per_period; ++i)
      pair.with.add(period, record_of(task, is_extreme || random() % 2 == 0 ? same : some_numbers(random)));
  return pair;
}

TEST(CentralNeighbours, MoveWhatIsMeasuredByTheDeclaredSensitivityAtMost) {
  std::mt19937_64 random(20'270'101);
  std::set<std::string> reached;
  for (const std::uint32_t reports : {1U, 2U, 5U})
    for (const std::uint32_t periods : {1U, 3U, 7U}) {
      const CentralTask task = some_task(reports);
      for (const Asked& asked : kAsked)
        for (int round = 0; round < 16; ++round) {
          Pair pair = some_neighbours(task, periods, random, round % 2 == 0);
          const std::string body = fmt::format(R"({{"kind":"{}"{},"epsilon":"0.5"}})", asked.kind, asked.members);
          const auto query = query_of(task, body, {10, 9 + periods});
          ASSERT_TRUE(query) << query.error().message;
          SeededRandom one(7);
          SeededRandom other(7);
          NoiseRecorder with;
          ASSERT_TRUE(query->simulate(pair.with, one));
          const std::size_t calls = with.calls().size();
          ASSERT_TRUE(query->simulate(pair.without, other));
          ASSERT_EQ(with.calls().size(), 2 * calls) << "the number of noise calls depends on the data";
          for (std::size_t i = 0; i < calls; ++i) {
            const auto& x = with.calls()[i];
            const auto& y = with.calls()[calls + i];
            ASSERT_TRUE(have_one_shape(x, y)) << body;
            ASSERT_EQ(compare_values(x, y), "") << body << ", L = " << reports << ", P = " << periods;
            // That it is reached somewhere shows that a smaller one would have been found out.
            Rational l1(0);
            for (const auto& [place, value] : x.values) {
              const Rational gap = to_rational(value - y.at(place));
              l1 += gap.sign() < 0 ? -gap : gap;
            }
            if (x.norm == NoiseEvent::Norm::l1 && l1 == x.declared_sensitivity) reached.insert(asked.kind);
          }
        }
    }
  EXPECT_EQ(reached, (std::set<std::string>{"count", "histogram", "sum", "mean"}));
}

// Beyond what a double holds: what noise is added to is the sum to the last unit.
TEST(CentralNeighbours, AreAboutSumsThatAreExact) {
  constexpr std::int64_t kLarge = (std::int64_t{1} << 50) + 1;
  CentralSpec spec;
  spec.name = "large";
  spec.epsilon_nano = 1'000'000'000;
  spec.fields = {{.name = "x", .number = {-kLarge, kLarge, 0}}};
  const CentralTask task = CentralTask::make(spec).value();
  StoredRecords records;
  for (int i = 0; i < 1'001; ++i) records.add(10, record_of(task, {i < 900 ? kLarge : i - 950}));
  NoiseRecorder calls;
  SeededRandom random(1);
  for (const char* kind : {"sum", "mean"}) {
    const auto query = query_of(task, fmt::format(R"({{"kind":"{}","field":"x","epsilon":1000000,"to":10}})", kind));
    ASSERT_TRUE(query) << query.error().message;
    ASSERT_TRUE(query->simulate(records, random));
  }
  ASSERT_EQ(calls.calls().size(), 3U);
  for (const auto& call : calls.calls()) EXPECT_EQ(call.exponent, 0) << "whole units";
  EXPECT_TRUE(calls.calls()[0].at(0) == Int128{kLarge} * 900);  // the others, -50 to 50, add up to 0
  EXPECT_TRUE(calls.calls()[1].at(0) == Int128{kLarge} * 1'800);
  EXPECT_TRUE(calls.calls()[2].at(0) == 1'001);
}

// A score moves by at most max(tau, 1 - tau) a record, so that with tau = 1 it reaches the sensitivity.
TEST(CentralNeighbours, MoveScoresOfQuantilesUpToTheirSensitivity) {
  const CentralTask task = some_task(2);
  StoredRecords with;
  StoredRecords without;
  for (const std::uint32_t period : {10U, 11U, 12U})
    for (int i = 0; i < 2; ++i) with.add(period, record_of(task, {120, 0, 0, 0}));
  const auto query = query_of(task, R"({"kind":"quantile","field":"age","tau":1,"epsilon":1})");
  NoiseRecorder calls;
  SeededRandom random(1);
  ASSERT_TRUE(query->simulate(with, random));
  ASSERT_TRUE(query->simulate(without, random));
  ASSERT_EQ(calls.calls().size(), 2U);
  Int128 largest = 0;
  for (const auto& [place, value] : calls.calls()[0].values)
    largest = std::max(largest, calls.calls()[1].at(place) - value);
  EXPECT_EQ(to_rational(largest), calls.calls()[0].declared_sensitivity);
  EXPECT_EQ(calls.calls()[0].declared_sensitivity * Rational::power_of_two(calls.calls()[0].exponent), Rational(6));
}

/// P[Z <= x] of discrete Laplace noise.
double laplace_cdf(double scale, double x) {
  const double r = std::exp(-1 / scale);
  x = std::floor(x);
  return x >= 0 ? 1 - std::pow(r, x + 1) / (1 + r) : std::pow(r, -x) / (1 + r);
}

std::vector<std::int64_t> drawn(const CentralTask& task, StoredRecords& records, const std::string& body, int draws,
                                std::size_t cell = 0, std::int64_t per_unit = 1) {
  const auto query = query_of(task, body);
  EXPECT_TRUE(query) << (query ? "" : query.error().message);
  SecureRandom random;
  std::vector<std::int64_t> samples;
  for (int i = 0; i < draws; ++i) {
    const auto answer = query->answer(records, random);
    samples.push_back((answer->values[cell] * Rational(per_unit)).to_int64().value());
  }
  return samples;
}

// 20,000 draws: alarms on correct noise with p <= 1e-6; a scale that is 10 % off (so a sensitivity without L, or without P) is found in more
// than 99 % of runs, by the law of Kolmogorov's distance: the gap is then at least 0.017 + 0.018 within its error of 0.007.
TEST(CentralAnswers, HaveTheNoiseThatTheirSensitivityNeeds) {
  constexpr int kDraws = 20'000;
  const CentralTask task = some_task(2);
  StoredRecords records;
  for (int i = 0; i < 50; ++i) records.add(10, record_of(task, {30, i % 4, 100, 1}));
  const struct {
    const char* body;
    std::size_t cell;
    std::int64_t per_unit;
    double center;
    double scale;
  } cases[] = {{R"({"kind":"count","epsilon":"0.5"})", 0, 1, 50, 2 * 3 / 0.5},
               {R"({"kind":"count","epsilon":"0.5","to":10})", 0, 1, 50, 2 * 1 / 0.5},
               {R"({"kind":"histogram","field":"city","epsilon":"0.5"})", 3, 1, 12, 2 * 3 / 0.5},
               {R"({"kind":"sum","field":"price","epsilon":"2"})", 0, 100, 5'000, 2 * 3 * 2'025 / 2.0},
               {R"({"kind":"sum","field":"step","epsilon":"0.5"})", 0, 1, 50, 2 * 3 * 4 / 0.5}};
  for (const auto& one : cases) {
    auto samples = drawn(task, records, one.body, kDraws, one.cell, one.per_unit);
    const auto cdf = [&](std::int64_t x) { return laplace_cdf(one.scale, static_cast<double>(x) - one.center); };
    EXPECT_LT(gauze::testing::worst_cdf_gap(std::move(samples), cdf), gauze::testing::kolmogorov_bound(kDraws))
        << one.body;
  }
}

// Means and quantiles by their own laws. 20,000 draws a case; alarms with p <= 1e-6 a cell of chi-square.
TEST(CentralAnswers, ChooseQuantilesWithTheProbabilitiesOfTheExponentialMechanism) {
  constexpr int kDraws = 20'000;
  const CentralTask task = some_task(1);
  StoredRecords records;
  const std::int64_t steps[] = {-3, -1, 0, 0, 2, 4, 4};
  for (const std::int64_t step : steps) records.add(11, record_of(task, {0, 0, 0, step}));
  const double epsilon = 3;
  std::map<std::int64_t, double> expected;
  double all = 0;
  for (std::int64_t candidate = -3; candidate <= 4; ++candidate) {
    const auto below =
        std::count_if(std::begin(steps), std::end(steps), [&](std::int64_t step) { return step < candidate; });
    const double score = -std::abs(static_cast<double>(below) - 0.5 * 7);
    expected[candidate] = std::exp(epsilon * score / (2 * 3));  // L P = 1 x 3
    all += expected[candidate];
  }
  for (auto& [candidate, weight] : expected) weight /= all;
  const auto samples = drawn(task, records, R"({"kind":"quantile","field":"step","tau":"0.5","epsilon":3})", kDraws);
  EXPECT_FALSE(gauze::testing::chi_square(expected, samples).alarms());
}

// Coverage of 95 % intervals: 2,000 answers; with exactly 95 % fewer than 92.3 % have p < 1e-6.
TEST(CentralAnswers, HaveIntervalsThatHoldTheExactFigure) {
  constexpr int kDraws = 2'000;
  const CentralTask task = some_task(1);
  StoredRecords records;
  for (int i = 0; i < 400; ++i)
    records.add(10 + static_cast<std::uint32_t>(i % 3), record_of(task, {i % 100, i % 4, 5 * i, 0}));
  const struct {
    const char* body;
    double exact;
  } cases[] = {{R"({"kind":"count","epsilon":"0.7"})", 400},
               {R"({"kind":"sum","field":"age","epsilon":"0.7"})", 400 * 49.5},
               {R"({"kind":"mean","field":"age","epsilon":"0.7"})", 49.5},
               {R"({"kind":"histogram","field":"city","epsilon":"0.7"})", 100}};
  SecureRandom random;
  for (const auto& one : cases) {
    const auto query = query_of(task, one.body);
    int held = 0;
    for (int i = 0; i < kDraws; ++i) {
      const auto answer = query->answer(records, random);
      held += answer->interval95[0].first.to_double() <= one.exact &&
              one.exact <= answer->interval95[0].second.to_double();
    }
    EXPECT_GE(held, 1'846) << one.body;
  }
}

}  // namespace
}  // namespace gauze::collect::central_neighbours_test
