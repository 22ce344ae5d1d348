#include "gauze/text/mechanisms/published_softmax.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gauze::text {
namespace {

double uniform_from_zero(RandomWords& random) { return static_cast<double>(random.next() >> 11) * 0x1p-53; }

}  // namespace

double PublishedSoftmax::published_gamma(double epsilon, double beta, std::size_t words) {
  const double odds = (1 - beta) * (static_cast<double>(words) - 1) / beta;
  return odds <= 1 ? 0 : 2 / epsilon * std::log(odds);
}

std::vector<double> PublishedSoftmax::softmax(std::size_t x) const {
  const WordVectors& vectors = mechanism_.metric().vectors();
  const double epsilon = mechanism_.epsilon().to_double();
  std::vector<double> p;
  double largest = -HUGE_VAL;
  for (const std::uint32_t y : mechanism_.outputs()) {
    double distance = vectors.distance(x, y);
    if (gamma_) distance = std::min(distance, *gamma_);
    p.push_back(-epsilon * distance / 2);
    largest = std::max(largest, p.back());
  }
  double sum = 0;
  for (double& value : p) sum += value = std::exp(value - largest);
  for (double& value : p) value /= sum;
  return p;
}

SoftmaxMechanism::Law PublishedSoftmax::law(std::size_t x) const {
  SoftmaxMechanism::Law law;
  law.p = softmax(x);
  const double replaced = mechanism_.may_stay(x) ? mechanism_.p().to_double() : 1;
  if (mechanism_.may_stay(x)) law.stays = 1 - replaced;
  for (double& p : law.p) {
    p *= replaced;
    law.log_p.push_back(std::log(p));
  }
  return law;
}

PublishedSoftmax::Uniforms PublishedSoftmax::draw(RandomWords& random) {
  const double stays = uniform_from_zero(random);
  return {stays, uniform_from_zero(random)};
}

std::vector<double> PublishedSoftmax::running_sums(std::uint32_t x) const {
  std::vector<double> sums = softmax(x);
  std::partial_sum(sums.begin(), sums.end(), sums.begin());
  return sums;
}

std::uint32_t PublishedSoftmax::pick(std::uint32_t x, std::span<const double> sums, Uniforms drawn) const {
  if (mechanism_.may_stay(x) && drawn.stays >= mechanism_.p().to_double()) return x;
  const auto found = std::upper_bound(sums.begin(), sums.end() - 1, drawn.which);
  return mechanism_.outputs()[static_cast<std::size_t>(found - sums.begin())];
}

}  // namespace gauze::text
