// Any bytes are documents or an error, as lines, CSV or JSON lines; lines in UTF-8 with the same documents put back are the same
// bytes, and what was written with a column is read again as the same documents.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/text/documents/document_stream.h"

using namespace gauze;
using namespace gauze::text;

namespace {

struct Copy {
  std::vector<std::string> documents;
  std::string bytes;  ///< as UTF-8
  table::Encoding encoding = table::Encoding::utf8;
};

std::optional<Copy> copy(std::string_view bytes, const std::optional<std::string>& column) {
  auto stream = DocumentStream::open(std::make_unique<TextSource>(bytes), "x", {.column = column, .batch_bytes = 16});
  if (!stream) return std::nullopt;
  Copy result{.documents = {}, .bytes = {}, .encoding = stream->encoding()};
  for (;;) {
    auto batch = stream->next();
    if (!batch) return std::nullopt;
    result.bytes += stream->with(*batch);
    if (batch->empty()) return result;
    result.documents.insert(result.documents.end(), batch->begin(), batch->end());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto lines = copy(bytes, std::nullopt);
  if (lines && lines->encoding == table::Encoding::utf8 && lines->bytes != bytes) std::abort();
  if (const auto table = copy(bytes, "text")) {
    const auto again = copy(table->bytes, "text");
    if (!again || again->documents != table->documents) std::abort();
  }
  return 0;
}
