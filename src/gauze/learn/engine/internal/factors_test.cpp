#include "gauze/learn/engine/internal/factors.h"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <cmath>
#include <limits>
#include <vector>

#include "gauze/random/seeded_random.h"

namespace gauze::learn::internal {
namespace factors_test {

/// Factors of some rows, with rows of other numbers between them, as layers have them.
struct Made {
  Made(std::size_t rows, std::size_t positions, std::size_t in, std::size_t in2, std::size_t out) {
    SeededRandom random(rows + 10 * positions);
    const auto numbers = [&](std::size_t width) {
      std::vector<float> list(rows * (positions + 1) * width + 1);
      for (float& x : list) x = static_cast<float>(random.next() >> 40) * 0x1p-23F - 1;
      return list;
    };
    a = numbers(in);
    a2 = numbers(in2);
    b = numbers(out);
    const auto vectors = [&](const std::vector<float>& of, std::size_t width) {
      return Vectors<float>{of.data(), (positions + 1) * width, width, width};
    };
    factors = {
        .a = vectors(a, in), .a2 = vectors(a2, in2), .b = vectors(b, out), .positions = positions, .has_bias = true};
  }

  std::vector<float> a, a2, b;
  Factors<float> factors;
};

/// What a unit's gradient is, by plain loops.
struct Plain {
  Plain(const Factors<float>& f, std::size_t begin, std::size_t end, const std::vector<double>& scales)
      : weight(f.b.width * f.a.width), weight2(f.b.width * f.a2.width), bias(f.b.width) {
    double cancelled = 0, bias_cancelled = 0;
    for (std::size_t row = begin; row < end; ++row) {
      for (std::size_t t = 0; t < f.positions; ++t) {
        double a_norm = 0, b_norm = 0;
        for (std::size_t j = 0; j < f.a.width; ++j) {
          const double x = f.a.at(row, t)[j] * (scales.empty() ? 1 : scales[j]);
          a_norm += x * x;
          for (std::size_t o = 0; o < f.b.width; ++o) weight[o * f.a.width + j] += x * f.b.at(row, t)[o];
        }
        for (std::size_t j = 0; j < f.a2.width; ++j) {
          const double x = f.a2.at(row, t)[j];
          a_norm += x * x;
          for (std::size_t o = 0; o < f.b.width; ++o) weight2[o * f.a2.width + j] += x * f.b.at(row, t)[o];
        }
        for (std::size_t o = 0; o < f.b.width; ++o) {
          const double x = f.b.at(row, t)[o];
          b_norm += x * x;
          bias[o] += x;
        }
        cancelled += std::sqrt(a_norm * b_norm);
        bias_cancelled += std::sqrt(b_norm);
      }
    }
    for (const auto* part : {&weight, &weight2, &bias})
      for (const double x : *part) squared += x * x;
    if ((end - begin) * f.positions > 1)
      squared += 0x1p-20 * (cancelled * cancelled + bias_cancelled * bias_cancelled);
  }
  std::vector<double> weight, weight2, bias;
  double squared = 0;
};

struct Case {
  std::size_t positions, in, in2, out;
};
constexpr Case kCases[] = {{1, 5, 0, 3},   {1, 33, 0, 17},   {2, 3, 0, 4},
                           {3, 40, 0, 50}, {17, 30, 25, 90}, {70, 6, 0, 7}};

TEST(Factors, HaveTheNormsOfPlainLoopsOnEveryProcessor) {
  for (std::int64_t targets = hwy::SupportedTargets(); targets != 0; targets &= targets - 1) {
    hwy::SetSupportedTargetsForTest(targets & -targets);
    for (const Case& c : kCases) {
      const Made made(6, c.positions, c.in, c.in2, c.out);
      const std::vector<std::uint32_t> ends = {1, 1, 3, 4, 6};
      std::vector<double> scales(c.in);
      for (std::size_t j = 0; j < c.in; ++j) scales[j] = 1.0 / static_cast<double>(1 + j % 3);
      Scratch scratch;
      for (const NormMode mode : {NormMode::ghost, NormMode::materialised}) {
        for (const bool is_scaled : {false, true}) {
          std::vector<double> squared(ends.size());
          add_squared_norms<float>(made.factors, Units{ends}, mode, is_scaled ? scales.data() : nullptr, scratch,
                                   squared);
          for (std::size_t u = 0; u < ends.size(); ++u) {
            const Plain plain(made.factors, u == 0 ? 0 : ends[u - 1], ends[u],
                              is_scaled ? scales : std::vector<double>());
            EXPECT_NEAR(squared[u], plain.squared, 1e-12 * plain.squared) << c.positions << " positions, unit " << u;
          }
        }
      }
    }
  }
  hwy::SetSupportedTargetsForTest(0);
}

TEST(Factors, HaveTheSumsOfPlainLoopsOnEveryProcessor) {
  for (std::int64_t targets = hwy::SupportedTargets(); targets != 0; targets &= targets - 1) {
    hwy::SetSupportedTargetsForTest(targets & -targets);
    for (const Case& c : kCases) {
      const Made made(9, c.positions, c.in, c.in2, c.out);
      const std::vector<std::uint32_t> ends = {2, 2, 5, 9};
      const std::vector<double> weights = {0.5, 3, 0, 0.125};
      std::vector<double> weight(c.out * c.in, 1.0), weight2(c.out * c.in2, 1.0), bias(c.out, 1.0);
      Scratch scratch;
      add_weighted_gradients<float>(made.factors, Units{ends}, weights, scratch,
                                    {.weight = weight.data(), .weight2 = weight2.data(), .bias = bias.data()});
      const Plain first(made.factors, 0, 2, {}), last(made.factors, 5, 9, {});
      for (std::size_t i = 0; i < weight.size(); ++i)
        EXPECT_NEAR(weight[i], 1 + 0.5 * first.weight[i] + 0.125 * last.weight[i], 1e-11);
      for (std::size_t i = 0; i < weight2.size(); ++i)
        EXPECT_NEAR(weight2[i], 1 + 0.5 * first.weight2[i] + 0.125 * last.weight2[i], 1e-11);
      for (std::size_t i = 0; i < bias.size(); ++i)
        EXPECT_NEAR(bias[i], 1 + 0.5 * first.bias[i] + 0.125 * last.bias[i], 1e-11);
    }
  }
  hwy::SetSupportedTargetsForTest(0);
}

TEST(Factors, AddUnitsOfFactorZeroAsExactZeros) {
  Made made(4, 2, 5, 3, 7);
  const std::size_t stride = made.factors.b.row_stride;
  for (std::size_t i = 0; i < stride; ++i) made.b[i] = std::numeric_limits<float>::quiet_NaN();
  for (std::size_t i = 0; i < made.factors.a.row_stride; ++i) made.a[i] = std::numeric_limits<float>::infinity();
  const std::vector<std::uint32_t> ends = {1, 4};
  std::vector<double> weight(35), weight2(21), bias(7);
  Scratch scratch;
  add_weighted_gradients<float>(made.factors, Units{ends}, std::vector<double>{0.0, 1.0}, scratch,
                                {.weight = weight.data(), .weight2 = weight2.data(), .bias = bias.data()});
  const Plain plain(made.factors, 1, 4, {});
  for (std::size_t i = 0; i < weight.size(); ++i) EXPECT_NEAR(weight[i], plain.weight[i], 1e-12);
  for (std::size_t i = 0; i < bias.size(); ++i) EXPECT_NEAR(bias[i], plain.bias[i], 1e-12);
}

}  // namespace factors_test
}  // namespace gauze::learn::internal
