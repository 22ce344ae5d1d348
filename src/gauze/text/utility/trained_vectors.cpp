#include "gauze/text/utility/trained_vectors.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gauze/random/seeded_random.h"

namespace gauze::text {
namespace {

constexpr double kRate = 0.1;
constexpr std::size_t kPasses = 5;
constexpr std::size_t kLeastSteps = 20'000;  // a step is a text that is learnt from
constexpr std::uint64_t kOrderSeed = 2016;   // of the order in which texts are seen

/// Scores become probabilities.
void softmax(std::span<float> scores) {
  const float largest = *std::max_element(scores.begin(), scores.end());
  float sum = 0;
  for (float& score : scores) sum += score = std::exp(score - largest);
  for (float& score : scores) score /= sum;
}

void shuffle(std::span<std::uint32_t> order, SeededRandom& random) {
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
}

}  // namespace

TrainedVectors::TrainedVectors(const WordVectors& vectors, std::size_t label_count)
    : dimensions_(vectors.dimensions()),
      labels_(label_count),
      words_(vectors.size() * vectors.dimensions()),
      layer_(label_count * (vectors.dimensions() + 1), 0.0F) {
  vectors.copy_floats(0, vectors.size(), words_.data());
  // A rate is a matter of scale: words of a mean length of one.
  double squares = 0;
  for (const float value : words_) squares += static_cast<double>(value) * value;
  if (squares == 0) return;
  const auto factor = static_cast<float>(std::sqrt(static_cast<double>(vectors.size()) / squares));
  for (float& value : words_) value *= factor;
}

std::size_t TrainedVectors::mean_of(std::span<const std::uint32_t> tokens, std::span<float> mean) const {
  std::fill(mean.begin(), mean.end(), 0.0F);
  std::size_t known = 0;
  for (const std::uint32_t token : tokens) {
    if (std::size_t{token} * dimensions_ >= words_.size()) continue;
    const float* const word = words_.data() + std::size_t{token} * dimensions_;
    for (std::size_t d = 0; d < dimensions_; ++d) mean[d] += word[d];
    ++known;
  }
  for (float& value : mean) value /= static_cast<float>(std::max<std::size_t>(known, 1));
  return known;
}

void TrainedVectors::score(std::span<const float> mean, std::span<float> scores) const {
  for (std::size_t k = 0; k < labels_; ++k) {
    const float* const row = layer_.data() + k * (dimensions_ + 1);
    scores[k] = std::inner_product(mean.begin(), mean.end(), row, row[dimensions_]);
  }
}

void TrainedVectors::learn(std::span<const std::uint32_t> tokens, std::uint32_t label, float rate) {
  thread_local std::vector<float> mean;
  thread_local std::vector<float> slope;
  thread_local std::vector<float> p;
  mean.resize(dimensions_);
  slope.assign(dimensions_, 0.0F);
  p.resize(labels_);
  const std::size_t known = mean_of(tokens, mean);
  score(mean, p);
  softmax(p);
  for (std::size_t k = 0; k < labels_; ++k) {
    float* const row = layer_.data() + k * (dimensions_ + 1);
    const float step = rate * ((k == label ? 1.0F : 0.0F) - p[k]);
    for (std::size_t d = 0; d < dimensions_; ++d) slope[d] += step * row[d];
    for (std::size_t d = 0; d < dimensions_; ++d) row[d] += step * mean[d];
    row[dimensions_] += step;
  }
  for (const std::uint32_t token : tokens) {
    if (std::size_t{token} * dimensions_ >= words_.size()) continue;
    float* const word = words_.data() + std::size_t{token} * dimensions_;
    for (std::size_t d = 0; d < dimensions_; ++d) word[d] += slope[d] / static_cast<float>(known);
  }
}

TrainedVectors TrainedVectors::train(const DocumentBags& bags, std::span<const std::uint32_t> labels,
                                     std::size_t label_count, const WordVectors& vectors) {
  GAUZE_CHECK(labels.size() == bags.size() && label_count >= 2);
  TrainedVectors model(vectors, label_count);
  std::vector<std::uint32_t> order(bags.size());
  std::iota(order.begin(), order.end(), 0U);
  SeededRandom random(kOrderSeed);
  const std::size_t passes = std::max(kPasses, kLeastSteps / std::max<std::size_t>(bags.size(), 1));
  const auto steps = static_cast<double>(bags.size() * passes);
  double done = 0;
  for (std::size_t pass = 0; pass < passes; ++pass) {
    shuffle(order, random);
    for (const std::uint32_t i : order) {
      model.learn(bags[i], labels[i], static_cast<float>(kRate * (1 - done / steps)));
      ++done;
    }
  }
  return model;
}

std::vector<std::uint32_t> TrainedVectors::predict(const DocumentBags& bags) const {
  std::vector<std::uint32_t> result;
  std::vector<float> mean(dimensions_);
  std::vector<float> scores(labels_);
  for (std::size_t i = 0; i < bags.size(); ++i) {
    mean_of(bags[i], mean);
    score(mean, scores);
    result.push_back(static_cast<std::uint32_t>(std::max_element(scores.begin(), scores.end()) - scores.begin()));
  }
  return result;
}

}  // namespace gauze::text
