#include "gauze/cli/patterns/basket_flags.h"

#include <algorithm>
#include <filesystem>

#include "gauze/base/joined.h"
#include "gauze/engines/open_source.h"
#include "gauze/files/compression.h"
#include "gauze/patterns/baskets/long_table.h"
#include "gauze/publish/labelled_table.h"
#include "gauze/table/csv_dialect.h"

namespace gauze::cli {

using namespace patterns;  // the vocabulary of this file

namespace {

void tell(Invocation& invocation, const BasketNotes& notes) {
  if (notes.repeated_items > 0)
    invocation.note(counted(notes.repeated_items, "repeated item") + " within transactions: counted once");
  if (notes.empty_rows > 0) invocation.note(counted(notes.empty_rows, "empty transaction"));
  if (notes.other_delimiter.empty()) return;
  const bool can_be_given = notes.other_delimiter.size() == 1;
  invocation.warn(
      {"other_delimiter",
       fmt::format("the rows look separated by '{}', but were not read like that: {}",
                   notes.other_delimiter == "\t" ? "tab" : notes.other_delimiter,
                   can_be_given ? fmt::format("if they are, give --delimiter '{}'",
                                              notes.other_delimiter == "\t" ? "tab" : notes.other_delimiter)
                                : "if they are, put commas there")});
}

/// What the table engine is told of these flags.
table::ReadOptions table_options(const BasketReading& reading) {
  table::ReadOptions options;
  if (reading.delimiter) options.delimiter = std::string(1, *reading.delimiter);
  options.encoding = reading.encoding;
  return options;
}

}  // namespace

bool is_table_file(const std::string& path) {
  std::filesystem::path name(path);
  const auto is_one_of = [](const std::string& extension, std::initializer_list<std::string_view> list) {
    return std::find(list.begin(), list.end(), extension) != list.end();
  };
  if (compression_of_name(path) != Compression::none) name.replace_extension();
  const std::string extension = name.extension();
  return is_one_of(extension, {".parquet", ".pq", ".json", ".jsonl", ".ndjson"}) ||
         (path.find('*') != std::string::npos && is_one_of(extension, {".csv", ".tsv"}));
}

Positional basket_positional() {
  return {.name = "file",
          .help = "transactions: one a line, a matrix of 0 and 1, or a table with a line for each item",
          .is_file = true};
}

std::vector<Flag> basket_reading_flags() {
  return {{.name = "format",
           .placeholder = "FORMAT",
           .help = "how the file is written, when that is not found out rightly",
           .choices = all_words(kBasketFormatWords)},
          {.name = "transaction",
           .placeholder = "COLUMN",
           .help = "of a table with a line for each item: the column that says which transaction it belongs to"},
          {.name = "item", .placeholder = "COLUMN", .help = "of such a table: the column with the item"},
          {.name = "delimiter",
           .placeholder = "C",
           .help = "what separates items or cells, when it is no comma and no blank; `tab` is a tabulator"},
          {.name = "encoding",
           .placeholder = "NAME",
           .help = "how files are encoded; found out for each unless given",
           .choices = {"utf-8", "utf-16", "gb18030", "latin-1"}}};
}

std::vector<Flag> basket_threshold_flags() {
  std::vector<Flag> flags = {
      {.name = "min-support", .placeholder = "F", .help = "the smallest share of transactions, between 0 and 1"},
      {.name = "min-count", .placeholder = "N", .help = "instead: the smallest number of transactions"}};
  for (Flag& flag : basket_reading_flags()) flags.push_back(std::move(flag));
  return flags;
}

Result<BasketReading> basket_reading(const Invocation& invocation) {
  BasketReading reading;
  if (invocation.has("format")) {
    GAUZE_TRY(reading.format, invocation.value("format", kBasketFormatWords));
  }
  reading.transaction = invocation.optional_text("transaction");
  reading.item = invocation.optional_text("item");
  reading.encoding = invocation.optional_text("encoding");
  if (const auto delimiter = invocation.optional_text("delimiter")) {
    GAUZE_TRY(reading.delimiter, table::parse_mark(*delimiter, "--delimiter"));
  }
  return reading;
}

Result<BasketFile> read_baskets(Invocation& invocation, const std::string& path) {
  const auto read = [&]() -> Result<BasketFile> {
    GAUZE_TRY(const BasketReading reading, basket_reading(invocation));
    if (is_table_file(path)) {
      GAUZE_TRY(const engines::OpenedSource opened, engines::open_source(path, table_options(reading)));
      return read_long_table(*opened.source, reading, invocation.progress());
    }
    if (path != "-") return BasketFile::read(path, reading);
    GAUZE_TRY(std::string bytes, invocation.read_input(path, std::size_t{1} << 32));
    return BasketFile::parse(std::move(bytes), reading);
  };
  GAUZE_TRY(BasketFile file, read());
  tell(invocation, file.notes());
  return file;
}

Result<BasketFile> read_baskets_as_text(Invocation& invocation, const std::string& path) {
  if (!is_table_file(path)) return read_baskets(invocation, path);
  GAUZE_TRY(BasketReading reading, basket_reading(invocation));
  if (reading.format && *reading.format != BasketFormat::long_table)
    return invalid_parameter("{} is read as a long table: a column of transactions and one of items", path);
  reading.format = BasketFormat::long_table;
  GAUZE_TRY(const engines::OpenedSource opened, engines::open_source(path, table_options(reading)));
  reading.delimiter.reset();  // the text has commas, and is UTF-8
  reading.encoding.reset();
  GAUZE_TRY(std::string text, long_table_text(*opened.source, invocation.progress()));
  GAUZE_TRY(BasketFile file, BasketFile::parse(std::move(text), reading));
  tell(invocation, file.notes());
  return file;
}

Result<std::string> packed_as_named(const std::string& bytes, const std::string& output) {
  const Compression compression = compression_of_name(output);
  if (compression == Compression::none) return bytes;
  return compress_piece(bytes, compression);
}

Result<void> write_baskets(publish::LabelledOutput& output, const std::string& bytes, const BasketReading& reading,
                           Progress& progress) {
  if (!is_table_file(output.target())) {
    GAUZE_TRY(const std::string packed, packed_as_named(bytes, output.target()));
    return output.write(packed);
  }
  GAUZE_TRY(const BasketFile file, BasketFile::parse(bytes, reading));
  GAUZE_TRY(const auto rows, long_table_rows(file));
  return publish::write_rows(*rows, {}, output, progress);
}

Result<HidingThreshold> basket_threshold(const Invocation& invocation, std::uint64_t rows) {
  if (invocation.has("min-support") == invocation.has("min-count"))
    return make_error(ErrorCode::usage, "give one of --min-support F and --min-count N");
  if (invocation.has("min-count")) {
    GAUZE_TRY(const std::int64_t count, invocation.integer("min-count", 1));
    return HidingThreshold::of_count(static_cast<std::uint64_t>(count), rows);
  }
  GAUZE_TRY(const Rational share, invocation.rational("min-support"));
  if (!(share > 0) || !(share <= 1))
    return invalid_parameter("--min-support must lie between 0 and 1, but is {}", share.to_decimal());
  return HidingThreshold::of_share(share, rows);
}

}  // namespace gauze::cli
