#include "gauze/base/parallel.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>

namespace gauze {
namespace {

constexpr int kMaxThreads = 1024;

std::atomic<int> requested_threads{0};
thread_local bool inside_loop = false;

/// One loop that several threads take pieces from.
struct Loop {
  std::size_t size = 0;
  std::size_t grain = 1;
  std::size_t pieces = 0;
  const std::function<void(std::size_t, std::size_t)>* body = nullptr;
  std::atomic<std::size_t> next{0};
  int helpers_inside = 0;  // guarded by the pool's mutex

  void run() noexcept {
    inside_loop = true;
    for (std::size_t piece = next++; piece < pieces; piece = next++) {
      const std::size_t begin = piece * grain;
      (*body)(begin, begin + std::min(grain, size - begin));
    }
    inside_loop = false;
  }
};

/// Worker threads that sleep until a loop is offered. One loop at a time: a second caller runs its loop alone.
class Pool {
 public:
  /// Never destroyed, and made anew in a forked child: the workers do not exist there, and whoever waits for them, or
  /// for a lock that one of them held, waits for ever.
  static Pool& instance() {
    alignas(Pool) static std::byte place[sizeof(Pool)];
    static const auto make = [] { ::new (place) Pool; };
    [[maybe_unused]] static const bool made = (make(), ::pthread_atfork(nullptr, nullptr, make) == 0);
    return *std::launder(reinterpret_cast<Pool*>(place));
  }

  /// Offers the loop to `helpers` workers and works on it too; false when the pool is taken by another loop.
  bool run(Loop& loop, int helpers) {
    {
      const std::lock_guard lock(mutex_);
      if (current_ != nullptr) return false;
      hire(helpers);
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

  /// Starts workers until there are so many, or until the system gives no more: the loop is done all the same.
  void hire(int count) {
    try {
      for (; workers_ < count; ++workers_) std::thread([this] { work(); }).detach();
    } catch (const std::system_error&) {
    }
  }

  void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      wake_.wait(lock, [this] { return places_ > 0; });
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
  int workers_ = 0;
  Loop* current_ = nullptr;
  int places_ = 0;
};

}  // namespace

void set_thread_count(int count) { requested_threads.store(std::clamp(count, 0, kMaxThreads)); }

int thread_count() {
  const int requested = requested_threads.load();
  if (requested > 0) return requested;
  static const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));  // reads a file
  return cores;
}

void parallel_for(std::size_t size, std::size_t grain, const std::function<void(std::size_t, std::size_t)>& body) {
  if (size == 0) return;
  Loop loop;
  loop.size = size;
  loop.grain = std::max<std::size_t>(1, grain);
  loop.body = &body;
  loop.pieces = (size - 1) / loop.grain + 1;
  const int helpers = static_cast<int>(std::min(loop.pieces, static_cast<std::size_t>(thread_count()))) - 1;
  const bool nested = inside_loop;
  if (nested || helpers <= 0 || !Pool::instance().run(loop, helpers)) {
    loop.run();
    inside_loop = nested;
  }
}

}  // namespace gauze
