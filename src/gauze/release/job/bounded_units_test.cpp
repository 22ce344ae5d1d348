#include "gauze/release/job/bounded_units.h"

#include <gtest/gtest.h>

#include <map>

#include "gauze/random/seeded_random.h"
#include "gauze/schema/testing/small_tables.h"

namespace gauze::release {
namespace bounded_units_test {

using namespace schema;  // the vocabulary of this file

/// A random table of persons: tuples (class, id) with counts.
struct Persons {
  std::vector<std::vector<std::string>> rows;
  std::vector<std::uint64_t> counts;
};
Persons random_persons(SeededRandom& random, int persons) {
  Persons result;
  for (int id = 0; id < persons; ++id) {
    const std::uint64_t classes = 1 + random.below(5);
    for (std::uint64_t c = 0; c < classes; ++c) {
      result.rows.push_back({"v" + std::to_string(random.below(6)), "p" + std::to_string(id)});
      result.counts.push_back(1 + random.below(4));
    }
  }
  return result;
}

Histogram bounded(const Persons& persons, const UnitBounds& bounds, std::uint64_t seed) {
  const table::TupleCounts tuples = make_tuples(persons.rows, persons.counts);
  const auto domain = std::make_shared<const Domain>(*Domain::product({{values_column("v", 5), 0}}));
  SeededRandom random(seed);
  return BoundedUnits(CodedTuples::in(domain, tuples), tuples.counts, tuples.codes[1]).simulate(random, bounds);
}

TEST(BoundedUnits, NobodyTouchesMoreThanTheBounds) {
  SeededRandom random(4);
  for (int trial = 0; trial < 200; ++trial) {
    const Persons persons = random_persons(random, 1);
    const UnitBounds bounds{1 + random.below(3), 1 + random.below(3)};
    const Histogram histogram = bounded(persons, bounds, trial);
    EXPECT_LE(histogram.cells.size(), bounds.max_classes);
    for (const CellCount& one : histogram.cells) EXPECT_LE(one.count, bounds.max_rows);
    EXPECT_LE(histogram.total, bounds.most_rows());
    EXPECT_GE(histogram.total, 1U);
  }
}

// Without a choice to make (nobody is in too many classes), the histogram of all is the sum of those of each person, so
// that removing one person changes it by exactly their own.
TEST(BoundedUnits, RemovingAPersonRemovesTheirPartAlone) {
  SeededRandom random(9);
  for (int trial = 0; trial < 100; ++trial) {
    const Persons all = random_persons(random, 6);
    Persons without = all;
    Persons alone;
    for (std::size_t i = without.rows.size(); i-- > 0;) {
      if (without.rows[i][1] != "p3") continue;
      alone.rows.push_back(without.rows[i]);
      alone.counts.push_back(without.counts[i]);
      without.rows.erase(without.rows.begin() + static_cast<std::ptrdiff_t>(i));
      without.counts.erase(without.counts.begin() + static_cast<std::ptrdiff_t>(i));
    }
    const UnitBounds bounds{6, 2};
    Histogram sum = bounded(without, bounds, 1);
    const Histogram own = bounded(alone, bounds, 2);
    for (const CellCount& one : own.cells) sum.add(one.cell, one.count, 99);
    sum.merge();
    EXPECT_EQ(sum.cells, bounded(all, bounds, 3).cells);
  }
}

// Of 4 classes 1 is kept, each equally often: 40,000 draws, false alarm below 1e-6 by Hoeffding.
TEST(BoundedUnits, WhichClassesAPersonKeepsIsChosenEvenly) {
  const Persons person{{{"v0", "p"}, {"v1", "p"}, {"v2", "p"}, {"v3", "p"}}, {9, 1, 1, 1}};
  const table::TupleCounts tuples = make_tuples(person.rows, person.counts);
  const auto domain = std::make_shared<const Domain>(*Domain::product({{values_column("v", 5), 0}}));
  const BoundedUnits units(CodedTuples::in(domain, tuples), tuples.counts, tuples.codes[1]);
  SeededRandom random(77);
  std::map<std::uint64_t, double> kept;
  constexpr int kDraws = 40'000;
  for (int i = 0; i < kDraws; ++i) kept[units.simulate(random, {1, 1}).cells.front().cell] += 1;
  for (std::uint64_t cell = 0; cell < 4; ++cell) EXPECT_NEAR(kept[cell] / kDraws, 0.25, 0.0135);
}

TEST(BoundedUnits, RowsAreCappedPerPerson) {
  SeededRandom random(5);
  const std::vector<std::uint64_t> counts = {5, 5, 5, 2};
  const std::vector<std::uint32_t> ids = {0, 0, 1, 2};
  for (int trial = 0; trial < 50; ++trial) {
    const auto kept = cap_rows(random, counts, ids, 6);
    EXPECT_EQ(kept[0] + kept[1], 6U);
    EXPECT_EQ(kept[2], 5U);
    EXPECT_EQ(kept[3], 2U);
  }
}

}  // namespace bounded_units_test
}  // namespace gauze::release
