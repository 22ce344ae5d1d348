#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/base/progress.h"
#include "gauze/files/byte_source.h"
#include "gauze/table/encoding.h"

namespace gauze::text {

namespace internal {
class DocumentForm;
}

/// Documents of a file, a batch at a time, and the same file with other documents in their place: one document a line, or a
/// column of CSV or TSV (with a first line of names) or of JSON lines. A byte order mark, line ends (of CSV those of the first
/// line), other columns and the order of keys stay.
///
/// Memory is that of a batch. Bytes that are no text in their encoding and damaged records are `bad_data` with the line, never with
/// what it holds. So is CSV in which a line may be the second of a text or a record of its own (a quote that is not closed, or of another
/// kind, a backslash at the end of a cell): other columns are private words then.
class DocumentStream {
 public:
  struct Options {
    std::optional<std::string> column = std::nullopt;  ///< its name; without it one document a line
    std::optional<char> delimiter = std::nullopt;      ///< of CSV; found out unless given
    /// "utf-8", "utf-16", "gb18030", "latin-1"; unless given found out of the beginning, but for the last.
    std::optional<std::string> encoding = std::nullopt;
    bool strip_html = false;                         ///< documents are HTML: only their text is given (html_text.h)
    std::size_t batch_bytes = std::size_t{4} << 20;  ///< a batch ends beyond so many bytes of text
    /// What messages call a damaged line, "some line", where its number is not for them; else they give the number.
    std::string unnumbered_line = {};
  };
  /// `name` is what messages call the source. `unknown_column` when there is no such column. A file with a column is JSON
  /// lines when it begins with {, else CSV.
  [[nodiscard]] static Result<DocumentStream> open(std::unique_ptr<ByteSource> source, std::string name,
                                                   const Options& options);
  DocumentStream(DocumentStream&&) noexcept;
  ~DocumentStream();

  /// How the source is encoded; documents, and all that is written, are UTF-8 (table::encode writes it back).
  [[nodiscard]] table::Encoding encoding() const { return encoding_; }
  /// What stands before the first document: a byte order mark, the line of names, or nothing.
  [[nodiscard]] std::string heading() const;
  /// Of a file with columns the line of names alone, without mark and line end.
  [[nodiscard]] std::string names() const;
  /// The next documents; none at the end.
  [[nodiscard]] Result<std::vector<std::string>> next();
  /// The part of the file that the last batch stands in, with these documents (as many) instead; the first part with the
  /// line of names. Of a file without documents what there is besides.
  [[nodiscard]] std::string with(const std::vector<std::string>& documents);

 private:
  DocumentStream(std::unique_ptr<internal::DocumentForm> form, table::Encoding encoding, const Options& options);
  std::unique_ptr<internal::DocumentForm> form_;
  table::Encoding encoding_;
  std::size_t batch_bytes_;
  bool strip_html_;
  std::string mark_;  ///< of byte order, of a file with columns
  bool begun_ = false;
};

/// The files that paths and globs name; without any the standard input.
[[nodiscard]] Result<std::vector<std::string>> document_files(const std::vector<std::string>& sources);

/// All documents of a file, of those a glob matches or of "-": for work that needs them at once.
[[nodiscard]] Result<std::vector<std::string>> read_documents(const std::string& source,
                                                              const DocumentStream::Options& options);

}  // namespace gauze::text
