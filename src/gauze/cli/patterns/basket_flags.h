#pragma once

#include <vector>

#include "gauze/cli/core/command_registry.h"
#include "gauze/cli/core/invocation.h"
#include "gauze/patterns/baskets/basket_file.h"
#include "gauze/patterns/hiding/pattern_standing.h"
#include "gauze/publish/labelled_output.h"

namespace gauze::cli {

/// So many itemsets are found at most, unless --max-itemsets says otherwise.
inline constexpr std::uint64_t kMostItemsets = 10'000'000;

/// FILE: transactions.
[[nodiscard]] Positional basket_positional();
/// --format, --transaction, --item, --delimiter, --encoding
[[nodiscard]] std::vector<Flag> basket_reading_flags();
/// --min-support, --min-count, and those
[[nodiscard]] std::vector<Flag> basket_threshold_flags();

/// What these flags say.
[[nodiscard]] Result<patterns::BasketReading> basket_reading(const Invocation& invocation);
/// Reads a file, or stdin for "-", and says what was odd about it. Parquet, JSON lines and compressed tables are read
/// through the table engine; they have no bytes that marks could be written into (BasketFile::has_bytes).
[[nodiscard]] Result<patterns::BasketFile> read_baskets(Invocation& invocation, const std::string& path);

/// The same for a file that will be released: a table of the engine (Parquet, JSON lines) becomes text first.
[[nodiscard]] Result<patterns::BasketFile> read_baskets_as_text(Invocation& invocation, const std::string& path);
/// The bytes, packed when the name of the output ends in .gz or .zst.
[[nodiscard]] Result<std::string> packed_as_named(const std::string& bytes, const std::string& output);
/// Writes released bytes and OUT.label.json; as Parquet when the name of the output says so. `reading`: how they are read.
[[nodiscard]] Result<void> write_baskets(publish::LabelledOutput& output, const std::string& bytes,
                                         const patterns::BasketReading& reading, Progress& progress);
/// Whether an output of this name is written through the table engine: places in its bytes mean nothing then.
[[nodiscard]] bool is_table_file(const std::string& path);

/// One of --min-support and --min-count, both ways.
[[nodiscard]] Result<patterns::HidingThreshold> basket_threshold(const Invocation& invocation, std::uint64_t rows);

}  // namespace gauze::cli
