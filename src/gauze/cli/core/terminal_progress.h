#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <string>

#include "gauze/base/progress.h"
#include "gauze/cli/core/output_writer.h"

namespace gauze::cli {

/// Draws progress as a bar on one line of a terminal. Work that ends within half a second shows nothing.
class TerminalProgress {
 public:
  using Clock = std::function<std::chrono::steady_clock::time_point()>;

  /// Not `drawn`: listens, but shows nothing.
  TerminalProgress(Sink sink, bool drawn, Clock clock = std::chrono::steady_clock::now);
  ~TerminalProgress() { erase(); }
  TerminalProgress(const TerminalProgress&) = delete;
  TerminalProgress& operator=(const TerminalProgress&) = delete;

  [[nodiscard]] Progress& progress() { return progress_; }
  /// Takes the bar away, so that the next thing printed begins on a clean line.
  void erase();

 private:
  void listen(const Progress::Report& report);

  /// How far a stage is, and how often it was begun.
  struct Stage {
    std::uint64_t done = 0;
    int round = 1;
  };

  Sink sink_;
  Clock clock_;
  std::mutex mutex_;  // reports come from the threads that work
  std::chrono::steady_clock::time_point begin_;
  std::chrono::steady_clock::time_point last_drawn_;
  bool visible_ = false;
  std::map<std::string, Stage> stages_;
  Progress progress_;
};

}  // namespace gauze::cli
