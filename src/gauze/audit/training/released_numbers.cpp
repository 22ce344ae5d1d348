#include "gauze/audit/training/released_numbers.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gauze::audit {
namespace {

constexpr double kClips = 0x1p-36;         ///< of a unit of the grid
constexpr std::size_t kStepsLookedAt = 3;  ///< one by one
constexpr std::size_t kSingles = 4;        ///< coordinates looked at by themselves

std::vector<std::uint32_t> largest(const std::vector<double>& direction, std::size_t most) {
  std::vector<std::uint32_t> order(direction.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return std::abs(direction[a]) > std::abs(direction[b]); });
  std::erase_if(order, [&](std::uint32_t i) { return direction[i] == 0; });
  order.resize(std::min(most, order.size()));
  return order;
}

}  // namespace

ReleasedNumbers::ReleasedNumbers(const Recipe& recipe, const schema::LearnPolicy& policy, const ExtremePair& pair,
                                 const EngineFault& fault)
    : fault_(&fault) {
  const std::uint64_t steps = recipe.plan() ? recipe.plan()->steps : recipe.published()->steps();
  steps_ = std::min<std::size_t>(steps, kStepsLookedAt);
  sums_up_ = steps > 1;
  const auto add = [](std::vector<Part>& parts, std::string name, const std::vector<double>& direction, auto takes) {
    Part part{.name = std::move(name)};
    double squares = 0;
    for (std::uint32_t i = 0; i < direction.size(); ++i) {
      if (direction[i] == 0 || !takes(i)) continue;
      part.places.push_back(i);
      part.weights.push_back(direction[i]);
      squares += direction[i] * direction[i];
    }
    if (part.places.empty()) return;
    for (double& weight : part.weights) weight /= std::sqrt(squares);
    parts.push_back(std::move(part));
  };
  const auto everywhere = [](std::uint32_t) { return true; };
  const std::vector<double>& in_sum = pair.in_sum;
  places_ = largest(in_sum, in_sum.size());
  add(parts_, "the gradient along the record", in_sum, everywhere);
  if (places_.size() > kSingles) {
    const std::size_t half = in_sum.size() / 2;
    add(parts_, "the gradient along the record (even places)", in_sum, [](std::uint32_t i) { return i % 2 == 0; });
    add(parts_, "the gradient along the record (odd places)", in_sum, [](std::uint32_t i) { return i % 2 == 1; });
    add(parts_, "the gradient along the record (first half)", in_sum, [=](std::uint32_t i) { return i < half; });
    add(parts_, "the gradient along the record (second half)", in_sum, [=](std::uint32_t i) { return i >= half; });
  }
  for (const std::uint32_t place : largest(in_sum, kSingles))
    add(parts_, fmt::format("coordinate {} of the gradient", place + 1), in_sum,
        [=](std::uint32_t i) { return i == place; });
  add(model_parts_, "the model along the record", pair.in_model, everywhere);
  for (const std::uint32_t place : largest(pair.in_model, kSingles / 2))
    add(model_parts_, fmt::format("weight {}", place + 1), pair.in_model,
        [=](std::uint32_t i) { return i == place; });

  for (std::size_t step = 0; step < steps_; ++step) {
    const std::string in_step = sums_up_ ? fmt::format(" in step {}", step + 1) : "";
    for (const Part& part : parts_) names_.push_back(part.name + in_step);
    names_.push_back("the least coordinate of the gradient" + in_step);
    if (step > 0) names_.push_back("the least change of the gradient" + in_step);
  }
  if (sums_up_) names_.emplace_back("all gradients along the record");
  for (const Part& part : model_parts_) names_.push_back(part.name);
  if (const auto& plan = recipe.plan()) {
    has_clip_ = plan->options.adaptive.has_value();
    if (has_clip_) names_.emplace_back("the clip");
    if (plan->histograms) entropies_ = policy.sensitive;
    for (const std::string& feature : entropies_) names_.push_back("the entropy of " + feature);
  }
}

void ReleasedNumbers::begin(std::span<const float>) {
  numbers_.clear();
  before_.clear();
  total_ = 0;
}

void ReleasedNumbers::see(const learn::StepSum& sum) {
  if (fault_->in_sum) fault_->in_sum(sum);
  sum_.clear();
  for (const std::uint64_t one : sum.noisy)
    sum_.push_back(static_cast<double>(static_cast<std::int64_t>(one)) * kClips);
  const double in_all = along(parts_.front(), sum_);
  total_ += in_all;
  if (sum.step >= steps_) return;
  numbers_.push_back(in_all);
  for (std::size_t i = 1; i < parts_.size(); ++i) numbers_.push_back(along(parts_[i], sum_));
  // without noise somewhere, or with the noise of the step before, one of these is 0
  double least = HUGE_VAL;
  for (const std::uint32_t place : places_) least = std::min(least, std::abs(sum_[place]));
  numbers_.push_back(least);
  if (sum.step > 0) {
    double least_change = HUGE_VAL;
    for (const std::uint32_t place : places_)
      least_change = std::min(least_change, std::abs(sum_[place] - before_[place]));
    numbers_.push_back(least_change);
  }
  std::swap(before_, sum_);
}

const std::vector<double>& ReleasedNumbers::finish(const EngineRuns::Released& released) {
  if (sums_up_) numbers_.push_back(total_);
  for (const Part& part : model_parts_) {
    double sum = 0;
    for (std::size_t i = 0; i < part.places.size(); ++i)
      sum += part.weights[i] * static_cast<double>(released.weights[part.places[i]]);
    numbers_.push_back(sum);
  }
  if (has_clip_) numbers_.push_back(released.clip.value_or(0));
  for (std::size_t i = 0; i < entropies_.size(); ++i) numbers_.push_back(released.entropies[i]);
  return numbers_;
}

double ReleasedNumbers::along(const Part& part, const std::vector<double>& vector) {
  double sum = 0;
  for (std::size_t i = 0; i < part.places.size(); ++i) sum += part.weights[i] * vector[part.places[i]];
  return sum;
}

}  // namespace gauze::audit
