#include "gauze/learn/engine/internal/row_product.h"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <vector>

#include "gauze/random/seeded_random.h"

namespace gauze::learn::internal {
namespace row_product_test {

template <class Number>
std::vector<Number> small_whole_numbers(std::size_t count, std::uint64_t seed) {
  SeededRandom random(seed);
  std::vector<Number> numbers(count);
  for (Number& number : numbers) number = static_cast<Number>(random.below(41)) - 20;
  return numbers;
}

/// y = bias + x B by loops; whole numbers, so that every order gives the same.
template <class Real>
void expect_products(std::size_t rows, std::size_t depth, std::size_t columns) {
  const auto x = small_whole_numbers<Real>(rows * depth, 1);
  const auto b = small_whole_numbers<Real>(depth * columns, 2);
  auto bias = small_whole_numbers<Real>(rounded_up(columns, kPanelWidth<Real>), 3);
  PackedMatrix<Real> packed(depth, columns), turned(depth, columns);
  packed.pack(b.data(), columns, 1);
  std::vector<Real> transposed(b.size());
  for (std::size_t k = 0; k < depth; ++k)
    for (std::size_t j = 0; j < columns; ++j) transposed[j * depth + k] = b[k * columns + j];
  turned.pack(transposed.data(), 1, depth);
  std::vector<Real> expected(rows * columns), y(rows * columns), again(rows * columns);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t j = 0; j < columns; ++j) {
      expected[r * columns + j] = bias[j];
      for (std::size_t k = 0; k < depth; ++k) expected[r * columns + j] += x[r * depth + k] * b[k * columns + j];
    }
  }
  multiply_rows(x.data(), rows, depth, packed, bias.data(), y.data());
  multiply_rows(x.data(), rows, depth, turned, bias.data(), again.data());
  EXPECT_EQ(y, expected) << rows << " x " << depth << " x " << columns;
  EXPECT_EQ(again, expected);
  for (Real& number : expected) number *= 2;
  multiply_rows({.x = x.data(),
                 .rows = rows,
                 .row_stride = depth,
                 .panels = packed.panels.get(),
                 .depth = depth,
                 .columns = columns,
                 .add = true,
                 .y = y.data(),
                 .y_stride = columns});
  for (std::size_t i = 0; i < y.size(); ++i) ASSERT_EQ(y[i], expected[i] - bias[i % columns]);
}

TEST(RowProduct, IsTheProductOnEveryProcessor) {
  for (std::int64_t targets = hwy::SupportedTargets(); targets != 0; targets &= targets - 1) {
    hwy::SetSupportedTargetsForTest(targets & -targets);
    for (const std::size_t rows : {1, 5, 6, 7, 97, 100})
      for (const std::size_t columns : {1, 3, 4, 8, 16, 17, 31, 32, 33, 70}) {
        expect_products<float>(rows, 9, columns);
        expect_products<double>(rows, 5, columns);
      }
    expect_products<float>(3, 0, 2);
  }
  hwy::SetSupportedTargetsForTest(0);
}

// C += A^T B, as sums of gradients are made: the blocks of A stand one after the other.
TEST(RowProduct, TakesRowsThatStandInBlocks) {
  const std::size_t m = 8, depth = 3, n = 5;
  const auto a = small_whole_numbers<double>(depth * m, 1);
  const auto b = small_whole_numbers<double>(depth * n, 2);
  std::vector<double> blocks(2 * depth * kRowBlock);
  for (std::size_t k = 0; k < depth; ++k)
    for (std::size_t i = 0; i < m; ++i)
      blocks[i / kRowBlock * depth * kRowBlock + k * kRowBlock + i % kRowBlock] = a[k * m + i];
  PackedMatrix<double> packed(depth, n);
  packed.pack(b.data(), n, 1);
  std::vector<double> y(m * n, 1.0);
  multiply_rows({.x = blocks.data(),
                 .rows = m,
                 .row_stride = 1,
                 .depth_stride = kRowBlock,
                 .block_stride = depth * kRowBlock,
                 .panels = packed.panels.get(),
                 .depth = depth,
                 .columns = n,
                 .add = true,
                 .y = y.data(),
                 .y_stride = n});
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 1;
      for (std::size_t k = 0; k < depth; ++k) sum += a[k * m + i] * b[k * n + j];
      EXPECT_EQ(y[i * n + j], sum);
    }
  }
}

}  // namespace row_product_test
}  // namespace gauze::learn::internal
