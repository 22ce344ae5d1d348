#include <fmt/core.h>

#include "gauze/learn/engine/internal/layer_checks.h"

namespace gauze::learn::internal {
namespace {

LayerSpec linear(std::size_t in, std::size_t out) { return {.kind = LayerKind::linear, .in = in, .out = out}; }
LayerSpec plain(LayerKind kind) { return {.kind = kind}; }

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
  return list;
}

}  // namespace gauze::learn::internal
