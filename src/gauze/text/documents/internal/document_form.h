#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "gauze/base/error.h"
#include "gauze/files/byte_source.h"
#include "gauze/table/encoding.h"

namespace gauze::text::internal {

/// What messages call a source and a place in it.
struct SourceName {
  std::string name;
  std::string unnumbered_line;  ///< what a line is called where numbers of lines are not told; else empty
  table::Encoding encoding = table::Encoding::utf8;
  /// What is wrong with a line that holds no text in the encoding.
  [[nodiscard]] std::string not_text() const {
    const bool utf8 = encoding == table::Encoding::utf8 || encoding == table::Encoding::utf8_with_bom;
    return fmt::format("is not text in {}: mend it, or say which encoding it has",
                       utf8 ? "UTF-8" : to_string(encoding));
  }
  [[nodiscard]] bool tells_numbers() const { return unnumbered_line.empty(); }
  [[nodiscard]] std::string line(std::uint64_t number) const {
    return tells_numbers() ? fmt::format("{}: line {}", name, number) : fmt::format("{}: {}", name, unnumbered_line);
  }
};

/// One way to read documents and to write them back.
class DocumentForm {
 public:
  virtual ~DocumentForm() = default;
  /// The next document; false at the end.
  [[nodiscard]] virtual Result<bool> next(std::string& document) = 0;
  /// Forgets the records read so far: a new batch begins.
  virtual void begin_batch() = 0;
  /// Adds the record number `place` of the batch with this document in it.
  virtual void append(std::string& text, std::size_t place, const std::string& document) = 0;
  /// What stands before the first document.
  [[nodiscard]] virtual std::string before() const { return {}; }
};

using Source = std::unique_ptr<ByteSource>;

[[nodiscard]] std::unique_ptr<DocumentForm> make_line_form(Source source, SourceName name);
[[nodiscard]] std::unique_ptr<DocumentForm> make_json_form(Source source, SourceName name, std::string key);

struct CsvLayout {
  std::string column;
  std::optional<char> delimiter = std::nullopt;  ///< found out unless given
};
/// `beginning`: the first bytes of the source, which it gives again.
[[nodiscard]] Result<std::unique_ptr<DocumentForm>> make_csv_form(Source source, SourceName name,
                                                                  const CsvLayout& layout, std::string_view beginning,
                                                                  bool whole);

}  // namespace gauze::text::internal
