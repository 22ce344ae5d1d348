#pragma once

#include <optional>
#include <vector>

#include "gauze/audit/releases/table_rows.h"
#include "gauze/release/job/release_plan.h"

namespace gauze::audit::internal {

/// Rows of the classes that a release would make of a table: of large ones, of ones that are empty. Where the levels are chosen, at the
/// finest.
class ClassFinder {
 public:
  ClassFinder(const TableRows& table, const release::ReleasePlan& plan);

  /// Rows are without an id.
  [[nodiscard]] RowCells of_largest() const;
  [[nodiscard]] std::vector<RowCells> occupied(std::size_t most) const;
  /// Of a class that the table has not, if one is found.
  [[nodiscard]] std::optional<RowCells> unoccupied() const;
  /// Values that no domain lists.
  [[nodiscard]] RowCells outside() const;
  /// From how many units on a class is named, where classes are named by their size; else 0.
  [[nodiscard]] std::uint64_t threshold() const;

 private:
  using ClassCodes = std::vector<std::uint32_t>;
  struct Column {
    std::shared_ptr<const schema::DomainColumn> domain;  ///< null: the values that occur
    std::vector<std::optional<std::string>> values;      ///< one of each class
    std::map<std::optional<std::string>, std::uint32_t> codes;
  };
  void read_column(std::size_t place);

  const TableRows& table_;
  const release::ReleasePlan& plan_;
  std::vector<Column> columns_;
  std::map<ClassCodes, std::uint64_t> sizes_;
  std::map<ClassCodes, RowCells> rows_;
};

}  // namespace gauze::audit::internal
