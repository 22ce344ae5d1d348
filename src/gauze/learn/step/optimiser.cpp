#include "gauze/learn/step/optimiser.h"

#include <cmath>
#include <numbers>

namespace gauze::learn {

Optimiser::Optimiser(const Options& options, std::size_t weights) : options_(options) {
  if (options.kind != OptimiserKind::sgd) state_.first.assign(weights, 0.0F);
  if (options.kind == OptimiserKind::adam) state_.second.assign(weights, 0.0F);
}

double Optimiser::rate_at(std::uint64_t step) const {
  if (options_.schedule == ScheduleKind::constant) return options_.rate;
  const double share = static_cast<double>(step) / static_cast<double>(options_.steps);
  return options_.rate * (1 + std::cos(std::numbers::pi * share)) / 2;
}

void Optimiser::move(std::uint64_t step, std::span<const float> gradient, std::span<float> weights) {
  const auto rate = static_cast<float>(rate_at(step));
  const std::size_t size = weights.size();
  switch (options_.kind) {
    case OptimiserKind::sgd:
      for (std::size_t i = 0; i < size; ++i) weights[i] -= rate * gradient[i];
      break;
    case OptimiserKind::momentum:
      for (std::size_t i = 0; i < size; ++i) {
        state_.first[i] = 0.9F * state_.first[i] + gradient[i];
        weights[i] -= rate * state_.first[i];
      }
      break;
    case OptimiserKind::adam: {
      const auto count = static_cast<double>(step + 1);
      const auto first = static_cast<float>(1 / (1 - std::pow(0.9, count)));
      const auto second = static_cast<float>(1 / (1 - std::pow(0.999, count)));
      for (std::size_t i = 0; i < size; ++i) {
        state_.first[i] = 0.9F * state_.first[i] + 0.1F * gradient[i];
        state_.second[i] = 0.999F * state_.second[i] + 0.001F * gradient[i] * gradient[i];
        weights[i] -= rate * first * state_.first[i] / (std::sqrt(second * state_.second[i]) + 1e-8F);
      }
      break;
    }
  }
}

}  // namespace gauze::learn
