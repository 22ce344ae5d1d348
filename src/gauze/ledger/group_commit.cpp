#include "gauze/ledger/group_commit.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <type_traits>
#include <utility>
#include <vector>

namespace gauze {
namespace {

constexpr std::size_t kLargestGroup = 4096;
/// How long the first waits for those who were answered together the last time: far less than a change takes.
constexpr std::chrono::milliseconds kGathering{1};

struct Waiting {
  BudgetStep step;
  std::optional<StepAnswer> answer;
};

/// The same error for everyone, in the type that each waits for.
StepAnswer failure(const BudgetStep& step, const Error& error) {
  if (step.kind == EntryKind::commit || step.kind == EntryKind::progress)
    return Result<ChainedEntry>(tl::unexpected<Error>(error));
  return Granted(tl::unexpected<Refusal>(error));
}

}  // namespace

// Whoever finds no one at the disk takes all that wait there and goes; the others sleep until they are answered. Those
// who were answered together come back together: the first of them waits a moment for the rest, or it would go alone.
struct GroupCommit::Queue {
  explicit Queue(Ledger given) : ledger(std::move(given)) {}

  void serve(std::unique_lock<std::mutex>& lock) {
    busy = true;
    arrived.wait_for(lock, kGathering, [this] { return waiting.size() >= last_size; });
    const std::size_t size = std::min(waiting.size(), kLargestGroup);
    last_size = size;
    std::vector<Waiting*> group(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(size));
    waiting.erase(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(size));
    std::vector<BudgetStep> steps;
    steps.reserve(group.size());
    for (const Waiting* one : group) steps.push_back(one->step);
    lock.unlock();
    auto answers = ledger.change_many(steps);
    lock.lock();
    for (std::size_t i = 0; i < group.size(); ++i) {
      group[i]->answer = answers ? std::move((*answers)[i]) : failure(steps[i], answers.error());
    }
    busy = false;
    done.notify_all();
  }

  StepAnswer wait_for(const BudgetStep& step) {
    Waiting mine{.step = step, .answer = {}};
    std::unique_lock<std::mutex> lock(mutex);
    waiting.push_back(&mine);
    arrived.notify_one();
    while (!mine.answer) {
      if (busy) {
        done.wait(lock);
      } else {
        serve(lock);
      }
    }
    return *std::move(mine.answer);
  }

  Ledger ledger;
  std::mutex mutex;
  std::condition_variable done;
  std::condition_variable arrived;
  std::vector<Waiting*> waiting;
  std::size_t last_size = 1;
  bool busy = false;
};

/// Connections for look-ups: as many as were ever needed at once.
class GroupCommit::Readers {
 public:
  explicit Readers(const Ledger& ledger) : ledger_(ledger) {}

  /// Asks on a connection that nobody else uses meanwhile. One on which the file failed is not used again.
  template <class Question>
  std::invoke_result_t<Question, const Ledger&> ask(const Question& question) {
    GAUZE_TRY(Ledger reader, take());
    auto answer = question(reader);
    if (answer || answer.error().code == ErrorCode::invalid_parameter) put_back(std::move(reader));
    return answer;
  }

 private:
  Result<Ledger> take() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (idle_.empty()) return ledger_.reader();
    Ledger reader = std::move(idle_.back());
    idle_.pop_back();
    return reader;
  }

  void put_back(Ledger reader) {
    const std::lock_guard<std::mutex> lock(mutex_);
    idle_.push_back(std::move(reader));
  }

  const Ledger& ledger_;
  std::mutex mutex_;
  std::vector<Ledger> idle_;
};

GroupCommit::GroupCommit(Ledger ledger)
    : queue_(std::make_unique<Queue>(std::move(ledger))), readers_(std::make_unique<Readers>(queue_->ledger)) {}
GroupCommit::~GroupCommit() = default;

Granted GroupCommit::reserve(const ChargeRequest& request) {
  return std::get<Granted>(queue_->wait_for({.kind = EntryKind::reserve, .request = &request}));
}

Granted GroupCommit::spend(const ChargeRequest& request, const Outcome& outcome) {
  return std::get<Granted>(queue_->wait_for({.kind = EntryKind::spend, .request = &request, .outcome = &outcome}));
}

Result<ChainedEntry> GroupCommit::commit(std::int64_t reservation, const Outcome& outcome) {
  return std::get<Result<ChainedEntry>>(
      queue_->wait_for({.kind = EntryKind::commit, .reservation = reservation, .outcome = &outcome}));
}

Result<ChainedEntry> GroupCommit::record_progress(std::int64_t reservation, std::int64_t steps) {
  return std::get<Result<ChainedEntry>>(
      queue_->wait_for({.kind = EntryKind::progress, .reservation = reservation, .steps = steps}));
}

Result<Balance> GroupCommit::balance(const std::string& dataset) const {
  return readers_->ask([&](const Ledger& ledger) { return ledger.balance(dataset); });
}

Result<std::optional<RequestRecord>> GroupCommit::find_request(const std::string& dataset,
                                                               const std::string& id) const {
  return readers_->ask([&](const Ledger& ledger) { return ledger.find_request(dataset, id); });
}

Result<StepReservation> GroupCommit::step_reservation(std::int64_t reservation) const {
  return readers_->ask([&](const Ledger& ledger) { return ledger.step_reservation(reservation); });
}

Result<CommitmentKey> GroupCommit::commitment_key(std::int64_t entry) const {
  return readers_->ask([&](const Ledger& ledger) { return ledger.commitment_key(entry); });
}

}  // namespace gauze
