#include "gauze/cli/patterns/basket_flags.h"

#include <algorithm>
#include <filesystem>

#include "gauze/cli/tables/labelled_table.h"
#include "gauze/engines/open_source.h"
#include "gauze/patterns/baskets/long_table.h"

namespace gauze::cli {

using namespace patterns;  // the vocabulary of this file

namespace {

bool declares(const Invocation& invocation, std::string_view name) {
  const std::vector<Flag>& flags = invocation.command().flags;
  return std::any_of(flags.begin(), flags.end(), [&](const Flag& flag) { return flag.name == name; });
}

void tell(Invocation& invocation, const BasketNotes& notes) {
  if (notes.repeated_items > 0)
    invocation.note(fmt::format("{} repeated items within transactions count once", notes.repeated_items));
  if (notes.empty_rows > 0) invocation.note(fmt::format("{} transactions are empty", notes.empty_rows));
}

}  // namespace

bool is_table_file(const std::string& path) {
  std::filesystem::path name(path);
  const auto is_one_of = [](const std::string& extension, std::initializer_list<std::string_view> list) {
    return std::find(list.begin(), list.end(), extension) != list.end();
  };
  const bool compressed = is_one_of(name.extension(), {".gz", ".zst"});
  if (compressed) name.replace_extension();
  const std::string extension = name.extension();
  return is_one_of(extension, {".parquet", ".pq", ".json", ".jsonl", ".ndjson"}) ||
         ((compressed || path.find('*') != std::string::npos) && is_one_of(extension, {".csv", ".tsv"}));
}

Positional basket_positional() {
  return {.name = "file",
          .help = "transactions: one a line, a matrix of 0 and 1, or a table with a line for each item",
          .is_file = true};
}

Flag basket_format_flag() {
  return {.name = "format",
          .placeholder = "FORMAT",
          .help = "how the file is written, when that is not found out rightly",
          .choices = all_words(kBasketFormatWords)};
}

std::vector<Flag> basket_reading_flags() {
  return {basket_format_flag(),
          {.name = "transaction",
           .placeholder = "COLUMN",
           .help = "of a table with a line for each item: the column that says which transaction it belongs to"},
          {.name = "item", .placeholder = "COLUMN", .help = "of such a table: the column with the item"}};
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
  if (declares(invocation, "transaction")) reading.transaction = invocation.optional_text("transaction");
  if (declares(invocation, "item")) reading.item = invocation.optional_text("item");
  return reading;
}

Result<BasketFile> read_baskets(Invocation& invocation, const std::string& path) {
  const auto read = [&]() -> Result<BasketFile> {
    GAUZE_TRY(const BasketReading reading, basket_reading(invocation));
    if (is_table_file(path)) {
      GAUZE_TRY(const engines::OpenedSource opened, engines::open_source(path, {}));
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
  GAUZE_TRY(const engines::OpenedSource opened, engines::open_source(path, {}));
  GAUZE_TRY(std::string text, long_table_text(*opened.source, invocation.progress()));
  GAUZE_TRY(BasketFile file, BasketFile::parse(std::move(text), reading));
  tell(invocation, file.notes());
  return file;
}

Result<void> write_baskets(publish::LabelledOutput& output, const std::string& text, Progress& progress) {
  if (!is_table_file(output.target())) return output.write(text);
  GAUZE_TRY(const auto rows, long_table_rows(text));
  return write_rows(*rows, ",", output, progress);
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
