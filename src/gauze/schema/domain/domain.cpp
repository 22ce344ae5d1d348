#include "gauze/schema/domain/domain.h"

#include <algorithm>
#include <numeric>

namespace gauze::schema {
namespace {

/// codes[axis][tuple].
std::vector<std::vector<std::uint32_t>> encode(std::span<const Domain::Axis> axes, const table::TupleCounts& tuples) {
  std::vector<std::vector<std::uint32_t>> codes;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::vector<std::uint32_t> of_value = axes[i].column->encode(tuples.dictionaries[i], axes[i].level);
    std::vector<std::uint32_t>& column = codes.emplace_back(tuples.size());
    for (std::size_t tuple = 0; tuple < tuples.size(); ++tuple) column[tuple] = of_value[tuples.codes[i][tuple]];
  }
  return codes;
}

}  // namespace

Result<Domain> Domain::product(std::vector<Axis> axes) {
  Domain domain;
  for (const Axis& axis : axes) {
    const DomainColumn& column = *axis.column;
    if (axis.level < column.lowest() || axis.level > column.height())
      return invalid_parameter("the column {} has the levels {} to {} for a release, not {}", column.name(),
                               column.lowest(), column.height(), axis.level);
    const std::uint64_t values = column.size(axis.level);
    if (values > kMostCells / domain.size_)
      return invalid_parameter("the domain has more than {} cells: choose coarser levels or fewer columns",
                               kMostCells);
    domain.size_ *= values;
  }
  domain.strides_.resize(axes.size());
  std::uint64_t stride = 1;
  for (std::size_t i = axes.size(); i-- > 0;) {
    domain.strides_[i] = stride;
    stride *= axes[i].column->size(axes[i].level);
  }
  domain.axes_ = std::move(axes);
  if (domain.size_ <= kListedCells) {
    std::vector<std::uint32_t> codes;
    codes.reserve(domain.size_ * domain.width());
    for (std::uint64_t cell = 0; cell < domain.size_; ++cell)
      for (std::size_t i = 0; i < domain.width(); ++i) codes.push_back(domain.code(cell, i));
    domain.listed_ = std::move(codes);
  }
  return domain;
}

CodedTuples CodedTuples::in(std::shared_ptr<const Domain> domain, const table::TupleCounts& tuples) {
  const auto codes = encode(domain->axes_, tuples);
  CodedTuples coded{domain, std::vector<std::uint64_t>(tuples.size(), 0)};
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const std::uint64_t stride = domain->strides_[i];
    for (std::size_t tuple = 0; tuple < tuples.size(); ++tuple) {
      std::uint64_t& cell = coded.cells[tuple];
      if (cell == domain->size_) continue;
      cell = codes[i][tuple] == kOutside ? domain->size_ : cell + stride * codes[i][tuple];
    }
  }
  return coded;
}

CodedTuples CodedTuples::observed(std::vector<Domain::Axis> axes, const table::TupleCounts& tuples) {
  const auto codes = encode(axes, tuples);
  std::vector<std::size_t> order(tuples.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    for (const auto& column : codes)
      if (column[a] != column[b]) return column[a] < column[b];
    return false;
  });
  const auto same = [&](std::size_t a, std::size_t b) {
    return std::all_of(codes.begin(), codes.end(), [&](const auto& column) { return column[a] == column[b]; });
  };
  Domain domain;
  domain.size_ = 0;
  CodedTuples coded;
  coded.cells.resize(tuples.size());
  constexpr std::uint64_t kNone = ~std::uint64_t{0};
  std::size_t before = tuples.size();
  for (const std::size_t tuple : order) {
    const bool outside =
        std::any_of(codes.begin(), codes.end(), [&](const auto& column) { return column[tuple] == kOutside; });
    if (outside) {
      coded.cells[tuple] = kNone;
      continue;
    }
    if (before == tuples.size() || !same(before, tuple)) {
      for (const auto& column : codes) domain.listed_.push_back(column[tuple]);
      ++domain.size_;
      before = tuple;
    }
    coded.cells[tuple] = domain.size_ - 1;
  }
  for (std::uint64_t& cell : coded.cells) cell = std::min(cell, domain.size_);
  domain.axes_ = std::move(axes);
  coded.domain = std::make_shared<const Domain>(std::move(domain));
  return coded;
}

void Histogram::add(std::uint64_t cell, std::uint64_t units, std::uint64_t outside_cell) {
  total += units;
  if (cell == outside_cell)
    outside += units;
  else if (units > 0)
    cells.push_back({cell, units});
}

void Histogram::merge() {
  std::sort(cells.begin(), cells.end(), [](const CellCount& a, const CellCount& b) { return a.cell < b.cell; });
  std::size_t kept = 0;
  for (const CellCount& one : cells) {
    if (kept > 0 && cells[kept - 1].cell == one.cell)
      cells[kept - 1].count += one.count;
    else
      cells[kept++] = one;
  }
  cells.resize(kept);
}

Histogram count_rows(const CodedTuples& coded, std::span<const std::uint64_t> counts) {
  Histogram histogram;
  histogram.cells.reserve(counts.size());
  for (std::size_t i = 0; i < counts.size(); ++i) histogram.add(coded.cells[i], counts[i], coded.domain->size());
  histogram.merge();
  return histogram;
}

}  // namespace gauze::schema
