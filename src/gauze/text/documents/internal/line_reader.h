#pragma once

#include <cstdint>
#include <string>

#include "gauze/base/error.h"
#include "gauze/text/documents/internal/document_form.h"

namespace gauze::text::internal {

/// A line, and the bytes that end it: LF, CR LF, or nothing for a last line without an end.
struct TextLine {
  std::string text;
  std::string end;
};

/// Lines one after the other. Not UTF-8, a NUL byte, or a line that is too long: `bad_data` with the line, if that is told.
class LineReader {
 public:
  static constexpr std::size_t kLongestLine = std::size_t{256} << 20;

  LineReader(Source source, SourceName name, std::size_t longest = kLongestLine)
      : source_(std::move(source)), name_(std::move(name)), longest_(longest) {}
  /// False at the end.
  [[nodiscard]] Result<bool> next(TextLine& line);
  [[nodiscard]] std::uint64_t number() const { return number_; }
  [[nodiscard]] const SourceName& name() const { return name_; }

 private:
  [[nodiscard]] Result<void> read_more();

  Source source_;
  SourceName name_;
  std::size_t longest_;
  std::string buffer_;
  std::size_t place_ = 0;
  bool ended_ = false;
  std::uint64_t number_ = 0;
};

}  // namespace gauze::text::internal
