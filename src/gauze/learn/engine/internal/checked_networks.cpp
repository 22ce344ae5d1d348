#include <fmt/core.h>

#include "gauze/learn/engine/internal/layer_checks.h"

namespace gauze::learn::internal {
namespace {

LayerSpec linear(std::size_t in, std::size_t out) { return {.kind = LayerKind::linear, .in = in, .out = out}; }
LayerSpec plain(LayerKind kind) { return {.kind = kind}; }
LayerSpec norm(std::size_t width) { return {.kind = LayerKind::layer_norm, .in = width}; }
LayerSpec conv(std::size_t in, std::size_t out, std::size_t kernel, std::size_t padding) {
  return {.kind = LayerKind::conv1d, .in = in, .out = out, .kernel = kernel, .padding = padding};
}
LayerSpec lstm(std::size_t in, std::size_t out) { return {.kind = LayerKind::lstm, .in = in, .out = out}; }
LayerSpec attention(std::size_t width, std::size_t heads) {
  return {.kind = LayerKind::attention, .in = width, .heads = heads};
}
LayerSpec max_pool(std::size_t kernel) { return {.kind = LayerKind::max_pool, .kernel = kernel}; }
LayerSpec residual(std::vector<LayerSpec> inner) { return {.kind = LayerKind::residual, .inner = std::move(inner)}; }

/// Layers between positions of 3 numbers and one position in the end: alone, and behind and before others.
void add_sequence(std::vector<CheckedNetwork>& list, const std::string& kind, const std::vector<LayerSpec>& middle,
                  std::size_t positions) {
  const auto with = [&](std::vector<LayerSpec> first, std::vector<LayerSpec> last) {
    first.insert(first.end(), middle.begin(), middle.end());
    first.insert(first.end(), last.begin(), last.end());
    return first;
  };
  const LayerSpec reshape{.kind = LayerKind::reshape, .out = 3, .positions = positions};
  const std::string name = fmt::format("{}, {} position{}", kind, positions, positions == 1 ? "" : "s");
  list.push_back({name, 3 * positions, with({reshape}, {plain(LayerKind::flatten)})});
  list.push_back({name + ", behind others", 3 * positions - 1,
                  with({reshape, linear(3, 3), plain(LayerKind::tanh)}, {plain(LayerKind::mean_pool)})});
}

void add_sequences(std::vector<CheckedNetwork>& list) {
  for (const std::size_t positions : {std::size_t{1}, std::size_t{2}, std::size_t{17}}) {
    add_sequence(list, "linear", {linear(3, 40), linear(40, 41)}, positions);
    add_sequence(list, "conv1d", {conv(3, 5, 3, 1), plain(LayerKind::relu), conv(5, 18, 2, 1)}, positions);
    add_sequence(list, "lstm", {lstm(3, 5), lstm(5, 20)}, positions);
    add_sequence(list, "layer_norm", {norm(3), linear(3, 19), norm(19)}, positions);
    add_sequence(list, "attention", {linear(3, 18), attention(18, 3)}, positions);
    add_sequence(list, "max_pool", {linear(3, 18), max_pool(2)}, positions);
    add_sequence(list, "last", {linear(3, 18), plain(LayerKind::last)}, positions);
    add_sequence(list, "residual", {residual({linear(3, 7), plain(LayerKind::gelu), linear(7, 3)})}, positions);
  }
}

}  // namespace

std::vector<CheckedNetwork> checked_networks() {
  std::vector<CheckedNetwork> list;
  list.push_back({"linear", 7, {linear(7, 37)}});
  list.push_back({"linear, three of them",
                  19,
                  {linear(19, 33), plain(LayerKind::relu), linear(33, 8), plain(LayerKind::tanh), linear(8, 5)}});
  for (const LayerKind kind : {LayerKind::relu, LayerKind::gelu, LayerKind::tanh, LayerKind::sigmoid})
    list.push_back({std::string(word_of(kLayerWords, kind)), 5, {linear(5, 21), plain(kind), linear(21, 3)}});
  list.push_back({"dropout", 5, {linear(5, 21), {.kind = LayerKind::dropout, .rate = 0.3}, linear(21, 3)}});
  list.push_back({"flatten", 6, {linear(6, 9), plain(LayerKind::flatten), linear(9, 2)}});
  const LayerSpec tokens{.kind = LayerKind::tokens, .in = 9, .out = 6, .inputs_of = {3, 1, 5}};
  list.push_back({"tokens", 9, {tokens, plain(LayerKind::flatten)}});
  list.push_back({"tokens, behind others", 4, {linear(4, 9), tokens, attention(6, 2), plain(LayerKind::mean_pool)}});
  add_sequences(list);
  list.push_back({"transformer",
                  34,
                  {{.kind = LayerKind::reshape, .out = 5, .positions = 7},
                   linear(5, 8),
                   residual({attention(8, 2)}),
                   norm(8),
                   residual({linear(8, 16), plain(LayerKind::gelu), linear(16, 8)}),
                   norm(8),
                   plain(LayerKind::mean_pool),
                   linear(8, 3)}});
  return list;
}

}  // namespace gauze::learn::internal
