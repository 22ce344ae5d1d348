#include "gauze/engines/internal/declared_json.h"

#include <algorithm>
#include <utility>

#include "gauze/base/utf8.h"
#include "gauze/engines/internal/flat_json.h"
#include "gauze/table/missing_tokens.h"

namespace gauze::engines {
namespace {

constexpr std::string_view kUnreadable = "\xFF";  // no UTF-8: the grouper puts what the column says in its place
constexpr std::size_t kLineBlock = std::size_t{1} << 20;

/// One line after the other, without its end; a line that is too long is passed over and told.
class Lines {
 public:
  Lines(ByteSource& source, std::size_t longest) : source_(source), longest_(longest) {}

  /// False at the end. The line is valid until the next call.
  [[nodiscard]] Result<bool> next(std::string_view& line, bool& too_long) {
    bool dropped = false;  // of a line that is too long nothing is kept
    for (std::size_t searched = begin_;;) {
      const std::size_t found = buffer_.find('\n', searched);
      if (found != std::string::npos || at_end_) {
        const std::size_t end = std::min(found, buffer_.size());
        line = std::string_view(buffer_).substr(begin_, end - begin_);
        too_long = dropped || line.size() > longest_;
        begin_ = std::min(end + 1, buffer_.size());
        return found != std::string::npos || !line.empty() || dropped;
      }
      buffer_.erase(0, std::exchange(begin_, 0));
      if (buffer_.size() > longest_) {
        buffer_.clear();
        dropped = true;
      }
      searched = buffer_.size();
      buffer_.resize(searched + kLineBlock);
      GAUZE_TRY(const std::size_t got, read_fully(source_, std::span(buffer_).subspan(searched)));
      buffer_.resize(searched + got);
      at_end_ = got < kLineBlock;
    }
  }

 private:
  ByteSource& source_;
  std::size_t longest_;
  std::string buffer_;
  std::size_t begin_ = 0;
  bool at_end_ = false;
};

}  // namespace

DeclaredJson::DeclaredJson(InputFile file, const std::vector<table::DeclaredColumn>& columns,
                           std::size_t longest_line)
    : file_(std::move(file)), longest_line_(longest_line) {
  for (std::size_t i = 0; i < columns.size(); ++i) places_.emplace(columns[i].name, i);
}

Result<void> DeclaredJson::read(table::RowSink& rows, const Progress& progress, const ByteWitness& witness) const {
  GAUZE_TRY(const auto source, file_.text(witness));
  Lines lines(*source, longest_line_);
  FlatJsonParser parser;
  std::vector<std::string> texts(places_.size());
  std::vector<std::uint64_t> seen(places_.size(), 0);
  std::vector<std::string_view> cells(places_.size());
  std::string key;
  constexpr std::uint64_t kRowsBetweenChecks = 1U << 14;
  for (std::uint64_t row = 1;; ++row) {
    std::string_view line;
    bool too_long = false;
    GAUZE_TRY(const bool more, lines.next(line, too_long));
    if (!more) return {};
    if (row % kRowsBetweenChecks == 0) GAUZE_TRY_VOID(progress.check());
    if (too_long) {
      rows.add_unreadable();
      continue;
    }
    if (line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
    line = trimmed(line);
    if (line.empty()) continue;
    for (std::string& text : texts) text.clear();
    const bool object = parser.parse(line, [&](const FlatJsonMember& member) {
      key.assign(member.key);
      const auto found = places_.find(key);
      if (found == places_.end()) return;
      const bool again = std::exchange(seen[found->second], row) == row;
      texts[found->second] = again || !member.is_single() || !member.readable ? kUnreadable : member.cell();
    });
    for (std::size_t i = 0; i < cells.size(); ++i)
      cells[i] = object ? std::string_view(texts[i]) : std::string_view();
    rows.add(cells);
  }
}

}  // namespace gauze::engines
