#include "gauze/text/mechanisms/dchi_mechanism.h"

#include <algorithm>
#include <cmath>

#include "gauze/base/matrix_products.h"
#include "gauze/text/mechanisms/internal/nearest_words.h"
#include "gauze/text/mechanisms/internal/radial_noise.h"
#include "gauze/text/mechanisms/mahalanobis_map.h"

namespace gauze::text {

namespace {

constexpr int kRadiusBits = 26;  // of twice the mean radius, in lattice steps
constexpr int kMostShift = 57;

constexpr double kLargestEpsilon = 1e300;  // so that everybody who reads a label can hold it in a double

/// P[Z <= t] for a Laplace variable of rate epsilon.
double laplace_cdf(double t, double epsilon) {
  return t < 0 ? std::exp(epsilon * t) / 2 : 1 - std::exp(-epsilon * t) / 2;
}

/// P[Z_1 > t], t >= 0, for the first coordinate of the noise: E[Q(epsilon t / sqrt(W))], W chi-square with n + 1 degrees,
/// by the trapezoid rule in s = ln W, which converges geometrically for such integrands.
double coordinate_tail(double t, double epsilon, std::size_t n) {
  const double half = (static_cast<double>(n) + 1) / 2;
  const double a = epsilon * t;
  const double log_norm = std::lgamma(half) + half * std::log(2.0);
  const double centre = std::log(static_cast<double>(n) + 1);
  const double step = std::min(0.02, 0.2 / std::sqrt(static_cast<double>(n) + 1));
  double sum = 0;
  for (double s = centre - 90 / half; s < centre + 8; s += step) {
    const double w = std::exp(s);
    sum += std::exp(half * s - w / 2 - log_norm) * std::erfc(a / std::sqrt(2 * w)) / 2;
  }
  return sum * step;
}

}  // namespace

DchiMechanism::DchiMechanism(WordVectors vectors, WordVectors metric_vectors, const Options& options,
                             int lattice_bits)
    : vectors_(std::move(vectors)),
      metric_vectors_(std::move(metric_vectors)),
      epsilon_(options.epsilon),
      lattice_bits_(lattice_bits),
      noise_(std::make_shared<internal::RadialNoise>(vectors_.dimensions(), epsilon_, lattice_bits)) {
  if (options.t) t_ = options.t->to_double();
}

Result<DchiMechanism> DchiMechanism::make(WordVectors vectors, const Options& options) {
  const Rational& epsilon = options.epsilon;
  if (!epsilon.is_defined() || epsilon.sign() <= 0) {
    return invalid_parameter("epsilon must be finite and positive, but is {}", epsilon.to_decimal());
  }
  if (epsilon.to_double() > kLargestEpsilon)
    return invalid_parameter("epsilon {} is too large: at most {} is possible", epsilon.to_decimal(),
                             kLargestEpsilon);
  if (options.t && !(*options.t >= 0 && *options.t <= 1))
    return invalid_parameter("t must lie between 0 and 1, but is {}", options.t->to_decimal());
  if (options.lambda && !(*options.lambda >= 0 && *options.lambda < 1))
    return invalid_parameter("lambda must be at least 0 and below 1, but is {}", options.lambda->to_decimal());
  WordVectors metric_vectors = vectors;
  std::shared_ptr<const MahalanobisMap> map;
  if (options.lambda && vectors.dimensions() > 1) {  // in one dimension the map is the identity
    GAUZE_TRY(MahalanobisMap made, MahalanobisMap::make(vectors, options.lambda->to_double()));
    GAUZE_TRY(metric_vectors, made.mapped(vectors));
    map = std::make_shared<const MahalanobisMap>(std::move(made));
  }
  const Rational diameter = Rational(2 * static_cast<std::int64_t>(vectors.dimensions())) / epsilon;
  const int scale_bits = std::min(vectors.scale_bits(), metric_vectors.scale_bits());
  const int bits = std::min(scale_bits, kRadiusBits - 1 - diameter.floor_log2());
  if (std::max(vectors.scale_bits(), metric_vectors.scale_bits()) - bits > kMostShift) {
    return invalid_parameter("epsilon {} is too small: the noise would leave nothing of any vector",
                             epsilon.to_decimal());
  }
  prepare_matrix_products();
  DchiMechanism result(std::move(vectors), std::move(metric_vectors), options, bits);
  result.map_ = std::move(map);
  return result;
}

void DchiMechanism::choose(std::span<std::int64_t> points, RandomWords& random, std::span<std::uint32_t> out) const {
  if (map_) map_->map_back(points, internal::RadialNoise::kLargest);
  if (!t_) {
    internal::nearest_words(vectors_, points, lattice_bits_, out);
    return;
  }
  std::vector<internal::TwoNearest> two(out.size());
  internal::two_nearest_words(vectors_, points, lattice_bits_, two);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double second = *t_ * two[i].first_distance;
    const double first = (1 - *t_) * two[i].second_distance;
    const double coin = std::ldexp(static_cast<double>(random.next() >> 11), -53);
    out[i] = coin * (first + second) < second ? two[i].second : two[i].first;
  }
}

void DchiMechanism::draw(std::span<const std::uint32_t> words, RandomWords& random,
                         std::span<std::uint32_t> out) const {
  GAUZE_CHECK(out.size() == words.size());
  const std::size_t n = vectors_.dimensions();
  std::vector<std::int64_t> points;
  for (std::size_t first = 0; first < words.size(); first += kBatch) {
    const std::size_t count = std::min(kBatch, words.size() - first);
    points.resize(count * n);
    for (std::size_t i = 0; i < count; ++i) {
      noise_->add(metric_vectors_.fixed_row(words[first + i]), metric_vectors_.scale_bits(), random,
                  std::span(points).subspan(i * n, n));
    }
    choose(points, random, out.subspan(first, count));
  }
  std::fill(points.begin(), points.end(), 0);
}

void DchiMechanism::release(std::span<const std::uint32_t> words, SecureRandom& random,
                            std::span<std::uint32_t> out) const {
  draw(words, random, out);
}

void DchiMechanism::simulate(std::span<const std::uint32_t> words, SeededRandom& random,
                             std::span<std::uint32_t> out) const {
  draw(words, random, out);
}

std::optional<std::vector<double>> DchiMechanism::law(std::size_t x) const {
  if (vectors_.size() == 1) return std::vector<double>{1};
  if (t_) return std::nullopt;
  if (vectors_.dimensions() == 1) return law_on_a_line(x);
  const double moved = std::sqrt(static_cast<double>(vectors_.dimensions())) * std::ldexp(0.5, -lattice_bits_);
  if (vectors_.size() == 2 && epsilon_.to_double() * moved <= std::ldexp(1.0, -kLawBits)) return law_of_two(x);
  return std::nullopt;
}

std::vector<double> DchiMechanism::law_on_a_line(std::size_t x) const {
  // Cells in order of place; of words at the same place the first has the cell.
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < vectors_.size(); ++i) order.push_back(i);
  const auto place = [this](std::size_t i) { return std::int64_t{vectors_.fixed_row(i)[0]}; };
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return place(a) < place(b); });
  order.erase(std::unique(order.begin(), order.end(), [&](auto a, auto b) { return place(a) == place(b); }),
              order.end());
  const double epsilon = epsilon_.to_double();
  const double step =
      std::ldexp(1.0, vectors_.scale_bits() - lattice_bits_);  // of the lattice, in the vectors' units
  std::vector<double> p(vectors_.size());
  double before = 0;
  double before_tail = 1;
  for (std::size_t i = 0; i < order.size(); ++i) {
    double until = 1;
    double tail = 0;
    if (i + 1 < order.size()) {
      // The last lattice point that is nearer to this word than to the next one (or as near, and this word is first).
      const double middle = static_cast<double>(place(order[i]) + place(order[i + 1])) / (2 * step);
      const bool next_takes_middle = std::floor(middle) == middle && order[i + 1] < order[i];
      const double last = next_takes_middle ? middle - 1 : std::floor(middle);
      const double border = (last + 0.5) * step - static_cast<double>(place(x));
      const double t = std::ldexp(border, -vectors_.scale_bits());
      until = laplace_cdf(t, epsilon);
      tail = laplace_cdf(-t, epsilon);
    }
    p[order[i]] = until < 0.5 ? until - before : before_tail - tail;  // no cancellation far from x
    before = until;
    before_tail = tail;
  }
  return p;
}

std::vector<double> DchiMechanism::law_of_two(std::size_t x) const {
  std::vector<double> p(2);
  const auto nearest = vectors_.nearest(0, 1);
  const double distance = nearest[0].distance;
  if (distance == 0) return {1, 0};
  // Noise must go half of the way, as it is measured across the border between the two.
  const double way = map_ ? map_->way_across(vectors_) : distance / 2;
  p[1 - x] = coordinate_tail(way, epsilon_.to_double(), vectors_.dimensions());
  p[x] = 1 - p[1 - x];
  return p;
}

}  // namespace gauze::text
