#include "gauze/engines/internal/json_lines.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "gauze/base/parallel.h"
#include "gauze/base/utf8.h"
#include "gauze/engines/internal/flat_json.h"

namespace gauze::engines {
namespace {

constexpr std::size_t kJsonBlock = std::size_t{4} << 20;
constexpr std::size_t kJsonPiece = std::size_t{1} << 18;
constexpr std::size_t kLongestLine = std::size_t{64} << 20;

/// The keys of a file, each with its column.
class Keys {
 public:
  std::size_t column(const std::string& key) {
    const auto [place, added] = columns_.try_emplace(key, names_.size());
    if (added) names_.push_back(key);
    return place->second;
  }
  [[nodiscard]] std::size_t known_column(const std::string& key) const { return columns_.at(key); }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

 private:
  std::unordered_map<std::string, std::size_t> columns_;
  std::vector<std::string> names_;
};

/// Why a member does not fit into a table of single values; nothing when it does.
const char* problem_of(const FlatJsonMember& member) {
  using Kind = FlatJsonMember::Kind;
  if (member.kind == Kind::object) return "holds a record as a value; a table of single values is needed";
  if (member.kind == Kind::array) return "holds an array as a value; a table of single values is needed";
  return member.readable ? nullptr : "is no JSON object";
}

/// Reads lines that must hold one object of single values each.
class LineReader {
 public:
  /// Calls take(member), which says whether the key is new in this line. Returns what is wrong with the line, or nothing.
  template <class Take>
  const char* read(std::string_view line, const Take& take) {
    const char* problem = nullptr;
    const bool object = parser_.parse(line, [&](const FlatJsonMember& member) {
      if (problem == nullptr) problem = problem_of(member);
      if (problem == nullptr && !take(member)) problem = "has the same key twice";
    });
    return object ? problem : "is no JSON object";
  }

 private:
  FlatJsonParser parser_;
};

class RowCollector {
 public:
  explicit RowCollector(const Keys& keys) : keys_(keys), cells_(keys.names().size()), seen_(cells_.size(), 0) {}
  bool take(const FlatJsonMember& member) {
    const std::size_t column = keys_.known_column(std::string(member.key));
    cells_[column] = member.cell();
    return std::exchange(seen_[column], row_) != row_;
  }
  void begin_row() {
    ++row_;
    for (auto& cell : cells_) cell.clear();
  }
  [[nodiscard]] const std::vector<std::string>& cells() const { return cells_; }

 private:
  const Keys& keys_;
  std::vector<std::string> cells_;
  std::vector<std::uint64_t> seen_;  // the row in which each key was last met
  std::uint64_t row_ = 0;
};

/// Some lines, and what is wrong with one of them.
struct Piece {
  std::string_view text;
  Keys keys;
  SoundLines rows;
  std::uint64_t lines = 0;  // up to and including the one that is wrong
  const char* problem = nullptr;
};

/// Calls work(line) for each line that is not blank until it returns a problem.
template <class Work>
void each_line(Piece& piece, const Work& work) {
  std::string_view rest = piece.text;
  while (!rest.empty() && piece.problem == nullptr) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const auto line = trimmed(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    ++piece.lines;
    if (!line.empty()) piece.problem = work(line);
  }
}

std::vector<Piece> cut(std::string_view block) {
  std::vector<Piece> pieces;
  while (!block.empty()) {
    std::size_t end = kJsonPiece < block.size() ? block.find('\n', kJsonPiece) : std::string_view::npos;
    end = end == std::string_view::npos ? block.size() : end + 1;
    pieces.emplace_back().text = block.substr(0, end);
    block.remove_prefix(end);
  }
  return pieces;
}

/// Reads a file block by block of whole lines: work(piece) in parallel, then take(piece) in the order of the lines.
template <class Work, class Take>
Result<void> read_lines(const InputFile& file, const Work& work, const Take& take) {
  GAUZE_TRY(const auto source, file.text());
  std::string buffer;
  std::uint64_t line = 0;
  for (bool more = true; more;) {
    const std::size_t before = buffer.size();
    buffer.resize(before + kJsonBlock);
    GAUZE_TRY(const std::size_t got, read_fully(*source, std::span(buffer).subspan(before)));
    buffer.resize(before + got);
    more = got > 0;
    const std::size_t last = buffer.rfind('\n');
    const std::size_t whole = !more ? buffer.size() : last == std::string::npos ? 0 : last + 1;
    if (whole == 0 && buffer.size() > kLongestLine)
      return make_error(ErrorCode::bad_data, "{}: line {} is longer than {} MiB", file.name(), line + 1,
                        kLongestLine >> 20);
    auto pieces = cut(std::string_view(buffer).substr(0, whole));
    parallel_for(pieces.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) work(pieces[i]);
    });
    for (auto& piece : pieces) {
      line += piece.lines;
      if (piece.problem != nullptr)
        return make_error(ErrorCode::bad_data, "{}: line {} {}", file.name(), line, piece.problem);
      GAUZE_TRY_VOID(take(piece));
    }
    buffer.erase(0, whole);
  }
  return {};
}

Result<Keys> collect_keys(const std::vector<InputFile>& files) {
  Keys keys;
  for (const auto& file : files) {
    const auto work = [](Piece& piece) {
      LineReader reader;
      each_line(piece, [&](std::string_view line) {
        return reader.read(line, [&](const FlatJsonMember& member) {
          piece.keys.column(std::string(member.key));
          return true;
        });
      });
    };
    GAUZE_TRY_VOID(read_lines(file, work, [&](const Piece& piece) -> Result<void> {
      for (const auto& name : piece.keys.names()) keys.column(name);
      return {};
    }));
  }
  return keys;
}

}  // namespace

Result<TextTable> read_json_lines(std::vector<InputFile> files, const table::ReadOptions& options,
                                  const std::filesystem::path& temporary) {
  GAUZE_TRY(const Keys keys, collect_keys(files));
  if (keys.names().empty())
    return make_error(ErrorCode::bad_data, "{}: no line has a key, so the table has no column", files.front().name());
  TextTable result;
  GAUZE_TRY(result.columns, name_columns(options.names, keys.names(), keys.names().size(), files.front().name()));
  for (const auto& file : files) {
    GAUZE_TRY(SoundCsvWriter writer, SoundCsvWriter::create(temporary, file.name()));
    const auto work = [&](Piece& piece) {
      RowCollector collector(keys);
      LineReader reader;
      each_line(piece, [&](std::string_view line) {
        collector.begin_row();
        const char* const problem = reader.read(line, [&](const auto& member) { return collector.take(member); });
        if (problem == nullptr) piece.rows.add(collector.cells());
        return problem;
      });
    };
    GAUZE_TRY_VOID(read_lines(file, work, [&](const Piece& piece) { return writer.write(piece.rows); }));
    GAUZE_TRY(SoundCsv csv, writer.finish());
    result.files.push_back(std::move(csv));
  }
  return result;
}

}  // namespace gauze::engines
