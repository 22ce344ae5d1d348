#include "gauze/table/tuple_rows.h"

#include <algorithm>
#include <utility>

namespace gauze::table {
namespace {

constexpr std::size_t kRowsAtOnce = 2048;

}  // namespace

TupleRows::TupleRows(const TupleCounts& tuples, std::vector<std::size_t> places, Progress& progress)
    : RowStream(std::vector<Column>(places.size())),
      tuples_(tuples),
      places_(std::move(places)),
      progress_(progress) {}

Result<std::optional<ValueBatch>> TupleRows::next() {
  GAUZE_TRY_VOID(progress_.check());
  const std::size_t end = std::min(tuple_ + kRowsAtOnce, tuples_.size());
  if (tuple_ == end) return std::optional<ValueBatch>{};
  ValueBatch batch;
  batch.rows = end - tuple_;
  batch.columns.resize(places_.size());
  for (std::size_t i = 0; i < places_.size(); ++i) {
    ValueColumn& column = batch.columns[i];
    const std::vector<std::string>& values = tuples_.dictionaries[places_[i]].values;
    const std::vector<std::uint32_t>& codes = tuples_.codes[places_[i]];
    for (std::size_t tuple = tuple_; tuple < end; ++tuple) {
      column.texts.push_back(values[codes[tuple]]);
      if (!column.texts.back().empty()) continue;
      column.nulls.resize(batch.rows, 0);
      column.nulls[tuple - tuple_] = 1;
    }
  }
  batch.counts.assign(tuples_.counts.begin() + static_cast<std::ptrdiff_t>(tuple_),
                      tuples_.counts.begin() + static_cast<std::ptrdiff_t>(end));
  tuple_ = end;
  return std::optional(std::move(batch));
}

}  // namespace gauze::table
