#pragma once
// One line of the text formats: "word value value ...". Words may hold blanks, so values are counted from the right.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace gauze::text::internal {

/// "count dimensions", both positive.
struct VectorHeader {
  std::uint64_t count = 0;
  std::uint64_t dimensions = 0;
};
[[nodiscard]] std::optional<VectorHeader> parse_header(std::string_view line);

/// How many fields at the end of the line are numbers, not counting the first field of the line.
[[nodiscard]] std::size_t trailing_numbers(std::string_view line);

enum class LineFault { none, too_few, too_many, not_a_number, not_finite, no_word };
struct ParsedLine {
  std::string_view word;
  LineFault fault = LineFault::none;
};
/// Reads values.size() values from the end of the line; the word is what is left of them. A word with blanks whose last
/// piece is itself a number is taken for a row with too many values.
[[nodiscard]] ParsedLine parse_vector_line(std::string_view line, std::span<float> values);

}  // namespace gauze::text::internal
