#pragma once

#include <optional>
#include <string>

#include "gauze/table/encoding.h"
#include "gauze/text/documents/internal/document_form.h"

namespace gauze::text::internal {

/// What was read to find something out, and then the rest.
class ResumedSource final : public ByteSource {
 public:
  ResumedSource(std::string beginning, Source rest) : beginning_(std::move(beginning)), rest_(std::move(rest)) {}
  Result<std::size_t> read(std::span<char> block) override;

 private:
  std::string beginning_;
  std::size_t place_ = 0;
  Source rest_;
};

/// A source as UTF-8, and how its bytes are encoded. A byte order mark stays what it is, that of UTF-16 as U+FEFF.
struct DecodedSource {
  Source source;
  table::Encoding encoding = table::Encoding::utf8;
};

/// Decodes by the name of an encoding. Without one UTF-8 is UTF-8, a byte order mark tells UTF-16, and what is plainly GB 18030 from
/// its beginning is that; everything else is passed on as UTF-8, which whoever reads lines refuses with the line: one bad byte must
/// not turn the rest of a text into other letters. So are bytes that are no text in the encoding: they come out as FF.
[[nodiscard]] Result<DecodedSource> decode_source(Source source, const std::string& name,
                                                  const std::optional<std::string>& encoding);

}  // namespace gauze::text::internal
