#include "gauze/cli/internal/basket_flags.h"

#include <algorithm>

namespace gauze::cli {

using namespace patterns;  // the vocabulary of this file

Positional basket_positional() {
  return {.name = "file", .help = "transactions: one a line, or a matrix of 0 and 1", .is_file = true};
}

Flag basket_format_flag() {
  return {.name = "format",
          .placeholder = "FORMAT",
          .help = "how the file is written, when that is not found out rightly",
          .choices = {kBasketFormatWords.begin(), kBasketFormatWords.end()}};
}

std::vector<Flag> basket_threshold_flags() {
  return {{.name = "min-support", .placeholder = "F", .help = "the smallest share of transactions, between 0 and 1"},
          {.name = "min-count", .placeholder = "N", .help = "instead: the smallest number of transactions"},
          basket_format_flag()};
}

std::optional<BasketFormat> basket_format(const Invocation& invocation) {
  const auto word = invocation.optional_text("format");
  if (!word) return std::nullopt;
  return static_cast<BasketFormat>(std::find(kBasketFormatWords.begin(), kBasketFormatWords.end(), *word) -
                                   kBasketFormatWords.begin());
}

Result<BasketFile> read_baskets(Invocation& invocation, const std::string& path) {
  const auto read = [&]() -> Result<BasketFile> {
    if (path != "-") return BasketFile::read(path, basket_format(invocation));
    GAUZE_TRY(std::string bytes, invocation.read_input(path, std::size_t{1} << 32));
    return BasketFile::parse(std::move(bytes), basket_format(invocation));
  };
  GAUZE_TRY(BasketFile file, read());
  const BasketNotes& notes = file.notes();
  if (notes.repeated_items > 0)
    invocation.note(fmt::format("{} repeated items within transactions count once", notes.repeated_items));
  if (notes.empty_rows > 0) invocation.note(fmt::format("{} transactions are empty", notes.empty_rows));
  return file;
}

Result<BasketThreshold> basket_threshold(const Invocation& invocation, std::uint64_t rows) {
  if (invocation.has("min-support") == invocation.has("min-count"))
    return make_error(ErrorCode::usage, "give one of --min-support F and --min-count N");
  BasketThreshold threshold;
  if (invocation.has("min-count")) {
    GAUZE_TRY(const std::int64_t count, invocation.integer("min-count", 1));
    threshold.count = static_cast<std::uint64_t>(count);
    threshold.share = rows == 0 ? Rational(1) : Rational(count) / Rational(static_cast<std::int64_t>(rows));
    return threshold;
  }
  GAUZE_TRY(threshold.share, invocation.rational("min-support"));
  if (!(threshold.share > 0) || !(threshold.share <= 1))
    return invalid_parameter("--min-support must lie between 0 and 1, but is {}", threshold.share.to_decimal());
  threshold.count = min_count_for(threshold.share, rows);
  return threshold;
}

}  // namespace gauze::cli
