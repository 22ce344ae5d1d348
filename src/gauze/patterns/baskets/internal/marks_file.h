#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/base/error.h"

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
[[nodiscard]] Result<std::vector<MarkLine>> parse_marks(std::string_view text);

/// What stands in the released text where this change was made; nothing when the operation is not known.
/// `at`: the released text from there on.
[[nodiscard]] std::optional<std::string> released_text(const MarkLine& line, std::string_view at);
/// What stood there before.
[[nodiscard]] std::string_view original_text(const MarkLine& line);

}  // namespace gauze::patterns::internal
