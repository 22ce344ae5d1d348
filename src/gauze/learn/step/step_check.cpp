#include "gauze/learn/step/step_check.h"

#include <array>
#include <cmath>
#include <vector>

#include "gauze/learn/step/noisy_sum.h"
#include "gauze/learn/step/training_run.h"

namespace gauze::learn {
namespace {

constexpr std::size_t kFeatures = 6;

schema::LearnPolicy made_policy() {
  schema::LearnPolicy policy;
  for (std::size_t i = 0; i < kFeatures; ++i)
    policy.features.push_back({.name = fmt::format("x{}", i),
                               .low = Rational(-1'000'000),
                               .high = Rational(1'000'000),
                               .scale = schema::NumberScale::none});
  policy.target = {.column = "y", .classes = {{"a", {"a"}}, {"b", {"b"}}, {"c", {"c"}}}};
  return policy;
}

/// Rows of every size, tiny to extreme.
LearningRows made_rows(const schema::LearnPolicy& policy, std::size_t count, RandomWords& random) {
  LearningRows rows(policy, InputEncoding::expanded, table::DecimalSign::point, {});
  std::array<std::string, kFeatures + 1> texts;
  std::array<std::string_view, kFeatures + 1> cells;
  for (std::size_t row = 0; row < count; ++row) {
    const double size = std::pow(10.0, static_cast<double>(random.below(15)) - 8);
    for (std::size_t i = 0; i < kFeatures; ++i) {
      const double u = static_cast<double>(random.below(2'000'001)) / 1e6 - 1;
      texts[i] = fmt::format("{}", size * u);
    }
    texts[kFeatures] = std::string(1, static_cast<char>('a' + random.below(3)));
    for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = texts[i];
    rows.add(cells);
  }
  rows.finish();
  return rows;
}

double distance(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b) {
  double squared = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto difference = static_cast<double>(static_cast<std::int64_t>(a[i] - b[i]));
    squared += difference * difference;
  }
  return std::sqrt(squared);
}

bool check_margin() {
  SeededRandom random(2);
  const schema::LearnPolicy policy = made_policy();
  const LearningRows rows = made_rows(policy, 64, random);
  const auto layers = model_layers(ModelKind::mlp, {.hidden = {16}}, rows.encoder().inputs_of_features(), 3);
  const auto network = Network<float>::make(*layers, kFeatures);
  SeededStreams streams(3);
  const std::vector<float> weights = initial_weights(*network, InitialWeights::scaled, streams);
  GradientSums sums(*network, rows, {.micro_batch = 8});
  GradientSums::Sum with;
  GradientSums::Sum without;
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<std::uint32_t> sample;
    for (std::size_t i = random.below(20); i > 0; --i) sample.push_back(static_cast<std::uint32_t>(random.below(64)));
    sums.add_up(weights, sample, 1.0, 0, streams, false, nullptr, without);
    // the unit comes to place p, and whoever stood there goes to the end: docs/proofs/dp-sgd.md
    const std::size_t place = random.below(sample.size() + 1);
    sample.push_back(static_cast<std::uint32_t>(random.below(64)));
    std::swap(sample[place], sample.back());
    sums.add_up(weights, sample, 1.0, 0, streams, false, nullptr, with);
    if (!(distance(with.units, without.units) <= static_cast<double>(kSensitivityUnits))) return false;
  }
  return true;
}

/// A sum over nobody is noise: its mean square over 2^16 draws is within 1 +- 0.03 of the stated variance but for one time in 10^6.
bool check_noise() {
  const Rational sigma(3, 2);
  const auto law = RoundedGaussianLaw::make(sigma * Rational(kSensitivityUnits));
  if (!law) return false;
  std::vector<std::int64_t> drawn(std::size_t{1} << 16);
  law->sample(SecureRandom::of_thread(), drawn);
  const double deviation = sigma.to_double() * static_cast<double>(kSensitivityUnits);
  double sum = 0;
  for (const std::int64_t value : drawn) {
    const double scaled = static_cast<double>(value) / deviation;
    sum += scaled * scaled;
  }
  return std::abs(sum / static_cast<double>(drawn.size()) - 1) < 0.03;
}

}  // namespace

StepCheck check_step() { return {.noise_ok = check_noise(), .margin_ok = check_margin()}; }

}  // namespace gauze::learn
