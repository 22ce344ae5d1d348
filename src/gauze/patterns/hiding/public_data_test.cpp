// Hiding in public data: what the algorithms cost, and that the border costs less.
#include <gtest/gtest.h>

#include "gauze/patterns/audit/hiding_metrics.h"
#include "gauze/patterns/baskets/basket_file.h"
#include "gauze/patterns/testing/random_selection.h"
#include "gauze/table/testing/shared_data.h"

namespace gauze::patterns {
namespace public_data_test {

// At the same level the border loses no more other itemsets than psh at any threshold of the band, in the mean over six
// random selections of five patterns, and fewer at the threshold itself.
TEST(HidingPublicData, TheBorderLosesNoMoreThanPsh) {
  for (const char* file : {"baskets/retail.dat", "baskets/T10I4D100K.dat"}) {
    GAUZE_SHARED_DATA_OR_SKIP(path, file);
    const auto baskets = BasketFile::read(path, std::nullopt);
    ASSERT_TRUE(baskets);
    const Database& database = baskets->database();
    const Rational share(5, 1000);
    const std::uint64_t min_count = min_count_for(share, database.rows());
    std::vector<std::uint64_t> lost[2];
    Progress progress;
    for (const SensitiveList& list : random_selections(database, min_count, 6)) {
      std::vector<Itemset> sets;
      for (const SensitivePattern& one : list.patterns) sets.push_back(one.items);
      for (const auto algorithm : {HidingAlgorithm::border, HidingAlgorithm::psh}) {
        HidingOptions options;
        options.algorithm = algorithm;
        options.level = HidingLevel::h1;
        options.min_count = min_count;
        options.min_support = share;
        const auto result = hide(database, list, options, progress);
        ASSERT_TRUE(result && result->stuck.empty());
        const auto metrics = measure_hiding(database, result->released, sets, min_count, share, progress);
        ASSERT_TRUE(metrics && metrics->complete());
        std::vector<std::uint64_t>& sums = lost[algorithm == HidingAlgorithm::psh ? 1 : 0];
        sums.resize(metrics->bands.size());
        for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += metrics->bands[i].ideal.part.value();
      }
    }
    EXPECT_LT(lost[0][0], lost[1][0]) << file;
    for (std::size_t i = 0; i < 4; ++i)
      EXPECT_LE(lost[0][i], lost[1][i]) << file << ", threshold " << i << " of the band";
  }
}

}  // namespace public_data_test
}  // namespace gauze::patterns
