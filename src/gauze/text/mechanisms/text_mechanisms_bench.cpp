// SanText, TEM and d_chi on 20,000 words of GloVe in 100 dimensions (random ones of the same shape where the file is not
// there): the distance part beside a plain matrix product, normalisers, rows, draws, noise.
#include <benchmark/benchmark.h>
#include <cblas.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "gauze/base/parallel.h"
#include "gauze/base/testing/source_folder.h"
#include "gauze/text/mechanisms/cumulative_rows.h"
#include "gauze/text/mechanisms/dchi_mechanism.h"
#include "gauze/text/mechanisms/internal/radial_noise.h"
#include "gauze/text/sanitize/text_sanitizer.h"
#include "gauze/text/statistics/word_statistics.h"
#include "gauze/text/testing/small_vocabularies.h"

namespace gauze::text {
namespace {

constexpr std::size_t kDimensions = 100;

const WordVectors& vocabulary() {
  static const WordVectors vectors = [] {
    const std::string file = std::string(gauze_source_folder) + "/../shared/data/vectors/glove100_top20k.txt.gz";
    set_thread_count(1);  // figures are for one core
    if (std::filesystem::exists(file)) return WordVectors::open(file).value();
    return testing::random_words(20'000, kDimensions, 0.5, 1);
  }();
  return vectors;
}

const WordMetric& metric() {
  static const WordMetric metric = WordMetric::make(vocabulary()).value();
  return metric;
}

SoftmaxMechanism santext(std::int64_t epsilon) {
  return SoftmaxMechanism::make(metric(), {.epsilon = Rational(epsilon)}).value();
}

std::vector<std::uint32_t> first_words(std::size_t count) {
  std::vector<std::uint32_t> words(count);
  for (std::uint32_t i = 0; i < count; ++i) words[i] = i;
  return words;
}

/// Matrix products alone on one core, in the shape of the tiles: the physical limit of the distance part.
void plain_products(benchmark::State& state) {
  openblas_set_num_threads(1);
  std::vector<double> a(WordMetric::kTile * kDimensions);
  vocabulary().copy_doubles(0, WordMetric::kTile, a.data());
  std::vector<double> c(WordMetric::kTile * WordMetric::kTile);
  const int size = WordMetric::kTile;
  for (auto _ : state) {
    for (int i = 0; i < 100; ++i) {
      cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, size, size, kDimensions, 1, a.data(), kDimensions,
                  a.data(), kDimensions, 0, c.data(), size);
    }
    benchmark::DoNotOptimize(c.data());
  }
  state.SetItemsProcessed(state.iterations() * 100 * size * size);
}
BENCHMARK(plain_products)->Name("limit/exact distances, each pair once, words")->Unit(benchmark::kMillisecond);

void distances(benchmark::State& state) {
  const auto words = first_words(static_cast<std::size_t>(state.range(0)));
  double pairs = 0;
  for (auto _ : state) {
    pairs = 0;
    std::uint64_t sum = 0;
    (void)metric().symmetric_tiles(words, [&](const WordMetric::Tile& tile) {
      sum += tile.granules[0];
      pairs += static_cast<double>(tile.rows * tile.columns);
    });
    benchmark::DoNotOptimize(sum);
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(pairs) * state.iterations());
}
BENCHMARK(distances)
    ->Name("exact distances, each pair once, words")
    ->Arg(2'000)
    ->Arg(20'000)
    ->Unit(benchmark::kMillisecond);

void normalisers(benchmark::State& state) {
  const WordMetric part =
      WordMetric::make(vocabulary().first_words(static_cast<std::uint64_t>(state.range(0)))).value();
  const auto mechanism = SoftmaxMechanism::make(part, {.epsilon = Rational(3)}).value();
  for (auto _ : state) benchmark::DoNotOptimize(mechanism.normalisers().value());
}
BENCHMARK(normalisers)
    ->Name("santext normalisers, exact, words")
    ->Arg(2'000)
    ->Arg(20'000)
    ->Unit(benchmark::kMillisecond);

void approximate_sums(benchmark::State& state) {
  const auto mechanism = santext(3);
  for (auto _ : state) benchmark::DoNotOptimize(mechanism.approximate_sums().value());
}
BENCHMARK(approximate_sums)->Name("santext sums for statistics, 20,000 words")->Unit(benchmark::kMillisecond);

void statistics(benchmark::State& state) {
  const WordMetric part =
      WordMetric::make(vocabulary().first_words(static_cast<std::uint64_t>(state.range(0)))).value();
  const auto mechanism = SoftmaxMechanism::make(part, {.epsilon = Rational(3)}).value();
  for (auto _ : state) benchmark::DoNotOptimize(word_statistics(std::span(&mechanism, 1), {}).value());
}
BENCHMARK(statistics)
    ->Name("santext statistics, words")
    ->Arg(2'000)
    ->Arg(10'000)
    ->Arg(20'000)
    ->Unit(benchmark::kMillisecond);

void weights(benchmark::State& state) {
  const auto mechanism = santext(3);
  std::mt19937_64 random(1);
  std::vector<std::uint32_t> granules(1 << 16);
  for (auto& k : granules) k = 4'000'000 + static_cast<std::uint32_t>(random() % 4'000'000);
  for (auto _ : state) {
    Weight sum = 0;
    for (const std::uint32_t k : granules) sum += mechanism.weights().weight(k);
    benchmark::DoNotOptimize(sum);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(granules.size()));
}
BENCHMARK(weights)->Name("integer weights");

void tables(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(santext(3));
}
BENCHMARK(tables)->Name("santext, making the tables")->Unit(benchmark::kMillisecond);

void prepare(benchmark::State& state) {
  const auto mechanism = santext(3);
  const auto words = first_words(1024);
  for (auto _ : state) {
    CumulativeRows rows(mechanism, 1 << 28);
    benchmark::DoNotOptimize(rows.prepare(words).value());
  }
  state.SetItemsProcessed(state.iterations() * 1024);
}
BENCHMARK(prepare)->Name("santext, preparing rows of 20,000 words")->Unit(benchmark::kMillisecond);

void draw(benchmark::State& state) {
  const auto mechanism = santext(3);
  const auto words = first_words(4096);
  CumulativeRows rows(mechanism, 1 << 28);
  (void)rows.prepare(words);
  SecureRandom random;
  std::mt19937_64 order(1);
  for (auto _ : state) benchmark::DoNotOptimize(rows.release(words[order() % words.size()], random));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(draw)->Name("santext, a token of a prepared word");

void dchi(benchmark::State& state) {
  const auto mechanism = DchiMechanism::make(vocabulary(), Rational(state.range(0))).value();
  const auto words = first_words(2048);
  std::vector<std::uint32_t> out(words.size());
  SecureRandom random;
  for (auto _ : state) mechanism.release(words, random, out);
  state.SetItemsProcessed(state.iterations() * 2048);
}
BENCHMARK(dchi)->Name("dchi, tokens in batches, epsilon")->Arg(1)->Arg(20)->Unit(benchmark::kMillisecond);

/// The sentences of SST-2, or made-up ones of the same length.
const std::vector<std::string>& sentences() {
  static const std::vector<std::string> result = [] {
    std::vector<std::string> lines;
    std::ifstream file(std::string(gauze_source_folder) + "/../shared/data/sst2/train.tsv");
    std::string line;
    while (std::getline(file, line)) lines.push_back(line.substr(std::min(line.find('\t') + 1, line.size())));
    std::mt19937_64 random(1);
    while (lines.size() < 60'000) {
      line.clear();
      for (int i = 0; i < 9; ++i) line += std::string(vocabulary().word(random() % 2'000)) + ' ';
      lines.push_back(line);
    }
    return lines;
  }();
  return result;
}

/// From text to text: finding words, preparing rows, drawing, writing. Rows of words are kept from batch to batch.
void sanitise(benchmark::State& state) {
  const auto mechanism = santext(3);
  std::uint64_t tokens = 0;
  for (auto _ : state) {
    SoftmaxReplacer replacer(mechanism, std::size_t{1} << 30);
    TextSanitizer sanitizer(vocabulary(), replacer, nullptr, {});
    std::vector<std::string> documents = sentences();
    if (!sanitizer.run(documents, {})) state.SkipWithError("refused");
    tokens += sanitizer.counts().tokens;
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(tokens));
}
BENCHMARK(sanitise)->Name("santext, text to text, tokens")->Unit(benchmark::kMillisecond);

void noise(benchmark::State& state) {
  const internal::RadialNoise source(kDimensions, 20, 21);
  SecureRandom random;
  std::vector<std::int64_t> out(kDimensions);
  for (auto _ : state) source.add(vocabulary().fixed_row(0), vocabulary().scale_bits(), random, out);
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(noise)->Name("dchi, noise alone");

}  // namespace
}  // namespace gauze::text
