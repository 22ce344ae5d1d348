#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/patterns/baskets/basket_file.h"

namespace gauze::patterns::internal {

/// One line of a marks file: a change, and what is needed to undo it.
struct MarkLine {
  std::size_t row = 0;       ///< from 1
  std::size_t position = 0;  ///< in the line, or in the file for a long table
  std::string item;
  std::string operation;
  std::string text;  ///< the bytes that stood there; of a decoy, those that were added
};

/// An empty marks file: its header.
[[nodiscard]] std::string_view marks_header();
void append_mark(std::string& marks, const MarkLine& line);
/// Ends a marks file: says with SHA-256 which release it belongs to and which original it gives back.
void append_checks(std::string& marks, std::string_view released, std::string_view original);

/// A marks file as it was read.
struct Marks {
  std::vector<MarkLine> lines;
  std::string released;  ///< SHA-256 in hexadecimal
  std::string original;
};
/// `bad_data` for a file that does not end with its checks.
[[nodiscard]] Result<Marks> parse_marks(std::string_view text);

/// Undoes the changes wherever the text allows it; the checks are the caller's.
[[nodiscard]] Result<std::string> undo_marks(std::string_view released, const std::vector<MarkLine>& lines,
                                             const BasketReading& reading);

/// What stands in the released text where this change was made; nothing when the operation is not known.
/// `at`: the released text from there on.
[[nodiscard]] std::optional<std::string> released_text(const MarkLine& line, std::string_view at);
/// What stood there before.
[[nodiscard]] std::string_view original_text(const MarkLine& line);

}  // namespace gauze::patterns::internal
