#pragma once
// Small mechanisms with their full laws, and texts to attack, for the tests of attacks.

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "gauze/text/attacks/attacked_text.h"
#include "gauze/text/mechanisms/softmax_mechanism.h"
#include "gauze/text/testing/small_vocabularies.h"

namespace gauze::text::testing {

inline SoftmaxMechanism softmax_of(const WordVectors& vectors, SoftmaxMechanism::Options options) {
  auto metric = WordMetric::make(vectors);
  EXPECT_TRUE(metric);
  auto mechanism = SoftmaxMechanism::make(*std::move(metric), options);
  EXPECT_TRUE(mechanism) << mechanism.error().message;
  return *std::move(mechanism);
}

/// santext, tem with a cut in the middle of the distances, and (of two words at least) santext+ with every third word
/// common.
inline std::vector<SoftmaxMechanism> one_of_each_kind(const WordVectors& vectors, const Rational& epsilon) {
  std::vector<bool> sensitive;
  for (std::size_t x = 0; x < vectors.size(); ++x) sensitive.push_back(x % 3 != 0);
  std::vector<SoftmaxMechanism> all;
  all.push_back(softmax_of(vectors, {.epsilon = epsilon}));
  all.push_back(softmax_of(vectors, {.kind = SoftmaxKind::tem, .epsilon = epsilon, .gamma = Rational(1)}));
  if (vectors.size() == 1) return all;
  all.push_back(softmax_of(vectors, {.kind = SoftmaxKind::santext_plus, .epsilon = epsilon, .sensitive = sensitive}));
  return all;
}

/// P[x][y], from the integers that are drawn from.
inline std::vector<std::vector<double>> full_law(const SoftmaxMechanism& mechanism) {
  const std::size_t words = mechanism.metric().vectors().size();
  std::vector<std::vector<double>> p(words, std::vector<double>(words));
  for (std::size_t x = 0; x < words; ++x) {
    const SoftmaxMechanism::Law law = mechanism.law(x);
    for (std::size_t i = 0; i < law.p.size(); ++i) p[x][mechanism.outputs()[i]] = law.p[i];
    if (law.stays) p[x][x] = *law.stays;
  }
  return p;
}

inline std::vector<double> random_prior(std::size_t words, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::exponential_distribution<double> one;
  std::vector<double> prior(words);
  double sum = 0;
  for (double& p : prior) sum += p = one(random);
  for (double& p : prior) p /= sum;
  return prior;
}

/// Documents of words numbers below `vocabulary`, with pairs that come again and again.
inline std::vector<std::vector<std::uint32_t>> random_documents(std::size_t vocabulary, std::size_t documents,
                                                                std::size_t length, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::vector<std::uint32_t>> all(documents);
  for (auto& document : all) {
    std::size_t word = random() % vocabulary;
    for (std::size_t t = 0; t < length; ++t) {
      document.push_back(static_cast<std::uint32_t>(word));
      word = random() % 3 == 0 ? random() % vocabulary : (word * 2 + random() % 2) % vocabulary;
    }
  }
  return all;
}

inline AttackedToken drawn(std::uint32_t original, std::uint32_t seen) { return {TokenSight::drawn, original, seen}; }
inline AttackedToken kept(std::uint32_t word) { return {TokenSight::kept, word, word}; }
inline AttackedToken hidden() { return {}; }
inline AttackedToken absent() { return {TokenSight::absent, kNoWord, kNoWord}; }

}  // namespace gauze::text::testing
