#include <benchmark/benchmark.h>

#include "gauze/collect/encode/draw_reports.h"

namespace gauze::collect {
namespace {

/// Reports of one task, drawn with the cryptographic generator on one core.
void run(benchmark::State& state, const char* mechanism, std::uint32_t size, std::uint64_t epsilon_nano) {
  TaskSpec spec;
  spec.name = "bench";
  spec.mechanism = mechanism;
  spec.epsilon_nano = epsilon_nano;
  if (size == 0) {
    spec.question = Question::mean;
    spec.number = {.low = 0, .high = 100'000, .places = 0};
  } else {
    spec.values = ValueList::numbered(size).value();
  }
  const auto task = Task::make(spec);
  if (!task) return state.SkipWithError("no task");
  std::vector<gauze_value> values;
  for (std::uint32_t i = 0; i < 10'000; ++i)
    values.push_back({size == 0 ? 1 : 0, size == 0 ? 7 * i : i % size, nullptr, 0});
  std::vector<unsigned char> payloads(values.size() * task->payload_bytes());
  for (auto _ : state) {
    draw_reports(*task, SecureRandom::of_thread(), values, payloads.data());
    benchmark::DoNotOptimize(payloads.data());
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(values.size()));
}

constexpr std::uint64_t kOne = 1'000'000'000;

// The bars, on one core by processor time: de 10 M/s, olh 5 M/s, oue of 1,024 values 1 M/s.
BENCHMARK_CAPTURE(run, de, "de", 128, kOne)->Name("encode de, 128 values");
BENCHMARK_CAPTURE(run, olh, "olh", 128, kOne)->Name("encode olh, 128 values");
BENCHMARK_CAPTURE(run, olh_many, "olh", 1'024, 4 * kOne)->Name("encode olh, 1,024 values, epsilon 4");
BENCHMARK_CAPTURE(run, oue, "oue", 1'024, kOne)->Name("encode oue, 1,024 values");
BENCHMARK_CAPTURE(run, hr, "hr", 1'024, kOne)->Name("encode hr, 1,024 values");
BENCHMARK_CAPTURE(run, ss, "ss", 1'024, kOne)->Name("encode ss, 1,024 values");
BENCHMARK_CAPTURE(run, she, "she", 16, kOne)->Name("encode she, 16 values");
BENCHMARK_CAPTURE(run, duchi, "duchi", 0, kOne)->Name("encode duchi");
BENCHMARK_CAPTURE(run, piecewise, "piecewise", 0, kOne)->Name("encode piecewise");

}  // namespace
}  // namespace gauze::collect
