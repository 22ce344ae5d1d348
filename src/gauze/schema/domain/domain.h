#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gauze/schema/domain/domain_column.h"

namespace gauze::schema {

/// The cells of a histogram: combinations of the values of some columns, each at one level. Either every combination
/// (numbered so that the last column runs fastest), or a list of those that occur, in the order of their codes.
class Domain {
 public:
  /// At most so many cells.
  static constexpr std::uint64_t kMostCells = std::uint64_t{1} << 62;
  /// Up to so many cells the codes of each are kept, to be looked up instead of computed.
  static constexpr std::uint64_t kListedCells = 1U << 16;

  struct Axis {
    std::shared_ptr<const DomainColumn> column;
    int level = 0;
  };
  /// Every combination. Refuses levels a column does not have, and more cells than kMostCells.
  [[nodiscard]] static Result<Domain> product(std::vector<Axis> axes);

  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] std::size_t width() const { return axes_.size(); }
  [[nodiscard]] const Axis& axis(std::size_t i) const { return axes_[i]; }
  [[nodiscard]] std::uint32_t code(std::uint64_t cell, std::size_t i) const {
    if (!listed_.empty()) return listed_[cell * axes_.size() + i];
    return static_cast<std::uint32_t>(cell / strides_[i] % axes_[i].column->size(axes_[i].level));
  }
  [[nodiscard]] const std::string& text(std::uint64_t cell, std::size_t i) const {
    return axes_[i].column->text(axes_[i].level, code(cell, i));
  }

 private:
  friend struct CodedTuples;
  Domain() = default;
  std::vector<Axis> axes_;
  std::vector<std::uint64_t> strides_;
  std::vector<std::uint32_t> listed_;  // codes of each cell, one after the other
  std::uint64_t size_ = 1;
};

/// The tuples of a grouped table, each with its cell. The first columns of the table are those of the domain, in order.
struct CodedTuples {
  std::shared_ptr<const Domain> domain;
  std::vector<std::uint64_t> cells;  ///< of each tuple; domain->size(): outside

  [[nodiscard]] static CodedTuples in(std::shared_ptr<const Domain> domain, const table::TupleCounts& tuples);
  /// With the domain that lists what occurs.
  [[nodiscard]] static CodedTuples observed(std::vector<Domain::Axis> axes, const table::TupleCounts& tuples);
};

/// A cell that holds something.
struct CellCount {
  std::uint64_t cell = 0;
  std::uint64_t count = 0;
  friend bool operator==(const CellCount&, const CellCount&) = default;
};

/// How many units are in each cell, and how many in none.
struct Histogram {
  std::vector<CellCount> cells;  ///< in rising order, counts above 0
  std::uint64_t outside = 0;     ///< with a value the domain does not have
  std::uint64_t total = 0;       ///< all together

  /// Adds units to a cell; `outside_cell` is the size of the domain. To be followed by merge().
  void add(std::uint64_t cell, std::uint64_t units, std::uint64_t outside_cell);
  /// Puts the cells in order and adds up those that are there twice.
  void merge();
};

/// Counts rows: counts[i] of them have the cell of tuple i.
[[nodiscard]] Histogram count_rows(const CodedTuples& coded, std::span<const std::uint64_t> counts);

}  // namespace gauze::schema
