#include "gauze/cli/flags/table_flags.h"

namespace gauze::cli {

std::vector<Flag> table_flags() {
  return {{.name = "delimiter",
           .placeholder = "C",
           .help = "what separates the cells of a CSV file; `tab` is a tabulator"},
          {.name = "quote", .placeholder = "C", .help = "what quotes the cells of a CSV file; `none`: nothing does"},
          {.name = "no-header", .help = "the first line of a CSV file is a row, not the names of the columns"},
          {.name = "names", .placeholder = "A,B,...", .help = "names of the columns, instead of those in the file"},
          {.name = "null",
           .placeholder = "TOKEN",
           .help = "a text that means missing, besides `?` and the empty text",
           .repeatable = true},
          {.name = "encoding",
           .placeholder = "NAME",
           .help = "how a text file is encoded; found out unless given",
           .choices = {"utf-8", "utf-16", "gb18030", "latin-1"}},
          {.name = "decimal",
           .placeholder = "C",
           .help = "how numbers are written, 1,234.5 or 1.234,5; found out unless given",
           .choices = all_words(table::kDecimalSignWords)}};
}

Result<table::ReadOptions> read_options(const Invocation& invocation, table::ReadOptions options) {
  if (auto delimiter = invocation.optional_text("delimiter"))
    options.delimiter = *delimiter == "tab" ? "\t" : *delimiter;
  if (auto quote = invocation.optional_text("quote")) options.quote = *quote == "none" ? "" : *quote;
  if (invocation.has("no-header")) options.header = false;
  if (invocation.has("names")) {
    GAUZE_TRY(options.names, invocation.list("names"));
  }
  for (std::string& token : invocation.texts("null")) options.null_tokens.push_back(std::move(token));
  if (auto encoding = invocation.optional_text("encoding")) options.encoding = std::move(encoding);
  if (invocation.has("decimal")) {
    GAUZE_TRY(options.decimal, invocation.value("decimal", table::kDecimalSignWords));
  }
  return options;
}

Positional table_positional() {
  return {
      .name = "file", .help = "CSV, Parquet or JSON lines, also .gz and .zst; a glob; - for stdin", .is_file = true};
}

}  // namespace gauze::cli
