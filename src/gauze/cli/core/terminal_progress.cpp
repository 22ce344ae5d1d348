#include "gauze/cli/core/terminal_progress.h"

#include <fmt/core.h>

#include <algorithm>

namespace gauze::cli {
namespace {

constexpr std::chrono::milliseconds kPatience{500};
constexpr std::chrono::milliseconds kBetweenDrawings{100};
constexpr std::uint64_t kBarWidth = 30;
constexpr const char* kEraseLine = "\r\033[K";

/// A stage that comes again, as reading does, bears a number: a bar that begins anew is not one that went back.
std::string draw(const Progress::Report& report, int round) {
  const std::string stage = round == 1 ? std::string(report.stage) : fmt::format("{} ({})", report.stage, round);
  if (report.total == 0) return fmt::format("{} ... {}", stage, report.done);
  const std::uint64_t done = std::min(report.done, report.total);
  const double share = static_cast<double>(done) / static_cast<double>(report.total);
  const auto filled = static_cast<std::size_t>(share * static_cast<double>(kBarWidth));
  return fmt::format("{} [{}{}] {:3.0f} %", stage, std::string(filled, '#'), std::string(kBarWidth - filled, '.'),
                     100 * share);
}

}  // namespace

TerminalProgress::TerminalProgress(Sink sink, bool drawn, Clock clock)
    : sink_(std::move(sink)),
      clock_(std::move(clock)),
      begin_(clock_()),
      progress_(drawn ? Progress::Listener([this](const Progress::Report& report) { listen(report); }) : nullptr) {}

void TerminalProgress::listen(const Progress::Report& report) {
  const std::lock_guard lock(mutex_);
  // Threads may overtake each other by a few steps; a stage that begins has none behind it.
  Stage& stage = stages_[std::string(report.stage)];
  const bool begins = report.done == 0 || report.done < stage.done / 2;
  if (begins && stage.done > 0) ++stage.round;
  stage.done = begins ? report.done : std::max(stage.done, report.done);
  const auto now = clock_();
  if (now - begin_ < kPatience) return;
  if (visible_ && now - last_drawn_ < kBetweenDrawings) return;
  last_drawn_ = now;
  visible_ = true;
  const Progress::Report shown{.stage = report.stage, .done = stage.done, .total = report.total};
  static_cast<void>(sink_.write(kEraseLine + draw(shown, stage.round)));
}

void TerminalProgress::erase() {
  const std::lock_guard lock(mutex_);
  if (visible_) static_cast<void>(sink_.write(kEraseLine));
  visible_ = false;
}

}  // namespace gauze::cli
