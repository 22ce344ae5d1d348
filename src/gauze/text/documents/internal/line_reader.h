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

/// Lines of any length, one after the other. Not UTF-8, or a NUL byte: `bad_data` with the line, if that is told.
class LineReader {
 public:
  LineReader(Source source, SourceName name) : source_(std::move(source)), name_(std::move(name)) {}
  /// False at the end.
  [[nodiscard]] Result<bool> next(TextLine& line);
  [[nodiscard]] std::uint64_t number() const { return number_; }
  [[nodiscard]] const SourceName& name() const { return name_; }

 private:
  Source source_;
  SourceName name_;
  std::string buffer_;
  std::size_t place_ = 0;
  bool ended_ = false;
  std::uint64_t number_ = 0;
};

}  // namespace gauze::text::internal
