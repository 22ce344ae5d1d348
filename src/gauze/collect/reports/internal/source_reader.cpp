#include "gauze/collect/reports/internal/source_reader.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <optional>

#include "gauze/base/parallel.h"
#include "gauze/collect/reports/internal/block_scanner.h"
#include "gauze/collect/reports/internal/line_reader.h"
#include "gauze/collect/reports/internal/source_digest.h"
#include "gauze/collect/reports/internal/source_stretches.h"
#include "gauze/collect/reports/state_file.h"

namespace gauze::collect::internal {
namespace {

static_assert(SourceStretches::kMostLeft >= kMostBlockBytes && SourceStretches::kMostLeft >= kMostLineBytes);

std::string_view text_of(std::span<const unsigned char> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Lets threads pass one by one, in the order of their stretches.
class Turnstile {
 public:
  void wait(std::size_t number) {
    std::unique_lock lock(mutex_);
    passed_.wait(lock, [&] { return next_ == number; });
  }
  void pass() {
    {
      const std::lock_guard lock(mutex_);
      ++next_;
    }
    passed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable passed_;
  std::size_t next_ = 0;
};

/// The work on a source. Every lane takes a stretch, scans it, waits for its turn, settles in order what the order decides, and counts what was
/// admitted while others have their turn: a stretch stays in the cache of one core. Whoever waits, waits for a stretch that
/// another lane has taken before, so all come to an end.
template <class Scanned>
class SourceWork {
 public:
  SourceWork(SourceStretches& stretches, Collector& collector) : stretches_(stretches), collector_(collector) {}

  /// scan(stretch, scanned) runs at any time, settle(stretch, scanned) in order; then the reports that were found are counted.
  template <class Scan, class Settle>
  Result<void> run(const SourceStretches::Cut& cut, const Scan& scan, const Settle& settle) {
    parallel_for(collector_.lanes(), 1, [&](std::size_t lane, std::size_t) {
      Stretch stretch;
      Scanned scanned;
      for (;;) {
        const auto has_one = stretches_.next(stretch, cut);
        if (!has_one) fail(has_one.error());
        if (!has_one || !*has_one) return;
        scan(stretch, scanned);
        turnstile_.wait(stretch.number);
        settle(stretch, scanned);
        auto admitted = collector_.admit(scanned.found);
        turnstile_.pass();
        if (!admitted) return fail(admitted.error());
        for (const Run& run : scanned.found.runs) collector_.lane(lane).add(run);
        collector_.lane(lane).flush();
      }
    });
    if (error_) return tl::unexpected<Error>(*error_);
    return {};
  }

 private:
  void fail(const Error& error) {
    stretches_.stop();
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = error;
  }

  SourceStretches& stretches_;
  Collector& collector_;
  Turnstile turnstile_;
  std::mutex mutex_;
  std::optional<Error> error_;
};

/// Blocks lie one behind the other, so that only reading from the front knows where one begins. A stretch is read from where a
/// block seems to begin, and again if that is not where the one before has ended.
Result<std::string> read_blocks(SourceStretches& stretches, const ReportTask& task, Collector& collector) {
  const auto bytes_of = [](const Stretch& stretch) {
    return BlockBytes{.bytes = stretch.bytes, .is_end = stretch.is_end};
  };
  const bool is_alone = collector.lanes() == 1;
  BlocksDigest digest;
  ScanState state;
  SourceWork<ScannedBlocks> work(stretches, collector);
  GAUZE_TRY_VOID(work.run([&](Stretch& stretch) { return stretch.decided = bytes_of(stretch).decided(); },
                          [&](const Stretch& stretch, ScannedBlocks& out) {
                            out.begin = kNowhere;
                            if (!is_alone) scan_blocks_ahead(bytes_of(stretch), 0, stretch.decided, task, out);
                          },
                          [&](const Stretch& stretch, ScannedBlocks& out) {
                            if (out.begin != state) scan_blocks(bytes_of(stretch), state, stretch.decided, task, out);
                            digest.add(stretch.bytes, state.position, out.end.position, out.blocks);
                            state = out.end;
                            state.position -= stretch.decided;
                          }));
  return digest.is_empty() ? std::string() : digest.finish();
}

/// Whole lines are decided. The beginning of one that is longer than a line may be is not left to the next stretch.
class LineCut {
 public:
  std::size_t operator()(Stretch& stretch) {
    const std::string_view text = text_of(stretch.bytes);
    if (is_too_long_) {
      const std::size_t end = text.find('\n');
      is_too_long_ = end == std::string_view::npos;
      stretch.begin = is_too_long_ ? text.size() : end + 1;
    }
    const std::size_t last = text.rfind('\n');
    stretch.decided =
        stretch.is_end ? text.size() : std::max(stretch.begin, last == std::string_view::npos ? 0 : last + 1);
    if (text.size() - stretch.decided <= kMostLineBytes) return stretch.decided;
    stretch.rejected = 1;
    is_too_long_ = true;
    return text.size();
  }

 private:
  bool is_too_long_ = false;
};

Result<std::string> read_lines(SourceStretches& stretches, const ReportTask& task, Collector& collector) {
  Sha256 digest;
  bool is_empty = true;
  SourceWork<ScannedLines> work(stretches, collector);
  GAUZE_TRY_VOID(work.run(
      LineCut(),
      [&](const Stretch& stretch, ScannedLines& out) {
        scan_lines(text_of(stretch.bytes).substr(stretch.begin, stretch.decided - stretch.begin), task, out);
        out.found.rejected.malformed += stretch.rejected;
      },
      [&](const Stretch& stretch, ScannedLines&) {
        digest.add(text_of(stretch.bytes).substr(stretch.known));
        is_empty = is_empty && stretch.bytes.empty();
      }));
  return is_empty ? std::string() : digest.finish();
}

Result<std::string> read_state(SourceStretches& stretches, const std::string& name) {
  std::string bytes;
  Stretch stretch;
  for (;;) {
    GAUZE_TRY(const bool has_one, stretches.next(stretch, [](Stretch& all) { return all.bytes.size(); }));
    if (!has_one) return bytes;
    bytes += text_of(stretch.bytes);
    if (bytes.size() > kMostStateBytes)
      return make_error(ErrorCode::bad_data, "{}: a state has at most {} bytes", name, kMostStateBytes);
  }
}

}  // namespace

SourceFormat sniff_format(std::string_view text) {
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
  SourceStretches stretches(std::move(source));
  GAUZE_TRY(const auto beginning, stretches.beginning());
  SourceContent content;
  content.format = sniff_format({beginning.data(), beginning.size()});
  switch (content.format) {
    case SourceFormat::blocks: {
      GAUZE_TRY(content.digest, read_blocks(stretches, task, collector));
      break;
    }
    case SourceFormat::lines: {
      GAUZE_TRY(content.digest, read_lines(stretches, task, collector));
      break;
    }
    case SourceFormat::state: {
      GAUZE_TRY(content.state, read_state(stretches, name));
      break;
    }
  }
  return content;
}

}  // namespace gauze::collect::internal
