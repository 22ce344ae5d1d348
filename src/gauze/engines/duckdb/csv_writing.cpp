// Rows stream out of the engine in their order; some chunks at a time are rewritten and laid out in parallel.
#include <algorithm>
#include <utility>

#include "gauze/base/parallel.h"
#include "gauze/engines/duckdb/internal/duckdb_table.h"
#include "gauze/engines/duckdb/internal/query_watch.h"
#include "gauze/engines/duckdb/internal/row_rewriting.h"
#include "gauze/engines/internal/row_shuffle.h"
#include "gauze/files/text_output.h"
#include "gauze/table/csv_text.h"

namespace gauze::engines {
namespace {

constexpr std::size_t kWrittenChunks = 64;
constexpr std::size_t kWrittenBytes = std::size_t{1} << 18;

/// Which columns of the query hold what.
struct Layout {
  std::vector<std::size_t> selected;                  ///< columns of the table, as the query returns them
  std::vector<std::size_t> inputs;                    ///< where the rewrite's inputs are in `selected`
  std::vector<std::size_t> written;                   ///< where the written columns are in `selected`
  std::vector<std::optional<std::size_t>> rewritten;  ///< for each written column its place in the rewrite's outputs
};

Layout plan(const table::Rewrite& rewrite, std::size_t columns) {
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
  for (const std::size_t column : written_columns(rewrite, columns)) {
    layout.written.push_back(select(column));
    layout.rewritten.push_back(output_of[column]);
  }
  for (const std::size_t column : rewrite.inputs) layout.inputs.push_back(select(column));
  return layout;
}

/// A chunk on its way: rows, what becomes of them, and their lines.
struct Piece {
  Chunk chunk;
  table::RowBatch batch;
  table::RewrittenBatch result;
  std::string lines;
  std::vector<std::size_t> ends;  // of each line
};

void take(Piece& piece, const Layout& layout, const table::Rewrite& rewrite, const table::MissingTokens& tokens) {
  std::vector<duckdb_vector> vectors;
  for (const std::size_t place : layout.inputs) vectors.push_back(piece.chunk.column(place));
  piece.batch = take_batch(vectors, piece.chunk.size(), tokens);
  piece.result = unchanged(rewrite, piece.batch.rows);
}

void lay_out(Piece& piece, const Layout& layout, char delimiter) {
  std::vector<TextVector> texts;
  for (const std::size_t place : layout.written) texts.emplace_back(piece.chunk.column(place));
  for (std::size_t row = 0; row < piece.batch.rows; ++row) {
    if (piece.result.keep[row] == 0) continue;
    const std::size_t begin = piece.lines.size();
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (i > 0) piece.lines += delimiter;
      const auto& output = layout.rewritten[i];
      const auto changed = output ? piece.result.cells[*output][row] : std::nullopt;
      table::append_csv_cell(piece.lines, changed ? *changed : table::trim_blanks(texts[i][row]), delimiter);
    }
    if (piece.lines.size() == begin) piece.lines += "\"\"";
    piece.lines += '\n';
    piece.ends.push_back(piece.lines.size());
  }
}

void process(std::vector<Piece>& pieces, const Layout& layout, const table::Rewrite& rewrite,
             const table::MissingTokens& tokens, char delimiter) {
  const auto each = [&](const auto& work) {
    parallel_for(pieces.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) work(pieces[i]);
    });
  };
  if (!rewrite.in_order) {
    each([&](Piece& piece) {
      take(piece, layout, rewrite, tokens);
      run_rewrite(rewrite, piece.batch, piece.result);
      lay_out(piece, layout, delimiter);
    });
    return;
  }
  each([&](Piece& piece) { take(piece, layout, rewrite, tokens); });
  for (auto& piece : pieces) run_rewrite(rewrite, piece.batch, piece.result);
  each([&](Piece& piece) { lay_out(piece, layout, delimiter); });
}

Result<void> add_lines(RowShuffle& shuffle, const Piece& piece) {
  std::size_t begin = 0;
  for (const std::size_t end : piece.ends) {
    GAUZE_TRY_VOID(shuffle.add(std::string_view(piece.lines).substr(begin, end - begin)));
    begin = end;
  }
  return {};
}

Result<void> write_shuffled(RowShuffle& shuffle, TextOutput& output, Progress& progress) {
  std::string lines;
  const auto put = [&](std::string_view line) -> Result<void> {
    lines += line;
    if (lines.size() < kWrittenBytes) return {};
    GAUZE_TRY_VOID(progress.check());
    GAUZE_TRY_VOID(output.write(lines));
    lines.clear();
    return {};
  };
  GAUZE_TRY_VOID(shuffle.finish(put));
  return output.write(lines);
}

}  // namespace

Result<void> DuckDbTable::write_csv(const table::Rewrite& rewrite, const std::filesystem::path& target,
                                    char delimiter, Progress& progress) {
  const Layout layout = plan(rewrite, names_.size());
  if (layout.written.empty()) return invalid_parameter("all columns are left out; at least one must be written");
  GAUZE_TRY(TextOutput output, TextOutput::create(target));
  std::vector<std::string_view> header;
  for (const std::size_t place : layout.written) header.push_back(names_[layout.selected[place]]);
  std::string first_line;
  table::append_csv_line(first_line, header, delimiter);
  GAUZE_TRY_VOID(output.write(first_line));

  progress.begin("writing", relation_.rows);
  const QueryWatch watch(connection_, progress, 0);
  GAUZE_TRY(ResultStream stream, connection_.stream(select_texts(layout.selected), doing()));
  std::optional<RowShuffle> shuffle;
  if (rewrite.shuffle) shuffle.emplace(rewrite.shuffle, settings_.shuffle_bytes, settings_.temporary);
  std::uint64_t rows = 0;
  for (bool more = true; more;) {
    std::vector<Piece> pieces;
    while (pieces.size() < kWrittenChunks) {
      GAUZE_TRY(auto chunk, stream.next());
      more = chunk.has_value();
      if (!more) break;
      pieces.push_back({std::move(*chunk), {}, {}, {}, {}});
    }
    process(pieces, layout, rewrite, tokens_, delimiter);
    std::uint64_t done = 0;
    for (const auto& piece : pieces) {
      if (shuffle) {
        GAUZE_TRY_VOID(add_lines(*shuffle, piece));
      } else {
        GAUZE_TRY_VOID(output.write(piece.lines));
      }
      done += piece.batch.rows;
    }
    rows += done;
    progress.advance(done);
    GAUZE_TRY_VOID(progress.check());
  }
  GAUZE_TRY_VOID(check_rows(rows));
  if (shuffle) GAUZE_TRY_VOID(write_shuffled(*shuffle, output, progress));
  return output.commit();
}

}  // namespace gauze::engines
