#include "gauze/learn/engine/internal/layer_checks.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "gauze/learn/engine/network.h"
#include "gauze/random/seeded_random.h"

namespace gauze::learn::internal {
namespace {

template <class Real>
std::vector<Real> random_numbers(SeededRandom& random, std::size_t count) {
  std::vector<Real> numbers(count);
  for (Real& x : numbers) x = static_cast<Real>(static_cast<double>(random.next() >> 40) * 0x1p-23 - 1);
  return numbers;
}

/// A network with random weights and rows of its own.
template <class Real>
struct Trial {
  Trial(const CheckedNetwork& checked, std::uint64_t seed, std::size_t most_rows)
      : network(Network<Real>::make(checked.layers, checked.inputs).value()),
        random(seed),
        weights(random_numbers<Real>(random, network.weights())),
        inputs(random_numbers<Real>(random, most_rows * network.inputs())),
        gradients(random_numbers<Real>(random, most_rows * network.outputs())),
        packed(network.make_packed()),
        pass(network.make_pass(most_rows)) {
    network.pack(weights, *packed);
  }

  void put(std::size_t first, std::size_t rows) {
    const auto slice = [&](const std::vector<Real>& from, std::size_t width, std::span<Real> to) {
      std::copy_n(from.data() + first * width, rows * width, to.data());
    };
    slice(inputs, network.inputs(), network.inputs_of(*pass, rows));
    slice(gradients, network.outputs(), network.output_gradients_of(*pass, rows));
  }
  /// The rows from `first` on, forward and back.
  void run(std::size_t first, std::size_t rows, RandomWords* masks) {
    put(first, rows);
    network.forward(*packed, *pass, rows, masks);
    network.backward(*packed, *pass, rows);
  }
  std::vector<double> norms(const std::vector<std::uint32_t>& ends, NormMode mode) {
    std::vector<double> squared(ends.size());
    network.squared_norms(*pass, ends, mode, {}, squared);
    return squared;
  }
  std::vector<double> sum(const std::vector<std::uint32_t>& ends, const std::vector<double>& factors) {
    std::vector<double> total(network.weights());
    network.add_gradients(*pass, ends, factors, total);
    return total;
  }

  Network<Real> network;
  SeededRandom random;
  std::vector<Real> weights;
  std::vector<Real> inputs;
  std::vector<Real> gradients;
  std::unique_ptr<typename Network<Real>::Packed> packed;
  std::unique_ptr<typename Network<Real>::Pass> pass;
};

std::vector<std::uint32_t> one_row_each(std::size_t rows) {
  std::vector<std::uint32_t> ends(rows);
  std::iota(ends.begin(), ends.end(), 1U);
  return ends;
}

double relative_difference(double x, double y) {
  const double scale = std::max(std::abs(x), std::abs(y));
  return scale == 0 ? 0 : std::abs(x - y) / scale;
}

/// The larger one, or NaN when one of them is.
double worse(double x, double y) { return y > x || std::isnan(y) ? y : x; }

/// Numbers of a row all equal; gradients of its outputs of changing sign.
void make_cancelling(Trial<double>& trial) {
  const std::size_t inputs = trial.network.inputs();
  const std::size_t outputs = trial.network.outputs();
  for (std::size_t i = 0; i < trial.inputs.size(); ++i) trial.inputs[i] = trial.inputs[i / inputs * inputs];
  for (std::size_t i = 0; i < trial.gradients.size(); ++i)
    trial.gradients[i] = trial.gradients[i / outputs * outputs] * (i % 2 == 0 ? 1 : -1);
}

double loss_of(Trial<double>& trial, std::size_t rows) {
  SeededRandom masks(1);
  trial.network.forward(*trial.packed, *trial.pass, rows, &masks);
  const auto outputs = trial.network.outputs_of(*trial.pass, rows);
  double loss = 0;
  for (std::size_t i = 0; i < outputs.size(); ++i) loss += outputs[i] * trial.gradients[i];
  return loss;
}

double slope(Trial<double>& trial, std::size_t weight, double step, std::size_t rows) {
  const double before = trial.weights[weight];
  const auto loss_at = [&](double value) {
    trial.weights[weight] = value;
    trial.network.pack(trial.weights, *trial.packed);
    return loss_of(trial, rows);
  };
  const double difference = loss_at(before + step) - loss_at(before - step);
  trial.weights[weight] = before;
  return difference / (2 * step);
}

template <class Number>
bool same_bits(std::span<const Number> x, std::span<const Number> y) {
  return x.size() == y.size() && std::memcmp(x.data(), y.data(), x.size_bytes()) == 0;
}

/// What one row is in a batch.
struct RowBits {
  std::vector<float> outputs;
  double squared = 0;
  std::vector<double> gradient;
  bool operator==(const RowBits& other) const {
    return same_bits<float>(outputs, other.outputs) && same_bits<double>({&squared, 1}, {&other.squared, 1}) &&
           same_bits<double>(gradient, other.gradient);
  }
};

RowBits bits_of(Trial<float>& trial, std::size_t place, std::size_t rows, double squared) {
  RowBits bits;
  const std::size_t width = trial.network.outputs();
  const auto outputs = trial.network.outputs_of(*trial.pass, rows).subspan(place * width, width);
  bits.outputs.assign(outputs.begin(), outputs.end());
  bits.squared = squared;
  std::vector<double> factors(rows);
  factors[place] = 1;
  bits.gradient = trial.sum(one_row_each(rows), factors);
  return bits;
}

/// Rows [first, first + size) as one batch, against what each was alone; gradients are compared at some places.
bool batch_is_invariant(Trial<float>& trial, const std::vector<RowBits>& alone, std::size_t first, std::size_t size) {
  trial.run(first, size, nullptr);
  const auto squared = trial.norms(one_row_each(size), NormMode::ghost);
  const std::size_t width = trial.network.outputs();
  const auto outputs = trial.network.outputs_of(*trial.pass, size);
  for (std::size_t place = 0; place < size; ++place) {
    const RowBits& expected = alone[first + place];
    if (!same_bits<float>(outputs.subspan(place * width, width), expected.outputs)) return false;
    if (!same_bits<double>({&squared[place], 1}, {&expected.squared, 1})) return false;
    const bool is_sampled = place < 2 || place + 2 >= size || place % 41 == 5;
    if (is_sampled && !(bits_of(trial, place, size, squared[place]) == expected)) return false;
  }
  return true;
}

/// The norm of a unit of three rows, after others and alone.
bool units_are_invariant(Trial<float>& trial) {
  trial.run(4, 3, nullptr);
  const double alone = trial.norms({3}, NormMode::ghost)[0];
  trial.run(0, 9, nullptr);
  const double between = trial.norms({1, 1, 4, 7, 9}, NormMode::ghost)[3];
  return same_bits<double>({&alone, 1}, {&between, 1});
}

}  // namespace

double ghost_vs_materialised(const CheckedNetwork& network, std::uint64_t seed, bool cancelling) {
  constexpr std::size_t kRows = 9;
  Trial<double> trial(network, seed, kRows);
  if (cancelling) make_cancelling(trial);
  trial.run(0, kRows, nullptr);
  double worst = 0;
  for (const std::vector<std::uint32_t>& ends : {one_row_each(kRows), std::vector<std::uint32_t>{2, 2, 5, 9}}) {
    const auto ghost = trial.norms(ends, NormMode::ghost);
    const auto written_out = trial.norms(ends, NormMode::materialised);
    for (std::size_t u = 0; u < ends.size(); ++u) worst = worse(worst, relative_difference(ghost[u], written_out[u]));
  }
  return worst;
}

double finite_difference(const CheckedNetwork& network, std::uint64_t seed) {
  constexpr std::size_t kRows = 3;
  constexpr std::size_t kMostWeights = 150;
  Trial<double> trial(network, seed, kRows);
  trial.put(0, kRows);
  SeededRandom masks(1);
  trial.network.forward(*trial.packed, *trial.pass, kRows, &masks);
  trial.network.backward(*trial.packed, *trial.pass, kRows);
  const auto gradient = trial.sum({static_cast<std::uint32_t>(kRows)}, {1.0});
  double largest = 1e-3;
  for (const double g : gradient) largest = std::max(largest, std::abs(g));
  double worst = 0;
  const std::size_t step = std::max<std::size_t>(1, gradient.size() / kMostWeights);
  for (std::size_t i = 0; i < gradient.size(); i += step) {
    double difference = std::abs(slope(trial, i, 1e-5, kRows) - gradient[i]);
    // Where a number lies within a step of a kink, a shorter step tells.
    if (difference > 1e-6 * largest)
      difference = std::min(difference, std::abs(slope(trial, i, 1e-7, kRows) - gradient[i]));
    worst = worse(worst, difference / largest);
  }
  return worst;
}

double norm_vs_sum(const CheckedNetwork& network, std::uint64_t seed) {
  constexpr std::size_t kRows = 5;
  Trial<double> trial(network, seed, kRows);
  trial.run(0, kRows, nullptr);
  const auto squared = trial.norms(one_row_each(kRows), NormMode::materialised);
  double worst = 0;
  for (std::size_t row = 0; row < kRows; ++row) {
    std::vector<double> factors(kRows);
    factors[row] = 1;
    const auto sum = trial.sum(one_row_each(kRows), factors);
    worst =
        worse(worst, relative_difference(squared[row], std::inner_product(sum.begin(), sum.end(), sum.begin(), 0.0)));
  }
  return worst;
}

bool is_place_invariant(const CheckedNetwork& network, std::uint64_t seed, std::size_t most_rows) {
  Trial<float> trial(network, seed, std::max<std::size_t>(most_rows, 9));
  std::vector<RowBits> alone;
  for (std::size_t row = 0; row < most_rows; ++row) {
    trial.run(row, 1, nullptr);
    alone.push_back(bits_of(trial, 0, 1, trial.norms({1}, NormMode::ghost)[0]));
  }
  for (std::size_t size = 2; size <= most_rows; size = size < 8 ? size + 1 : size + size / 2 + 1) {
    for (const std::size_t first : {std::size_t{0}, (most_rows - size) / 2, most_rows - size}) {
      if (!batch_is_invariant(trial, alone, first, size)) return false;
    }
  }
  return batch_is_invariant(trial, alone, 0, most_rows) && units_are_invariant(trial);
}

}  // namespace gauze::learn::internal
