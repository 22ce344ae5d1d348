#include "gauze/cli/core/text_table.h"

#include <algorithm>

#include "gauze/cli/core/terminal_width.h"

namespace gauze::cli {

std::string TextTable::text(Style style) const {
  std::vector<int> widths;
  for (const auto& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], terminal_width(row[i]));
  }
  std::string out;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    std::string line;
    for (std::size_t i = 0; i < rows_[r].size(); ++i) {
      const std::string gap(static_cast<std::size_t>(widths[i] - terminal_width(rows_[r][i])), ' ');
      if (i == 0)
        line += rows_[r][i] + gap;
      else if (last_is_text_ && i + 1 == widths.size())
        line += "  " + rows_[r][i];
      else
        line += "  " + gap + rows_[r][i];
    }
    out += (r == 0 ? style.bold(line) : line) + "\n";
  }
  return out;
}

}  // namespace gauze::cli
