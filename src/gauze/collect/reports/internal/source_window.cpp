#include "gauze/collect/reports/internal/source_window.h"

#include <cstring>
#include <utility>

namespace gauze::collect::internal {

SourceWindow::SourceWindow(std::unique_ptr<ByteSource> source, std::size_t window_bytes)
    : source_(std::move(source)) {
  for (auto& buffer : buffers_) buffer.resize(kMostCarried + window_bytes);
}

Result<void> SourceWindow::read_ahead() {
  if (ahead_is_end_) return {};
  const std::span<char> room = std::span(buffers_[1 - current_]).subspan(kMostCarried);
  GAUZE_TRY(ahead_, read_fully(*source_, room));
  ahead_is_end_ = ahead_ < room.size();
  return {};
}

void SourceWindow::advance(std::size_t taken) {
  const auto rest = bytes_.subspan(taken);
  GAUZE_CHECK(rest.size() <= kMostCarried);
  auto& next = buffers_[1 - current_];
  char* begin = next.data() + kMostCarried - rest.size();
  if (!rest.empty()) std::memcpy(begin, rest.data(), rest.size());
  bytes_ = {reinterpret_cast<const unsigned char*>(begin), rest.size() + ahead_};
  is_end_ = ahead_is_end_;
  ahead_ = 0;
  current_ = 1 - current_;
}

}  // namespace gauze::collect::internal
