// Neighbour replay over the whole job: a release of a table and one of its neighbour, every draw of noise seen before the
// noise. Where the domain is public the draws must be the same in kind, law and number, and the values must not move by
// more than what was declared; where it is not, they may differ in what docs/proofs/release-stability.md covers.

#include "gauze/mechanisms/testing/neighbour_replay.h"

#include <gtest/gtest.h>

#include <random>

#include "gauze/base/testing/watched.h"
#include "gauze/release/job/release_job.h"
#include "gauze/schema/testing/small_tables.h"

namespace gauze::release {
namespace neighbour_replay_test {

using namespace schema;  // the vocabulary of this file

using gauze::testing::compare_replays;
using gauze::testing::NoiseRecorder;
using Row = std::vector<std::string>;
using Rows = std::vector<Row>;
using Generator = std::mt19937_64;

/// A plan of two quasi-identifiers, the first with levels; `release` are the keys of that section.
ReleasePlan plan_of(const std::string& release, int k, const ReleaseTarget& target) {
  const std::string text = fmt::format(R"(
version: 1
columns:
  age:  {{role: quasi, hierarchy: {{intervals: [[0, 30, 60, 120], [0, 60, 120]]}}}}
  town: {{role: quasi, hierarchy: {{groups: [{{north: [Kiel, Oslo], south: [Rom]}}]}}}}
privacy: {{k: {}}}
release: {{{}}}
provenance: {{quasi: public, hierarchies: public, levels: public, k: public, epsilon: public}}
)",
                                       k, release);
  const auto policy = schema::parse_policy(text);
  EXPECT_TRUE(policy) << policy.error().message;
  auto plan = ReleasePlan::make(*policy, target);
  EXPECT_TRUE(plan) << release << ": " << plan.error().message;
  return *plan;
}

/// The same with three columns of 60 declared values: 226,981 cells, more than get their noise one by one.
ReleasePlan large_plan(const std::string& noise, int k, const ReleaseTarget& target) {
  schema::Policy policy;
  for (const char* name : {"a", "b", "c"}) {
    schema::PolicyColumn column;
    column.name = name;
    column.roles = {schema::Role::quasi};
    for (int i = 0; i < 60; ++i) column.values.push_back("v" + std::to_string(i));
    policy.columns.push_back(column);
  }
  policy.privacy.k = static_cast<std::uint64_t>(k);
  policy.provenance.hierarchies = Provenance::public_knowledge;
  policy.release = schema::PolicyRelease{};
  policy.release->levels = {{"a", 0}, {"b", 0}, {"c", 0}};
  if (noise == "gaussian") policy.release->noise = schema::ReleaseNoise::gaussian;
  auto plan = ReleasePlan::make(policy, target);
  EXPECT_TRUE(plan) << plan.error().message;
  return *plan;
}

std::string any_of(Generator& generator, std::initializer_list<const char*> values) {
  return *(values.begin() + generator() % values.size());
}

/// Values inside the domain, outside of it, and missing.
Row wild_row(Generator& generator) {
  return {any_of(generator, {"10", "29", "30", "61", "119", "120", "x", "?"}),
          any_of(generator, {"Kiel", "Oslo", "Rom", "Wien", "?"})};
}

Row wild_large_row(Generator& generator) {
  Row row;
  for (int i = 0; i < 3; ++i) row.push_back("v" + std::to_string(generator() % 3 * 29 + generator() % 3));
  return row;
}

/// So many rows of a few kinds, so that classes lie around k.
Rows some_rows(Generator& generator, const std::function<Row(Generator&)>& wild) {
  Rows kinds(4), rows;
  for (Row& kind : kinds) kind = wild(generator);
  for (std::size_t i = 2 + generator() % 14; i > 0; --i) rows.push_back(kinds[generator() % kinds.size()]);
  return rows;
}

table::TupleCounts grouped(const Rows& rows) {
  std::map<Row, std::uint64_t> counts;
  for (const Row& row : rows) ++counts[row];
  Rows tuples;
  std::vector<std::uint64_t> numbers;
  for (const auto& [row, count] : counts) {
    tuples.push_back(row);
    numbers.push_back(count);
  }
  return make_tuples(tuples, numbers);
}

/// A release and what was seen of it.
struct Seen {
  NoiseRecorder recorder;
  Release release;

  Seen(const Rows& rows, const ReleasePlan& plan)
      : release(make_release(SecureRandom::of_thread(), grouped(rows), plan).value()) {}
  [[nodiscard]] const NoiseRecorder::Call& call(std::string_view mechanism) const {
    for (const auto& one : recorder.calls())
      if (one.mechanism == mechanism) return one;
    ADD_FAILURE() << "no draw of " << mechanism;
    return recorder.calls().front();
  }
};

/// Why the releases of two tables are not those of neighbours; empty when they are. In mode select the levels are public once
/// they are chosen: replays with others are drawn again.
std::string replay(const ReleasePlan& plan, const Rows& a, const Rows& b) {
  for (int attempt = 0; attempt < 1000; ++attempt) {
    const Seen first(a, plan);
    const Seen second(b, plan);
    if (first.release.levels != second.release.levels) continue;
    return compare_replays(first.recorder, second.recorder);
  }
  return "the same levels are never chosen";
}

Rows with(Rows rows, const Rows& more) {
  rows.insert(rows.end(), more.begin(), more.end());
  return rows;
}

const ReleaseTarget kPure{.epsilon = Rational(1)};
const ReleaseTarget kApproximate{.epsilon = Rational(1), .delta = Rational(1, 100)};

TEST(ReleaseReplay, ARowMoreOrLessMovesNothingButValues) {
  Generator generator(1);
  const std::string levels = ", levels: {age: 1, town: 1}";
  for (const int k : {1, 3}) {
    for (const ReleasePlan& plan :
         {plan_of("mode: grid" + levels, k, kPure), plan_of("mode: grid, total_share: 0" + levels, k, kPure),
          plan_of("mode: grid, noise: gaussian" + levels, k, kApproximate), plan_of("mode: select", k, kPure)}) {
      for (int round = 0; round < watched_less(20); ++round) {
        const Rows rows = some_rows(generator, wild_row);
        ASSERT_EQ(replay(plan, rows, with(rows, {wild_row(generator)})), "") << k;
        ASSERT_EQ(replay(plan, rows, with(rows, {rows.front()})), "") << k;
        ASSERT_EQ(replay(plan, {rows.front()}, with({rows.front()}, {wild_row(generator)})), "") << k;
      }
    }
  }
}

TEST(ReleaseReplay, AReplacedRowMovesNothingButValues) {
  Generator generator(2);
  for (const char* mode :
       {"mode: grid, neighbours: replace-one, levels: {age: 1, town: 1}", "mode: select, neighbours: replace-one"}) {
    const ReleasePlan plan = plan_of(mode, 2, kPure);
    for (int round = 0; round < watched_less(30); ++round) {
      const Rows rows = some_rows(generator, wild_row);
      Rows other = rows;
      other[generator() % other.size()] = wild_row(generator);
      ASSERT_EQ(replay(plan, rows, other), "");
    }
  }
}

TEST(ReleaseReplay, LargeDomainsAreSeenWhole) {
  Generator generator(3);
  for (const int k : {1, 2}) {
    for (const ReleasePlan& plan : {large_plan("laplace", k, kPure), large_plan("gaussian", k, kApproximate)}) {
      for (int round = 0; round < watched_less(20); ++round) {
        const Rows rows = some_rows(generator, wild_large_row);
        ASSERT_EQ(replay(plan, rows, with(rows, {wild_large_row(generator)})), "");
        ASSERT_EQ(replay(plan, rows, with(rows, {rows.front()})), "");
      }
      const Seen seen(some_rows(generator, wild_large_row), plan);
      EXPECT_EQ(seen.call("grid").length, 61U * 61 * 61);
    }
  }
}

/// Rows of persons who stay within 2 classes and 2 rows in each, so that nothing of theirs is left to chance.
Rows rows_of_persons(Generator& generator) {
  Rows rows;
  for (std::size_t person = generator() % 6 + 1; person > 0; --person) {
    for (std::size_t classes = 1 + generator() % 2; classes > 0; --classes) {
      Row row = wild_row(generator);
      row.push_back("p" + std::to_string(person));
      for (std::size_t i = 1 + generator() % 2; i > 0; --i) rows.push_back(row);
    }
  }
  return rows;
}

Rows rows_of_one(Generator& generator, const std::string& id) {
  Rows rows;
  for (std::size_t i = 1 + generator() % 40; i > 0; --i) {
    rows.push_back(wild_row(generator));
    rows.back().push_back(id);
  }
  return rows;
}

TEST(ReleaseReplay, APersonMovesNoMoreThanTheBoundsWhateverRowsTheyBring) {
  Generator generator(4);
  const std::string unit = "unit: {id: p, max_classes: 2, max_rows: 2}";
  const std::string levels = ", levels: {age: 1, town: 1}";
  for (const ReleasePlan& plan :
       {plan_of("mode: grid, " + unit + levels, 3, kPure), plan_of("mode: select, " + unit, 3, kPure),
        plan_of("mode: grid, noise: gaussian, " + unit + levels, 3, kApproximate)}) {
    for (int round = 0; round < watched_less(30); ++round) {
      const Rows rows = rows_of_persons(generator);
      ASSERT_EQ(replay(plan, rows, with(rows, rows_of_one(generator, "q"))), "");
      ASSERT_EQ(replay(plan, rows, with(rows, rows_of_one(generator, "?"))), "") << "rows of nobody";
    }
  }
  const ReleasePlan replace = plan_of("mode: grid, neighbours: replace-one, " + unit + levels, 1, kPure);
  for (int round = 0; round < watched_less(30); ++round) {
    const Rows rows = rows_of_persons(generator);
    ASSERT_EQ(replay(replace, with(rows, rows_of_one(generator, "q")), with(rows, rows_of_one(generator, "q"))), "");
  }
}

// The noise of a choice is halved because scores move one way only: the replay sees whether they do.
TEST(ReleaseReplay, ScoresOfLevelsMoveOneWayWhenARowIsAdded) {
  Generator generator(5);
  const ReleasePlan plan = plan_of("mode: select", 2, kPure);
  for (int round = 0; round < watched_less(30); ++round) {
    const Rows rows = some_rows(generator, wild_row);
    const Seen without(rows, plan), more(with(rows, {wild_row(generator)}), plan);
    for (const auto& [candidate, score] : more.call("selection").values)
      EXPECT_LE(score, without.call("selection").at(candidate));
  }
}

/// What got noise in a release of classes that occur, by the names of the classes.
std::map<Row, Int128> named(const Seen& seen) {
  std::map<Row, Int128> counts;
  for (const auto& [cell, count] : seen.call("stability").values)
    counts[{seen.release.domain->text(cell, 0), seen.release.domain->text(cell, 1)}] = count;
  return counts;
}

/// Two releases of classes that occur against the proof: a unit touches at most `most` classes, each by one; those that one
/// of the tables has alone have k units there.
void expect_proven_differences(const Seen& a, const Seen& b, std::uint64_t k, std::uint64_t most) {
  ASSERT_EQ(a.recorder.calls().size(), b.recorder.calls().size());
  const auto& x = a.call("stability");
  const auto& y = b.call("stability");
  EXPECT_EQ(x.variance, y.variance);
  EXPECT_EQ(x.declared_sensitivity, y.declared_sensitivity);
  EXPECT_EQ(x.declared_sensitivity, Rational(static_cast<std::int64_t>(most)));
  const auto first = named(a), second = named(b);
  std::map<Row, Int128> all = first;
  all.insert(second.begin(), second.end());
  std::uint64_t touched = 0;
  for (const auto& [name, ignored] : all) {
    if (first.contains(name) && second.contains(name)) {
      const Int128 gap = first.at(name) - second.at(name);
      EXPECT_LE(gap * gap, 1);
      touched += gap != 0 ? 1 : 0;
    } else {
      EXPECT_TRUE((first.contains(name) ? first : second).at(name) == static_cast<Int128>(k))
          << "a class that is new";
      ++touched;
    }
  }
  EXPECT_LE(touched, most);
  EXPECT_TRUE(have_one_shape(a.call("total"), b.call("total")));
  EXPECT_EQ(compare_values(a.call("total"), b.call("total")), "");
}

TEST(ReleaseReplay, ClassesThatOccurDifferInWhatTheProofCovers) {
  Generator generator(6);
  bool one_was_new = false;
  for (const int k : {1, 3}) {
    const ReleasePlan rows_plan = plan_of("mode: stability, levels: {age: 1, town: 1}", k, kApproximate);
    const ReleasePlan persons_plan = plan_of(
        "mode: stability, levels: {age: 1, town: 1}, unit: {id: p, max_classes: 2, max_rows: 2}", k, kApproximate);
    for (int round = 0; round < 80; ++round) {
      const Rows rows = some_rows(generator, wild_row);
      const Seen without(rows, rows_plan), more(with(rows, {wild_row(generator)}), rows_plan);
      expect_proven_differences(without, more, static_cast<std::uint64_t>(k), 1);
      one_was_new = one_was_new || named(more).size() > named(without).size();
      const Rows persons = rows_of_persons(generator);
      expect_proven_differences(Seen(persons, persons_plan),
                                Seen(with(persons, rows_of_one(generator, "q")), persons_plan),
                                static_cast<std::uint64_t>(k), 2);
    }
  }
  EXPECT_TRUE(one_was_new) << "or the rule for new classes was never tried";
}

// Noise of scale 1e-6 is 0 but once in e^500,000 draws: what was seen before the noise is what is released.
TEST(ReleaseReplay, WhatIsSeenIsWhatIsReleased) {
  Generator generator(7);
  const ReleaseTarget exact{.epsilon = Rational(10'000'000)};
  const ReleaseTarget exact_and_delta{.epsilon = Rational(10'000'000), .delta = Rational(1, 100)};
  constexpr std::int64_t kK = 2;
  const std::string levels = ", levels: {age: 1, town: 1}";
  for (int round = 0; round < watched_less(20); ++round) {
    for (const bool large : {false, true}) {
      const ReleasePlan plan = large ? large_plan("laplace", kK, exact) : plan_of("mode: grid" + levels, kK, exact);
      const Seen seen(some_rows(generator, large ? wild_large_row : wild_row), plan);
      std::map<std::uint64_t, std::int64_t> expected, released;
      for (const auto& [cell, above] : seen.call("grid").values)
        if (above > 0) expected[cell] = static_cast<std::int64_t>(above) + kK - 1;
      for (const ReleasedCell& one : seen.release.histogram.cells) released[one.cell] = one.noisy;
      EXPECT_EQ(released, expected);
      EXPECT_TRUE(seen.call("total").at(0) == static_cast<Int128>(*seen.release.histogram.total));
    }
    const Seen stable(some_rows(generator, wild_row), plan_of("mode: stability" + levels, kK, exact_and_delta));
    for (const ReleasedCell& one : stable.release.histogram.cells)
      EXPECT_TRUE(stable.call("stability").at(one.cell) == static_cast<Int128>(one.noisy));
  }
}

}  // namespace neighbour_replay_test
}  // namespace gauze::release
