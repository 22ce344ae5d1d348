#pragma once

#include <span>
#include <string_view>

namespace gauze::table {

/// Takes rows of text as they are read.
class RowSink {
 public:
  virtual ~RowSink() = default;
  /// One row; as many cells as there are columns. A cell that is no UTF-8 could not be read.
  virtual void add(std::span<const std::string_view> cells) = 0;
  /// One row none of whose cells can be read.
  virtual void add_unreadable() = 0;
};

}  // namespace gauze::table
