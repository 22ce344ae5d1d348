#include "gauze/text/vectors/internal/byte_reader.h"

#include <algorithm>
#include <cstring>

namespace gauze::text::internal {

Result<bool> ByteReader::extend() {
  if (ended_) return false;
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    consumed_ += begin_;
    end_ -= begin_;
    begin_ = 0;
  }
  if (buffer_.size() < end_ + kBlock) buffer_.resize(std::max(end_ + kBlock, 2 * end_));
  GAUZE_TRY(const std::size_t got, source_.read(std::span(buffer_).subspan(end_)));
  end_ += got;
  ended_ = got == 0;
  return got > 0;
}

bool ByteReader::more() {
  const Result<bool> got = extend();
  if (!got) failure_ = tl::unexpected(got.error());
  return got && *got;
}

Result<std::string_view> ByteReader::peek() {
  while (end_ - begin_ < kBlock) {
    GAUZE_TRY(const bool got, extend());
    if (!got) break;
  }
  return std::string_view(buffer_).substr(begin_, std::min(end_ - begin_, kBlock));
}

Result<bool> ByteReader::line(std::string_view& line) {
  std::size_t searched = 0;
  ++lines_;
  for (;;) {
    const void* found = searched == end_ - begin_
                            ? nullptr
                            : std::memchr(buffer_.data() + begin_ + searched, '\n', end_ - begin_ - searched);
    if (found != nullptr) {
      const std::size_t place = static_cast<std::size_t>(static_cast<const char*>(found) - buffer_.data());
      line = std::string_view(buffer_).substr(begin_, place - begin_);
      begin_ = place + 1;
      return true;
    }
    searched = end_ - begin_;
    if (searched > kLongestLine) return bad_line("is longer than {} bytes", kLongestLine);
    GAUZE_TRY(const bool got, extend());
    if (!got) break;
  }
  line = std::string_view(buffer_).substr(begin_, end_ - begin_);
  begin_ = end_;
  return !line.empty();
}

Result<std::string_view> ByteReader::until(char delimiter, std::size_t longest) {
  std::size_t searched = 0;
  for (;;) {
    const std::string_view unread = std::string_view(buffer_).substr(begin_, end_ - begin_);
    const std::size_t place = unread.find(delimiter, searched);
    if (std::min(place, unread.size()) > longest) return bad_byte("a word is longer than {} bytes", longest);
    if (place != std::string_view::npos) {
      begin_ += place + 1;
      return unread.substr(0, place);
    }
    searched = unread.size();
    GAUZE_TRY(const bool got, extend());
    if (!got) return bad_byte("the file ends inside a word");
  }
}

Result<void> ByteReader::exactly(std::span<char> bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    if (begin_ == end_) {
      GAUZE_TRY(const bool got, extend());
      if (!got) return bad_byte("the file ends too early");
    }
    const std::size_t size = std::min(bytes.size() - done, end_ - begin_);
    std::memcpy(bytes.data() + done, buffer_.data() + begin_, size);
    begin_ += size;
    done += size;
  }
  return {};
}

Result<bool> ByteReader::at_end() {
  if (begin_ < end_) return false;
  GAUZE_TRY(const bool got, extend());
  return !got;
}

Result<void> ByteReader::skip_if(char byte) {
  GAUZE_TRY(const bool end, at_end());
  if (!end && buffer_[begin_] == byte) ++begin_;
  return {};
}

}  // namespace gauze::text::internal
