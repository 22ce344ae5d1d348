#include "gauze/text/documents/internal/line_reader.h"

#include <algorithm>

#include "gauze/base/utf8.h"

namespace gauze::text::internal {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 18;

}  // namespace

Result<bool> LineReader::next(TextLine& line) {
  std::size_t scanned = place_;
  std::size_t stop = buffer_.find('\n', scanned);
  while (stop == std::string::npos && !ended_) {
    scanned = buffer_.size() - place_;
    buffer_.erase(0, place_);
    place_ = 0;
    if (buffer_.size() > longest_)
      return make_error(ErrorCode::bad_data, "{} is longer than {} MiB", name_.line(number_ + 1), longest_ >> 20);
    GAUZE_TRY_VOID(read_more());
    stop = buffer_.find('\n', scanned);
  }
  if (place_ == buffer_.size()) return false;
  const std::size_t end = std::min(stop, buffer_.size());
  line.text.assign(buffer_, place_, end - place_);
  line.end = stop == std::string::npos ? "" : "\n";
  if (!line.end.empty() && line.text.ends_with('\r')) {
    line.text.pop_back();
    line.end = "\r\n";
  }
  place_ = stop == std::string::npos ? buffer_.size() : stop + 1;
  ++number_;
  if (find_invalid_utf8(line.text) || line.text.find('\0') != std::string::npos)
    return asking_for("encoding", make_error(ErrorCode::bad_data, "{} {}", name_.line(number_), name_.not_text()));
  return true;
}

/// The buffer grows by a share of itself and is filled, whatever the source gives at once: so that a long line takes time in
/// proportion to its length.
Result<void> LineReader::read_more() {
  std::size_t size = buffer_.size();
  buffer_.resize(size + std::max(kBlock, size / 2));
  while (!ended_ && size < buffer_.size()) {
    GAUZE_TRY(const std::size_t got, source_->read(std::span(buffer_).subspan(size)));
    ended_ = got == 0;
    size += got;
  }
  buffer_.resize(size);
  return {};
}

}  // namespace gauze::text::internal
