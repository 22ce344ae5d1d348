#include "gauze/accounting/internal/tilted_composition.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>

#include "gauze/accounting/internal/fourier.h"
#include "gauze/accounting/internal/infinity.h"

namespace gauze::internal {
namespace {

using Complex = std::complex<double>;

constexpr double kUnit = 1.12e-16;     // one rounding, relative
constexpr double kWrapped = 1e-17;     // tilted mass that may lie outside of the transformed window
constexpr double kNothing = -100;      // ln of what counts as zero, and is added to the errors
constexpr double kPerStage = 1.4e-15;  // of a stage of the transform: its product, its sum, and its root's angle
constexpr double kOfSums = 1.5e-9;     // relative, of sums over a window
constexpr double kWidestMove = 0.02;   // of a tilted weight, relative, when its loss is moved to a common grid
constexpr double kClearOf = 1e-8;      // of a step

std::size_t fold(std::int64_t index, std::size_t n) {
  return static_cast<std::size_t>(index) & (n - 1);  // n is a power of two
}

/// e^x - 1 - x, never negative.
double excess(double x) { return std::abs(x) < 1e-4 ? x * x * (0.5 + x / 6) : std::expm1(x) - x; }

/// Masses by distance from the heaviest point, in cells that grow with it: for bounds that need no more.
struct Cell {
  double mass = 0, first = 0, low = 0, high = 0;  // first: sum of mass times steps
};

}  // namespace

TiltedComposition::TiltedComposition(const std::vector<std::pair<LossGrid, double>>& parts, double order,
                                     Transform kind)
    : order_(order), step_(parts.front().first.step) {
  double log_keep = 0;
  for (const auto& [grid, count] : parts) {
    log_keep += count * std::log1p(-std::min(grid.infinite, 1.0));
    tilt(grid, count);
  }
  infinite_ = -std::expm1(log_keep);
  reference_ = mean_;
  log_scale_ = log_moment_ - order_ * reference_;
  relative_ += kOfSums;
  transform(kind);
}

TiltedComposition TiltedComposition::sum_of(const std::vector<TiltedComposition>& sums, double step, int side,
                                            Transform kind) {
  TiltedComposition result(sums.front().order_, step);
  // Errors of one sum count with the total weight of the others, which is one but for what moves and errors add to it.
  double log_keep = 0, moves = 0, errors = 0;
  for (const TiltedComposition& sum : sums) {
    moves += result.order_ * step;
    errors += sum.in_all_points_;
    if (!sum.valid() || !(moves <= kWidestMove && errors <= kWidestMove)) return result;
    log_keep += std::log1p(-sum.infinite_);
    result.add_moved(sum, side);
  }
  result.infinite_ = -std::expm1(log_keep);
  result.reference_ = result.mean_;
  result.log_scale_ = result.log_moment_ - result.order_ * result.reference_;
  result.relative_ += kOfSums;
  const double errors_of_sums = result.error_ * std::exp(6 * kWidestMove);
  result.transform(kind);
  result.error_ += errors_of_sums;
  result.in_all_points_ = kInfinity;  // not to be summed again
  return result;
}

void TiltedComposition::add_moved(const TiltedComposition& sum, int side) {
  // A hundred-millionth of a step lets no rounding move a loss the wrong way.
  const auto moved = [&](std::size_t i) {
    const double place = sum.loss_at(i) / step_;
    return static_cast<std::int64_t>(side > 0 ? std::ceil(place + kClearOf) : std::floor(place - kClearOf));
  };
  const std::int64_t first = moved(0);
  Part part{.weight = std::vector<double>(static_cast<std::size_t>(moved(sum.size() - 1) - first + 1)), .count = 1};
  long double total = 0, mean = 0, second = 0;
  for (std::size_t i = 0; i < sum.size(); ++i) {
    if (sum.window_[i] <= 0) continue;
    const std::int64_t place = moved(i);
    const double loss = static_cast<double>(place) * step_, from_mean = loss - sum.mean_;
    const double weight = sum.window_[i] * std::exp(order_ * (loss - sum.loss_at(i)));
    part.weight[static_cast<std::size_t>(place - first)] += weight;
    total += weight;
    mean += static_cast<long double>(weight) * from_mean;
    second += static_cast<long double>(weight) * from_mean * from_mean;
  }
  for (double& weight : part.weight) weight /= static_cast<double>(total);
  part.heaviest = std::max_element(part.weight.begin(), part.weight.end()) - part.weight.begin();
  long double rest = 0;
  for (std::size_t i = 0; i < part.weight.size(); ++i)
    rest += i == static_cast<std::size_t>(part.heaviest) ? 0 : part.weight[i];
  part.rest = static_cast<double>(rest);
  const auto moved_mean = static_cast<double>(mean / total);
  mean_ += sum.mean_ + moved_mean;
  variance_ += std::max(0.0, static_cast<double>(second / total) - moved_mean * moved_mean);
  // Weights of a sum are in units of exp(log moment); moving has changed their total.
  log_moment_ += sum.log_moment_ + std::log(static_cast<double>(total));
  offset_ += static_cast<double>(first + part.heaviest) * step_;
  error_ += sum.error_;
  const double farthest =
      std::abs(sum.offset_) + std::abs(sum.loss_at(0)) + std::abs(sum.loss_at(sum.size() - 1)) + step_;
  margin_ += sum.margin_ + 2e-15 * farthest;
  relative_ += sum.relative_ + kOfSums +
               kUnit * (16 + 4 * order_ * farthest + 2 * std::abs(log_moment_) +
                        8 / part.weight[static_cast<std::size_t>(part.heaviest)]);
  parts_.push_back(std::move(part));
}

void TiltedComposition::tilt(const LossGrid& grid, double count) {
  const auto loss = [&](std::size_t i) {
    return grid.offset + static_cast<double>(grid.first + static_cast<std::int64_t>(i)) * step_;
  };
  double peak = -kInfinity, largest = 0;
  for (std::size_t i = 0; i < grid.mass.size(); ++i) {
    if (grid.mass[i] > 0) peak = std::max(peak, order_ * loss(i) + std::log(grid.mass[i]));
    largest = std::max(largest, std::abs(loss(i)));
  }
  Part part{.weight = std::vector<double>(grid.mass.size()), .heaviest = 0, .count = count, .rest = 0};
  long double sum = 0, first = 0, second = 0;
  for (std::size_t i = 0; i < grid.mass.size(); ++i) {
    if (grid.mass[i] <= 0) continue;
    const double weight = grid.mass[i] * std::exp(order_ * loss(i) - peak);
    part.weight[i] = weight;
    sum += weight;
    first += static_cast<long double>(weight) * loss(i);
    second += static_cast<long double>(weight) * loss(i) * loss(i);
  }
  const auto total = static_cast<double>(sum);
  for (double& weight : part.weight) weight /= total;
  part.heaviest = std::max_element(part.weight.begin(), part.weight.end()) - part.weight.begin();
  const auto heaviest = static_cast<std::size_t>(part.heaviest);
  long double rest = 0;
  for (std::size_t i = 0; i < part.weight.size(); ++i) rest += i == heaviest ? 0 : part.weight[i];
  part.rest = static_cast<double>(rest);
  const auto mean = static_cast<double>(first / sum);
  log_moment_ += count * (peak + std::log(total));
  mean_ += count * mean;
  variance_ += count * std::max(0.0, static_cast<double>(second / sum - (first / sum) * (first / sum)));
  offset_ += count * loss(heaviest);
  margin_ += count * 2e-15 * largest;
  // Every weight is right within so much of itself; that of the heaviest is taken as what the others leave of one.
  relative_ += count * kUnit *
               (16 + (3 * order_ + 4) * largest + 2 * std::abs(peak) + 2 * std::abs(std::log(total)) +
                8 / part.weight[heaviest]);
  parts_.push_back(std::move(part));
}

double TiltedComposition::reach(int side) const {
  const double deviation = std::sqrt(variance_) + step_;
  std::vector<std::vector<Cell>> all;
  for (const Part& part : parts_) {
    std::vector<Cell>& cells = all.emplace_back();
    const auto size = static_cast<std::int64_t>(part.weight.size());
    for (const int way : {-1, 1}) {
      for (std::int64_t near = way > 0 ? 0 : 1; way > 0 ? part.heaviest + near < size : near <= part.heaviest;) {
        const std::int64_t far = std::max(near, static_cast<std::int64_t>(1.05 * static_cast<double>(near)));
        Cell cell{.low = static_cast<double>(way > 0 ? near : -far),
                  .high = static_cast<double>(way > 0 ? far : -near)};
        for (; near <= far; ++near) {
          const std::int64_t place = part.heaviest + way * near;
          if (place < 0 || place >= size) continue;
          const double weight = near == 0 ? 1 - part.rest : part.weight[static_cast<std::size_t>(place)];
          cell.mass += weight;
          cell.first += weight * static_cast<double>(way * near);
        }
        if (cell.mass > 0) cells.push_back(cell);
      }
    }
  }
  double shortest = kInfinity;
  constexpr int kSlopes = 47;  // from 0.02 to 4,000 deviations
  for (int s = 0; s < kSlopes; ++s) {
    const double slope = 0.02 * std::pow(1.3, s) / deviation * step_;  // of a step
    double log_moment = 0;
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      double mean = 0, sum = 0;
      for (const Cell& cell : all[k]) mean += cell.first;
      // A convex function lies below its chord: each cell's mass goes to its ends, where its mean stays.
      for (const Cell& cell : all[k]) {
        const double low = excess(side * slope * (cell.low - mean));
        if (cell.low == cell.high) {
          sum += cell.mass * low;
          continue;
        }
        const double high = excess(side * slope * (cell.high - mean));
        const double share = std::clamp((cell.first / cell.mass - cell.low) / (cell.high - cell.low), 0.0, 1.0);
        sum += cell.mass * ((1 - share) * low + share * high);
      }
      log_moment += parts_[k].count * std::log1p(sum);
    }
    const double distance = (log_moment * (1 + 1e-9) - std::log(kWrapped / 2)) / slope * step_;
    if (!std::isfinite(distance)) break;
    shortest = std::min(shortest, distance);
    if (distance > 4 * shortest) break;
  }
  return shortest * (1 + 1e-9);
}

std::vector<std::int64_t> TiltedComposition::small_moves() const {
  // Masses and squares by powers of two of the move; then, for each part and each cut, the errors that at() will report,
  // added up over frequencies 2^-s with the size the composition has there. An estimate, for choosing only.
  constexpr int kPowers = 23;
  struct Scale {
    double mass = 0, square = 0;
  };
  std::vector<std::vector<Scale>> scales(parts_.size(), std::vector<Scale>(kPowers + 1));
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    const Part& part = parts_[k];
    for (std::size_t i = 0; i < part.weight.size(); ++i) {
      const std::int64_t move = std::abs(static_cast<std::int64_t>(i) - part.heaviest);
      if (move == 0) continue;
      Scale& scale = scales[k][std::min<std::size_t>(kPowers, std::bit_width(static_cast<std::uint64_t>(move)) - 1)];
      scale.mass += part.weight[i];
      scale.square += part.weight[i] * static_cast<double>(move) * static_cast<double>(move);
    }
  }
  std::vector<double> alive(kPowers);
  for (int s = 0; s < kPowers; ++s) {
    const double frequency = std::ldexp(1.0, -s);
    double decay = 0;
    for (std::size_t k = 0; k < parts_.size(); ++k)
      for (int b = 0; b <= kPowers; ++b)
        decay +=
            parts_[k].count * (b < s ? scales[k][b].square * frequency * frequency / 2 : 0.7 * scales[k][b].mass);
    alive[static_cast<std::size_t>(s)] = frequency * std::exp(-decay);
  }
  std::vector<std::int64_t> result;
  for (const auto& of_part : scales) {
    double least = kInfinity;
    std::int64_t chosen = 0;
    for (int cut = 0; cut <= kPowers; ++cut) {
      double cost = 0;
      for (int s = 0; s < kPowers; ++s) {
        const double frequency = std::ldexp(1.0, -s);
        double error = 0;
        for (int b = 0; b <= kPowers; ++b)
          error += b < cut ? of_part[b].square * frequency * frequency : of_part[b].mass;
        cost += alive[static_cast<std::size_t>(s)] * error;
      }
      if (cost < 0.5 * least) {
        least = cost;
        chosen = cut == 0 ? 0 : (std::int64_t{1} << cut) - 1;
      }
    }
    result.push_back(chosen);
  }
  return result;
}

TiltedComposition::Spectrum TiltedComposition::spectrum(const Part& part, std::int64_t small, std::size_t n) {
  const auto size = static_cast<std::int64_t>(part.weight.size());
  const auto weight = [&](std::int64_t move) -> double {
    const std::int64_t place = part.heaviest + move;
    return place < 0 || place >= size ? 0 : part.weight[static_cast<std::size_t>(place)];
  };
  Spectrum result{.packed = std::vector<Complex>(n, 0.0)};
  // x^j - 1 = j (x - 1) + (x - 1)^2 (sum over 0 <= l <= j - 2 of (j - 1 - l) x^l) for j > 0, and with
  // (sum over 1 <= m <= -j of (1 - j - m) x^-m) for j < 0: sums of tails, nowhere negative.
  const std::int64_t up = std::min(small, size - 1 - part.heaviest), down = std::min(small, part.heaviest);
  long double tail = 0, twice = 0, second = 0, mean = 0, rest = 0;
  for (std::int64_t l = up - 2; l >= 0; --l) {
    tail += weight(l + 2);
    twice += tail;
    second += twice;
    result.packed[fold(l, n)] += static_cast<double>(twice);
  }
  tail = twice = 0;
  for (std::int64_t m = down; m >= 1; --m) {
    tail += weight(-m);
    twice += tail;
    second += twice;
    result.packed[fold(-m, n)] += static_cast<double>(twice);
  }
  for (std::int64_t j = -down; j <= up; ++j) mean += static_cast<long double>(j) * weight(j);
  for (std::int64_t j = -part.heaviest; j < size - part.heaviest; ++j)
    if (j < -down || j > up) rest += weight(j);
  if (down == 0 && up == 0) rest = part.rest;
  result.mean = static_cast<double>(mean);
  result.second = static_cast<double>(second);
  result.rest = static_cast<double>(rest);
  // Two real sequences in one complex transform, each divided by its sum: errors are relative to either.
  if (result.second > 0)
    for (Complex& value : result.packed) value /= result.second;
  if (result.rest > 0) {
    for (std::int64_t j = -part.heaviest; j < size - part.heaviest; ++j)
      if ((j < -down || j > up) && j != 0) result.packed[fold(j, n)] += Complex(0, weight(j) / result.rest);
  }
  fourier_transform(result.packed, false);
  result.precision = 2 * (kPerStage * static_cast<double>(std::bit_width(n)) + 16 * kUnit);
  return result;
}

TiltedComposition::Value TiltedComposition::at(const Spectrum& spectrum, std::size_t frequency) {
  const std::size_t n = spectrum.packed.size();
  const Complex here = spectrum.packed[frequency],
                mirrored = std::conj(spectrum.packed[fold(-static_cast<std::int64_t>(frequency), n)]);
  const Complex sums = 0.5 * (here + mirrored), difference = 0.5 * (here - mirrored);
  const Complex large(difference.imag(), -difference.real());
  Value value{.z = spectrum.rest * (large - 1.0), .error = spectrum.precision * spectrum.rest};
  if (spectrum.second > 0 || spectrum.mean != 0) {
    const double angle = std::numbers::pi * static_cast<double>(frequency) / static_cast<double>(n);
    const double s = std::sin(angle), c = std::cos(angle);
    const Complex move(-2 * s * s, -2 * s * c);  // x - 1
    const Complex square(move.real() * move.real() - move.imag() * move.imag(), 2 * move.real() * move.imag());
    const Complex small = spectrum.second * Complex(square.real() * sums.real() - square.imag() * sums.imag(),
                                                    square.real() * sums.imag() + square.imag() * sums.real());
    value.z += spectrum.mean * move + small;
    value.error += 4 * s * s * spectrum.precision * spectrum.second + 16 * kUnit * s * std::abs(spectrum.mean);
  }
  return value;
}

void TiltedComposition::transform(Transform kind) {
  const double below = reach(-1), above = reach(1);
  const double points = (below + above) / step_ + 4;
  const double first = std::floor((mean_ - offset_ - below) / step_) - 1;
  if (!(points < static_cast<double>(kLargestGrid)) || !(std::abs(first) < kLargestPlace)) return;
  const std::size_t n = std::bit_ceil(static_cast<std::size_t>(points) + 1);
  first_ = static_cast<std::int64_t>(first);
  const std::vector<std::int64_t> small =
      kind == Transform::split ? small_moves() : std::vector<std::int64_t>(parts_.size(), 0);
  // The logarithm of the composition's transform, and by which factor e^growth - 1 it may be off.
  std::vector<Complex> logs(n, 0.0);
  std::vector<double> growth(n / 2 + 1, 0.0);
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    const Spectrum one = spectrum(parts_[k], small[k], n);
    const double count = parts_[k].count;
    for (std::size_t i = 0; i <= n / 2; ++i) {
      const Value value = at(one, i);
      const double x = value.z.real(), y = value.z.imag();
      const double size = std::sqrt((1 + x) * (1 + x) + y * y);
      const double error = value.error + 32 * kUnit * std::sqrt(x * x + y * y);
      if (size <= 2 * error) {  // the true one is at most 3 errors
        logs[i] += count * std::log(error);
        growth[i] += count * 1.7 + 8 * kUnit;  // 1 + 3^k + 1 is at most e^(1.7 k)
        continue;
      }
      // Near one the logarithm needs the distance from it; near zero that distance would be rounded away.
      const double log_size = size > 0.5 ? std::log1p(2 * x + x * x + y * y) / 2 : std::log(size);
      logs[i] += Complex(count * log_size, count * std::atan2(y, 1 + x));
      growth[i] += count * error / (size - error) + 8 * kUnit;
    }
  }
  parts_ = {};  // large, and no longer needed
  invert(logs, growth);
}

void TiltedComposition::invert(std::vector<Complex>& logs, const std::vector<double>& growth) {
  const std::size_t n = logs.size();
  const auto points = static_cast<double>(n);
  double errors = 0, sizes = 0, squared_errors = 0, squares = 0;  // sums over all frequencies
  for (std::size_t i = 0; i <= n / 2; ++i) {
    const double twice = i == 0 || i == n / 2 ? 1 : 2;  // masses are real: the upper half mirrors the lower one
    double error = std::exp(kNothing);
    if (logs[i].real() + growth[i] < kNothing) {
      logs[i] = 0;
    } else {
      const double size = std::exp(std::min(0.0, logs[i].real()));
      sizes += twice * size;
      squares += twice * size * size;
      error = growth[i] < 1 ? size * std::expm1(growth[i]) : std::exp(logs[i].real() + growth[i]);
      logs[i] = std::polar(size, std::remainder(logs[i].imag(), 2 * std::numbers::pi));
    }
    errors += twice * error;
    squared_errors += twice * error * error;
    if (i > 0) logs[n - i] = std::conj(logs[i]);
  }
  fourier_transform(logs, true);
  window_.resize(n);
  for (std::size_t i = 0; i < n; ++i)
    window_[i] = std::max(0.0, logs[fold(first_ + static_cast<std::int64_t>(i), n)].real() / points);
  // No point is further off than the errors of all frequencies together; above a loss the tilt's weights fall like
  // e^(-order step), which bounds their sum. Or by squares: Parseval's identity, and the sum of the weights' squares.
  const double of_inverse = kPerStage * static_cast<double>(std::bit_width(n)) + 8 * kUnit;
  const double at_a_point = (errors + of_inverse * sizes) / points;
  const double by_points = at_a_point * std::min(points, -1 / std::expm1(-order_ * step_));
  const double in_all = (std::sqrt(squared_errors) + 1.5 * of_inverse * std::sqrt(squares)) / std::sqrt(points);
  const double by_squares = in_all * std::sqrt(std::min(points, -1 / std::expm1(-2 * order_ * step_)));
  error_ = std::min(by_points, by_squares) * (1 + 1e-9) + kWrapped;
  in_all_points_ = std::min(points * at_a_point, std::sqrt(points) * in_all) * (1 + 1e-9);
}

double TiltedComposition::error_at(double loss) const { return error_ * std::exp(-order_ * (loss - reference_)); }

double TiltedComposition::log_delta(double p, double q, double epsilon, int side) const {
  const double value = p - std::exp(epsilon - reference_) * q + side * (error_at(epsilon) + relative_ * p);
  return value > 0 ? std::log(value) + log_scale_ : -kInfinity;
}

double TiltedComposition::epsilon(double delta, int side) const {
  if (!valid()) return side > 0 ? kInfinity : 0;
  const double finite = delta - infinite_ * (1 + side * 1e-12);
  if (finite <= 0) return kInfinity;
  const double log_finite = std::log(finite) - log_scale_, wanted = std::exp(log_finite);
  const bool by_logarithm = std::abs(log_finite) > 600;
  double p = 0, q = 0;  // sums over losses above, in units of exp(log_scale_), the latter times e^(loss - reference)
  for (std::size_t i = window_.size(); i-- > 0;) {
    const double loss = loss_at(i);
    const double tilt = std::exp(-order_ * (loss - reference_)), fall = std::exp(-(loss - reference_));
    const double errors = side * (error_ * tilt + relative_ * p);
    // Between this grid point and the next one: delta = e^scale (p - e^(epsilon - reference) q) + errors.
    const double here = p - (q > 0 ? q / fall : 0) + errors;
    if (by_logarithm ? here > 0 && std::log(here) > log_finite : here > wanted) {
      double epsilon = side > 0 ? loss + step_ : loss;
      if (q > 0 && p > wanted - errors)
        epsilon = std::clamp(reference_ + std::log((p - (wanted - errors)) / q), loss, loss + step_);
      // Errors alone exceed delta at the upper end of the window: they no longer do further up.
      if (p <= 0) epsilon = reference_ + (std::log(error_) - log_finite) / order_;
      return std::max(0.0, epsilon + side * margin_);
    }
    if (window_[i] > 0) {
      p += window_[i] * tilt;
      q += window_[i] * tilt * fall;
    }
    if (loss < -step_) return 0;
  }
  // Not in the window: its lower end still bounds from above, and nothing is known from below.
  return side > 0 ? std::max(0.0, loss_at(0) + margin_) : 0;
}

double TiltedComposition::delta(double epsilon, int side) const {
  if (!valid()) return side > 0 ? 1 : 0;
  const double moved = epsilon - side * margin_;
  double p = 0, q = 0;
  for (std::size_t i = window_.size(); i-- > 0;) {
    const double loss = loss_at(i);
    if (loss <= moved) break;
    const double weight = window_[i] * std::exp(-order_ * (loss - reference_));
    p += weight;
    q += weight * std::exp(-(loss - reference_));
  }
  const double finite = std::exp(log_delta(p, q, moved, side));
  return std::clamp(finite + infinite_ * (1 + side * 1e-12), 0.0, 1.0);
}

bool TiltedComposition::answers_epsilon(double delta) const {
  const double found = epsilon(delta, 1);
  const bool clear = std::log(error_at(found)) + log_scale_ < std::log(0.01 * delta);
  return clear && (found == 0 || found > std::max(0.0, loss_at(1)));
}

double TiltedComposition::better_order(double answer) const {
  return order_ * std::clamp(1 + (answer - reference_) / (variance_ * order_), 0.25, 4.0);
}

}  // namespace gauze::internal
