#include "gauze/audit/figures/roc.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "gauze/audit/figures/linear_attack.h"
#include "gauze/random/seeded_random.h"

namespace gauze::audit {
namespace {

TEST(Roc, CountsPairsAndHalvesTies) {
  EXPECT_DOUBLE_EQ(*area_under_curve(std::vector<double>{3, 4}, std::vector<double>{1, 2}), 1);
  EXPECT_DOUBLE_EQ(*area_under_curve(std::vector<double>{1, 2}, std::vector<double>{3, 4}), 0);
  EXPECT_DOUBLE_EQ(*area_under_curve(std::vector<double>{1, 1, 1}, std::vector<double>{1, 1}), 0.5);
  EXPECT_DOUBLE_EQ(*area_under_curve(std::vector<double>{1, 2, 2}, std::vector<double>{2, 0}),
                   (0.0 + 1 + 0.5 + 1 + 0.5 + 1) / 6);
  EXPECT_FALSE(area_under_curve(std::vector<double>{}, std::vector<double>{1}));
}

TEST(Roc, AccuracyIsMeasuredWhereTheThresholdWasNotFound) {
  SeededRandom random(1);
  std::vector<double> in;
  std::vector<double> out;
  for (int i = 0; i < 4'000; ++i) {
    in.push_back(static_cast<double>(random.below(1'000'000)));
    out.push_back(static_cast<double>(random.below(1'000'000)));
  }
  // nothing to find: 1/2, within 5 deviations of 2,000 trials
  EXPECT_NEAR(*attack_accuracy(in, out, random), 0.5, 5 * 0.5 / std::sqrt(4'000.0));
  for (double& score : in) score += 500'000;
  EXPECT_NEAR(*attack_accuracy(in, out, random), 0.75, 0.02);
  EXPECT_FALSE(attack_accuracy(std::vector<double>{1}, out, random));
  // files come sorted: the halves must not be those of the file
  std::sort(in.begin(), in.end());
  std::sort(out.begin(), out.end());
  EXPECT_NEAR(*attack_accuracy(in, out, random), 0.75, 0.02);
}

TEST(LinearAttack, FindsADirectionAndNothingWhereThereIsNone) {
  SeededRandom random(2);
  std::vector<float> in;
  std::vector<float> out;
  for (int i = 0; i < 2'000; ++i) {
    for (int k = 0; k < 3; ++k) {
      in.push_back(static_cast<float>(random.below(1'000)) / 1'000 + (k == 1 ? 0.3F : 0.0F));
      out.push_back(static_cast<float>(random.below(1'000)) / 1'000);
    }
  }
  const LinearAttack found = linear_attack(in, out, 3, random);
  // uniform on [0, 1] against the same moved by 0.3: AUC 1 - 0.7^2 / 2
  EXPECT_NEAR(*area_under_curve(found.members, found.others), 1 - 0.49 / 2, 0.03);
  const LinearAttack nothing = linear_attack(out, std::span<const float>(out).first(0), 3, random);
  EXPECT_TRUE(nothing.others.empty());
  std::vector<float> same(out.rbegin(), out.rend());
  const LinearAttack none = linear_attack(out, same, 3, random);
  EXPECT_NEAR(*area_under_curve(none.members, none.others), 0.5, 0.04);
}

}  // namespace
}  // namespace gauze::audit
