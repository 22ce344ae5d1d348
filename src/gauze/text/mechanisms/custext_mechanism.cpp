#include "gauze/text/mechanisms/custext_mechanism.h"

#include <algorithm>
#include <cmath>

#include "gauze/text/mechanisms/cumulative_rows.h"

namespace gauze::text {
namespace {

constexpr int kScaledBits = 20;  // distances are cut to multiples of 2^-20 of the farthest word's

}  // namespace

Result<CustextMechanism> CustextMechanism::make(WordVectors vectors, const Options& options) {
  GAUZE_TRY(ExactWeights weights,
            ExactWeights::make(
                {.epsilon = options.epsilon, .granule_bits = kScaledBits, .largest_granules = 1U << kScaledBits}));
  GAUZE_TRY(OutputSets sets, OutputSets::make(vectors, options.size));
  return CustextMechanism(std::move(vectors), std::move(sets), std::move(weights));
}

std::vector<Weight> CustextMechanism::weight_row(std::size_t x) const {
  const auto words = sets_.words(sets_.set_of(x));
  std::vector<double> distances;
  for (const std::uint32_t word : words) distances.push_back(vectors_.distance(x, word));
  const double farthest = *std::max_element(distances.begin(), distances.end());
  std::vector<Weight> row;
  for (const double distance : distances) {
    const double scaled = farthest > 0 ? distance / farthest : 0;  // in [0, 1], whatever rounding does
    row.push_back(weights_.weight(static_cast<std::uint32_t>(std::ldexp(std::min(scaled, 1.0), kScaledBits))));
  }
  return row;
}

CustextMechanism::Law CustextMechanism::law(std::size_t x) const {
  const std::vector<Weight> row = weight_row(x);
  Weight sum = 0;
  for (const Weight weight : row) sum += weight;
  const double log_sum = log_of(sum);
  Law law;
  for (const Weight weight : row) {
    law.log_p.push_back(log_of(weight) - log_sum);
    law.p.push_back(to_double(weight) / to_double(sum));
  }
  return law;
}

void CustextMechanism::draw(std::span<const std::uint32_t> words, RandomWords& random,
                            std::span<std::uint32_t> out) const {
  GAUZE_CHECK(out.size() == words.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::vector<Weight> row = weight_row(words[i]);
    Weight sum = 0;
    for (const Weight weight : row) sum += weight;
    Weight below = uniform_below(sum, random);
    std::size_t place = 0;
    for (; below >= row[place]; ++place) below -= row[place];
    out[i] = sets_.words(sets_.set_of(words[i]))[place];
  }
}

void CustextMechanism::release(std::span<const std::uint32_t> words, SecureRandom& random,
                               std::span<std::uint32_t> out) const {
  draw(words, random, out);
}

void CustextMechanism::simulate(std::span<const std::uint32_t> words, SeededRandom& random,
                                std::span<std::uint32_t> out) const {
  draw(words, random, out);
}

}  // namespace gauze::text
