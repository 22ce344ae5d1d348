#include "gauze/table/rewritten_rows.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "gauze/base/parallel.h"
#include "gauze/table/tuple_rows.h"

namespace gauze::table {
namespace {

constexpr std::size_t kBatchesAtOnce = 16;
constexpr std::size_t kCellsAtOnce = std::size_t{1} << 22;  // a table may be wide

/// The values of the rows that stay.
template <class Values>
Values kept(const Values& values, const std::vector<std::uint8_t>& keep, std::size_t rows) {
  Values result;
  if (values.empty()) return result;
  result.reserve(rows);
  for (std::size_t row = 0; row < values.size(); ++row)
    if (keep[row] != 0) result.push_back(values[row]);
  return result;
}

}  // namespace

/// A batch on its way: rows, and what becomes of them.
struct RewrittenRows::Piece {
  ValueBatch rows;
  RowBatch batch;
  RewrittenBatch result;
  ValueBatch made;
};

RewrittenRows::Layout RewrittenRows::plan(const Rewrite& rewrite, std::size_t columns) {
  Layout layout;
  std::vector<std::optional<std::size_t>> place(columns);
  const auto select = [&](std::size_t column) {
    if (!place[column]) {
      place[column] = layout.selected.size();
      layout.selected.push_back(column);
    }
    return *place[column];
  };
  std::vector<std::optional<std::size_t>> output_of(columns);
  for (std::size_t i = 0; i < rewrite.outputs.size(); ++i) output_of[rewrite.outputs[i]] = i;
  for (const std::size_t column : rewrite.written(columns)) {
    layout.written.push_back(select(column));
    layout.rewritten.push_back(output_of[column]);
  }
  for (const std::size_t column : rewrite.inputs) layout.inputs.push_back(select(column));
  return layout;
}

Result<std::unique_ptr<RewrittenRows>> RewrittenRows::open(Source& source, const Rewrite& rewrite,
                                                           Progress& progress) {
  for (const auto* const columns : {&rewrite.inputs, &rewrite.outputs, &rewrite.dropped})
    GAUZE_TRY_VOID(source.check_columns(*columns));
  Layout layout = plan(rewrite, source.columns().size());
  GAUZE_TRY(auto rows, source.scan(layout.selected, Cells::text, progress));
  return std::unique_ptr<RewrittenRows>(
      new RewrittenRows(source, rewrite, std::move(layout), std::move(rows), progress));
}

Result<std::unique_ptr<RewrittenRows>> RewrittenRows::of_tuples(const Source& source, const Rewrite& rewrite,
                                                                Progress& progress) {
  GAUZE_CHECK(rewrite.knows_rows(source.columns().size()));
  auto made = std::make_unique<const Rewrite>(rewrite.of_tuples());
  Layout layout = plan(*made, source.columns().size());
  std::vector<std::size_t> places;
  const std::vector<std::size_t>& known = rewrite.known.columns;
  for (const std::size_t column : layout.selected)
    places.push_back(static_cast<std::size_t>(std::find(known.begin(), known.end(), column) - known.begin()));
  auto rows = std::make_unique<TupleRows>(*rewrite.known.tuples, std::move(places), progress);
  std::unique_ptr<RewrittenRows> stream(
      new RewrittenRows(source, *made, std::move(layout), std::move(rows), progress));
  stream->made_ = std::move(made);
  return stream;
}

std::vector<RowStream::Column> RewrittenRows::columns_of(const Source& source, const Layout& layout) {
  std::vector<Column> columns;
  for (const std::size_t place : layout.written)
    columns.push_back({source.columns()[layout.selected[place]], ValueType::text});
  return columns;
}

RewrittenRows::RewrittenRows(const Source& source, const Rewrite& rewrite, Layout layout,
                             std::unique_ptr<RowStream> rows, Progress& progress)
    : RowStream(columns_of(source, layout)),
      tokens_(source.missing()),
      rewrite_(rewrite),
      layout_(std::move(layout)),
      rows_(std::move(rows)),
      progress_(progress) {}

void RewrittenRows::take(Piece& piece) const {
  piece.batch.rows = piece.rows.rows;
  piece.batch.cells.resize(layout_.inputs.size());
  for (std::size_t i = 0; i < layout_.inputs.size(); ++i) {
    const auto& texts = piece.rows.columns[layout_.inputs[i]].texts;
    auto& cells = piece.batch.cells[i];
    cells.resize(texts.size());
    for (std::size_t row = 0; row < texts.size(); ++row) cells[row] = {texts[row], tokens_.contains(texts[row])};
  }
  piece.result = rewrite_.unchanged(piece.batch.rows);
}

ValueBatch RewrittenRows::put_together(Piece& piece) const {
  const auto& keep = piece.result.keep;
  ValueBatch made;
  made.rows = keep.size() - static_cast<std::size_t>(std::count(keep.begin(), keep.end(), std::uint8_t{0}));
  if (made.rows == 0) return made;
  made.counts = kept(piece.rows.counts, keep, made.rows);
  for (std::size_t i = 0; i < layout_.written.size(); ++i) {
    ValueColumn& column = piece.rows.columns[layout_.written[i]];
    if (layout_.rewritten[i]) {
      const auto& cells = piece.result.cells[*layout_.rewritten[i]];
      for (std::size_t row = 0; row < cells.size(); ++row) {
        if (!cells[row]) continue;
        column.texts[row] = *cells[row];
        if (!column.nulls.empty()) column.nulls[row] = 0;
      }
    }
    if (made.rows == keep.size()) {
      made.columns.push_back(std::move(column));
    } else {
      made.columns.emplace_back();
      made.columns.back().texts = kept(column.texts, keep, made.rows);
      made.columns.back().nulls = kept(column.nulls, keep, made.rows);
    }
  }
  // Texts look into the rows that were read and into those that the rewrite stored.
  made.memory = std::make_shared<std::pair<std::shared_ptr<const void>, std::deque<std::string>>>(
      std::move(piece.rows.memory), std::move(piece.result.storage));
  return made;
}

Result<void> RewrittenRows::read_pieces() {
  std::vector<Piece> pieces;
  pieces.reserve(kBatchesAtOnce);  // growing would copy them
  std::uint64_t done = 0;
  std::uint64_t batch_rows = 0;
  while (pieces.size() < kBatchesAtOnce && batch_rows * layout_.selected.size() < kCellsAtOnce) {
    GAUZE_TRY(auto batch, rows_->next());
    ended_ = !batch.has_value();
    if (ended_) break;
    batch_rows += batch->rows;
    done += batch->counts.empty() ? batch->rows
                                  : std::accumulate(batch->counts.begin(), batch->counts.end(), std::uint64_t{0});
    pieces.emplace_back().rows = std::move(*batch);
  }
  const auto each = [&](const auto& work) {
    parallel_for(pieces.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) work(pieces[i]);
    });
  };
  if (rewrite_.in_order) {
    each([&](Piece& piece) { take(piece); });
    for (Piece& piece : pieces) rewrite_.run(piece.batch, piece.result);
    each([&](Piece& piece) { piece.made = put_together(piece); });
  } else {
    each([&](Piece& piece) {
      take(piece);
      rewrite_.run(piece.batch, piece.result);
      piece.made = put_together(piece);
    });
  }
  for (Piece& piece : pieces)
    if (piece.made.rows > 0) waiting_.push_back(std::move(piece.made));
  progress_.advance(done);
  return progress_.check();
}

Result<std::optional<ValueBatch>> RewrittenRows::next() {
  while (waiting_.empty() && !ended_) GAUZE_TRY_VOID(read_pieces());
  if (waiting_.empty()) return std::optional<ValueBatch>{};
  std::optional<ValueBatch> batch(std::move(waiting_.front()));
  waiting_.pop_front();
  return batch;
}

}  // namespace gauze::table
