#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string_view>

#include "gauze/base/error.h"

namespace gauze {

/// What long work tells whoever listens, and how it is asked to stop. Library code reports here and never prints.
///
/// Thread safety: advance() and stop_requested() may be called from any thread; the listener is called from the
/// thread that advances, at most about a thousand times a stage.
class Progress {
 public:
  struct Report {
    std::string_view stage;   ///< what is being done, for people
    std::uint64_t done = 0;   ///< steps finished in this stage
    std::uint64_t total = 0;  ///< steps of this stage; 0 when unknown
  };
  using Listener = std::function<void(const Report&)>;

  Progress() = default;
  explicit Progress(Listener listener) : listener_(std::move(listener)) {}

  /// Begins a stage. The text must outlive it.
  void begin(std::string_view stage, std::uint64_t total);
  void advance(std::uint64_t steps = 1);

  /// Asks the work to end soon; safe in a signal handler.
  void request_stop() { stop_.store(true, std::memory_order_relaxed); }
  [[nodiscard]] bool stop_requested() const { return stop_.load(std::memory_order_relaxed); }
  /// An `interrupted` error once a stop was asked for.
  [[nodiscard]] Result<void> check() const;

 private:
  Listener listener_;
  std::string_view stage_;
  std::uint64_t total_ = 0;
  std::atomic<std::uint64_t> done_{0};
  std::atomic<bool> stop_{false};
};

}  // namespace gauze
