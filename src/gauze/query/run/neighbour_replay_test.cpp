// Random databases, random questions, one unit removed: no measurement moves by more than it declares.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

#include "gauze/mechanisms/noise/noise_law.h"
#include "gauze/mechanisms/noise/noise_observer.h"
#include "gauze/query/testing/many_worlds.h"
#include "gauze/query/testing/random_shop.h"

namespace gauze::query {
namespace neighbour_replay_test {

using testing::below;
using testing::ManyWorlds;
using testing::one_of;
using testing::Random;

/// How many neighbours are tried in all tests here together.
int cases_wanted() {
  if (std::getenv("GAUZE_LONG_TESTS") != nullptr) return 200'000;
  return testing::is_watched() ? 2'000 : 20'000;
}

/// What is shown to noise, call by call.
class Recorder final : public NoiseObserver {
 public:
  struct Call {
    std::string mechanism;
    NoiseEvent::Norm norm;
    Rational declared;
    int exponent;
    const NoiseLaw* law;  ///< none where one is chosen
    std::map<std::uint64_t, Int128> values;
  };
  Recorder() : scope_(*this) {}
  void on_noise(const NoiseEvent& event) override {
    Call call{std::string(event.mechanism), event.norm, event.declared_sensitivity, event.exponent, event.law, {}};
    for (std::size_t i = 0; i < event.values.size(); ++i)
      if (event.values[i] != 0) call.values[event.places ? (*event.places)[i] : i] = event.values[i];
    calls.push_back(std::move(call));
  }
  std::vector<Call> calls;

 private:
  Scope scope_;
};

using Keys = std::vector<CellValue>;

/// What a question's measurements are of one database before noise.
struct Replay {
  std::string failure = {};
  std::vector<Recorder::Call> sums = {};
  std::vector<std::map<Keys, Recorder::Call>> choices = {};  ///< of each selection, by group
};

Replay replay(const QueryPlan& plan, SchemaTables& tables) {
  Replay replay;
  Recorder recorder;
  SeededRandom seeded(7);
  Chance chance(seeded);
  Progress progress;
  const auto table = measure(plan, tables, chance, progress);
  if (!table) return {.failure = table.error().message};
  std::size_t next = 0;
  for (const Measurement& one : plan.measurements.all)
    if (!one.is_selection() && !one.is_constant() && next < recorder.calls.size())
      replay.sums.push_back(recorder.calls[next++]);
  for (std::size_t i = 0; i < plan.measurements.all.size(); ++i) {
    if (!plan.measurements.all[i].is_selection() || table->candidates[i].count <= 1) continue;
    replay.choices.emplace_back();
    for (const NoisyTable::Row& row : table->rows)
      if (next < recorder.calls.size()) replay.choices.back().emplace(row.keys, recorder.calls[next++]);
  }
  if (next != recorder.calls.size()) replay.failure = "more noise is drawn than there are measurements and groups";
  return replay;
}

bool have_one_shape(const Recorder::Call& x, const Recorder::Call& y) {
  return x.mechanism == y.mechanism && x.norm == y.norm && x.exponent == y.exponent && x.law == y.law &&
         x.declared == y.declared;
}

/// How far two calls are apart, place by place.
std::vector<Int128> gaps_of(const Recorder::Call& x, const Recorder::Call& y) {
  std::map<std::uint64_t, Int128> gaps = x.values;
  for (const auto& [place, value] : y.values) gaps[place] -= value;
  std::vector<Int128> all;
  for (const auto& [place, gap] : gaps)
    if (gap != 0) all.push_back(gap);
  return all;
}

bool keeps_its_word(const Recorder::Call& call, const std::vector<Int128>& gaps) {
  Rational l1(0), l2(0), largest(0);
  for (const Int128 gap : gaps) {
    const Rational size = to_rational(gap < 0 ? -gap : gap);
    l1 += size;
    l2 += size * size;
    largest = std::max(largest, size);
  }
  return call.norm == NoiseEvent::Norm::l1   ? l1 <= call.declared
         : call.norm == NoiseEvent::Norm::l2 ? l2 <= call.declared * call.declared
                                             : largest <= call.declared;
}

/// What of the contract two databases break that differ in one unit, or nothing.
std::string compare(const QueryPlan& plan, const Replay& with, const Replay& without) {
  if (!with.failure.empty() || !without.failure.empty()) return "failed: " + with.failure + without.failure;
  if (with.sums.size() != without.sums.size() || with.choices.size() != without.choices.size())
    return "the number of measurements depends on the data";
  for (std::size_t i = 0; i < with.sums.size(); ++i) {
    const Recorder::Call& call = with.sums[i];
    if (!have_one_shape(call, without.sums[i])) return fmt::format("the noise of sum {} depends on the data", i);
    const auto gaps = gaps_of(call, without.sums[i]);
    if (gaps.size() > plan.limits.groups) return fmt::format("a unit is in {} groups of sum {}", gaps.size(), i);
    if (!keeps_its_word(call, gaps)) return fmt::format("sum {} moved by more than its sensitivity", i);
  }
  std::size_t place = 0;
  for (const Measurement& one : plan.measurements.all) {
    if (!one.is_selection() || place >= with.choices.size()) continue;
    const auto& here = with.choices[place];
    const auto& there = without.choices[place++];
    if (plan.keys.are_public && here.size() != there.size()) return "the number of choices depends on the data";
    std::uint64_t moved = 0;
    for (const auto& [keys, call] : here) {
      const auto other = there.find(keys);
      if (other == there.end()) continue;  // a group of this unit alone: the threshold's matter
      if (!have_one_shape(call, other->second)) return "the noise of a choice depends on the data";
      const auto gaps = gaps_of(call, other->second);
      moved += gaps.empty() ? 0 : 1;
      if (!keeps_its_word(call, gaps)) return "a score moved by more than its sensitivity";
      if (one.kind == Measurement::Kind::mode &&
          std::any_of(gaps.begin(), gaps.end(), [](Int128 g) { return g < 0; }))
        return "a score of MODE rose with a unit that left";
    }
    if (moved > plan.limits.groups) return fmt::format("a unit moved the scores of {} groups", moved);
  }
  return {};
}

/// Every group that exists is named, so that all of them can be compared.
void name_all(QueryPlan& plan) {
  if (plan.noise.threshold) plan.noise.threshold = -(static_cast<Int128>(1) << 100);
}

QueryParameters random_parameters(Random& random, bool rows, bool needs_delta) {
  const Rational delta = needs_delta || below(random, 3) == 0 ? Rational::parse("1e-6").value() : Rational();
  QueryParameters parameters = testing::with_epsilon(1, delta);
  if (below(random, 4) == 0) parameters.budget = {.rho = Rational(1, 2), .delta = delta};
  if (rows) return parameters;
  parameters.groups_per_unit = 1 + below(random, 4);
  parameters.rows_per_unit = 1 + below(random, 5);
  return parameters;
}

struct Tally {
  int cases = 0;
  int refused = 0;
  int moved = 0;  ///< questions of which some measurement moved at all
};

/// Asks one question of several worlds, each without one after the other of some of its units.
void try_question(const testing::Database& shops, ManyWorlds& worlds, const std::vector<int>& units,
                  const std::string& sql, const QueryParameters& parameters, Random& random, Tally& tally) {
  auto plan = shops.plan(sql, parameters);
  if (!plan) {
    ++tally.refused;
    return;
  }
  name_all(*plan);
  std::vector<testing::SeenWorld> seen;
  for (int i = 0; i < 3; ++i) {
    const auto world = static_cast<int>(below(random, units.size()));
    const int count = units[static_cast<std::size_t>(world)];
    const auto first = static_cast<int>(below(random, static_cast<std::size_t>(count)));
    seen.push_back({.world = world});
    for (int step = 0; step < std::min(count, 10); ++step) seen.push_back({world, (first + step) % count});
  }
  worlds.show(seen);
  Replay with;
  bool has_moved = false;
  for (std::size_t place = 0; place < seen.size(); ++place) {
    worlds.look(place);
    const Replay now = replay(*plan, worlds.tables());
    if (seen[place].without == testing::SeenWorld::kNobody) {
      with = now;
      continue;
    }
    ++tally.cases;
    ASSERT_EQ(compare(*plan, with, now), "")
        << sql << "\nworld " << seen[place].world << " without " << seen[place].without;
    for (std::size_t sum = 0; sum < with.sums.size(); ++sum)
      has_moved = has_moved || with.sums[sum].values != now.sums[sum].values;
  }
  tally.moved += has_moved ? 1 : 0;
  // That worlds asked together answer what each answers alone.
  const std::size_t place = below(random, seen.size());
  worlds.look(place);
  const Replay together = replay(*plan, worlds.tables());
  worlds.look_alone(place);
  const Replay alone = replay(*plan, worlds.tables());
  ASSERT_EQ(together.failure + alone.failure, "") << sql;
  for (std::size_t sum = 0; sum < alone.sums.size(); ++sum)
    ASSERT_EQ(together.sums[sum].values, alone.sums[sum].values) << sql;
}

TEST(QueryNeighbourReplay, NoUnitMovesAMeasurementByMoreThanItDeclares) {
  Random random(20261118);
  Tally tally;
  int questions = 0;
  const int wanted = cases_wanted() / 4 * 3;
  while (tally.cases < wanted) {
    std::vector<testing::RandomShop> made;
    std::vector<int> units;
    for (int world = 0; world < 16; ++world) units.push_back(made.emplace_back(random).units);
    const testing::Database shops(testing::files_of(made), testing::shop_schema());
    ManyWorlds worlds(shops);
    for (int i = 0; i < 100 && tally.cases < wanted; ++i, ++questions) {
      const testing::RandomQuestion question = testing::random_question(random, testing::shop_sources());
      const QueryParameters parameters = random_parameters(random, false, question.has_private_keys);
      try_question(shops, worlds, units, question.sql, parameters, random, tally);
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_LT(tally.refused, questions / 10);  // so that something was tried
  EXPECT_GT(tally.moved, questions / 2);
}

/// One table, of which each row is a unit.
std::string rows_schema() {
  return "version: 1\nunit: row\ntables:\n  t: {source: t.csv, columns: {a: {type: integer, bounds: [0, 4]}, b: {type: integer}, x: {type: real, bounds: [-5, 9]}, k: {type: text, values: [p, q]}}}\n"
         "  n: {public: true, source: n.csv, key: [id], columns: {id: {type: integer}, name: {type: text}}}\nprovenance: {bounds: public, values: public, limits: public}\n";
}

const std::vector<testing::QuestionSource>& row_sources() {
  static const std::vector<const char*> numbers{"x", "a", "x * x", "a - x", "CASE WHEN x > 1 THEN a END"};
  static const std::vector<testing::QuestionSource> sources = {
      {"t", numbers, {"k", "a", "x > 1", "b % 2"}, {"b", "b / 2"}, {"x > 0", "k = 'p'", "b > 1"}},
      {"t JOIN n ON a = id", numbers, {"k", "name"}, {"b"}, {"name < 'B'", "x > 2"}},
      {"t LEFT JOIN n ON a = id", numbers, {"k", "name"}, {"b"}, {"name IS NULL", "x > 2"}},
      {"t JOIN n ON b = id AND name = 'A'", numbers, {"name"}, {"b"}, {"x < 2"}},
      {"(SELECT * FROM t WHERE x > 0) t", numbers, {"k", "a"}, {"b"}, {"x > 2"}},
      {"t JOIN (VALUES (0, 'z'), (1, 'w')) v(id, name) ON a = id", numbers, {"name"}, {"b"}, {"name > 'w'"}},
      {"t JOIN (VALUES (0, 'z'), (1, 'w'), (1, 'v')) v(id, name) ON a = id", numbers, {"name"}, {"b"}, {"x > 0"}},
      {"t JOIN (SELECT id, COUNT(*) AS c FROM n GROUP BY id) s ON b = s.id", numbers, {"k"}, {"b"}, {"c > 0"}},
      {"(SELECT a, x, k, b FROM t UNION ALL SELECT a, x, k, b FROM t) t", numbers, {"k"}, {"b"}, {"x > 0"}},
      {"t", numbers, {"k"}, {"b"}, {"a IN (SELECT id FROM n)", "a NOT IN (SELECT id FROM n WHERE id > 0)"}},
  };
  return sources;
}

TEST(QueryNeighbourReplay, NoRowMovesAMeasurementWhereTheUnitIsARow) {
  Random random(3);
  Tally tally;
  const int wanted = cases_wanted() / 4;
  int questions = 0;
  while (tally.cases < wanted) {
    std::string csv = "a,b,x,k,world,owner\n";
    std::vector<int> units;
    for (int world = 0; world < 20; ++world) {
      units.push_back(1 + static_cast<int>(below(random, 12)));
      for (int row = 0; row < units.back(); ++row)
        csv += fmt::format(
            "{},{},{},{},{},{}\n", one_of(random, {"0", "1", "4", "7", ""}), one_of(random, {"0", "1", "2", "3", ""}),
            one_of(random, {"1", "-9", "2.25", "nan", "", "1e300"}), one_of(random, {"p", "q", "r", ""}), world, row);
    }
    const testing::Database tables({{"t.csv", csv}, {"n.csv", "id,name\n0,A\n1,B\n4,C\n"}}, rows_schema());
    ManyWorlds worlds(tables);
    for (int i = 0; i < 60 && tally.cases < wanted; ++i, ++questions) {
      const testing::RandomQuestion question = testing::random_question(random, row_sources());
      const QueryParameters parameters = random_parameters(random, true, question.has_private_keys);
      try_question(tables, worlds, units, question.sql, parameters, random, tally);
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_LT(tally.refused, questions / 3);  // what repeats a row is among them
  EXPECT_GT(tally.moved, questions / 2);
}

/// What stands above the aggregation works on noisy numbers: it changes nothing that is measured.
TEST(QueryNeighbourReplay, HavingOrderAndLimitChangeNoMeasurement) {
  Random random(8);
  std::vector<testing::RandomShop> made(1, testing::RandomShop(random));
  const testing::Database shops(testing::files_of(made), testing::shop_schema());
  ManyWorlds worlds(shops);
  worlds.show({{.world = 0}});
  worlds.look_alone(0);
  int compared = 0;
  for (int i = 0; i < 60; ++i) {
    const testing::RandomQuestion question = testing::random_question(random, testing::shop_sources());
    const QueryParameters parameters = random_parameters(random, false, question.has_private_keys);
    auto plain = shops.plan(question.sql, parameters);
    auto more = shops.plan(question.sql + question.above, parameters);
    if (!plain || !more) continue;
    ++compared;
    name_all(*plain);
    name_all(*more);
    const Replay first = replay(*plain, worlds.tables());
    const Replay second = replay(*more, worlds.tables());
    ASSERT_EQ(first.sums.size(), second.sums.size()) << question.sql;
    for (std::size_t sum = 0; sum < first.sums.size(); ++sum) {
      EXPECT_EQ(first.sums[sum].values, second.sums[sum].values) << question.sql;
      EXPECT_EQ(first.sums[sum].declared, second.sums[sum].declared) << question.sql;
    }
    EXPECT_EQ(first.choices.size(), second.choices.size());
  }
  EXPECT_GT(compared, 40);
}

}  // namespace neighbour_replay_test
}  // namespace gauze::query
