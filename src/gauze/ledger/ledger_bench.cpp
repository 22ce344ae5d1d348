// Durable charges a second, by the wall clock: what they wait for is the disk. Each name ends with the size of the
// ledger or of the group.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "gauze/ledger/group_commit.h"

namespace gauze {
namespace {

ChargeRequest charge() {
  return {.dataset = "visits",
          .analyst = "ana",
          .charge = *Charge::make(Charge::Kind::epsilon, *Rational::parse("0.000001")),
          .purpose = "a benchmark"};
}

Result<std::vector<StepAnswer>> spend_group(Ledger& ledger, std::int64_t size) {
  const ChargeRequest request = charge();
  return ledger.change_many(
      std::vector<BudgetStep>(static_cast<std::size_t>(size), {.kind = EntryKind::spend, .request = &request}));
}

/// A ledger with so many entries, in a folder that goes away with it. On the disk of the current folder, since /tmp
/// may be memory.
class Scratch {
 public:
  explicit Scratch(std::int64_t entries) {
    std::string name = (std::filesystem::current_path() / "gauze-bench-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    ledger_ = std::make_unique<Ledger>(*Ledger::create(folder_ / "bench.ledger"));
    DatasetOptions options;
    options.name = "visits";
    options.epsilon = Rational(1'000'000'000);
    static_cast<void>(ledger_->create_dataset(*DatasetTerms::make(options)));
    for (std::int64_t i = 0; i < entries; i += 1000) static_cast<void>(spend_group(*ledger_, 1000));
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    ledger_.reset();
    std::filesystem::remove_all(folder_);
  }
  [[nodiscard]] Ledger& ledger() { return *ledger_; }
  [[nodiscard]] Ledger take() { return std::move(*ledger_); }

 private:
  std::filesystem::path folder_;
  std::unique_ptr<Ledger> ledger_;
};

void single_spends(benchmark::State& state) {
  Scratch scratch(state.range(0));
  const ChargeRequest request = charge();
  for (auto _ : state) {
    if (!scratch.ledger().spend(request)) state.SkipWithError("a charge was refused");
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(single_spends)->Name("durable spends")->Arg(1000)->Arg(10'000)->Arg(100'000)->UseRealTime();

void grouped_spends(benchmark::State& state) {
  Scratch scratch(1000);
  for (auto _ : state) {
    if (!spend_group(scratch.ledger(), state.range(0))) state.SkipWithError("a charge was refused");
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(grouped_spends)->Name("durable spends in one transaction")->Arg(10)->Arg(100)->Arg(1000)->UseRealTime();

std::unique_ptr<Scratch> shared_scratch;
std::unique_ptr<GroupCommit> shared_group;

void group_commit(benchmark::State& state) {
  if (state.thread_index() == 0) {
    shared_scratch = std::make_unique<Scratch>(1000);
    shared_group = std::make_unique<GroupCommit>(shared_scratch->take());
  }
  const ChargeRequest request = charge();
  for (auto _ : state) {
    if (!shared_group->spend(request)) state.SkipWithError("a charge was refused");
  }
  state.SetItemsProcessed(state.iterations());
  if (state.thread_index() == 0) {
    shared_group.reset();
    shared_scratch.reset();
  }
}
BENCHMARK(group_commit)->Name("durable spends, group commit")->Threads(8)->Threads(64)->UseRealTime();

/// What a server does for one answer: reserve under a request id, and commit with a label and the answer.
void group_requests(benchmark::State& state) {
  if (state.thread_index() == 0) {
    shared_scratch = std::make_unique<Scratch>(1000);
    shared_group = std::make_unique<GroupCommit>(shared_scratch->take());
  }
  const Outcome outcome{.label = std::string(1500, 'l'), .answer = std::string(300, 'a')};
  ChargeRequest request = charge();
  request.request = {.id = {}, .digest = genesis_hash()};
  std::int64_t asked = 0;
  for (auto _ : state) {
    request.request->id = std::to_string(state.thread_index()) + "/" + std::to_string(asked++);
    const auto grant = shared_group->reserve(request);
    if (!grant || !shared_group->commit(grant->entry, outcome)) state.SkipWithError("a request was refused");
  }
  state.SetItemsProcessed(state.iterations());
  if (state.thread_index() == 0) {
    shared_group.reset();
    shared_scratch.reset();
  }
}
BENCHMARK(group_requests)->Name("durable requests, group commit")->Threads(8)->Threads(64)->UseRealTime();

void verify(benchmark::State& state) {
  Scratch scratch(state.range(0));
  Progress silent;
  for (auto _ : state) {
    if (!scratch.ledger().verify({}, silent)) state.SkipWithError("the ledger does not verify");
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(verify)->Name("entries verified")->Arg(1000)->Arg(10'000)->Arg(100'000)->UseRealTime();

/// The limit: a page appended to a file and waited for, without any ledger.
void synced_pages(benchmark::State& state) {
  std::string name = (std::filesystem::current_path() / "gauze-bench-XXXXXX").string();
  const int file = ::mkstemp(name.data());
  const std::array<char, 4096> page{};
  for (auto _ : state) {
    if (::write(file, page.data(), page.size()) < 0 || ::fdatasync(file) != 0) state.SkipWithError("cannot write");
  }
  ::close(file);
  std::filesystem::remove(name);
  state.SetItemsProcessed(state.iterations());
  state.SetLabel("write and fdatasync");
}
BENCHMARK(synced_pages)->Name("limit/durable spends")->UseRealTime();

}  // namespace
}  // namespace gauze
