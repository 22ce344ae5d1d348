#include "gauze/learn/engine/network.h"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <cmath>
#include <limits>
#include <thread>

#include "gauze/base/testing/watched.h"
#include "gauze/learn/engine/internal/layer_checks.h"
#include "gauze/learn/engine/loss.h"

namespace gauze::learn {
namespace network_test {

using internal::checked_networks;
using internal::CheckedNetwork;

TEST(Network, HasTheGradientsOfFiniteDifferences) {
  for (const CheckedNetwork& network : checked_networks())
    EXPECT_LT(internal::finite_difference(network, 1), 1e-6) << network.name;
}

TEST(Network, FindsTheSameNormsByFactorsAsWrittenOut) {
  for (const CheckedNetwork& network : checked_networks()) {
    EXPECT_LT(internal::ghost_vs_materialised(network, 2, false), 1e-9) << network.name;
    EXPECT_LT(internal::ghost_vs_materialised(network, 3, true), 1e-6) << network.name;
  }
}

TEST(Network, HasNormsOfTheGradientsThatAreAdded) {
  for (const CheckedNetwork& network : checked_networks()) {
    const bool one_position = Network<double>::make(network.layers, network.inputs)->most_positions() == 1;
    EXPECT_LT(internal::norm_vs_sum(network, 4), one_position ? 1e-12 : 1e-3) << network.name;
  }
}

// Every target of this machine, one after the other: the mask holds for the whole program.
TEST(Network, HasTheSameBitsForARowInEveryPlaceOnEveryProcessor) {
  for (std::int64_t targets = hwy::SupportedTargets(); targets != 0; targets &= targets - 1) {
    hwy::SetSupportedTargetsForTest(targets & -targets);
    for (const CheckedNetwork& network : checked_networks())
      EXPECT_TRUE(internal::is_place_invariant(network, 5, is_watched() ? 9 : 40)) << network.name;
  }
  hwy::SetSupportedTargetsForTest(0);
}

TEST(Network, HasTheSameBitsForARowInBatchesOfUpTo300AndOnTwoThreads) {
  const auto check = [] {
    for (const CheckedNetwork& network : checked_networks())
      EXPECT_TRUE(internal::is_place_invariant(network, 6, is_watched() ? 20 : 300)) << network.name;
  };
  std::thread other(check);
  check();
  other.join();
}

struct Small {
  explicit Small(std::vector<LayerSpec> layers, std::size_t inputs, const std::vector<double>& weights)
      : network(Network<double>::make(std::move(layers), inputs).value()),
        packed(network.make_packed()),
        pass(network.make_pass(8)) {
    network.pack(weights, *packed);
  }
  void run(std::vector<double> inputs, std::vector<double> gradients) {
    const std::size_t rows = inputs.size() / network.inputs();
    std::copy(inputs.begin(), inputs.end(), network.inputs_of(*pass, rows).begin());
    network.forward(*packed, *pass, rows, nullptr);
    std::copy(gradients.begin(), gradients.end(), network.output_gradients_of(*pass, rows).begin());
    network.backward(*packed, *pass, rows);
  }
  std::vector<double> norms(std::vector<std::uint32_t> ends, std::vector<double> scales = {}) {
    std::vector<double> squared(ends.size());
    network.squared_norms(*pass, ends, NormMode::ghost, scales, squared);
    return squared;
  }
  std::vector<double> sum(std::vector<std::uint32_t> ends, std::vector<double> factors) {
    std::vector<double> total(network.weights());
    network.add_gradients(*pass, ends, factors, total);
    return total;
  }
  Network<double> network;
  std::unique_ptr<Network<double>::Packed> packed;
  std::unique_ptr<Network<double>::Pass> pass;
};

const std::vector<LayerSpec> kTwoLayers = {{.kind = LayerKind::linear, .in = 2, .out = 2},
                                           {.kind = LayerKind::relu},
                                           {.kind = LayerKind::linear, .in = 2, .out = 1}};
// W = [[1, 2], [-1, 1]], bias (0, 1); then (3, -2), bias 1/2.
const std::vector<double> kWeights = {1, 2, -1, 1, 0, 1, 3, -2, 0.5};

// x = (1, 2): W x + bias = (5, 2), all of it kept; 15 - 4 + 1/2 = 23/2. Gradient 2: by the second layer 2 (5, 2) and 2; by what comes out
// of the first 2 (3, -2) = (6, -4); by its weights ((6, 12), (-4, -8)) and by its bias (6, -4).
TEST(Network, HasTheGradientsThatAreWorkedOutByHand) {
  Small small(kTwoLayers, 2, kWeights);
  small.run({1, 2}, {2});
  EXPECT_EQ(small.network.outputs_of(*small.pass, 1)[0], 11.5);
  const std::vector<double> expected = {6, 12, -4, -8, 6, -4, 10, 4, 2};
  EXPECT_DOUBLE_EQ(small.norms({1})[0], 36 + 144 + 16 + 64 + 36 + 16 + 100 + 16 + 4);
  EXPECT_EQ(small.sum({1}, {1.0}), expected);
}

// x = (2, -1): W x + bias = (0, -2): nothing passes, and the gradient is that of the last bias.
TEST(Network, PassesNoGradientWhereARectifierIsClosed) {
  Small small(kTwoLayers, 2, kWeights);
  small.run({2, -1}, {3});
  EXPECT_EQ(small.norms({1})[0], 9);
  EXPECT_EQ(small.sum({1}, {0.5}), (std::vector<double>{0, 0, 0, 0, 0, 0, 0, 0, 1.5}));
}

// One linear layer, inputs 3 and -3 with gradient 1 each: the weight's gradient is 0, but terms of size 3 cancelled; the bias has 2.
TEST(Network, CountsWhatCouldHaveCancelledInAUnitOfSeveralRows) {
  Small small({{.kind = LayerKind::linear, .in = 1, .out = 1}}, 1, {1, 0});
  small.run({3, -3}, {1, 1});
  EXPECT_DOUBLE_EQ(small.norms({2})[0], 0x1p-20 * 36 + 4 + 0x1p-20 * 4);
  EXPECT_EQ(small.norms({1, 2}), (std::vector<double>{10, 10}));
  EXPECT_EQ(small.norms({0, 2, 2})[0], 0);
  EXPECT_EQ(small.norms({0, 2, 2})[2], 0);
  EXPECT_EQ(small.sum({2}, {1.0}), (std::vector<double>{0, 2}));
}

TEST(Network, AddsNothingForUnitsOfFactorZeroWhateverTheyHold) {
  const double inf = std::numeric_limits<double>::infinity();
  Small small(kTwoLayers, 2, kWeights);
  small.run({inf, 1, 1, 2, std::nan(""), -inf}, {1, 2, std::nan("")});
  const auto squared = small.norms({1, 2, 3});
  EXPECT_FALSE(std::isfinite(squared[0]));
  EXPECT_FALSE(std::isfinite(squared[2]));
  EXPECT_EQ(small.sum({1, 2, 3}, {0.0, 1.0, 0.0}), (std::vector<double>{6, 12, -4, -8, 6, -4, 10, 4, 2}));
}

// |b|^2 (sum of x_j^2 / s_j^2 + 1) for the first layer, the rest as it is.
TEST(Network, DividesGradientsThatLeaveAnInputByItsScale) {
  Small small(kTwoLayers, 2, kWeights);
  small.run({1, 2}, {2});
  EXPECT_DOUBLE_EQ(small.norms({1}, {2, 4})[0], (36 + 16) * (1.0 / 4 + 4.0 / 16 + 1) + 100 + 16 + 4);
  const auto inputs = small.network.input_of_weights().value();
  EXPECT_EQ(inputs, (std::vector<std::int32_t>{0, 1, 0, 1, -1, -1, -1, -1, -1}));
}

TEST(Network, NamesItsTensorsByLayer) {
  const auto network = Network<float>::make(kTwoLayers, 2).value();
  std::vector<std::string> names;
  for (const WeightTensor& tensor : network.tensors()) names.push_back(tensor.name);
  EXPECT_EQ(names, (std::vector<std::string>{"0.weight", "0.bias", "2.weight", "2.bias"}));
  EXPECT_EQ(network.tensors()[2].offset, 6U);
  EXPECT_EQ(network.tensors()[2].fan_in, 2U);
  EXPECT_TRUE(network.tensors()[0].leaves_input);
  EXPECT_FALSE(network.tensors()[1].leaves_input);
  EXPECT_FALSE(network.tensors()[2].leaves_input);
  EXPECT_EQ(network.most_positions(), 1U);
}

TEST(Network, RefusesShapesThatDoNotFit) {
  const auto message = [](std::vector<LayerSpec> layers, std::size_t inputs) {
    const auto network = Network<float>::make(std::move(layers), inputs);
    return network ? std::string() : network.error().message;
  };
  EXPECT_EQ(message({{.kind = LayerKind::linear, .in = 3, .out = 1}}, 2),
            "layer 0 (linear) takes 3 channels, but gets 2");
  EXPECT_EQ(message({{.kind = LayerKind::linear, .in = 3, .out = 0}}, 3), "layer 0 (linear) has no outputs");
  EXPECT_EQ(message({}, 3), "a network needs at least one layer");
  EXPECT_EQ(message({{.kind = LayerKind::dropout, .rate = 1.0}}, 3),
            "layer 0 (dropout) has a rate from 0 to below 1, not 1");
  EXPECT_EQ(message({{.kind = LayerKind::linear, .in = 1, .out = 1 << 26}}, 1),
            "a network has at most 2^26 weights; layer 0 brings it to more");
}

TEST(Network, TreatsAnEmptyBatchAsNothing) {
  Small small(kTwoLayers, 2, kWeights);
  small.run({}, {});
  EXPECT_EQ(small.norms({0, 0}), (std::vector<double>{0, 0}));
  EXPECT_EQ(small.sum({0, 0}, {1.0, 1.0}), std::vector<double>(9));
  EXPECT_EQ(small.sum({}, {}), std::vector<double>(9));
}

}  // namespace network_test
}  // namespace gauze::learn
