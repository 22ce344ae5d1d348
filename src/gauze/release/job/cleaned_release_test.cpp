// `same` and `valid` in a release: the rules are public and look at one cell at a time, so that a release of cleaned rows is one of
// rows. Neighbour replay over the whole job, from cells as they are written to what is released; and the release of a table that is
// cleaned by the policy is that of the table cleaned by hand.

#include <gtest/gtest.h>

#include <random>

#include "gauze/base/testing/watched.h"
#include "gauze/base/utf8.h"
#include "gauze/mechanisms/testing/neighbour_replay.h"
#include "gauze/release/job/source_release.h"
#include "gauze/table/tuple_grouper.h"

namespace gauze::release {
namespace cleaned_release_test {

using gauze::testing::compare_replays;
using gauze::testing::NoiseRecorder;
using Row = std::vector<std::string>;
using Rows = std::vector<Row>;
using Generator = std::mt19937_64;

std::string policy_text(const std::string& release, const std::string& cleaning = "public",
                        const std::string& outside = "other") {
  return fmt::format(R"(
version: 1
input: {{null: [unknown]}}
columns:
  age:  {{role: quasi, hierarchy: {{intervals: [[0, 30, 60, 120], [0, 60, 120]]}}, valid: [0, 120], outside: {}}}
  town: {{role: quasi, hierarchy: {{groups: [{{north: [Kiel, Oslo], south: [Rom]}}]}}, same: {{Kiel: [KIEL, 基尔], Rom: [Roma]}}}}
privacy: {{k: 2}}
release: {{{}}}
provenance: {{quasi: public, hierarchies: public, levels: public, k: public, epsilon: public, cleaning: {}}}
)",
                     outside, release, cleaning);
}

struct Asked {
  schema::Policy policy;
  ReleasePlan plan;
};

Asked asked(const std::string& text, const ReleaseTarget& target) {
  auto policy = schema::parse_policy(text);
  EXPECT_TRUE(policy) << policy.error().message;
  auto plan = ReleasePlan::make(*policy, target);
  EXPECT_TRUE(plan) << plan.error().message;
  return {*policy, *plan};
}

/// Rows of text, as a file would hand them over.
class RowsOfText : public table::DeclaredSource {
 public:
  RowsOfText(Rows rows, std::size_t columns) : rows_(std::move(rows)), columns_(columns) {}
  [[nodiscard]] Result<table::TupleCounts> group(Progress&, const ByteWitness&) override {
    const table::MissingTokens tokens({"unknown"});
    table::TupleGrouper grouper(std::vector<std::string>(columns_, "other"), tokens);
    for (const Row& row : rows_) grouper.add(std::vector<std::string_view>(row.begin(), row.end()));
    return grouper.finish();
  }
  [[nodiscard]] Result<void> read(table::RowSink&, Progress&, const ByteWitness&) override { return {}; }
  [[nodiscard]] std::string assumption() const override { return {}; }

 private:
  Rows rows_;
  std::size_t columns_;
};

std::string any_of(Generator& generator, std::initializer_list<const char*> values) {
  return *(values.begin() + generator() % values.size());
}

/// Spellings that become one, numbers on both sides of the bounds, missing cells, and bytes that are no text.
Row wild_row(Generator& generator) {
  return {any_of(generator,
                 {"10", " 29", "30", "61", "120", "121", "-1", "999", "1e3", "x", "other", "?", "unknown", "\xff"}),
          any_of(generator, {"Kiel", "KIEL", " 基尔 ", "Oslo", "Rom", "Roma", "ROMA", "Wien", "?", ""})};
}

Rows some_rows(Generator& generator) {
  Rows kinds(4), rows;
  for (Row& kind : kinds) kind = wild_row(generator);
  for (std::size_t i = 2 + generator() % 14; i > 0; --i) rows.push_back(kinds[generator() % kinds.size()]);
  return rows;
}

Rows of_person(Generator& generator, const std::string& id, std::size_t most) {
  Rows rows;
  for (std::size_t i = 1 + generator() % most; i > 0; --i) {
    rows.push_back(wild_row(generator));
    rows.back().push_back(id);
  }
  return rows;
}

Rows with(Rows rows, const Rows& more) {
  rows.insert(rows.end(), more.begin(), more.end());
  return rows;
}

struct Seen {
  NoiseRecorder recorder;
  Release release;
  Seen(const Rows& rows, const Asked& by) : release(run(rows, by)) {}

 private:
  static Release run(const Rows& rows, const Asked& by) {
    Progress progress;
    RowsOfText source(rows, declared_columns(by.plan).size());
    auto made = release_source(SecureRandom::of_thread(), source, by.plan, by.policy, {}, progress);
    EXPECT_TRUE(made) << made.error().message;
    return std::move(made->release);
  }
};

std::string replay(const Asked& by, const Rows& a, const Rows& b) {
  for (int attempt = 0; attempt < 1000; ++attempt) {
    const Seen first(a, by);
    const Seen second(b, by);
    if (first.release.levels != second.release.levels) continue;
    return compare_replays(first.recorder, second.recorder);
  }
  return "the same levels are never chosen";
}

const ReleaseTarget kPure{.epsilon = Rational(1)};
const ReleaseTarget kApproximate{.epsilon = Rational(1), .delta = Rational(1, 100)};
const char* const kLevels = ", levels: {age: 1, town: 1}";

TEST(CleanedRelease, ARowMoreMovesNothingButOneCountWhateverItIsSpelt) {
  Generator generator(1);
  for (const char* outside : {"other", "clamp", "missing"}) {
    for (const Asked& by :
         {asked(policy_text(std::string("mode: grid") + kLevels, "public", outside), kPure),
          asked(policy_text(std::string("mode: grid, noise: gaussian") + kLevels, "public", outside), kApproximate),
          asked(policy_text("mode: select", "public", outside), kPure)}) {
      for (int round = 0; round < watched_less(20); ++round) {
        const Rows rows = some_rows(generator);
        ASSERT_EQ(replay(by, rows, with(rows, {wild_row(generator)})), "") << outside;
        ASSERT_EQ(replay(by, rows, with(rows, {rows.front()})), "") << outside;
      }
    }
  }
}

TEST(CleanedRelease, AReplacedRowMovesNothingButTwoCounts) {
  Generator generator(2);
  const Asked by = asked(policy_text(std::string("mode: grid, neighbours: replace-one") + kLevels), kPure);
  for (int round = 0; round < watched_less(30); ++round) {
    const Rows rows = some_rows(generator);
    Rows other = rows;
    other[generator() % other.size()] = wild_row(generator);
    ASSERT_EQ(replay(by, rows, other), "");
  }
}

TEST(CleanedRelease, APersonMovesNoMoreThanTheBoundsHoweverTheirRowsAreSpelt) {
  Generator generator(3);
  const std::string unit = "unit: {id: p, max_classes: 2, max_rows: 2}";
  for (const Asked& by : {asked(policy_text("mode: grid, " + unit + kLevels), kPure),
                          asked(policy_text("mode: select, " + unit), kPure)}) {
    for (int round = 0; round < watched_less(30); ++round) {
      // These stay within the bounds, so that nothing of theirs is left to chance.
      Rows rows;
      for (const char* id : {"a", "b", "c"}) rows = with(rows, of_person(generator, id, 2));
      ASSERT_EQ(replay(by, rows, with(rows, of_person(generator, "q", 40))), "");
      ASSERT_EQ(replay(by, rows, with(rows, of_person(generator, "?", 40))), "") << "rows of nobody";
    }
  }
}

TEST(CleanedRelease, ClassesThatOccurAreThoseOfCleanedRows) {
  Generator generator(4);
  const ReleaseTarget exact{.epsilon = Rational(10'000'000), .delta = Rational(1, 100)};
  const Asked by = asked(policy_text(std::string("mode: stability") + kLevels), exact);
  const Seen seen({{"10", "KIEL"}, {" 29", "基尔"}, {"10", "Kiel"}, {"999", "Roma"}, {"x", "Rom"}, {"-1", "Rom"}},
                  by);
  std::map<std::pair<std::string, std::string>, std::int64_t> classes;
  for (const ReleasedCell& one : seen.release.histogram.cells)
    classes[{seen.release.domain->text(one.cell, 0), seen.release.domain->text(one.cell, 1)}] = one.noisy;
  const std::map<std::pair<std::string, std::string>, std::int64_t> expected = {{{"[0, 30)", "north"}, 3},
                                                                                {{"other", "south"}, 3}};
  EXPECT_EQ(classes, expected);
}

/// What the rules say, written down once more.
Row by_hand(const Row& row, const std::string& outside) {
  const std::string age(trimmed(row[0])), town(trimmed(row[1]));
  const std::map<std::string, std::string> towns = {{"KIEL", "Kiel"}, {"基尔", "Kiel"}, {"Roma", "Rom"}};
  const std::map<std::string, std::string> clamped = {{"121", "120"}, {"-1", "0"}, {"999", "120"}, {"1e3", "120"}};
  Row made = {age, towns.contains(town) ? towns.at(town) : town};
  if (age == "?" || age == "unknown") return made;
  const bool inside = std::set<std::string>{"10", "29", "30", "61", "120"}.contains(age);
  if (inside) return made;
  if (outside == "clamp" && clamped.contains(age))
    made[0] = clamped.at(age);
  else
    made[0] = outside == "other" ? "other" : "?";
  return made;
}

// Noise of scale 1e-7 is 0 but once in e^5,000,000 draws.
TEST(CleanedRelease, IsThatOfTheTableCleanedByHand) {
  Generator generator(5);
  const ReleaseTarget exact{.epsilon = Rational(10'000'000)};
  for (const char* outside : {"other", "clamp", "missing"}) {
    const Asked by = asked(policy_text(std::string("mode: grid") + kLevels, "public", outside), exact);
    for (int round = 0; round < watched_less(30); ++round) {
      const Rows rows = some_rows(generator);
      Rows cleaned;
      for (const Row& row : rows) cleaned.push_back(by_hand(row, outside));
      const Seen a(rows, by), b(cleaned, by);
      std::map<std::uint64_t, std::int64_t> first, second;
      for (const ReleasedCell& one : a.release.histogram.cells) first[one.cell] = one.noisy;
      for (const ReleasedCell& one : b.release.histogram.cells) second[one.cell] = one.noisy;
      ASSERT_EQ(first, second) << outside;
    }
  }
}

TEST(CleanedRelease, TheDomainDoesNotDependOnWhatOccurs) {
  const Asked by = asked(policy_text(std::string("mode: grid") + kLevels), kPure);
  const Seen none({}, by), some({{"999", "Kiel"}}, by);
  EXPECT_EQ(none.release.domain->size(), 4U * 2) << "three intervals and other, two groups";
  EXPECT_EQ(some.release.domain->size(), none.release.domain->size());
}

TEST(CleanedRelease, RulesThatCameFromTheDataAreRefused) {
  for (const char* cleaning : {"data", "selected"}) {
    const auto policy = schema::parse_policy(policy_text(std::string("mode: grid") + kLevels, cleaning));
    ASSERT_TRUE(policy);
    const auto plan = ReleasePlan::make(*policy, kPure);
    ASSERT_FALSE(plan) << cleaning << ": nothing selects rules within the budget";
    EXPECT_EQ(plan.error().code, ErrorCode::not_private);
    EXPECT_NE(plan.error().message.find("provenance: {cleaning: public}"), std::string::npos) << plan.error().message;
  }
  std::string silent = policy_text(std::string("mode: grid") + kLevels);
  silent.erase(silent.find(", cleaning: public"), std::string(", cleaning: public").size());
  const auto policy = schema::parse_policy(silent);
  ASSERT_TRUE(policy);
  EXPECT_FALSE(ReleasePlan::make(*policy, kPure)) << "what is not said came from the data";
}

TEST(CleanedRelease, TheLabelSaysWhatWasCleanedAndWhereTheRulesCameFrom) {
  const Asked by = asked(policy_text(std::string("mode: grid") + kLevels), kPure);
  Progress progress;
  RowsOfText source({{"10", "KIEL"}}, 2);
  const auto made = release_source(SecureRandom::of_thread(), source, by.plan, by.policy, {}, progress);
  ASSERT_TRUE(made);
  EXPECT_TRUE(made->label.check_rules());
  EXPECT_EQ(made->label.provenance.at("cleaning"), Provenance::public_knowledge);
  EXPECT_EQ(made->label.parameters.find("columns_cleaned")->dump(), R"(["age","town"])");
}

}  // namespace cleaned_release_test
}  // namespace gauze::release
