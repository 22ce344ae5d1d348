#include "gauze/text/documents/internal/decoded_source.h"

#include <algorithm>

#include "gauze/base/utf8.h"

namespace gauze::text::internal {
namespace {

using table::Encoding;

constexpr std::size_t kSample = std::size_t{1} << 18;

bool is_utf16(Encoding encoding) { return encoding == Encoding::utf16le || encoding == Encoding::utf16be; }

/// A decoder beside what it decodes.
class OwningDecoder final : public ByteSource {
 public:
  OwningDecoder(Source bytes, Source decoder) : bytes_(std::move(bytes)), decoder_(std::move(decoder)) {}
  Result<std::size_t> read(std::span<char> block) override { return decoder_->read(block); }

 private:
  Source bytes_;
  Source decoder_;
};

Result<Encoding> encoding_of(std::string_view sample, const std::optional<std::string>& given) {
  if (given) return table::parse_encoding(*given, sample);
  const auto found = table::sniff_encoding(sample);
  return found && (*found == Encoding::gb18030 || is_utf16(*found)) ? *found : Encoding::utf8;
}

}  // namespace

Result<std::size_t> ResumedSource::read(std::span<char> block) {
  if (place_ == beginning_.size()) return rest_->read(block);
  const std::size_t size = std::min(block.size(), beginning_.size() - place_);
  std::copy_n(beginning_.data() + place_, size, block.data());
  place_ += size;
  return size;
}

Result<DecodedSource> decode_source(Source source, const std::string& name,
                                    const std::optional<std::string>& encoding) {
  std::string sample(kSample, '\0');
  GAUZE_TRY(const std::size_t size, read_fully(*source, sample));
  sample.resize(size);
  DecodedSource decoded;
  GAUZE_TRY(decoded.encoding, encoding_of(sample, encoding));
  const bool marked = is_utf16(decoded.encoding) && sample.starts_with(table::byte_order_mark(decoded.encoding));
  decoded.source = std::make_unique<ResumedSource>(std::move(sample), std::move(source));
  if (decoded.encoding == Encoding::utf8 || decoded.encoding == Encoding::utf8_with_bom) return decoded;
  GAUZE_TRY(Source decoder, table::decode(*decoded.source, decoded.encoding, name, table::BadBytes::mark));
  decoded.source = std::make_unique<OwningDecoder>(std::move(decoded.source), std::move(decoder));
  if (marked)
    decoded.source = std::make_unique<ResumedSource>(std::string(kByteOrderMark), std::move(decoded.source));
  return decoded;
}

}  // namespace gauze::text::internal
