#include "gauze/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "gauze/base/error.h"

namespace gauze {
namespace {

std::atomic<int> requested_threads{0};
thread_local bool inside_loop = false;

/// One loop that several threads take pieces from.
struct Loop {
  std::size_t size = 0;
  std::size_t grain = 1;
  const std::function<void(std::size_t, std::size_t)>* body = nullptr;
  std::atomic<std::size_t> next{0};
  int helpers_inside = 0;  // guarded by the pool's mutex

  void run() noexcept {
    inside_loop = true;
    for (;;) {
      const std::size_t begin = next.fetch_add(grain);
      if (begin >= size) break;
      (*body)(begin, std::min(size, begin + grain));
    }
    inside_loop = false;
  }
};

/// Worker threads that sleep until a loop is offered. One loop at a time: a second caller runs its loop alone.
class Pool {
 public:
  static Pool& instance() {
    static Pool pool;
    return pool;
  }

  /// Offers the loop to `helpers` workers and works on it too; false when the pool is taken by another loop.
  bool run(Loop& loop, int helpers) {
    {
      const std::lock_guard lock(mutex_);
      if (current_ != nullptr) return false;
      while (static_cast<int>(workers_.size()) < helpers) workers_.emplace_back([this] { work(); });
      current_ = &loop;
      places_ = helpers;
    }
    wake_.notify_all();
    loop.run();
    std::unique_lock lock(mutex_);
    places_ = 0;
    done_.wait(lock, [&] { return loop.helpers_inside == 0; });
    current_ = nullptr;
    return true;
  }

 private:
  Pool() = default;
  ~Pool() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    wake_.notify_all();
    for (auto& worker : workers_) worker.join();
  }

  void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      wake_.wait(lock, [this] { return stopping_ || places_ > 0; });
      if (stopping_) return;
      --places_;
      Loop* loop = current_;
      ++loop->helpers_inside;
      lock.unlock();
      loop->run();
      lock.lock();
      if (--loop->helpers_inside == 0) done_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable done_;
  std::vector<std::thread> workers_;
  Loop* current_ = nullptr;
  int places_ = 0;
  bool stopping_ = false;
};

}  // namespace

void set_thread_count(int count) { requested_threads.store(std::max(0, count)); }

int thread_count() {
  const int requested = requested_threads.load();
  if (requested > 0) return requested;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void parallel_for(std::size_t size, std::size_t grain, const std::function<void(std::size_t, std::size_t)>& body) {
  if (size == 0) return;
  Loop loop;
  loop.size = size;
  loop.grain = std::max<std::size_t>(1, grain);
  loop.body = &body;
  const std::size_t pieces = (size - 1) / loop.grain + 1;
  const int helpers = static_cast<int>(std::min<std::size_t>(pieces, static_cast<std::size_t>(thread_count()))) - 1;
  const bool nested = inside_loop;
  if (nested || helpers <= 0 || !Pool::instance().run(loop, helpers)) {
    loop.run();
    inside_loop = nested;
  }
}

}  // namespace gauze
