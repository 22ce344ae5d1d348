#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "gauze/learn/engine/network.h"
#include "gauze/random/seeded_random.h"

namespace gauze::learn {
namespace layers_test {

/// A network of doubles and one pass of it.
struct Tried {
  Tried(std::vector<LayerSpec> layers, std::size_t inputs, const std::vector<double>& weights)
      : network(Network<double>::make(std::move(layers), inputs).value()),
        packed(network.make_packed()),
        pass(network.make_pass(64)) {
    network.pack(weights, *packed);
  }
  std::vector<double> outputs(const std::vector<double>& inputs, RandomWords* masks = nullptr) {
    const std::size_t rows = inputs.size() / network.inputs();
    std::copy(inputs.begin(), inputs.end(), network.inputs_of(*pass, rows).begin());
    network.forward(*packed, *pass, rows, masks);
    const auto y = network.outputs_of(*pass, rows);
    return {y.begin(), y.end()};
  }
  void back(const std::vector<double>& gradients) {
    const std::size_t rows = gradients.size() / network.outputs();
    std::copy(gradients.begin(), gradients.end(), network.output_gradients_of(*pass, rows).begin());
    network.backward(*packed, *pass, rows);
  }
  std::vector<double> sum(const std::vector<std::uint32_t>& ends, const std::vector<double>& factors) {
    std::vector<double> total(network.weights());
    network.add_gradients(*pass, ends, factors, total);
    return total;
  }
  double squared(const std::vector<std::uint32_t>& ends, NormMode mode, const std::vector<double>& scales = {}) {
    std::vector<double> norms(ends.size());
    network.squared_norms(*pass, ends, mode, scales, norms);
    return norms.back();
  }
  Network<double> network;
  std::unique_ptr<Network<double>::Packed> packed;
  std::unique_ptr<Network<double>::Pass> pass;
};

LayerSpec reshape(std::size_t positions, std::size_t channels) {
  return {.kind = LayerKind::reshape, .out = channels, .positions = positions};
}
const LayerSpec kFlatten{.kind = LayerKind::flatten};

/// Of two attributes with two and one inputs: vectors 1, 2 and 3, bias vectors 10 and 20, each of one number.
Tried tokens() {
  return {{{.kind = LayerKind::tokens, .in = 3, .out = 1, .inputs_of = {2, 1}}, kFlatten}, 3, {1, 2, 3, 10, 20}};
}

TEST(Tokens, AreTheBiasOfAnAttributeAndTheVectorsOfItsInputs) {
  Tried tried = tokens();
  EXPECT_EQ(tried.outputs({0, 1, 0, 0.5, 0, -2}), (std::vector<double>{12, 20, 10.5, 14}));
  tried.back({5, 7, 1, 1});
  EXPECT_EQ(tried.sum({1, 2}, {1.0, 0.0}), (std::vector<double>{0, 5, 0, 5, 7}));
  EXPECT_EQ(tried.network.most_positions(), 1U);
  EXPECT_EQ(tried.network.input_of_weights().value(), (std::vector<std::int32_t>{0, 1, 2, -1, -1}));
}

// Rows (0, 1, 0) and (0, -1, 0), gradients (5, 0) both: 5 and -5 cancel at the second vector, and 10 is left at the bias.
TEST(Tokens, CountWhatCouldHaveCancelledInAUnitOfSeveralRows) {
  Tried tried = tokens();
  (void)tried.outputs({0, 1, 0, 0, -1, 0});
  tried.back({5, 0, 5, 0});
  for (const NormMode mode : {NormMode::ghost, NormMode::materialised}) {
    EXPECT_DOUBLE_EQ(tried.squared({2}, mode), 100 + 0x1p-20 * (100 + 100));
    EXPECT_DOUBLE_EQ(tried.squared({1}, mode), 50);
    EXPECT_DOUBLE_EQ(tried.squared({1}, mode, {1, 2, 1}), 25.0 / 4 + 25);
    EXPECT_DOUBLE_EQ(tried.squared({2}, mode, {1, 2, 1}), 100 + 0x1p-20 * (25 + 100));
  }
}

TEST(Tokens, LeaveOutUnitsOfFactorZero) {
  Tried tried = tokens();
  const double inf = std::numeric_limits<double>::infinity();
  (void)tried.outputs({inf, 1, std::nan(""), 0, 1, 0});
  tried.back({inf, std::nan(""), 1, 1});
  EXPECT_EQ(tried.sum({1, 2}, {0.0, 2.0}), (std::vector<double>{0, 2, 0, 2, 2}));
}

TEST(Reshape, PutsZerosBehindTheInputs) {
  Tried tried({reshape(2, 2), kFlatten}, 3, {});
  EXPECT_EQ(tried.outputs({1, 2, 3, 4, 5, 6}), (std::vector<double>{1, 2, 3, 0, 4, 5, 6, 0}));
}

TEST(Pooling, TakesWhatIsLeftAsTheLastWindow) {
  Tried largest({reshape(3, 1), {.kind = LayerKind::max_pool, .kernel = 2}, kFlatten}, 3, {});
  EXPECT_EQ(largest.outputs({1, 7, -5}), (std::vector<double>{7, -5}));
  Tried mean({reshape(2, 2), {.kind = LayerKind::mean_pool}}, 4, {});
  EXPECT_EQ(mean.outputs({1, 2, 3, 6}), (std::vector<double>{2, 4}));
  Tried last({reshape(2, 2), {.kind = LayerKind::last}}, 4, {});
  EXPECT_EQ(last.outputs({1, 2, 3, 6}), (std::vector<double>{3, 6}));
}

// Kernel (1, 2, 3) over (4, 5) with a zero at both ends: 2 4 + 3 5 = 23, 4 + 2 5 = 14, and the bias 1/2.
TEST(Conv1d, MultipliesNeighboursAndZerosBeyondTheEnds) {
  Tried tried({reshape(2, 1), {.kind = LayerKind::conv1d, .in = 1, .out = 1, .kernel = 3, .padding = 1}, kFlatten}, 2,
              {1, 2, 3, 0.5});
  EXPECT_EQ(tried.outputs({4, 5}), (std::vector<double>{23.5, 14.5}));
  tried.back({1, 10});
  EXPECT_EQ(tried.sum({1}, {1.0}), (std::vector<double>{40, 54, 5, 11}));
}

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

// One number in and out, every weight another; two positions, by the formulas of the gates.
TEST(Lstm, HasTheGatesOfPyTorchInTheirOrder) {
  const std::vector<double> w = {0.1, 0.2, 0.3,  0.4,  0.5,  0.6,
                                 0.7, 0.8, 0.01, 0.02, 0.03, 0.04};  // input, hidden, bias
  Tried tried({reshape(2, 1), {.kind = LayerKind::lstm, .in = 1, .out = 1}, kFlatten}, 2, w);
  double cell = 0, hidden = 0;
  std::vector<double> expected;
  for (const double x : {1.5, -0.5}) {
    const auto gate = [&](std::size_t g) { return w[g] * x + w[4 + g] * hidden + w[8 + g]; };
    cell = sigmoid(gate(1)) * cell + sigmoid(gate(0)) * std::tanh(gate(2));
    hidden = sigmoid(gate(3)) * std::tanh(cell);
    expected.push_back(hidden);
  }
  const auto outputs = tried.outputs({1.5, -0.5});
  EXPECT_NEAR(outputs[0], expected[0], 1e-14);
  EXPECT_NEAR(outputs[1], expected[1], 1e-14);
}

// Queries and keys 0: every position counts the same, and the values are the inputs.
TEST(Attention, OfEqualScoresIsTheMean) {
  std::vector<double> weights(4 * 6);
  weights[12] = weights[15] = weights[18] = weights[21] = 1;  // value and out: the identity
  Tried tried({reshape(2, 2), {.kind = LayerKind::attention, .in = 2, .heads = 2}, kFlatten}, 4, weights);
  EXPECT_EQ(tried.outputs({1, 2, 3, 6}), (std::vector<double>{2, 4, 2, 4}));
}

TEST(Dropout, DropsAsOftenAsItSaysAndKeepsTheMean) {
  constexpr std::size_t kNumbers = 64 * 512;
  const Network<float> network = Network<float>::make({{.kind = LayerKind::dropout, .rate = 0.25}}, 512).value();
  const auto packed = network.make_packed();
  const auto pass = network.make_pass(64);
  const auto inputs = network.inputs_of(*pass, 64);
  std::fill(inputs.begin(), inputs.end(), 3.0F);
  SeededRandom masks(1);
  network.forward(*packed, *pass, 64, &masks);
  std::size_t dropped = 0;
  for (const float y : network.outputs_of(*pass, 64)) {
    EXPECT_TRUE(y == 0 || y == 4);
    dropped += y == 0 ? 1 : 0;
  }
  // 32,768 coins: a deviation is 78; alarms on a right rate in one of 10^9 runs, and the seed is fixed.
  EXPECT_NEAR(static_cast<double>(dropped), 0.25 * kNumbers, 480);
  network.forward(*packed, *pass, 64, nullptr);
  for (const float y : network.outputs_of(*pass, 64)) EXPECT_EQ(y, 3);
}

TEST(Layers, NameTheirTensorsByPart) {
  const std::vector<LayerSpec> layers = {
      reshape(2, 4),
      {.kind = LayerKind::lstm, .in = 4, .out = 4},
      {.kind = LayerKind::residual,
       .inner = {{.kind = LayerKind::attention, .in = 4, .heads = 2}, {.kind = LayerKind::layer_norm, .in = 4}}},
      {.kind = LayerKind::conv1d, .in = 4, .out = 3, .kernel = 2},
      {.kind = LayerKind::last}};
  const auto network = Network<float>::make(layers, 8).value();
  std::string text;
  std::size_t offset = 0;
  for (const WeightTensor& tensor : network.tensors()) {
    text += tensor.name;
    for (const std::size_t size : tensor.shape) text += fmt::format(" {}", size);
    text += fmt::format(" {} {}\n", tensor.fan_in, tensor.initial);
    EXPECT_EQ(tensor.offset, offset);
    offset += tensor.size();
  }
  EXPECT_EQ(offset, network.weights());
  EXPECT_EQ(text,
            "1.input.weight 16 4 8 0\n1.hidden.weight 16 4 8 0\n1.bias 16 0 0\n"
            "2.inner.0.query.weight 4 4 4 0\n2.inner.0.query.bias 4 0 0\n"
            "2.inner.0.key.weight 4 4 4 0\n2.inner.0.key.bias 4 0 0\n"
            "2.inner.0.value.weight 4 4 4 0\n2.inner.0.value.bias 4 0 0\n"
            "2.inner.0.out.weight 4 4 4 0\n2.inner.0.out.bias 4 0 0\n"
            "2.inner.1.weight 4 0 1\n2.inner.1.bias 4 0 0\n"
            "3.weight 3 2 4 8 0\n3.bias 3 0 0\n");
  EXPECT_EQ(network.most_positions(), 2U);
  EXPECT_FALSE(network.input_of_weights().has_value());
}

TEST(Layers, RefuseWhatDoesNotFit) {
  const auto message = [](std::vector<LayerSpec> layers) {
    const auto network = Network<float>::make(std::move(layers), 6);
    return network ? std::string() : network.error().message;
  };
  EXPECT_EQ(message({reshape(2, 2), kFlatten}), "layer 0 (reshape) has 2 x 2 numbers, fewer than the 6 that it gets");
  EXPECT_EQ(message({reshape(0, 2), kFlatten}), "layer 0 (reshape) has from 1 to 2^26 numbers, not 0 x 2");
  EXPECT_EQ(message({reshape(2, 3), reshape(2, 3), kFlatten}), "layer 1 (reshape) takes one position, but gets 2");
  EXPECT_EQ(message({reshape(2, 3)}),
            "a network ends with one position, but its last layer leaves 2; add flatten, last or mean_pool");
  EXPECT_EQ(message({{.kind = LayerKind::tokens, .in = 6, .out = 2, .inputs_of = {3, 2}}, kFlatten}),
            "layer 0 (tokens) has attributes that do not add up to 6 inputs");
  EXPECT_EQ(message({{.kind = LayerKind::tokens, .in = 6, .out = 2, .inputs_of = {6, 0}}, kFlatten}),
            "layer 0 (tokens) has attributes that do not add up to 6 inputs");
  EXPECT_EQ(message({reshape(2, 3), {.kind = LayerKind::attention, .in = 3, .heads = 2}, kFlatten}),
            "layer 1 (attention) has a number of heads that divides its 3 channels, not 2");
  EXPECT_EQ(message({reshape(2, 3), {.kind = LayerKind::attention, .in = 3}, kFlatten}),
            "layer 1 (attention) has a number of heads that divides its 3 channels, not 0");
  EXPECT_EQ(message({reshape(2, 3), {.kind = LayerKind::conv1d, .in = 3, .out = 1, .kernel = 3}, kFlatten}),
            "layer 1 (conv1d) has a kernel of 3, more than the 2 positions that it gets");
  EXPECT_EQ(
      message({reshape(2, 3), {.kind = LayerKind::conv1d, .in = 3, .out = 1, .kernel = 2, .padding = 2}, kFlatten}),
      "layer 1 (conv1d) has a padding below its kernel of 2, not 2");
  EXPECT_EQ(message({reshape(2, 3), {.kind = LayerKind::conv1d, .in = 3, .out = 1 << 24, .kernel = 2}, kFlatten}),
            "layer 1 (conv1d) has more than 2^26 weights: 16777216 x 2 x 3");
  EXPECT_EQ(message({{.kind = LayerKind::linear, .in = 6, .out = std::size_t{1} << 60}}),
            "layer 0 (linear) has sizes of at most 2^26, not 1152921504606846976");
  EXPECT_EQ(message({reshape(1 << 20, 60), kFlatten}),
            "a network keeps at most 2^26 numbers of a row; layer 0 brings it to more");
  EXPECT_EQ(message({{.kind = LayerKind::max_pool}}), "layer 0 (max_pool) has a kernel of at least 1");
  EXPECT_EQ(message({{.kind = LayerKind::lstm, .in = 6, .out = 0}}),
            "layer 0 (lstm) has from 1 to 8192 outputs, not 0");
  EXPECT_EQ(message({{.kind = LayerKind::residual, .inner = {{.kind = LayerKind::linear, .in = 6, .out = 5}}}}),
            "layer 0 (residual) adds 1 x 5 numbers to the 1 x 6 that it gets");
  EXPECT_EQ(message({{.kind = LayerKind::residual, .inner = {{.kind = LayerKind::linear, .in = 5, .out = 6}}}}),
            "layer 0.inner.0 (linear) takes 5 channels, but gets 6");
  EXPECT_EQ(message({{.kind = LayerKind::residual}}), "layer 0 (residual) has no layers inside");
}

}  // namespace layers_test
}  // namespace gauze::learn
