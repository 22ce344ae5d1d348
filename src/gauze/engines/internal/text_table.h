#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/engines/internal/input_file.h"
#include "gauze/files/file_descriptor.h"
#include "gauze/table/csv_reader.h"
#include "gauze/table/missing_tokens.h"
#include "gauze/table/read_options.h"
#include "gauze/table/text_form.h"

namespace gauze::engines {

/// One file of CSV in a form that every reader of CSV understands alike: UTF-8, one kind of line end, quotes only where
/// RFC 4180 has them. It has been read from front to back, so it is known to be sound and how many rows it has.
struct SoundCsv {
  std::string name;  ///< of the file it was made from
  FileDescriptor file;
  char delimiter = ',';
  bool header = false;
  bool crlf = false;
  bool quoted_line_ends = false;
  std::size_t longest_record = 0;
  std::uint64_t rows = 0;
};

/// A table of text: what its columns are called, and where its rows are.
struct TextTable {
  std::vector<std::string> columns;
  table::TextForm form;  ///< of the first file, as it was written
  std::vector<SoundCsv> files;

  [[nodiscard]] std::uint64_t rows() const;
};

/// Reads CSV files: finds out how each is written, checks every record, and rewrites into a nameless temporary file
/// what another reader might misunderstand. All files must have the same columns.
[[nodiscard]] Result<TextTable> read_csv_files(std::vector<InputFile> files, const table::ReadOptions& options,
                                               const std::filesystem::path& temporary);

/// The names of columns: those given, else those of the header, else column1, column2, ...; an empty name in a header is
/// filled in likewise. The same name twice, or more columns than kMostColumns, is `bad_data`, the wrong number of given
/// names `invalid_parameter`.
inline constexpr std::size_t kMostColumns = 20'000;
[[nodiscard]] Result<std::vector<std::string>> name_columns(const std::vector<std::string>& given,
                                                            std::vector<std::string> header, std::size_t count,
                                                            const std::string& file);

/// Rows laid out as sound CSV.
struct SoundLines {
  std::string text;
  std::uint64_t rows = 0;
  std::size_t longest_record = 0;
  bool quoted_line_ends = false;

  void add(std::span<const std::string_view> cells);
  void add(const std::vector<std::string>& cells);

 private:
  template <class Cells>
  void add_cells(const Cells& cells);
};

/// Writes sound CSV into a nameless temporary file.
class SoundCsvWriter {
 public:
  [[nodiscard]] static Result<SoundCsvWriter> create(const std::filesystem::path& temporary, std::string name);
  [[nodiscard]] Result<void> write(const SoundLines& lines);
  [[nodiscard]] Result<SoundCsv> finish() { return std::move(csv_); }

 private:
  SoundCsvWriter() = default;
  SoundCsv csv_;
};

}  // namespace gauze::engines
