#include "gauze/base/progress.h"

#include <algorithm>
#include <bit>

namespace gauze {
namespace {

/// How many steps lie between two reports. When the total is unknown it grows with what is done.
std::uint64_t stride(std::uint64_t done, std::uint64_t total) {
  if (total > 0) return total / 1000 + (total % 1000 != 0 ? 1 : 0);
  return std::max<std::uint64_t>(1, std::bit_floor(done) / 32);
}

}  // namespace

void Progress::begin(std::string_view stage, std::uint64_t total) {
  stage_ = stage;
  total_ = total;
  done_.store(0);
  if (listener_) listener_({.stage = stage_, .done = 0, .total = total_});
}

void Progress::advance(std::uint64_t steps) {
  const std::uint64_t before = done_.fetch_add(steps);
  const std::uint64_t after = before + steps;
  if (!listener_ || after == before) return;
  const std::uint64_t every = stride(after, total_);
  const bool finished = before < total_ && total_ <= after;
  if (finished || after / every != before / every) listener_({.stage = stage_, .done = after, .total = total_});
}

Result<void> Progress::check() const {
  if (stop_requested()) return make_error(ErrorCode::interrupted, "interrupted; nothing was written");
  return {};
}

}  // namespace gauze
