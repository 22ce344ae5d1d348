#include "gauze/audit/figures/linear_attack.h"

#include <cmath>
#include <numeric>

namespace gauze::audit {
namespace {

constexpr int kIterations = 200;
constexpr double kRate = 0.5;

/// Random places in two halves, as even as can be.
std::vector<std::uint8_t> random_halves(std::size_t count, RandomWords& random) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  std::vector<std::uint8_t> half(count);
  for (std::size_t i = 0; i < count; ++i) half[order[i]] = i < count / 2 ? 0 : 1;
  return half;
}

std::size_t count_of(std::span<const float> values, std::size_t width) {
  return width == 0 ? 0 : values.size() / width;
}

/// Records of one kind and which half they are in.
struct Records {
  std::span<const float> values;
  std::size_t width;
  std::vector<std::uint8_t> half;

  [[nodiscard]] std::size_t size() const { return half.size(); }
  [[nodiscard]] std::span<const float> of(std::size_t record) const { return values.subspan(record * width, width); }
};

/// Logistic regression by gradient descent on standardised columns, with equal weight for members and others.
class LinearModel {
 public:
  LinearModel(const Records& members, const Records& others, std::uint8_t half)
      : mean_(members.width), deviation_(members.width), weights_(members.width + 1) {
    standardise(members, others, half);
    std::vector<double> gradient(weights_.size());
    for (int i = 0; i < kIterations; ++i) {
      std::fill(gradient.begin(), gradient.end(), 0.0);
      add_gradient(members, half, 1, gradient);
      add_gradient(others, half, 0, gradient);
      for (std::size_t k = 0; k < weights_.size(); ++k) weights_[k] -= kRate * gradient[k];
    }
  }

  [[nodiscard]] double score(std::span<const float> record) const {
    double sum = weights_.back();
    for (std::size_t k = 0; k < record.size(); ++k)
      sum += weights_[k] * (static_cast<double>(record[k]) - mean_[k]) / deviation_[k];
    return sum;
  }

 private:
  void standardise(const Records& members, const Records& others, std::uint8_t half) {
    double count = 0;
    std::vector<double> squares(mean_.size());
    for (const Records* records : {&members, &others})
      for (std::size_t i = 0; i < records->size(); ++i) {
        if (records->half[i] != half) continue;
        ++count;
        for (std::size_t k = 0; k < mean_.size(); ++k) {
          const double value = records->of(i)[k];
          mean_[k] += value;
          squares[k] += value * value;
        }
      }
    for (std::size_t k = 0; k < mean_.size(); ++k) {
      mean_[k] /= std::max(count, 1.0);
      deviation_[k] = std::sqrt(std::max(squares[k] / std::max(count, 1.0) - mean_[k] * mean_[k], 1e-12));
    }
  }

  void add_gradient(const Records& records, std::uint8_t half, double label, std::vector<double>& gradient) const {
    double count = 0;
    std::vector<double> sum(gradient.size());
    for (std::size_t i = 0; i < records.size(); ++i) {
      if (records.half[i] != half) continue;
      ++count;
      const std::span<const float> record = records.of(i);
      const double error = 1 / (1 + std::exp(-score(record))) - label;
      for (std::size_t k = 0; k < record.size(); ++k)
        sum[k] += error * (static_cast<double>(record[k]) - mean_[k]) / deviation_[k];
      sum.back() += error;
    }
    for (std::size_t k = 0; k < sum.size(); ++k) gradient[k] += sum[k] / std::max(count, 1.0) / 2;
  }

  std::vector<double> mean_;
  std::vector<double> deviation_;
  std::vector<double> weights_;
};

}  // namespace

LinearAttack linear_attack(std::span<const float> members, std::span<const float> others, std::size_t width,
                           RandomWords& random) {
  const Records in{members, width, random_halves(count_of(members, width), random)};
  const Records out{others, width, random_halves(count_of(others, width), random)};
  LinearAttack attack{.members = std::vector<double>(in.size()), .others = std::vector<double>(out.size())};
  for (const std::uint8_t half : {std::uint8_t{0}, std::uint8_t{1}}) {
    const LinearModel model(in, out, half);
    for (std::size_t i = 0; i < in.size(); ++i)
      if (in.half[i] != half) attack.members[i] = model.score(in.of(i));
    for (std::size_t i = 0; i < out.size(); ++i)
      if (out.half[i] != half) attack.others[i] = model.score(out.of(i));
  }
  return attack;
}

LinearAttack linear_attack_on_half(std::span<const float> members, std::span<const float> others, std::size_t width,
                                   RandomWords& random) {
  const auto count = static_cast<std::ptrdiff_t>(count_of(members, width));
  const std::vector<std::uint8_t> half = random_halves(count_of(members, width) + count_of(others, width), random);
  const Records in{members, width, {half.begin(), half.begin() + count}};
  const Records out{others, width, {half.begin() + count, half.end()}};
  const LinearModel model(in, out, 0);
  LinearAttack attack;
  for (std::size_t i = 0; i < in.size(); ++i)
    if (in.half[i] == 1) attack.members.push_back(model.score(in.of(i)));
  for (std::size_t i = 0; i < out.size(); ++i)
    if (out.half[i] == 1) attack.others.push_back(model.score(out.of(i)));
  return attack;
}

}  // namespace gauze::audit
