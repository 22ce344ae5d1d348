#include "gauze/release/job/release_job.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "gauze/accounting/conversions.h"
#include "gauze/release/job/published_release.h"
#include "gauze/release/job/release_label.h"
#include "gauze/schema/testing/small_tables.h"
#include "gauze/table/testing/memory_table.h"

namespace gauze::release {
namespace release_job_test {

using namespace schema;  // the vocabulary of this file

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kPolicy = R"(
version: 1
columns:
  age:     {role: quasi, hierarchy: {intervals: [[0, 30, 60, 120], [0, 60, 120]]}}
  town:    {role: quasi, hierarchy: {groups: [{north: [Kiel, Oslo], south: [Rom]}]}}
  illness: {role: sensitive, values: [flu, gout]}
  sick:    {role: target, values: ["yes", "no"], positive: "yes"}
privacy: {k: 3}
release: {mode: grid, levels: {age: 1, town: 1}}
provenance: {quasi: public, hierarchies: public, levels: public, k: public, epsilon: public}
)";

schema::Policy policy(const std::string& extra = "", const std::string& from = "", const std::string& to = "") {
  std::string text = kPolicy + extra;
  if (!from.empty()) text.replace(text.find(from), from.size(), to);
  auto parsed = schema::parse_policy(text);
  EXPECT_TRUE(parsed) << parsed.error().message;
  return *parsed;
}

schema::Policy with_mode(const std::string& mode) { return policy("", "mode: grid", mode); }

Error refusal(const schema::Policy& policy, const ReleaseTarget& target) {
  const auto plan = ReleasePlan::make(policy, target);
  EXPECT_FALSE(plan);
  return plan ? Error{} : plan.error();
}

table::TupleCounts rows(const std::vector<std::vector<std::string>>& tuples,
                        const std::vector<std::uint64_t>& counts) {
  return make_tuples(tuples, counts);
}

TEST(ReleasePlan, DividesTheBudgetExactly) {
  const auto plan = ReleasePlan::make(with_mode("mode: select"), {.epsilon = Rational(1)});
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(plan->budget.epsilon_select, Rational(1, 5));
  EXPECT_EQ(plan->budget.epsilon_total, Rational(1, 10));
  EXPECT_EQ(plan->budget.epsilon_cells, Rational(7, 10));
  EXPECT_EQ(plan->budget.spread, Rational(10, 7));
  EXPECT_EQ(plan->budget.total_spread, Rational(10));
}

TEST(ReleasePlan, ReplacingARecordMovesTwoCountsAndThePublicTotalCostsNothing) {
  const auto plan = ReleasePlan::make(with_mode("mode: grid, neighbours: replace-one"), {.epsilon = Rational(1)});
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->budget.spread, Rational(2));
  EXPECT_EQ(plan->budget.epsilon_total, Rational(0));
  EXPECT_FALSE(plan->budget.total_noise);
}

TEST(ReleasePlan, PersonsMoveWhatTheirBoundsAllow) {
  const std::string unit = "mode: grid, unit: {id: patient, max_classes: 3, max_rows: 2}, total_share: 0.5";
  const auto plan = ReleasePlan::make(with_mode(unit), {.epsilon = Rational(2)});
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(plan->budget.spread, Rational(6));
  EXPECT_EQ(plan->budget.total_spread, Rational(6));
  const std::string stable = "mode: stability, unit: {id: patient, max_classes: 3, max_rows: 2}, total_share: 0.5";
  const auto persons = ReleasePlan::make(with_mode(stable), {.epsilon = Rational(2), .delta = Rational(3, 1000)});
  ASSERT_TRUE(persons) << persons.error().message;
  EXPECT_EQ(persons->budget.spread, Rational(3)) << "stability counts each person once a class";
  EXPECT_EQ(persons->delta_per_class, Rational(1, 1000));
}

// The rows that persons bring are not public, whatever the neighbours: whoever replaces one may bring more or fewer.
TEST(ReleasePlan, TheTotalOfPersonsIsNeverPublic) {
  const std::string unit = "mode: grid, neighbours: replace-one, unit: {id: patient, max_classes: 3, max_rows: 2}";
  const auto plan = ReleasePlan::make(with_mode(unit), {.epsilon = Rational(1)});
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_TRUE(plan->budget.total_noise);
  EXPECT_EQ(plan->budget.epsilon_total, Rational(1, 10));
  EXPECT_EQ(plan->budget.total_spread, Rational(60)) << "6 rows of a person at epsilon 0.1";
  const auto tuples = rows({{"10", "Kiel", "p"}, {"10", "Kiel", "q"}}, {2, 1});
  SeededRandom random(1);
  std::set<std::int64_t> totals;
  for (int i = 0; i < 50; ++i) totals.insert(*simulate_release(random, tuples, *plan)->histogram.total);
  EXPECT_GT(totals.size(), 10U);
  const auto unmeasured = ReleasePlan::make(with_mode(unit + ", total_share: 0"), {.epsilon = Rational(1)});
  ASSERT_TRUE(unmeasured) << unmeasured.error().message;
  EXPECT_FALSE(simulate_release(random, tuples, *unmeasured)->histogram.total) << "without a share there is no total";
}

TEST(ReleasePlan, GaussianNoiseKeepsTheZcdpBudget) {
  const auto plan = ReleasePlan::make(with_mode("mode: grid, noise: gaussian"),
                                      {.epsilon = Rational(1), .delta = Rational(1, 1'000'000)});
  ASSERT_TRUE(plan) << plan.error().message;
  const Rational rho = plan->budget.rho_cells + plan->budget.rho_total;
  EXPECT_LE(epsilon_of_zcdp(rho, Rational(1, 1'000'000)), Rational(1));
  // sigma^2 >= 1 / (2 rho): l2 sensitivity 1.
  EXPECT_GE(plan->budget.spread * plan->budget.spread * Rational(2) * plan->budget.rho_cells, Rational(1));
}

TEST(ReleasePlan, RefusesBeforeAnyDataIsRead) {
  EXPECT_EQ(refusal(policy(), {.epsilon = Rational(0)}).code, ErrorCode::invalid_parameter);
  EXPECT_EQ(refusal(policy(), {.epsilon = Rational(-1)}).code, ErrorCode::invalid_parameter);
  const std::string crowd = "mode: grid, unit: {id: p, max_classes: 1000000, max_rows: 1000000}";
  EXPECT_THAT(refusal(with_mode(crowd), {.epsilon = Rational(1, 100'000'000)}).message, HasSubstr("so small"));
  EXPECT_THAT(refusal(policy(), {.epsilon = Rational(1), .delta = Rational(1, 10)}).message, HasSubstr("pure"));
  EXPECT_THAT(refusal(with_mode("mode: stability"), {.epsilon = Rational(1)}).message, HasSubstr("needs a delta"));
  EXPECT_THAT(
      refusal(with_mode("mode: stability, noise: gaussian"), {.epsilon = Rational(1), .delta = Rational(1, 10)})
          .message,
      HasSubstr("Laplace"));
  EXPECT_THAT(refusal(policy("", "age: 1", "age: 0"), {.epsilon = Rational(1)}).message, HasSubstr("levels 1 to 3"));
  EXPECT_THAT(refusal(policy("", "{age: 1, town: 1}", "{age: 1}"), {.epsilon = Rational(1)}).message,
              HasSubstr("town"));
  EXPECT_TRUE(ReleasePlan::make(policy("", "sensitive, values: [flu, gout]", "sensitive"), {.epsilon = Rational(1)}))
      << "counts do not need the sensitive column";
}

TEST(ReleasePlan, RecordsNeedDomainsOfAllTheirColumns) {
  schema::Policy incomplete = policy("", "sensitive, values: [flu, gout]", "sensitive");
  incomplete.release->kind = schema::ReleaseKind::records;
  EXPECT_THAT(refusal(incomplete, {.epsilon = Rational(1)}).message, HasSubstr("illness has no public domain"));
}

TEST(ReleasePlan, HierarchiesFromDataAreNotPrivate) {
  // Said, or not said at all.
  for (const char* origin : {"quasi: public, hierarchies: data", "quasi: public"})
    EXPECT_EQ(refusal(policy("", "quasi: public, hierarchies: public", origin), {.epsilon = Rational(1)}).code,
              ErrorCode::not_private);
}

TEST(ReleasePlan, CriteriaOnTrueClassesAreNeverApplied) {
  const auto plan = ReleasePlan::make(
      policy("", "privacy: {k: 3}", "privacy: {k: 3, l_diversity: [{column: illness, kind: distinct, l: 2}]}"),
      {.epsilon = Rational(1)});
  ASSERT_TRUE(plan) << plan.error().message;
  ASSERT_EQ(plan->warnings.size(), 1U);
  EXPECT_THAT(plan->warnings[0].message, HasSubstr("not applied"));
}

// By public figures alone: cells, law and cut. 54 cells at a scale of 1 / 0.9 pass with 0.29 each, with a cut of 5 with less than 0.02.
TEST(ReleasePlan, WarnsOfADomainThatNoiseWouldFill) {
  const auto warning = [](const std::string& levels, const Rational& epsilon) -> std::string {
    const auto plan =
        ReleasePlan::make(policy("", "mode: grid, levels: {age: 1, town: 1}", levels), {.epsilon = epsilon});
    EXPECT_TRUE(plan) << plan.error().message;
    return plan->warnings.empty() ? "" : plan->warnings[0].code + ": " + plan->warnings[0].message;
  };
  EXPECT_EQ(warning("mode: grid, levels: {age: 1, town: 1}", Rational(1)), "") << "a handful of cells";
  const std::string records = "mode: grid, kind: records, levels: {age: 1, town: 1}";
  EXPECT_THAT(warning(records, Rational(1)), ::testing::StartsWith("phantom_cells: of "));
  EXPECT_THAT(warning(records, Rational(1)), HasSubstr("`cut: 5`"));
  EXPECT_EQ(warning(records + ", cut: 5", Rational(1)), "");
  EXPECT_EQ(warning(records, Rational(9)), "") << "little noise";
}

TEST(Release, FittedCountsAddUpToTheNoisyTotalAndKeepK) {
  const auto plan = ReleasePlan::make(with_mode("mode: grid, fit: total"), {.epsilon = Rational(1)});
  const auto tuples = rows({{"10", "Kiel"}, {"40", "Oslo"}, {"70", "Rom"}, {"999", "Rom"}}, {50, 2, 30, 40});
  SeededRandom random(1);
  for (int trial = 0; trial < 500; ++trial) {
    const auto release = simulate_release(random, tuples, *plan);
    ASSERT_TRUE(release);
    std::int64_t sum = release->histogram.remainder;
    for (const ReleasedCell& one : release->histogram.cells) {
      sum += one.count;
      EXPECT_TRUE(one.count == 0 || one.count >= 3);
      EXPECT_LE(one.low, one.noisy);
      EXPECT_GE(one.high, one.noisy);
      EXPECT_LT(one.cell, release->domain->size());
    }
    EXPECT_EQ(sum, *release->histogram.total);
  }
}

TEST(Release, CountsAreTheNoisyOnesUnlessAFitIsAskedFor) {
  SeededRandom random(1);
  for (const char* kind : {"kind: counts", "kind: records"}) {
    const auto plan = ReleasePlan::make(with_mode(std::string("mode: grid, ") + kind), {.epsilon = Rational(1)});
    ASSERT_TRUE(plan) << plan.error().message;
    for (int trial = 0; trial < 200; ++trial) {
      const auto release = simulate_release(random, rows({{"10", "Kiel", "flu", "yes"}}, {50}), *plan);
      std::int64_t sum = 0;
      for (const ReleasedCell& one : release->histogram.cells) {
        EXPECT_EQ(one.count, one.noisy);
        sum += one.count;
      }
      EXPECT_EQ(release->histogram.remainder, std::max<std::int64_t>(0, *release->histogram.total - sum));
    }
  }
}

// Intervals: over 4,000 releases a class of 50 lies inside at least 95 % of them but for sampling (5 deviations: 1.7 %).
TEST(Release, IntervalsHoldTheTrueCount) {
  const auto plan = ReleasePlan::make(policy(), {.epsilon = Rational(1)});
  const auto tuples = rows({{"10", "Kiel"}}, {50});
  SeededRandom random(2);
  int inside = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    const auto release = simulate_release(random, tuples, *plan);
    for (const ReleasedCell& one : release->histogram.cells)
      if (release->domain->text(one.cell, 0) == "[0, 30)" && release->domain->text(one.cell, 1) == "north")
        inside += one.low <= 50 && 50 <= one.high ? 1 : 0;
  }
  EXPECT_GT(inside, 4000 * (0.95 - 0.017));
}

TEST(Release, RecordsHoldOnlyValuesOfTheDeclaredDomain) {
  schema::Policy records = policy();
  records.release->kind = schema::ReleaseKind::records;
  const auto plan = ReleasePlan::make(records, {.epsilon = Rational(1)});
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(plan->columns.size(), 4U);
  const auto tuples =
      rows({{"10", "Kiel", "flu", "yes"}, {"40", "SECRET-TOWN", "plague", "maybe"}, {"41", "Rom", "plague", "no"}},
           {60, 30, 20});
  SeededRandom random(3);
  std::set<std::string> texts;
  for (int trial = 0; trial < 300; ++trial) {
    const auto release = simulate_release(random, tuples, *plan);
    ASSERT_TRUE(release);
    for (const ReleasedCell& one : release->histogram.cells)
      for (std::size_t i = 0; i < 4; ++i) texts.insert(release->domain->text(one.cell, i));
  }
  EXPECT_EQ(texts, (std::set<std::string>{"[0, 30)", "[30, 60)", "[60, 120]", "north", "south", "flu", "gout",
                                          "other", "yes", "no"}));
}

TEST(Release, StabilityTakesColumnsWithoutADomainAndNeverNamesASmallClass) {
  schema::Policy open =
      policy("", "{role: quasi, hierarchy: {groups: [{north: [Kiel, Oslo], south: [Rom]}]}}", "{role: quasi}");
  open.release->mode = schema::ReleaseMode::stability;
  open.release->levels = {{"age", 1}};
  const auto plan = ReleasePlan::make(open, {.epsilon = Rational(1), .delta = Rational(1, 10)});
  ASSERT_TRUE(plan) << plan.error().message;
  const auto tuples = rows({{"10", "Kiel"}, {"10", "上海"}, {"40", "x"}}, {100, 40, 2});
  SeededRandom random(4);
  std::set<std::string> towns;
  for (int trial = 0; trial < 300; ++trial) {
    const auto release = simulate_release(random, tuples, *plan);
    ASSERT_TRUE(release);
    for (const ReleasedCell& one : release->histogram.cells) towns.insert(release->domain->text(one.cell, 1));
  }
  EXPECT_EQ(towns, (std::set<std::string>{"Kiel", "上海"})) << "x has 2 < k records";
}

// One record more must change counts alone: neither what "missing" is called or belongs to, nor the levels there are.
TEST(Release, OneRecordChangesNoNames) {
  schema::Policy open =
      policy("", "{role: quasi, hierarchy: {groups: [{north: [Kiel, Oslo], south: [Rom]}]}}", "{role: quasi}");
  open.release->mode = schema::ReleaseMode::stability;
  const ReleaseTarget target{.epsilon = Rational(5), .delta = Rational(1, 10)};
  const auto names = [&](int town_level, const table::TupleCounts& tuples) {
    open.release->levels = {{"age", 1}, {"town", town_level}};
    const auto plan = ReleasePlan::make(open, target);
    EXPECT_TRUE(plan) << plan.error().message;
    SeededRandom random(2);
    std::set<std::string> found;
    const auto release = simulate_release(random, tuples, *plan);
    for (const ReleasedCell& one : release->histogram.cells) found.insert(release->domain->text(one.cell, 1));
    return found;
  };
  EXPECT_EQ(names(1, rows({{"10", "Rom"}}, {100})), std::set<std::string>{"*"}) << "with one town only";
  EXPECT_EQ(names(1, rows({{"10", "Rom"}, {"10", "Oslo"}}, {100, 1})), std::set<std::string>{"*"});
  EXPECT_EQ(names(0, rows({{"10", "?"}}, {100})), std::set<std::string>{"?"});
  EXPECT_EQ(names(0, rows({{"10", ""}}, {100})), std::set<std::string>{"?"}) << "however it is written";
  open.release->levels = {{"age", 1}, {"town", 2}};
  EXPECT_FALSE(ReleasePlan::make(open, target));
}

TEST(Release, MissingIsWhatThePolicyDeclaresWhicheverSpellingOccurs) {
  schema::PolicyColumn column;
  column.name = "x";
  column.values = {"a", "unknown"};
  const auto domain = DomainColumn::make(column, {"unknown", "n/a"});
  ASSERT_TRUE(domain);
  for (const char* spelling : {"", "?", "NULL", "n/a", "unknown"})
    EXPECT_EQ(domain->encode({{spelling}, 0}, 0).at(0), 1U) << spelling;
}

TEST(Release, ColumnsOfTheCountsKeepTheirNames) {
  schema::Policy clash = policy();
  for (schema::PolicyColumn& column : clash.columns)
    if (column.name == "town") column.name = "count";
  clash.release->levels = {{"age", 1}, {"count", 1}};
  EXPECT_THAT(refusal(clash, {.epsilon = Rational(1)}).message, HasSubstr("another name"));
}

TEST(Release, AnEmptyTableGivesARelease) {
  for (const char* mode : {"mode: grid", "mode: select", "mode: stability"}) {
    const schema::Policy used = with_mode(mode);
    const ReleaseTarget target{
        .epsilon = Rational(1),
        .delta = used.release->mode == schema::ReleaseMode::stability ? Rational(1, 100) : Rational(0)};
    const auto plan = ReleasePlan::make(used, target);
    ASSERT_TRUE(plan) << plan.error().message;
    table::TupleCounts nothing;
    nothing.dictionaries.resize(2);
    nothing.codes.resize(2);
    SeededRandom random(5);
    EXPECT_TRUE(simulate_release(random, nothing, *plan)) << mode;
  }
}

TEST(Release, UnderReplaceOneTheTrueTotalIsKept) {
  const auto plan = ReleasePlan::make(with_mode("mode: grid, neighbours: replace-one"), {.epsilon = Rational(1)});
  SeededRandom random(6);
  const auto release = simulate_release(random, rows({{"10", "Kiel"}, {"70", "Rom"}}, {50, 60}), *plan);
  EXPECT_EQ(*release->histogram.total, 110);
}

TEST(ReleaseLabel, FollowsFromThePlanAlone) {
  const auto plan = ReleasePlan::make(policy(), {.epsilon = Rational(1)});
  SeededRandom random(7);
  const auto small = simulate_release(random, rows({{"10", "Kiel"}}, {4}), *plan);
  const auto large = simulate_release(random, rows({{"10", "Kiel"}, {"70", "Rom"}}, {9000, 777}), *plan);
  const PrivacyLabel a = make_label(*plan, policy(), *small);
  const PrivacyLabel b = make_label(*plan, policy(), *large);
  EXPECT_TRUE(a.check_rules()) << a.check_rules().error().message;
  EXPECT_EQ(a.to_json().dump(), b.to_json().dump());
  EXPECT_EQ(a.definition, Definition::pure);
  EXPECT_EQ(a.cost.epsilon, "1");
}

TEST(ReleaseLabel, SaysWhatWasChosenOnThisData) {
  const schema::Policy chosen = policy("", "levels: public", "levels: data");
  const auto plan = ReleasePlan::make(chosen, {.epsilon = Rational(1)});
  SeededRandom random(8);
  const PrivacyLabel label = make_label(*plan, chosen, *simulate_release(random, rows({{"10", "Kiel"}}, {4}), *plan));
  EXPECT_THAT(label.to_text(), HasSubstr("the levels were chosen on this data"));
}

TEST(ReleaseLabel, AsPublishedPromisesNothing) {
  const PrivacyLabel label = make_published_label(policy(), Rational(1), Rational(1));
  EXPECT_TRUE(label.check_rules());
  EXPECT_EQ(label.definition, Definition::none);
  EXPECT_THAT(label.to_text(), HasSubstr("no DP guarantee for the release"));
  EXPECT_FALSE(label.cost.epsilon);
}

// The rounded continuous noise of 144 classes: sum of |noise| over 400 draws within 5 standard errors of its mean
// (scale 1: E|round(L)| = e^(-1/2) / (1 - e^-1), variance 2.03 - E^2).
TEST(PublishedRelease, DrawsRoundedLaplaceNoiseOnClassesOfKOrMore) {
  Histogram histogram;
  for (std::uint64_t cell = 0; cell < 144; ++cell) histogram.cells.push_back({cell, 1000});
  histogram.cells.push_back({200, 4});
  const auto release = PublishedRelease::make({.epsilon = Rational(1), .noise_scale = Rational(1), .k = 5});
  ASSERT_TRUE(release);
  SeededRandom random(9);
  double sum = 0;
  for (int i = 0; i < 400; ++i)
    EXPECT_EQ(release->draw(random, histogram, &sum).size(), 144U) << "the class of 4 is suppressed";
  const double mean = std::exp(-0.5) / (1 - std::exp(-1.0));
  EXPECT_NEAR(sum / (400 * 144), mean, 5 * std::sqrt((2.03 - mean * mean) / (400 * 144)));
}

TEST(PublishedRelease, RowsAreRealAndAsManyAsTheCountSays) {
  SeededRandom random(10);
  const auto drawn = resample(random, {1, 0, 3}, 100'000);
  EXPECT_EQ(drawn[0] + drawn[2], 100'000U);
  EXPECT_EQ(drawn[1], 0U);
  EXPECT_NEAR(static_cast<double>(drawn[0]) / 100'000, 0.25, 0.007);
  table::MemoryTable table({"town", "age", "note"},
                           {{"Kiel", "10", "a"}, {"Kiel", "11", "b"}, {"Rom", "70", "c"}, {"X", "5", "d"}});
  Progress progress;
  const auto published =
      publish_rows(random, table, policy(), {.epsilon = Rational(100), .noise_scale = Rational(1), .k = 2}, progress);
  ASSERT_TRUE(published) << published.error().message;
  EXPECT_EQ(published->classes, 1U) << "Rom is alone, X is not covered";
  EXPECT_EQ(published->outside, 1U);
  EXPECT_EQ(published->rows(), 2U);
  EXPECT_EQ(published->columns, (std::vector<std::string>{"age", "town", "note"}));
}

}  // namespace release_job_test
}  // namespace gauze::release
