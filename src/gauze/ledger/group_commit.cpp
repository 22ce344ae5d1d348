#include "gauze/ledger/group_commit.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <vector>

namespace gauze {
namespace {

constexpr std::size_t kLargestGroup = 4096;
/// How long the first waits for those who were answered together the last time: far less than a change takes.
constexpr std::chrono::milliseconds kGathering{1};

struct Waiting {
  const ChargeRequest* request;
  std::optional<Granted> answer;
};

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
    std::vector<ChargeRequest> requests;
    requests.reserve(group.size());
    for (const Waiting* one : group) requests.push_back(*one->request);
    lock.unlock();
    auto answers = ledger.spend_many(requests);
    lock.lock();
    for (std::size_t i = 0; i < group.size(); ++i) {
      group[i]->answer = answers ? std::move((*answers)[i]) : Granted(tl::unexpected<Refusal>(answers.error()));
    }
    busy = false;
    done.notify_all();
  }

  Ledger ledger;
  std::mutex mutex;
  std::condition_variable done;
  std::condition_variable arrived;
  std::vector<Waiting*> waiting;
  std::size_t last_size = 1;
  bool busy = false;
};

GroupCommit::GroupCommit(Ledger ledger) : queue_(std::make_unique<Queue>(std::move(ledger))) {}
GroupCommit::~GroupCommit() = default;

Granted GroupCommit::spend(const ChargeRequest& request) {
  Waiting mine{.request = &request, .answer = {}};
  std::unique_lock<std::mutex> lock(queue_->mutex);
  queue_->waiting.push_back(&mine);
  queue_->arrived.notify_one();
  while (!mine.answer) {
    if (queue_->busy) {
      queue_->done.wait(lock);
    } else {
      queue_->serve(lock);
    }
  }
  return *std::move(mine.answer);
}

}  // namespace gauze
