#include "gauze/text/mechanisms/published_softmax.h"

#include <algorithm>
#include <cmath>

#include "gauze/text/metric/internal/distance_kernels.h"

namespace gauze::text {
namespace {

double uniform(RandomWords& random) { return static_cast<double>(random.next() >> 11) * 0x1p-53; }

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
    const auto squared = static_cast<double>(
        internal::squared_distance(vectors.fixed_row(x).data(), vectors.fixed_row(y).data(), vectors.dimensions()));
    double distance = std::ldexp(std::sqrt(squared), -vectors.scale_bits());
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

std::uint32_t PublishedSoftmax::draw(std::uint32_t x, RandomWords& random) const {
  if (mechanism_.may_stay(x) && uniform(random) >= mechanism_.p().to_double()) return x;
  const std::vector<double> p = softmax(x);
  const double drawn = uniform(random);
  double sum = 0;
  std::size_t i = 0;
  for (; i + 1 < p.size(); ++i) {
    sum += p[i];
    if (drawn < sum) break;
  }
  return mechanism_.outputs()[i];
}

}  // namespace gauze::text
