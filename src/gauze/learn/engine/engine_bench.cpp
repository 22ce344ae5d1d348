#include <benchmark/benchmark.h>
#include <cblas.h>

#include <vector>

#include "gauze/learn/engine/internal/row_product.h"
#include "gauze/learn/engine/network.h"
#include "gauze/random/seeded_random.h"

namespace gauze::learn {
namespace {

LayerSpec linear(std::size_t in, std::size_t out) { return {.kind = LayerKind::linear, .in = in, .out = out}; }

std::vector<LayerSpec> mlp() {
  return {linear(140, 128), {.kind = LayerKind::relu}, linear(128, 64), {.kind = LayerKind::relu}, linear(64, 5)};
}

std::vector<LayerSpec> cnn() {
  const LayerSpec relu{.kind = LayerKind::relu};
  const LayerSpec pool{.kind = LayerKind::max_pool, .kernel = 2};
  return {{.kind = LayerKind::reshape, .out = 1, .positions = 140},
          {.kind = LayerKind::conv1d, .in = 1, .out = 16, .kernel = 3, .padding = 1},
          relu,
          pool,
          {.kind = LayerKind::conv1d, .in = 16, .out = 32, .kernel = 3, .padding = 1},
          relu,
          pool,
          {.kind = LayerKind::flatten},
          linear(1120, 64),
          relu,
          linear(64, 5)};
}

std::vector<LayerSpec> lstm() {
  return {{.kind = LayerKind::reshape, .out = 10, .positions = 14},
          {.kind = LayerKind::lstm, .in = 10, .out = 64},
          {.kind = LayerKind::last},
          linear(64, 5)};
}

std::vector<LayerSpec> transformer() {
  const LayerSpec norm{.kind = LayerKind::layer_norm, .in = 64};
  return {{.kind = LayerKind::reshape, .out = 10, .positions = 14},
          linear(10, 64),
          {.kind = LayerKind::residual, .inner = {{.kind = LayerKind::attention, .in = 64, .heads = 4}}},
          norm,
          {.kind = LayerKind::residual, .inner = {linear(64, 128), {.kind = LayerKind::gelu}, linear(128, 64)}},
          norm,
          {.kind = LayerKind::mean_pool},
          linear(64, 5)};
}

void fill(SeededRandom& random, std::span<float> numbers) {
  for (float& x : numbers) x = (static_cast<float>(random.next() >> 40) * 0x1p-23F - 1) / 8;
}

enum class Part { products, norms, sums, all };

/// What one step of a batch takes in the engine: without sampling, noise and update.
void run_step(benchmark::State& state, const std::vector<LayerSpec>& layers, Part part) {
  const auto rows = static_cast<std::size_t>(state.range(0));
  const auto network = Network<float>::make(layers, 140).value();
  SeededRandom random(1);
  std::vector<float> weights(network.weights());
  fill(random, weights);
  const auto packed = network.make_packed();
  const auto pass = network.make_pass(rows);
  fill(random, network.inputs_of(*pass, rows));
  fill(random, network.output_gradients_of(*pass, rows));
  std::vector<std::uint32_t> ends(rows);
  for (std::size_t r = 0; r < rows; ++r) ends[r] = static_cast<std::uint32_t>(r + 1);
  std::vector<double> squared(rows), factors(rows, 0.5), sum(network.weights());
  const auto is = [&](Part one) { return part == Part::all || part == one; };
  network.pack(weights, *packed);
  network.forward(*packed, *pass, rows, nullptr);
  network.backward(*packed, *pass, rows);
  for (auto _ : state) {
    if (is(Part::products)) {
      network.forward(*packed, *pass, rows, nullptr);
      network.backward(*packed, *pass, rows);
    }
    if (is(Part::norms)) network.squared_norms(*pass, ends, NormMode::ghost, {}, squared);
    if (is(Part::sums)) network.add_gradients(*pass, ends, factors, sum);
    if (part == Part::all) network.pack(weights, *packed);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * state.range(0));
}

// Bars on one core without noise: MLP 350 us at batch 64, of which products and norms 90 us and sums 170 us.
#define GAUZE_LEARN_STEPS(NAME, LAYERS)                                                                      \
  BENCHMARK_CAPTURE(run_step, all, LAYERS, Part::all)->Name("engine " NAME)->Arg(64)->Arg(512);              \
  BENCHMARK_CAPTURE(run_step, products, LAYERS, Part::products)->Name("engine " NAME ", products")->Arg(64); \
  BENCHMARK_CAPTURE(run_step, norms, LAYERS, Part::norms)->Name("engine " NAME ", norms")->Arg(64);          \
  BENCHMARK_CAPTURE(run_step, sums, LAYERS, Part::sums)->Name("engine " NAME ", sums")->Arg(64)
GAUZE_LEARN_STEPS("mlp", mlp());
GAUZE_LEARN_STEPS("cnn", cnn());
GAUZE_LEARN_STEPS("lstm", lstm());
GAUZE_LEARN_STEPS("transformer", transformer());
#undef GAUZE_LEARN_STEPS

/// x (rows x depth) times a matrix of depth x columns, beside OpenBLAS.
template <class Real>
struct Product {
  explicit Product(benchmark::State& state)
      : rows(static_cast<std::size_t>(state.range(0))),
        depth(static_cast<std::size_t>(state.range(1))),
        columns(static_cast<std::size_t>(state.range(2))),
        x(rows * depth, Real{1}),
        b(depth * columns, Real{1}),
        y(rows * columns),
        packed(depth, columns) {
    packed.pack(b.data(), columns, 1);
  }
  void count(benchmark::State& state) const {
    state.counters["FLOPS"] = benchmark::Counter(2.0 * static_cast<double>(rows * depth * columns),
                                                 benchmark::Counter::kIsIterationInvariantRate);
  }
  std::size_t rows, depth, columns;
  std::vector<Real> x, b, y;
  internal::PackedMatrix<Real> packed;
};

template <class Real>
void run_rows(benchmark::State& state) {
  Product<Real> p(state);
  for (auto _ : state) {
    internal::multiply_rows(p.x.data(), p.rows, p.depth, p.packed, static_cast<const Real*>(nullptr), p.y.data());
    benchmark::ClobberMemory();
  }
  p.count(state);
}

template <class Real>
void run_openblas(benchmark::State& state) {
  openblas_set_num_threads(1);
  Product<Real> p(state);
  const int m = static_cast<int>(p.rows), n = static_cast<int>(p.columns), k = static_cast<int>(p.depth);
  for (auto _ : state) {
    if constexpr (sizeof(Real) == 4) {
      cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, p.x.data(), k, p.b.data(), n, 0, p.y.data(),
                  n);
    } else {
      cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, p.x.data(), k, p.b.data(), n, 0, p.y.data(),
                  n);
    }
    benchmark::ClobberMemory();
  }
  p.count(state);
}

#define GAUZE_LEARN_SHAPES ->Args({64, 140, 128})->Args({512, 140, 128})->Args({512, 128, 64})->Args({128, 64, 140})
BENCHMARK(run_rows<float>)->Name("row product, float") GAUZE_LEARN_SHAPES;
BENCHMARK(run_openblas<float>)->Name("openblas sgemm") GAUZE_LEARN_SHAPES;
BENCHMARK(run_rows<double>)->Name("row product, double") GAUZE_LEARN_SHAPES;
BENCHMARK(run_openblas<double>)->Name("openblas dgemm") GAUZE_LEARN_SHAPES;
#undef GAUZE_LEARN_SHAPES

}  // namespace
}  // namespace gauze::learn
