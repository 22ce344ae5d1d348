#pragma once

#include <string>
#include <vector>

#include "gauze/cli/core/output_writer.h"

namespace gauze::cli {

/// Text in columns that are as wide as their widest cell; the first is flush left, the others flush right. The first row
/// is a heading.
class TextTable {
 public:
  /// With a last column of texts, which begin at its left; else it is one of numbers, as those in the middle are.
  explicit TextTable(bool last_is_text = false) : last_is_text_(last_is_text) {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  [[nodiscard]] std::string text(Style style) const;

 private:
  bool last_is_text_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace gauze::cli
