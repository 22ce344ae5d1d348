// Export and import: JSON lines, a header and one line an entry (docs/formats/ledger.md).
#include <algorithm>

#include "gauze/files/json_reader.h"
#include "gauze/ledger/internal/ledger_parts.h"
#include "gauze/ledger/internal/schema.h"

namespace gauze {

using internal::SqliteFile;
using internal::SqliteTransaction;
using internal::Statement;

namespace {

constexpr std::size_t kLongestLine = 1U << 16;

std::string header_line(std::int64_t version, std::int64_t entries, const std::string& head) {
  return Json::object({{"format", "gauze-ledger"}, {"version", version}, {"entries", entries}, {"head", head}})
      .dump();
}

/// {"previous":"...","hash":"...","body":{...}}: the body stands last and as it is, so that its bytes can be hashed.
std::string entry_line(std::string_view previous, std::string_view hash, std::string_view body) {
  return fmt::format(R"({{"previous":"{}","hash":"{}","body":{}}})", previous, hash, body);
}

tl::unexpected<Error> bad_line(std::size_t number, std::string_view reason) {
  return make_error(ErrorCode::bad_data, "line {} of the export does not fit: {}", number, reason);
}

/// Takes the next line off the text. Every line ends with a line break.
std::optional<std::string_view> next_line(std::string_view& text) {
  const auto end = text.find('\n');
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end + 1);
  return line;
}

Result<internal::ImportedLedger::Line> read_line(std::string_view line, std::size_t number,
                                                 internal::Replay& replay) {
  internal::ImportedLedger::Line read;
  if (line.size() > kLongestLine) return bad_line(number, "it is too long");
  const std::string empty = entry_line(genesis_hash(), genesis_hash(), "");
  const std::size_t before_body = empty.size() - 1;  // the last brace closes after the body
  if (line.size() <= before_body) return bad_line(number, "it is not an entry");
  read.previous = line.substr(std::string_view(R"({"previous":")").size(), 64);
  read.hash = line.substr(before_body - std::string_view(R"(","body":)").size() - 64, 64);
  read.body = line.substr(before_body, line.size() - before_body - 1);
  if (!is_hash(read.previous) || !is_hash(read.hash) || entry_line(read.previous, read.hash, read.body) != line) {
    return bad_line(number, "it is not an entry");
  }
  auto entry = replay.add(read.body, read.previous, read.hash);
  if (!entry) return bad_line(number, entry.error().message);
  read.entry = *std::move(entry);
  return read;
}

Result<void> write_all(SqliteFile& file, const internal::ImportedLedger& imported) {
  GAUZE_TRY(SqliteTransaction transaction, SqliteTransaction::begin(file, true));
  GAUZE_TRY_VOID(file.check_place());
  GAUZE_TRY(const internal::Head head, internal::read_head(file));
  if (head.entry != 0) {
    return invalid_parameter("'{}' has entries already; an import makes a new ledger", file.name());
  }
  for (const auto& line : imported.lines) {
    GAUZE_TRY_VOID(internal::write_entry(file, line.entry, line.body, line.previous, line.hash));
  }
  GAUZE_TRY_VOID(internal::save_accounts(file, imported.replay.accounts()));
  return transaction.commit();
}

}  // namespace

namespace internal {

Result<ImportedLedger> read_export(std::string_view text) {
  const auto header = next_line(text);
  const auto document = header && header->size() <= kLongestLine ? read_json(*header) : Result<Json>(Json());
  const Json* format = document ? document->find("format") : nullptr;
  const Json* version = document ? document->find("version") : nullptr;
  if (format == nullptr || format->text() != "gauze-ledger" || version == nullptr) {
    return make_error(ErrorCode::bad_data, "this is not an exported ledger");
  }
  const bool old = version->text() == "1";
  if (!old && version->text() != std::to_string(kFormatVersion)) {
    return make_error(ErrorCode::bad_data,
                      "the export has another format version than 1 and {}, which this Gauze reads", kFormatVersion);
  }
  ImportedLedger imported;
  for (std::size_t number = 2; !text.empty(); ++number) {
    const auto line = next_line(text);
    if (!line) return bad_line(number, "it is cut off");
    GAUZE_TRY(ImportedLedger::Line read, read_line(*line, number, imported.replay));
    if (old && !read.entry.is_of_format_1())
      return bad_line(number, "it is of a later format than the first line says");
    imported.lines.push_back(std::move(read));
  }
  if (*header != header_line(old ? 1 : kFormatVersion, imported.replay.entries(), imported.replay.head())) {
    return make_error(ErrorCode::bad_data, "the export's first line names another number of entries or another head");
  }
  return imported;
}

}  // namespace internal

Result<std::string> Ledger::export_lines(const std::function<Result<void>(std::string_view)>& line) const {
  auto& file = *parts_->file;
  GAUZE_TRY(const internal::Head head, internal::read_head(file));
  GAUZE_TRY_VOID(line(header_line(internal::kFormatVersion, head.entry, head.hash) + "\n"));
  // In pieces up to that head, since nobody can write while the file is read; entries never change.
  for (std::int64_t done = 0; done < head.entry;) {
    const std::int64_t end = std::min(done + internal::kPiece, head.entry);
    GAUZE_TRY(Statement row, file.prepare("SELECT previous, hash, body FROM entries WHERE entry > ? AND entry <= ? "
                                          "ORDER BY entry"));
    row.bind(done).bind(end);
    std::string piece;
    for (;;) {
      GAUZE_TRY(const bool more, row.step());
      if (!more) break;
      piece = entry_line(row.text(0), row.text(1), row.text(2)) + "\n";
      GAUZE_TRY_VOID(line(piece));
    }
    done = end;
  }
  return head.hash;
}

Result<LedgerVerification> Ledger::import_text(const std::filesystem::path& path, std::string_view text,
                                               const std::optional<std::string>& kept_head) {
  if (kept_head && !is_hash(*kept_head)) {
    return invalid_parameter("a head is 64 lower-case hexadecimal digits, as every change prints it");
  }
  GAUZE_TRY(const internal::ImportedLedger imported, internal::read_export(text));
  LedgerVerification found{.entries = imported.replay.entries(),
                           .datasets = static_cast<std::int64_t>(imported.replay.accounts().datasets.size()),
                           .head = imported.replay.head(),
                           .head_entry = {}};
  for (const auto& line : imported.lines) {
    if (kept_head == line.hash) found.head_entry = line.entry.number;
  }
  if (kept_head && !found.head_entry) {
    return make_error(ErrorCode::bad_data,
                      "the head kept elsewhere is not in the export: it was rolled back or cut off");
  }
  GAUZE_TRY(const Ledger ledger, create(path));
  GAUZE_TRY_VOID(write_all(*ledger.parts_->file, imported));
  return found;
}

}  // namespace gauze
