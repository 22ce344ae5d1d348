#pragma once

#include <fmt/core.h>

#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "gauze/base/error.h"
#include "gauze/base/progress.h"

namespace gauze::cli {

/// Where the bytes of a stream go. False when they could not be written; `reader_gone` tells a closed pipe from a
/// full disk.
struct Sink {
  struct Outcome {
    bool written = true;
    bool reader_gone = false;
    std::string reason;  ///< of a failure, for people
  };
  std::function<Outcome(std::string_view)> write;
};

/// Text on its way to a sink, buffered. A failure sticks: what comes after it is dropped, and flush() reports it.
class OutputWriter {
 public:
  explicit OutputWriter(Sink sink) : sink_(std::move(sink)) {}

  void write(std::string_view text);
  template <class... Args>
  void print(fmt::format_string<Args...> format, Args&&... args) {
    write(fmt::format(format, std::forward<Args>(args)...));
  }

  /// Hands over what is buffered. An `io` error when the sink failed now or before.
  [[nodiscard]] Result<void> flush();
  /// Output of a command that was asked to stop is not written on, except by flush(). The progress must outlive it.
  void stop_with(const Progress& progress) { progress_ = &progress; }
  /// Forgets what is buffered: a command that failed leaves no half of a result.
  void discard() { buffer_.clear(); }

  /// Whether bytes have reached the sink already, which nothing takes back.
  [[nodiscard]] bool begun() const { return begun_; }
  [[nodiscard]] bool failed() const { return !outcome_.written; }
  [[nodiscard]] bool reader_gone() const { return outcome_.reader_gone; }

 private:
  void hand_over();

  Sink sink_;
  std::string buffer_;
  Sink::Outcome outcome_;
  bool begun_ = false;
  const Progress* progress_ = nullptr;
};

/// Adds colour where it is wanted, and nothing elsewhere.
struct Style {
  bool enabled = false;

  [[nodiscard]] std::string bold(std::string_view text) const { return paint("1", text); }
  [[nodiscard]] std::string red(std::string_view text) const { return paint("1;31", text); }
  [[nodiscard]] std::string yellow(std::string_view text) const { return paint("1;33", text); }
  [[nodiscard]] std::string faint(std::string_view text) const { return paint("2", text); }

 private:
  [[nodiscard]] std::string paint(std::string_view code, std::string_view text) const;
};

}  // namespace gauze::cli
