#include "gauze/patterns/mining/miner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "gauze/base/parallel.h"
#include "gauze/patterns/baskets/basket_file.h"
#include "gauze/patterns/mining/interval_support.h"
#include "gauze/table/testing/shared_data.h"

namespace gauze::patterns {
namespace miner_test {

/// A small generator for tests: not for anything that matters.
struct Draws {
  std::uint64_t state = 88172645463325252;
  std::uint64_t below(std::uint64_t bound) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state % bound;
  }
};

Database random_database(Draws& draws, std::size_t items, std::size_t rows, std::uint64_t percent,
                         bool marks = false) {
  Database database;
  for (std::size_t i = 0; i < items; ++i) database.names.push_back("i" + std::to_string(i));
  for (std::size_t r = 0; r < rows; ++r) {
    std::vector<Item> row;
    std::vector<Item> marked;
    for (Item i = 0; i < items; ++i) {
      if (draws.below(100) < percent) row.push_back(i);
      if (marks && draws.below(8) == 0) marked.push_back(i);
    }
    database.add_row(row, marked, marks && draws.below(6) == 0 ? 1 : 0);
  }
  return database;
}

using Found = std::map<Itemset, std::uint64_t>;

/// Every set by trying all of them.
Found enumerate(const Database& database, const MiningOptions& options) {
  Found all;
  const std::size_t items = database.names.size();
  for (std::uint64_t mask = 1; mask < std::uint64_t{1} << items; ++mask) {
    Itemset set;
    for (Item i = 0; i < items; ++i)
      if ((mask >> i & 1) != 0) set.push_back(i);
    std::uint64_t support = 0;
    for (std::size_t r = 0; r < database.rows(); ++r) support += holds(database.row(r), set) ? 1 : 0;
    if (support >= options.min_count) all[set] = support;
  }
  Found wanted;
  for (const auto& [set, support] : all) {
    bool keep = true;
    for (const auto& [other, other_support] : all) {
      if (other.size() <= set.size() || !holds(other, set)) continue;
      keep = keep && options.kind != ItemsetKind::maximal &&
             (options.kind != ItemsetKind::closed || other_support != support);
    }
    if (keep && set.size() >= options.min_size && (options.max_size == 0 || set.size() <= options.max_size))
      wanted[set] = support;
  }
  return wanted;
}

TEST(Miner, FindsWhatEnumerationFinds) {
  Draws draws;
  Progress progress;
  for (int trial = 0; trial < 400; ++trial) {
    // Sparse and dense, with items in all rows, in none, and rows without items.
    const std::uint64_t percent = trial % 4 == 0 ? 3 : trial % 4 == 1 ? 20 : trial % 4 == 2 ? 60 : 90;
    const Database database = random_database(draws, 1 + draws.below(9), draws.below(40), percent);
    MiningOptions options;
    options.min_count = 1 + draws.below(6);
    options.max_size = draws.below(3) == 0 ? 1 + draws.below(4) : 0;
    options.min_size = draws.below(3) == 0 ? 1 + draws.below(4) : 1;
    for (const ItemsetKind kind : {ItemsetKind::frequent, ItemsetKind::closed, ItemsetKind::maximal}) {
      options.kind = kind;
      const Found expected = enumerate(database, options);
      Found found;
      const auto counts = mine_itemsets(
          database, options,
          [&](std::span<const Item> set, std::uint64_t support) {
            EXPECT_TRUE(found.emplace(Itemset(set.begin(), set.end()), support).second) << "each once";
            return true;
          },
          progress);
      ASSERT_TRUE(counts);
      EXPECT_EQ(found, expected) << trial << ' ' << static_cast<int>(kind);
      EXPECT_EQ(counts->itemsets, expected.size());
      EXPECT_TRUE(counts->complete);
      const auto counted = count_itemsets(database, options, progress);
      EXPECT_EQ(counted->itemsets, expected.size());
      EXPECT_EQ(counted->by_size, counts->by_size);
    }
  }
}

/// What a search hands over, in order.
std::vector<std::pair<Itemset, std::uint64_t>> listed(const Database& database, const MiningOptions& options,
                                                      MiningCounts* counts = nullptr) {
  Progress progress;
  std::vector<std::pair<Itemset, std::uint64_t>> sets;
  const auto result = mine_itemsets(
      database, options,
      [&](std::span<const Item> set, std::uint64_t support) {
        sets.emplace_back(Itemset(set.begin(), set.end()), support);
        return true;
      },
      progress);
  EXPECT_TRUE(result);
  if (counts != nullptr) *counts = *result;
  return sets;
}

/// Sets the number of threads for a while.
struct Threads {
  explicit Threads(int count) { set_thread_count(count); }
  ~Threads() { set_thread_count(0); }
};

TEST(Miner, TheNumberOfThreadsChangesNothing) {
  Draws draws;
  for (int trial = 0; trial < 40; ++trial) {
    const bool dense = trial % 2 == 0;
    const Database database =
        dense ? random_database(draws, 12, 1000, 50 + 40 * (trial % 4 / 2)) : random_database(draws, 200, 900, 3);
    MiningOptions options;
    options.min_count = dense ? 200 : 4;
    options.kind = static_cast<ItemsetKind>(trial % 3);
    if (trial % 5 == 0) options.max_itemsets = 1 + draws.below(300);
    MiningCounts alone;
    MiningCounts together;
    Progress progress;
    set_thread_count(1);
    const auto first = listed(database, options, &alone);
    const auto counted = count_itemsets(database, options, progress);
    const Threads threads(3);
    EXPECT_EQ(listed(database, options, &together), first) << trial;
    EXPECT_EQ(together.by_size, alone.by_size);
    EXPECT_EQ(together.complete, alone.complete);
    EXPECT_EQ(alone.itemsets, first.size()) << "what is counted is what was handed over";
    EXPECT_LE(alone.itemsets, options.max_itemsets.value_or(alone.itemsets));
    const auto counted_together = count_itemsets(database, options, progress);
    EXPECT_EQ(counted_together->by_size, counted->by_size);
    EXPECT_EQ(counted_together->complete, counted->complete);
  }
}

TEST(Miner, ManySetsComeInOneOrder) {
  // Of 19 items each row lacks one: half a million sets.
  Database database;
  std::vector<Item> none;
  for (Item i = 0; i < 19; ++i) database.names.push_back(std::to_string(i));
  for (int r = 0; r < 300; ++r) {
    std::vector<Item> row;
    for (Item i = 0; i < 19; ++i)
      if (static_cast<int>(i) != r % 19) row.push_back(i);
    database.add_row(row, none);
  }
  const Threads threads(2);
  MiningOptions options;
  options.min_count = 1;
  Progress progress;
  std::uint64_t sets = 0;
  std::uint64_t hash = 0;
  const auto sink = [&](std::span<const Item> set, std::uint64_t support) {
    ++sets;
    for (const Item item : set) hash = hash * 1000003 + item + support;
    return true;
  };
  ASSERT_TRUE(mine_itemsets(database, options, sink, progress));
  EXPECT_EQ(sets, (std::uint64_t{1} << 19) - 2);
  const std::uint64_t expected = hash;
  hash = 0;
  set_thread_count(1);
  ASSERT_TRUE(mine_itemsets(database, options, sink, progress));
  EXPECT_EQ(hash, expected);
}

TEST(Miner, ASinkMayEndIt) {
  Draws draws;
  const Database database = random_database(draws, 12, 1000, 70);
  for (const int count : {1, 2}) {
    const Threads threads(count);
    MiningOptions options;
    Progress progress;
    int taken = 0;
    const auto counts = mine_itemsets(
        database, options, [&](std::span<const Item>, std::uint64_t) { return ++taken < 7; }, progress);
    ASSERT_TRUE(counts);
    EXPECT_EQ(taken, 7);
    EXPECT_FALSE(counts->complete);
    EXPECT_EQ(counts->stopped_by, "sink");
  }
}

TEST(Miner, CountingEndsWhereNumbersEnd) {
  // 70 items that all rows hold: 2^70 - 1 sets.
  Database database;
  std::vector<Item> row;
  std::vector<Item> none;
  for (Item i = 0; i < 70; ++i) {
    database.names.push_back(std::to_string(i));
    row.push_back(i);
  }
  for (int r = 0; r < 3; ++r) {
    std::vector<Item> copy = row;
    database.add_row(copy, none);
  }
  Progress progress;
  MiningOptions options;
  const auto counts = count_itemsets(database, options, progress);
  ASSERT_TRUE(counts);
  EXPECT_TRUE(counts->more_than_counted);
  EXPECT_FALSE(counts->complete);
  EXPECT_EQ(counts->stopped_by, "more-than-counted");
  EXPECT_EQ(counts->itemsets, kMostCounted);
  EXPECT_TRUE(counts->by_size.empty());
  options.max_size = 2;
  EXPECT_EQ(count_itemsets(database, options, progress)->itemsets, 2485U);
  EXPECT_FALSE(count_itemsets(database, options, progress)->more_than_counted);
  EXPECT_EQ(listed(database, options).size(), 2485U) << "not by going through 2^70 subsets";
  options = {};
  options.min_size = 69;
  EXPECT_EQ(listed(database, options).size(), 71U);
  options = {};
  options.max_itemsets = 1000;
  EXPECT_EQ(listed(database, options).size(), 1000U);
  options = {};
  options.time_limit_seconds = 0.05;
  MiningCounts cut;
  EXPECT_GT(listed(database, options, &cut).size(), 0U);
  EXPECT_EQ(cut.stopped_by, "time-limit") << "the clock is looked at while subsets are listed";
  options = {};
  options.kind = ItemsetKind::closed;
  EXPECT_EQ(listed(database, options).size(), 1U);
  // A row of very many items is no deep recursion.
  Database wide;
  row.clear();
  for (Item i = 0; i < 200'000; ++i) {
    wide.names.push_back(std::to_string(i));
    row.push_back(i);
  }
  wide.add_row(row, none);
  options = {};
  options.max_itemsets = 100;
  EXPECT_EQ(listed(wide, options).size(), 100U);
}

/// One row of very many items, and two short ones with or without items of it.
Database one_long_row(Item items, bool apart) {
  Database database;
  std::vector<Item> row;
  std::vector<Item> none;
  for (Item i = 0; i < items + 4; ++i) database.names.push_back(std::to_string(i));
  for (Item i = 0; i < items; ++i) row.push_back(i);
  database.add_row(row, none);
  const Item first = apart ? items : 0;
  for (const Item i : {first, first + 2}) {
    row = {i, i + 1};
    database.add_row(row, none);
  }
  return database;
}

TEST(Miner, LimitsAreKeptWithAVeryLongRow) {
  Progress progress;
  for (const bool apart : {false, true}) {
    const Database database = one_long_row(100'000, apart);
    MiningOptions options;
    options.max_itemsets = 1000;
    const auto cut = count_itemsets(database, options, progress);
    ASSERT_TRUE(cut);
    EXPECT_EQ(cut->stopped_by, "max-itemsets");
    EXPECT_EQ(cut->itemsets, 1000U) << "more than these: nothing else is known";
    EXPECT_FALSE(cut->more_than_counted);
    EXPECT_EQ(std::accumulate(cut->by_size.begin(), cut->by_size.end(), std::uint64_t{0}), 1000U);
    for (const ItemsetKind kind : {ItemsetKind::frequent, ItemsetKind::closed, ItemsetKind::maximal}) {
      options = {};
      options.kind = kind;
      // The frequent sets are counted by the formula; the others may take longer than this limit.
      if (kind != ItemsetKind::frequent) options.time_limit_seconds = 0.2;
      const MiningCounts counts = count_itemsets(database, options, progress).value();
      if (kind == ItemsetKind::frequent)
        EXPECT_EQ(counts.stopped_by, "more-than-counted");
      else if (counts.complete)
        EXPECT_LE(counts.itemsets, 3U) << "of two rows: each, and what both hold";
      else
        EXPECT_EQ(counts.stopped_by, "time-limit");
    }
  }
}

TEST(Miner, CountsOfLongRowsAreThoseOfTheFormula) {
  Progress progress;
  // A row of n items that no other row shares: n over s sets of s items, as far as these can be counted.
  for (const Item items : {20U, 61U, 62U, 63U, 66U, 67U, 68U, 130U, 400U}) {
    const MiningCounts counts = count_itemsets(one_long_row(items, true), {}, progress).value();
    EXPECT_EQ(counts.more_than_counted, items > 62);
    EXPECT_EQ(counts.complete, items <= 62);
    if (items > 62) continue;
    ASSERT_EQ(counts.by_size.size(), items + 1);
    std::vector<long double> exact = {1};
    for (Item s = 1; s <= items; ++s)
      exact.push_back(exact.back() * static_cast<long double>(items - s + 1) / static_cast<long double>(s));
    for (Item s = 1; s <= items; ++s) {
      const long double more = s == 1 ? 4 : s == 2 ? 2 : 0;  // of the short rows
      const long double wanted = std::round(exact[s]) + more;
      EXPECT_NEAR(static_cast<double>(static_cast<long double>(counts.by_size[s]) / wanted), 1, 1e-12)
          << s << " of " << items;
    }
  }
}

TEST(Miner, TheThresholdOfTheMostFrequentSets) {
  Draws draws;
  Progress progress;
  for (int trial = 0; trial < 200; ++trial) {
    const Database database = random_database(draws, 1 + draws.below(8), draws.below(60), 20 + 20 * (trial % 4));
    MiningOptions options;
    options.min_size = 1 + draws.below(3);
    options.min_count = 1 + draws.below(3);
    options.kind = trial % 3 == 0 ? ItemsetKind::closed : ItemsetKind::frequent;
    const std::uint64_t wanted = 1 + draws.below(30);
    const auto threshold = top_threshold(database, options, wanted, progress);
    ASSERT_TRUE(threshold);
    std::vector<std::uint64_t> supports;
    for (const auto& [set, support] : enumerate(database, options)) supports.push_back(support);
    std::sort(supports.rbegin(), supports.rend());
    EXPECT_EQ(*threshold, supports.size() >= wanted ? supports[wanted - 1] : options.min_count) << trial;
  }
  MiningOptions maximal;
  maximal.kind = ItemsetKind::maximal;
  EXPECT_FALSE(top_threshold(random_database(draws, 3, 3, 50), maximal, 1, progress));
}

TEST(Miner, AResultThatWasCutShortSaysSo) {
  Draws draws;
  Progress progress;
  const Database database = random_database(draws, 12, 50, 80);
  MiningOptions options;
  options.max_itemsets = 10;
  const auto cut = count_itemsets(database, options, progress);
  ASSERT_TRUE(cut);
  EXPECT_FALSE(cut->complete);
  EXPECT_EQ(cut->stopped_by, "max-itemsets");
  EXPECT_EQ(cut->itemsets, 10U);
  options.max_itemsets.reset();
  options.min_count = 0;
  EXPECT_FALSE(count_itemsets(database, options, progress));
  Progress stopped;
  stopped.request_stop();
  options.min_count = 1;
  EXPECT_EQ(count_itemsets(database, options, stopped).error().code, ErrorCode::interrupted);
}

TEST(Miner, ThresholdsAreExact) {
  EXPECT_EQ(min_count_for(*Rational::parse("0.28"), 25), 7U);
  EXPECT_EQ(min_count_for(*Rational::parse("0.1"), 8124), 813U);
  EXPECT_EQ(min_count_for(*Rational::parse("0.29"), 100), 29U);
  EXPECT_EQ(min_count_for(Rational(0), 100), 1U);
  EXPECT_EQ(min_count_for(Rational(1), 100), 100U);
}

TEST(Miner, SupportsOfGivenSets) {
  Draws draws;
  const Database database = random_database(draws, 6, 60, 50);
  std::vector<Itemset> sets = {{}, {0}, {1, 3}, {0, 1, 2, 3, 4, 5}};
  const auto counts = supports(database, sets);
  EXPECT_EQ(counts[0], 60U);
  for (std::size_t i = 1; i < sets.size(); ++i) {
    std::uint64_t expected = 0;
    for (std::size_t r = 0; r < database.rows(); ++r) expected += holds(database.row(r), sets[i]) ? 1 : 0;
    EXPECT_EQ(counts[i], expected);
  }
}

/// Calls visit(rows) for every way to fill the marks of a small database in.
void for_all_completions(const Database& database, const std::function<void(const std::vector<Itemset>&)>& visit) {
  std::vector<std::vector<Itemset>> choices;
  for (std::size_t r = 0; r < database.rows(); ++r) {
    std::vector<Itemset> ways;
    const auto marks = database.marks_of(r);
    for (std::uint64_t mask = 0; mask < std::uint64_t{1} << marks.size(); ++mask) {
      Itemset row(database.row(r).begin(), database.row(r).end());
      for (std::size_t i = 0; i < marks.size(); ++i)
        if ((mask >> i & 1) != 0) row.push_back(marks[i]);
      std::sort(row.begin(), row.end());
      ways.push_back(row);
      if (database.anonymous_of(r) == 0) continue;
      for (Item item = 0; item < database.names.size(); ++item) {
        if (std::binary_search(row.begin(), row.end(), item)) continue;
        // One more item that the row does not hold; an item with an anchored mark has its own.
        if (std::binary_search(marks.begin(), marks.end(), item)) continue;
        Itemset more = row;
        more.push_back(item);
        std::sort(more.begin(), more.end());
        ways.push_back(more);
      }
    }
    choices.push_back(std::move(ways));
  }
  std::vector<Itemset> rows(choices.size());
  const std::function<void(std::size_t)> go = [&](std::size_t r) {
    if (r == choices.size()) return visit(rows);
    for (const Itemset& way : choices[r]) {
      rows[r] = way;
      go(r + 1);
    }
  };
  go(0);
}

TEST(IntervalSupport, IsReachedByCompletionsAndByNoneBeyond) {
  Draws draws;
  for (int trial = 0; trial < 120; ++trial) {
    const Database database = random_database(draws, 3, 1 + draws.below(3), 40, true);
    for (const auto& [a, b] : std::vector<std::pair<Itemset, Itemset>>{{{0}, {1}}, {{0, 1}, {2}}, {{2}, {0, 1}}}) {
      Itemset both = a;
      both.insert(both.end(), b.begin(), b.end());
      std::sort(both.begin(), both.end());
      std::uint64_t low = ~std::uint64_t{0};
      std::uint64_t high = 0;
      double low_confidence = 2;
      double high_confidence = -1;
      bool undefined = false;
      for_all_completions(database, [&](const std::vector<Itemset>& rows) {
        std::uint64_t of_a = 0;
        std::uint64_t of_both = 0;
        for (const Itemset& row : rows) {
          of_a += holds(row, a) ? 1 : 0;
          of_both += holds(row, both) ? 1 : 0;
        }
        low = std::min(low, of_both);
        high = std::max(high, of_both);
        undefined = undefined || of_a == 0;
        if (of_a == 0) return;
        const double confidence = static_cast<double>(of_both) / static_cast<double>(of_a);
        low_confidence = std::min(low_confidence, confidence);
        high_confidence = std::max(high_confidence, confidence);
      });
      const SupportInterval support = support_interval(database, both);
      EXPECT_EQ(support.low, low);
      EXPECT_EQ(support.high, high);
      const auto confidence = confidence_interval(database, a, b);
      EXPECT_EQ(confidence.has_value(), high_confidence >= 0);
      if (!confidence || high_confidence < 0) continue;
      EXPECT_NEAR(confidence->low, low_confidence, 1e-12) << trial;
      EXPECT_NEAR(confidence->high, high_confidence, 1e-12) << trial;
      EXPECT_EQ(confidence->may_be_undefined, undefined);
      const IntervalIndex index(database);
      std::uint64_t definite = 0;
      std::uint64_t definite_a = 0;
      for (std::size_t r = 0; r < database.rows(); ++r) {
        definite += holds(database.row(r), both) ? 1 : 0;
        definite_a += holds(database.row(r), a) ? 1 : 0;
      }
      EXPECT_EQ(index.support(both, definite).low, low);
      EXPECT_EQ(index.support(both, definite).high, high);
      const auto quick = index.confidence(a, b, definite, definite_a);
      ASSERT_TRUE(quick);
      EXPECT_DOUBLE_EQ(quick->low, confidence->low);
      EXPECT_DOUBLE_EQ(quick->high, confidence->high);
      EXPECT_EQ(quick->may_be_undefined, undefined);
    }
  }
}

/// Many items, few in a row, in clusters: rows of one item hold much of each other's.
Database clustered_database(Draws& draws, std::size_t items, std::size_t rows) {
  Database database;
  for (std::size_t i = 0; i < items; ++i) database.names.push_back("i" + std::to_string(i));
  std::vector<Item> none;
  for (std::size_t r = 0; r < rows; ++r) {
    std::vector<Item> row;
    const std::uint64_t cluster = draws.below(items / 12);
    for (Item i = 0; i < items; ++i)
      if (draws.below(100) < (i / 12 == cluster ? 70 : 1)) row.push_back(i);
    database.add_row(row, none);
  }
  return database;
}

// Closed sets are those frequent sets that no set with one more item equals in support, and maximal ones those that have no
// frequent set with one more item: by all frequent sets, whose supports are counted anew.
TEST(Miner, FindsTheSetsOfClusteredDataWhereNodesGoOnByBits) {
  Draws draws;
  Progress progress;
  std::size_t sets = 0;
  for (int trial = 0; trial < 12; ++trial) {
    const Database database = clustered_database(draws, 96, 400);
    const auto find = [&](ItemsetKind kind) {
      MiningOptions options;
      options.min_count = 8 + static_cast<std::uint64_t>(trial) % 3;
      options.kind = kind;
      Found found;
      const auto keep = [&](std::span<const Item> set, std::uint64_t support) {
        EXPECT_TRUE(found.emplace(Itemset(set.begin(), set.end()), support).second) << "each once";
        return true;
      };
      EXPECT_TRUE(mine_itemsets(database, options, keep, progress));
      EXPECT_EQ(count_itemsets(database, options, progress)->itemsets, found.size());
      return found;
    };
    const Found frequent = find(ItemsetKind::frequent);
    Found closed = frequent;
    Found maximal = frequent;
    for (const auto& [set, support] : frequent) {
      std::uint64_t counted = 0;
      for (std::size_t r = 0; r < database.rows(); ++r) counted += holds(database.row(r), set) ? 1 : 0;
      EXPECT_EQ(support, counted);
      for (std::size_t i = 0; i < set.size(); ++i) {
        Itemset smaller = set;
        smaller.erase(smaller.begin() + static_cast<std::ptrdiff_t>(i));
        if (smaller.empty()) continue;
        const auto found = frequent.find(smaller);
        ASSERT_NE(found, frequent.end()) << "what is within a frequent set is frequent";
        maximal.erase(smaller);
        if (found->second == support) closed.erase(smaller);
      }
    }
    EXPECT_EQ(find(ItemsetKind::closed), closed);
    EXPECT_EQ(find(ItemsetKind::maximal), maximal);
    sets += frequent.size();
  }
  EXPECT_GT(sets, 20'000U);
}

TEST(Miner, CountsTheSetsOfPublicData) {
  const std::tuple<const char*, std::uint64_t, ItemsetKind, std::uint64_t> cases[] = {
      {"baskets/mushroom.dat", 813, ItemsetKind::frequent, 574'431},
      {"baskets/chess.dat", 1598, ItemsetKind::frequent, 1'272'932},
      {"baskets/retail.dat", 89, ItemsetKind::frequent, 7'589},
      {"baskets/T10I4D100K.dat", 100, ItemsetKind::frequent, 27'532},
      {"baskets/mushroom.dat", 813, ItemsetKind::closed, 4'885},
      {"baskets/chess.dat", 1598, ItemsetKind::closed, 369'450},
      {"baskets/chess.dat", 1598, ItemsetKind::maximal, 11'463},
      {"baskets/BMS1.dat", 25, ItemsetKind::closed, 149'302},
      {"baskets/BMS1.dat", 25, ItemsetKind::maximal, 11'586},
      {"baskets/accidents-15k.dat", 2284, ItemsetKind::maximal, 23'726}};
  for (const auto& [file, min_count, kind, expected] : cases) {
    GAUZE_SHARED_DATA_OR_SKIP(path, file);
    const auto baskets = BasketFile::read(path, std::nullopt);
    ASSERT_TRUE(baskets) << baskets.error().message;
    MiningOptions options;
    options.min_count = min_count;
    options.kind = kind;
    Progress progress;
    EXPECT_EQ(count_itemsets(baskets->database(), options, progress)->itemsets, expected) << file;
  }
}

}  // namespace miner_test
}  // namespace gauze::patterns
