#include "gauze/base/progress.h"

#include <algorithm>

namespace gauze {

void Progress::begin(std::string_view stage, std::uint64_t total) {
  stage_ = stage;
  total_ = total;
  stride_ = std::max<std::uint64_t>(1, total / 1000);
  done_.store(0);
  if (listener_) listener_({.stage = stage_, .done = 0, .total = total_});
}

void Progress::advance(std::uint64_t steps) {
  const std::uint64_t before = done_.fetch_add(steps);
  const std::uint64_t after = before + steps;
  if (listener_ && (after / stride_ != before / stride_ || after == total_)) {
    listener_({.stage = stage_, .done = after, .total = total_});
  }
}

Result<void> Progress::check() const {
  if (stop_requested()) return make_error(ErrorCode::interrupted, "interrupted; nothing was written");
  return {};
}

}  // namespace gauze
