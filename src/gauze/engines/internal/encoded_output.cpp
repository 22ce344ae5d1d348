#include "gauze/engines/internal/encoded_output.h"

#include <utility>

#include "gauze/table/csv_text.h"

namespace gauze::engines {

Result<EncodedOutput> EncodedOutput::create(const std::string& target, table::Encoding encoding) {
  GAUZE_TRY(TextOutput output, TextOutput::create(target));
  GAUZE_TRY_VOID(output.write(table::byte_order_mark(encoding)));
  return EncodedOutput(std::move(output), encoding);
}

Result<void> EncodedOutput::write_names(std::span<const std::string_view> names, const table::TextForm& form) {
  std::string line;
  table::append_csv_line(line, names, form.delimiter.front());
  if (form.crlf) line.insert(line.size() - 1, 1, '\r');
  return write(line);
}

Result<void> EncodedOutput::write(std::string_view lines) {
  if (encoding_ == table::Encoding::utf8 || encoding_ == table::Encoding::utf8_with_bom) return output_.write(lines);
  GAUZE_TRY(const std::string encoded, table::encode(lines, encoding_));
  return output_.write(encoded);
}

}  // namespace gauze::engines
