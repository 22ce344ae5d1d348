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
    const std::size_t old = buffer_.size();
    buffer_.resize(old + std::max(kBlock, old / 2));
    GAUZE_TRY(const std::size_t got, source_->read(std::span(buffer_).subspan(old)));
    buffer_.resize(old + got);
    ended_ = got == 0;
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
    return make_error(ErrorCode::bad_data, "{} is not text in UTF-8", name_.line(number_));
  return true;
}

}  // namespace gauze::text::internal
