#pragma once
// Examples for the tests of this room, and what a logistic objective is, written a second time and plainly.

#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "gauze/models/examples.h"
#include "gauze/models/logistic_regression.h"

namespace gauze::models {

/// Uniform in [0, 1), the same on every platform.
inline double uniform(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

/// Tuples whose outcome depends on every feature, with whole-number weights up to `most`.
inline Examples random_examples(std::mt19937_64& random, std::vector<std::uint32_t> cardinalities, std::size_t tuples,
                                std::uint64_t most = 20) {
  Examples examples;
  examples.cardinalities = std::move(cardinalities);
  examples.codes.resize(examples.cardinalities.size());
  std::vector<std::vector<double>> effects;
  for (const std::uint32_t cardinality : examples.cardinalities) {
    effects.emplace_back();
    for (std::uint32_t code = 0; code < cardinality; ++code) effects.back().push_back(4 * uniform(random) - 2);
  }
  for (std::size_t i = 0; i < tuples; ++i) {
    double score = -0.5;
    for (std::size_t f = 0; f < examples.codes.size(); ++f) {
      examples.codes[f].push_back(static_cast<std::uint32_t>(random() % examples.cardinalities[f]));
      score += effects[f][examples.codes[f].back()];
    }
    const auto weight = static_cast<double>(random() % (most + 1));
    const double positive = std::floor(weight / (1 + std::exp(-score)) + uniform(random));
    examples.positive.push_back(std::min(positive, weight));
    examples.negative.push_back(weight - examples.positive.back());
  }
  return examples;
}

/// The examples in the order given; tuples may be left out or repeated.
inline Examples chosen(const Examples& from, const std::vector<std::size_t>& order) {
  Examples to{.cardinalities = from.cardinalities, .codes = {}, .positive = {}, .negative = {}};
  for (const auto& column : from.codes) {
    to.codes.emplace_back();
    for (const std::size_t i : order) to.codes.back().push_back(column[i]);
  }
  for (const std::size_t i : order) {
    to.positive.push_back(from.positive[i]);
    to.negative.push_back(from.negative[i]);
  }
  return to;
}

inline Examples scaled(Examples examples, double factor) {
  for (double& each : examples.positive) each *= factor;
  for (double& each : examples.negative) each *= factor;
  return examples;
}

/// Every tuple twice, with a quarter and three quarters of its weight.
inline Examples with_tuples_split(const Examples& from) {
  std::vector<std::size_t> order(from.size() * 2);
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i % from.size();
  Examples to = chosen(from, order);
  for (std::size_t i = 0; i < order.size(); ++i) {
    to.positive[i] *= i < from.size() ? 0.25 : 0.75;
    to.negative[i] *= i < from.size() ? 0.25 : 0.75;
  }
  return to;
}

inline Examples shuffled(std::mt19937_64& random, const Examples& from) {
  std::vector<std::size_t> order(from.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  return chosen(from, order);
}

inline double total(const Examples& examples) {
  return std::accumulate(examples.positive.begin(), examples.positive.end(), 0.0) +
         std::accumulate(examples.negative.begin(), examples.negative.end(), 0.0);
}

/// The logistic loss of probabilities.
inline double log_loss(const std::vector<double>& probabilities, const Examples& examples) {
  double loss = 0;
  for (std::size_t i = 0; i < probabilities.size(); ++i) {
    if (examples.positive[i] > 0) loss -= examples.positive[i] * std::log(probabilities[i]);
    if (examples.negative[i] > 0) loss -= examples.negative[i] * std::log1p(-probabilities[i]);
  }
  return loss;
}

/// The largest entry of the gradient of the penalised objective at the model, over the total weight plus l2.
inline double largest_gradient(const LogisticRegression& model, const Examples& examples, double l2) {
  const std::vector<double> p = model.probabilities(examples);
  double largest = 0;
  double intercept = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    intercept += examples.negative[i] * p[i] - examples.positive[i] * (1 - p[i]);
  }
  largest = std::abs(intercept);
  for (std::size_t f = 0; f < examples.codes.size(); ++f) {
    std::vector<double> gradient;
    for (const double coefficient : model.coefficients(f)) gradient.push_back(l2 * coefficient);
    for (std::size_t i = 0; i < p.size(); ++i) {
      gradient[examples.codes[f][i]] += examples.negative[i] * p[i] - examples.positive[i] * (1 - p[i]);
    }
    for (const double each : gradient) largest = std::max(largest, std::abs(each));
  }
  return largest / (total(examples) + l2);
}

inline double largest_gap(const std::vector<double>& a, const std::vector<double>& b) {
  double gap = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) gap = std::max(gap, std::abs(a[i] - b[i]));
  return gap;
}

/// Two binary features; the outcome is whether they differ. The cells weigh differently, so that a first split gains.
inline Examples xor_examples() {
  return {.cardinalities = {2, 2},
          .codes = {{0, 0, 1, 1}, {0, 1, 0, 1}},
          .positive = {0, 90, 100, 0},
          .negative = {100, 0, 0, 110}};
}

}  // namespace gauze::models
