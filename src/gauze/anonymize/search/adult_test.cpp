// The searches on real data, beside the figures of ARX 3.9.2 on the same files.
#include <gtest/gtest.h>

#include "gauze/anonymize/search/local_search.h"
#include "gauze/anonymize/search/mondrian.h"
#include "gauze/anonymize/search/optimal_search.h"
#include "gauze/anonymize/testing/adult_records.h"

namespace gauze::anonymize {
namespace adult_test {

using namespace schema;  // the vocabulary of this file

class Adult : public ::testing::Test {
 protected:
  void SetUp() override {
    auto read = testing::adult_records();
    if (!read) GTEST_SKIP() << "the Adult data is not here";
    records_ = *std::move(read);
    criteria_.k = 5;
  }
  Result<OptimalNode> search(Metric metric, std::uint64_t limit) {
    const CriteriaSet set = *CriteriaSet::make(criteria_, records_);
    Progress progress;
    return find_optimal_node(records_, set, {.metric = metric, .suppression_limit = limit, .time_limit = {}},
                             progress);
  }
  std::uint64_t classes(const OptimalNode& node, std::uint64_t limit) {
    const CriteriaSet set = *CriteriaSet::make(criteria_, records_);
    return recode_at(node.levels, NodeEvaluation(records_, set, limit, false)).classes.size();
  }

  Records records_;
  Criteria criteria_;
};

TEST_F(Adult, HasTheOptimumOfArxWithoutSuppression) {
  const auto found = search(Metric::loss, 0);
  ASSERT_TRUE(found.has_value());
  EXPECT_NEAR(found->value, 0.6355438467, 1e-8 * 0.64);
  EXPECT_EQ(classes(*found, 0), 24U);
  EXPECT_EQ(found->nodes_total, 12960U);
}

TEST_F(Adult, HasTheOptimumOfArxWithFivePercent) {
  const auto found = search(Metric::loss, records_.total / 20);
  ASSERT_TRUE(found.has_value());
  EXPECT_NEAR(found->value, 0.2696346628, 1e-8 * 0.27);
  EXPECT_EQ(classes(*found, records_.total / 20), 397U);
  EXPECT_EQ(found->outcome.suppressed.records, 1346U);
}

TEST_F(Adult, LocalRecodingBeatsTheGranularityOfArx) {
  const CriteriaSet set = *CriteriaSet::make(criteria_, records_);
  Progress progress;
  const auto found = recode_locally(records_, set, {}, progress);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->recoding.suppressed, 0U);
  for (const Recoding::Class& output : found->recoding.classes) EXPECT_GE(output.records, 5U);
  EXPECT_GE(1 - measure(found->recoding, records_, nullptr).loss, 0.933);
}

TEST_F(Adult, EveryClassOfMondrianHasFiveRecords) {
  const CriteriaSet set = *CriteriaSet::make(criteria_, records_);
  Progress progress;
  for (const bool relaxed : {false, true}) {
    const auto found = cut_by_mondrian(records_, set, relaxed, progress);
    ASSERT_TRUE(found.has_value());
    std::uint64_t total = 0;
    for (const Recoding::Class& output : found->classes) {
      EXPECT_GE(output.records, 5U);
      total += output.records;
    }
    EXPECT_EQ(total, records_.total);
  }
}

}  // namespace adult_test
}  // namespace gauze::anonymize
