#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/table/values.h"

namespace gauze::table {

/// Rows that are pulled, some at a time. Names and types are known before the first of them.
/// Thread safety: one call at a time; batches that were returned belong to the caller and may be read anywhere.
class RowStream {
 public:
  struct Column {
    std::string name;
    ValueType type = ValueType::text;
  };
  explicit RowStream(std::vector<Column> columns) : columns_(std::move(columns)) {}
  RowStream(const RowStream&) = delete;
  RowStream& operator=(const RowStream&) = delete;
  virtual ~RowStream() = default;

  [[nodiscard]] const std::vector<Column>& columns() const { return columns_; }
  /// The next rows, at least one; nothing at the end.
  [[nodiscard]] virtual Result<std::optional<ValueBatch>> next() = 0;

 private:
  std::vector<Column> columns_;
};

/// Rows of text that were made, not read.
class MadeRows : public RowStream {
 public:
  /// Puts the next row into the cells, false at the end. Cells it does not change stay as they were; an empty one is NULL.
  using Next = std::function<Result<bool>(std::vector<std::string_view>& cells)>;
  MadeRows(const std::vector<std::string>& names, Next next);

  [[nodiscard]] Result<std::optional<ValueBatch>> next() override;

 private:
  Next next_;
  std::vector<std::string_view> cells_;
  bool ended_ = false;
};

}  // namespace gauze::table
