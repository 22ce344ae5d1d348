#include "gauze/collect/reports/internal/source_reader.h"

#include <algorithm>
#include <functional>

#include "gauze/base/parallel.h"
#include "gauze/collect/reports/internal/block_scanner.h"
#include "gauze/collect/reports/internal/line_reader.h"
#include "gauze/collect/reports/internal/source_digest.h"
#include "gauze/collect/reports/internal/source_window.h"
#include "gauze/collect/reports/state_file.h"

namespace gauze::collect::internal {
namespace {

/// What one thread takes at a time; and a window, which one thread alone best finds again in its own cache.
constexpr std::size_t kPieceBytes = std::size_t{256} << 10U;
constexpr std::size_t kWindowBytes = std::size_t{2} << 20U;
constexpr std::size_t kWindowBytesAlone = std::size_t{512} << 10U;
static_assert(SourceWindow::kMostCarried >= kMostBlockBytes && SourceWindow::kMostCarried >= kMostLineBytes);

std::string_view text_of(std::span<const unsigned char> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Blocks lie one behind the other, so that only reading from the front knows where one begins. Pieces of a window are read at
/// the same time from where a block seems to begin; a piece whose guess is not where the one before ended is read again.
Result<std::string> read_blocks(SourceWindow& window, const ReportTask& task, Collector& collector) {
  BlocksDigest digest;
  std::vector<ScannedBlocks> pieces;
  std::vector<FoundReports*> found;
  ScanState state;
  for (;;) {
    const BlockBytes bytes{.bytes = window.bytes(), .is_end = window.is_end()};
    const std::size_t begin = state.position;
    const std::size_t decided = bytes.decided();
    const std::size_t piece_bytes = thread_count() == 1 ? bytes.bytes.size() + 1 : kPieceBytes;
    pieces.resize(decided / piece_bytes + 1);
    const auto end_of = [&](std::size_t piece) { return std::min(decided, (piece + 1) * piece_bytes); };
    parallel_for(pieces.size(), 1, [&](std::size_t piece, std::size_t) {
      if (piece == 0) return scan_blocks(bytes, state, end_of(piece), task, pieces[piece]);
      scan_blocks_ahead(bytes, piece * piece_bytes, end_of(piece), task, pieces[piece]);
    });
    found.clear();
    for (std::size_t piece = 0; piece < pieces.size(); ++piece) {
      if (pieces[piece].begin != state) scan_blocks(bytes, state, end_of(piece), task, pieces[piece]);
      state = pieces[piece].end;
      GAUZE_TRY_VOID(collector.admit(pieces[piece].found));
      found.push_back(&pieces[piece].found);
    }
    Result<void> read;
    const std::function<void()> chores[] = {[&] { read = window.read_ahead(); },
                                            [&] {
                                              std::size_t from = begin;
                                              for (const auto& piece : pieces) {
                                                const std::size_t to = std::max(from, piece.end.position);
                                                digest.add(bytes.bytes, from, to, piece.blocks);
                                                from = to;
                                              }
                                            }};
    collector.count(found, chores);
    GAUZE_TRY_VOID(std::move(read));
    if (bytes.is_end) break;
    window.advance(state.position);
    state.position = 0;
  }
  return digest.is_empty() ? std::string() : digest.finish();
}

/// Where whole lines end; 0 when there is no line end.
std::size_t end_of_lines(std::string_view text) {
  const std::size_t last = text.rfind('\n');
  return last == std::string_view::npos ? 0 : last + 1;
}

Result<std::string> read_lines(SourceWindow& window, const ReportTask& task, Collector& collector) {
  Sha256 digest;
  std::vector<ScannedLines> pieces;
  std::vector<FoundReports*> found;
  std::vector<std::string_view> texts;
  bool is_empty = true;
  bool too_long = false;  // in a line that was rejected already
  std::size_t hashed = 0;
  for (;;) {
    const std::string_view all = text_of(window.bytes());
    is_empty = is_empty && all.empty();
    std::size_t begin = 0;
    if (too_long) {
      const std::size_t end = all.find('\n');
      too_long = end == std::string_view::npos;
      begin = too_long ? all.size() : end + 1;
    }
    std::size_t end = window.is_end() ? all.size() : std::max(begin, end_of_lines(all));
    // Pieces end where lines do.
    texts.clear();
    for (std::size_t from = begin; from < end;) {
      const std::size_t line_end = from + kPieceBytes < end ? all.find('\n', from + kPieceBytes) : end;
      const std::size_t to = std::min(end, line_end == std::string_view::npos ? end : line_end + 1);
      texts.push_back(all.substr(from, to - from));
      from = to;
    }
    pieces.resize(texts.size());
    parallel_for(texts.size(), 1,
                 [&](std::size_t piece, std::size_t) { scan_lines(texts[piece], task, pieces[piece]); });
    FoundReports rest;
    if (all.size() - end > kMostLineBytes) {
      rest.rejected.malformed = 1;
      too_long = true;
      end = all.size();
    }
    GAUZE_TRY_VOID(collector.admit(rest));
    found.clear();
    for (auto& piece : pieces) {
      GAUZE_TRY_VOID(collector.admit(piece.found));
      found.push_back(&piece.found);
    }
    Result<void> read;
    const std::function<void()> chores[] = {[&] { read = window.read_ahead(); },
                                            [&] { digest.add(all.substr(hashed)); }};
    collector.count(found, chores);
    GAUZE_TRY_VOID(std::move(read));
    if (window.is_end()) break;
    window.advance(end);
    hashed = all.size() - end;
  }
  return is_empty ? std::string() : digest.finish();
}

Result<std::string> read_state(SourceWindow& window, const std::string& name) {
  std::string bytes;
  for (;;) {
    bytes += text_of(window.bytes());
    if (bytes.size() > kMostStateBytes)
      return make_error(ErrorCode::bad_data, "{}: a state has at most {} bytes", name, kMostStateBytes);
    if (window.is_end()) return bytes;
    GAUZE_TRY_VOID(window.read_ahead());
    window.advance(window.bytes().size());
  }
}

}  // namespace

SourceFormat sniff_format(std::span<const unsigned char> beginning) {
  const std::string_view text = text_of(beginning.first(std::min<std::size_t>(beginning.size(), 4'096)));
  if (text.starts_with(kBlockMagic)) return SourceFormat::blocks;
  if (text.starts_with(kStateMagic)) return SourceFormat::state;
  if (text.find(kBlockMagic) != std::string_view::npos) return SourceFormat::blocks;
  const bool is_text = std::all_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) >= 0x20 || c == '\t' || c == '\n' || c == '\r';
  });
  return is_text ? SourceFormat::lines : SourceFormat::blocks;
}

Result<SourceContent> read_source(std::unique_ptr<ByteSource> source, const std::string& name, const ReportTask& task,
                                  Collector& collector) {
  SourceWindow window(std::move(source), thread_count() == 1 ? kWindowBytesAlone : kWindowBytes);
  GAUZE_TRY_VOID(window.read_ahead());
  window.advance(0);
  SourceContent content;
  content.format = sniff_format(window.bytes());
  switch (content.format) {
    case SourceFormat::blocks: {
      GAUZE_TRY(content.digest, read_blocks(window, task, collector));
      break;
    }
    case SourceFormat::lines: {
      GAUZE_TRY(content.digest, read_lines(window, task, collector));
      break;
    }
    case SourceFormat::state: {
      GAUZE_TRY(content.state, read_state(window, name));
      break;
    }
  }
  return content;
}

}  // namespace gauze::collect::internal
