#include "gauze/audit/releases/release_audit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "gauze/release/job/release_job.h"

namespace gauze::audit {
namespace release_audit_test {

using release::Release;
using release::ReleasePlan;
using ::testing::HasSubstr;

constexpr const char* kPolicy = R"(
version: 1
columns:
  age:  {{role: quasi, hierarchy: {{intervals: [[0, 30, 60, 120], [0, 60, 120]]}}}}
  town: {{role: quasi, hierarchy: {{groups: [{{north: [Kiel, Oslo], south: [Rom]}}]}}}}
privacy: {{k: {}}}
release: {{levels: {{age: 1, town: 1}}, {}}}
provenance: {{quasi: public, hierarchies: public, levels: public, k: public, epsilon: public}}
)";

schema::Policy policy(const std::string& release, int k = 3) {
  auto parsed = schema::parse_policy(fmt::format(fmt::runtime(kPolicy), k, release));
  EXPECT_TRUE(parsed) << (parsed ? "" : parsed.error().message);
  return *parsed;
}

ReleasePlan plan_of(const std::string& release, const Rational& delta = 0, int k = 3) {
  auto plan = ReleasePlan::make(policy(release, k), {.epsilon = 1, .delta = delta});
  EXPECT_TRUE(plan) << (plan ? "" : plan.error().message);
  return *plan;
}

RowCells row(const char* age, const char* town) { return {age, town}; }

TableRows small_table() { return {{row("25", "Kiel"), 9}, {row("45", "Oslo"), 4}, {row("70", "Rom"), 2}}; }

std::vector<NeighbourTables> pairs_of(const ReleasePlan& plan) {
  TableRows table;
  int person = 0;
  for (const auto& [cells, count] : small_table())
    for (std::uint64_t i = 0; i < count; ++i) {
      RowCells own = cells;
      if (plan.counts_persons()) own.emplace_back(fmt::format("p{}", ++person));
      ++table[own];
    }
  return make_neighbours(table, plan);
}

ReleaseAuditRequest request_of(const ReleasePlan& plan, std::uint64_t runs) {
  return {.claimed = claim_of_release(plan), .runs = runs, .random = AuditRandom(11)};
}

AuditedPair worst(const ReleasePlan& plan, std::uint64_t runs) {
  Progress silent;
  const auto found = audit_release(plan, pairs_of(plan), request_of(plan, runs), silent);
  if (!found) {
    ADD_FAILURE() << found.error().message;
    return {};
  }
  return worst_of(*found);
}

TEST(ReleaseAudit, CorrectReleasesAreNeverCalledBroken) {
  const std::string persons = ", unit: {id: person, max_classes: 2, max_rows: 2}";
  for (const std::string& mode : {std::string("mode: grid"), "mode: grid" + persons, std::string("mode: select"),
                                  std::string("mode: grid, neighbours: replace-one")}) {
    const AuditedPair found = worst(plan_of(mode), 4'000);
    EXPECT_EQ(found.audit.holds, true) << mode << ": " << found.what << ": " << found.audit.in_words();
    EXPECT_GT(*found.audit.epsilon_lower, 0.15) << mode;  // it sees something
  }
  for (const std::string& mode : {std::string("mode: stability"), "mode: stability" + persons}) {
    const AuditedPair found = worst(plan_of(mode, Rational(1, 100)), 4'000);
    EXPECT_EQ(found.audit.holds, true) << mode << ": " << found.what << ": " << found.audit.in_words();
  }
}

/// Draws from a release as it is, and changes what is published.
using Fault = std::function<void(Release&)>;

ClaimAudit audit_with(const ReleasePlan& plan, const NeighbourTables& pair, const Fault& left, const Fault& right,
                      std::uint64_t runs) {
  const table::TupleCounts left_tuples = tuples_of(pair.left, plan.columns.size());
  const table::TupleCounts right_tuples = tuples_of(pair.right, plan.columns.size());
  auto of_left = release::PreparedRelease::make(left_tuples, plan);
  auto of_right = release::PreparedRelease::make(right_tuples, plan);
  EXPECT_TRUE(of_left && of_right);
  const auto faulty = [](const release::PreparedRelease& prepared, const Fault& fault) -> ReleaseDraw {
    return [&prepared, &fault](const AuditRandom& random, std::uint64_t run) -> Result<Release> {
      GAUZE_TRY(Release made, random.draw(
                                  run, [&](SecureRandom& secure) { return prepared.release(secure); },
                                  [&](SeededRandom& seeded) { return prepared.simulate(seeded); }));
      fault(made);
      return made;
    };
  };
  const ReleaseAuditRequest request = request_of(plan, runs);
  Progress silent;
  const auto found = audit_draws(plan, pair.differing, faulty(*of_left, left), faulty(*of_right, right),
                                 {.claimed = request.claimed, .delta = request.claimed.delta}, request, silent);
  EXPECT_TRUE(found) << (found ? "" : found.error().message);
  return *found;
}

void no_fault(Release& /*made*/) {}

const NeighbourTables& pair_called(const std::vector<NeighbourTables>& pairs, const std::string& what) {
  const auto found = std::find_if(pairs.begin(), pairs.end(), [&](const NeighbourTables& one) {
    return one.what.find(what) != std::string::npos;
  });
  EXPECT_NE(found, pairs.end()) << what;
  return *found;
}

TEST(ReleaseAudit, FindsATrueTotal) {
  const ReleasePlan plan = plan_of("mode: grid");
  const auto pairs = pairs_of(plan);
  const auto total = [](std::int64_t count) { return [count](Release& made) { made.histogram.total = count; }; };
  const ClaimAudit found = audit_with(plan, pairs.front(), total(15), total(16), 1'000);
  EXPECT_EQ(found.holds, false);
  EXPECT_THAT(*found.event, HasSubstr("the total"));
}

TEST(ReleaseAudit, FindsThatKWasAppliedBeforeNoise) {
  const ReleasePlan plan = plan_of("mode: grid", 0, 4);
  const auto pairs = pairs_of(plan);
  const NeighbourTables& pair = pair_called(pairs, "at k");
  // on the left the class has k - 1 rows, and is left out whatever its noise
  const auto without = [&](Release& made) {
    const auto own = pair.differing.begin()->first;
    std::erase_if(made.histogram.cells, [&](const release::ReleasedCell& one) {
      for (std::size_t i = 0; i < plan.columns.size(); ++i) {
        const table::TupleCounts cell = tuples_of({{RowCells{own[i]}, 1}}, 1);
        const auto& axis = made.domain->axis(i);
        if (made.domain->text(one.cell, i) !=
            axis.column->text(axis.level, axis.column->encode(cell.dictionaries[0], axis.level)[0]))
          return false;
      }
      return true;
    });
  };
  EXPECT_EQ(audit_with(plan, pair, no_fault, no_fault, 4'000).holds, true);
  const ClaimAudit found = audit_with(plan, pair, without, no_fault, 4'000);
  EXPECT_EQ(found.holds, false) << found.in_words();
}

TEST(ReleaseAudit, FindsAThresholdThatIsOneTooLow) {
  // at the second delta the threshold is one lower, and nothing else differs
  const ReleasePlan promised = plan_of("mode: stability, total_share: 0", Rational(5, 1000));
  const ReleasePlan drawn = plan_of("mode: stability, total_share: 0", Rational(135, 10'000));
  const auto cut = [](const ReleasePlan& plan) { return plan.histogram_release(1)->cut(); };
  ASSERT_EQ(cut(drawn) + 1, cut(promised));
  ReleaseAuditRequest request = request_of(promised, 60'000);
  Progress silent;
  const auto pairs = pairs_of(promised);
  const auto right = audit_release(promised, pairs, request, silent);
  ASSERT_TRUE(right);
  EXPECT_EQ(worst_of(*right).audit.holds, true);
  const auto wrong = audit_release(drawn, pairs, request, silent);
  ASSERT_TRUE(wrong);
  EXPECT_EQ(worst_of(*wrong).audit.holds, false) << worst_of(*wrong).audit.in_words();
}

TEST(ReleaseAudit, FindsWhatThePublishedMethodDoesNotKeep) {
  const schema::Policy own = policy("mode: grid");
  const auto plan = plan_of_published(own, tuples_of(small_table(), 2));
  ASSERT_TRUE(plan) << plan.error().message;
  ReleaseAuditRequest request{.claimed = {.epsilon = 1, .delta = 0}, .runs = 1'000, .random = AuditRandom(1)};
  Progress silent;
  const auto found = audit_published(*plan, own, {.epsilon = 1, .noise_scale = 1, .k = 3},
                                     make_neighbours(small_table(), *plan), request, silent);
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(worst_of(*found).audit.holds, false);
  EXPECT_THAT(worst_of(*found).what, HasSubstr("at k"));
}

TEST(ReleaseAudit, ReadsTwoTablesThatDifferByOneUnitAndNoOthers) {
  const ReleasePlan add_remove = plan_of("mode: grid");
  const ReleasePlan replace = plan_of("mode: grid, neighbours: replace-one");
  TableRows more = small_table();
  ++more[row("25", "Kiel")];
  TableRows other = small_table();
  --other[row("25", "Kiel")];
  ++other[row("70", "Kiel")];
  TableRows two = more;
  ++two[row("70", "Rom")];
  EXPECT_TRUE(check_neighbours(small_table(), more, add_remove));
  EXPECT_TRUE(check_neighbours(more, small_table(), add_remove));
  EXPECT_FALSE(check_neighbours(small_table(), small_table(), add_remove));
  EXPECT_FALSE(check_neighbours(small_table(), other, add_remove));
  EXPECT_FALSE(check_neighbours(small_table(), two, add_remove));
  EXPECT_TRUE(check_neighbours(small_table(), other, replace));
  EXPECT_FALSE(check_neighbours(small_table(), more, replace));
  const auto refused = check_neighbours(small_table(), two, add_remove);
  EXPECT_EQ(refused.error().code, ErrorCode::invalid_parameter);
}

TEST(ReleaseAudit, PersonsDifferByAllTheirRows) {
  const ReleasePlan plan = plan_of("mode: grid, unit: {id: person, max_classes: 2, max_rows: 2}");
  const auto with = [](TableRows rows, const char* age, const char* id) {
    ++rows[RowCells{age, "Kiel", id}];
    return rows;
  };
  const TableRows base = with({}, "25", "a");
  EXPECT_TRUE(check_neighbours(base, with(with(base, "45", "b"), "70", "b"), plan));
  EXPECT_FALSE(check_neighbours(base, with(with(base, "45", "b"), "70", "c"), plan));
  EXPECT_FALSE(check_neighbours(base, with(base, "45", "a"), plan));  // a stands in both
}

TEST(ReleaseAudit, NeighboursThatAreMadeAreNeighbours) {
  for (const char* mode : {"mode: grid", "mode: grid, neighbours: replace-one", "mode: select",
                           "mode: grid, unit: {id: person, max_classes: 2, max_rows: 2}",
                           "mode: grid, neighbours: replace-one, unit: {id: person, max_classes: 2, max_rows: 2}"}) {
    const ReleasePlan plan = plan_of(mode);
    const auto pairs = pairs_of(plan);
    EXPECT_GE(pairs.size(), 5U) << mode;
    for (const NeighbourTables& pair : pairs)
      EXPECT_TRUE(check_neighbours(pair.left, pair.right, plan)) << mode << ": " << pair.what;
  }
}

TEST(ReleaseAudit, AnEmptyTableHasNeighboursToo) {
  const ReleasePlan plan = plan_of("mode: grid");
  Progress silent;
  const auto found = audit_release(plan, make_neighbours({}, plan), request_of(plan, 1'000), silent);
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(worst_of(*found).audit.holds, true);
}

}  // namespace release_audit_test
}  // namespace gauze::audit
