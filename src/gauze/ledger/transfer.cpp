// Export and import: JSON lines, a header and one line an entry (docs/formats/ledger.md).
#include <algorithm>
#include <charconv>

#include "gauze/files/json_reader.h"
#include "gauze/files/sha256.h"
#include "gauze/ledger/internal/ledger_parts.h"
#include "gauze/ledger/internal/schema.h"

namespace gauze {

namespace {

constexpr std::size_t kLongestLine = 1U << 16;
/// A label may grow sixfold where all of it is escaped, an answer stands in hexadecimal digits.
constexpr std::size_t kLongestOutcome = 8 * kLargestKept + kLongestLine;
constexpr std::string_view kOutcomeBegins = R"({"outcome":)";

std::string header_line(std::int64_t version, std::int64_t entries, const std::string& head) {
  return Json::object({{"format", "gauze-ledger"}, {"version", version}, {"entries", entries}, {"head", head}})
      .dump();
}

/// {"previous":"...","hash":"...","body":{...}}: the body stands last and as it is, so that its bytes can be hashed.
std::string entry_line(std::string_view previous, std::string_view hash, std::string_view body) {
  return fmt::format(R"({{"previous":"{}","hash":"{}","body":{}}})", previous, hash, body);
}

/// {"outcome":7,"label":"...","answer":"..."}: what the entry before it keeps, the answer's bytes in hexadecimal digits.
std::string outcome_line(std::int64_t entry, const internal::KeptOutcome& kept) {
  Json json = Json::object({{"outcome", entry}});
  if (kept.label) json.set("label", *kept.label);
  if (kept.answer) json.set("answer", to_hex(*kept.answer));
  return json.dump();
}

/// The bytes that hexadecimal digits stand for; other texts give other bytes than they came from.
std::string from_hex(std::string_view digits) {
  std::string bytes(digits.size() / 2, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    unsigned value = 0;
    std::from_chars(digits.data() + 2 * i, digits.data() + 2 * i + 2, value, 16);
    bytes[i] = static_cast<char>(value);
  }
  return bytes;
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

/// Gives the last entry what it keeps.
Result<void> read_outcome(std::string_view line, std::size_t number,
                          std::vector<internal::ImportedLedger::Line>& lines) {
  if (line.size() > kLongestOutcome) return bad_line(number, "it is too long");
  const auto document = read_json(line);
  if (!document || lines.empty()) return bad_line(number, "it is not what an entry keeps");
  internal::ImportedLedger::Line& last = lines.back();
  if (last.kept.label || last.kept.answer) return bad_line(number, "the entry before it has what it keeps already");
  if (const Json* label = document->find("label")) last.kept.label = label->text();
  if (const Json* answer = document->find("answer")) last.kept.answer = from_hex(answer->text());
  const Outcome outcome{.label = last.kept.label.value_or(""), .answer = last.kept.answer};
  if (outcome_line(last.entry.number, last.kept) != line || !check_outcome(outcome)) {
    return bad_line(number, "it is not what an entry keeps");
  }
  return {};
}

/// An entry must have what it names before the next one comes.
Result<void> check_last_outcome(std::size_t number, const std::vector<internal::ImportedLedger::Line>& lines) {
  if (lines.empty()) return {};
  const auto fits = internal::check_kept(lines.back().entry, lines.back().kept);
  if (!fits) return bad_line(number, fits.error().message);
  return {};
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
    GAUZE_TRY_VOID(internal::write_outcome(file, line.entry.number, line.kept));
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
  std::int64_t format_version = kFormatVersion;
  while (format_version > 0 && version->text() != std::to_string(format_version)) --format_version;
  if (format_version == 0) {
    return make_error(ErrorCode::bad_data,
                      "the export has another format version than 1 to {}, which this Gauze reads", kFormatVersion);
  }
  ImportedLedger imported;
  std::size_t number = 2;
  for (; !text.empty(); ++number) {
    const auto line = next_line(text);
    if (!line) return bad_line(number, "it is cut off");
    if (line->starts_with(kOutcomeBegins)) {
      GAUZE_TRY_VOID(read_outcome(*line, number, imported.lines));
      GAUZE_TRY_VOID(check_last_outcome(number, imported.lines));
      continue;
    }
    GAUZE_TRY_VOID(check_last_outcome(number, imported.lines));
    GAUZE_TRY(ImportedLedger::Line read, read_line(*line, number, imported.replay));
    if (read.entry.format() > format_version)
      return bad_line(number, "it is of a later format than the first line says");
    imported.lines.push_back(std::move(read));
  }
  GAUZE_TRY_VOID(check_last_outcome(number, imported.lines));
  if (*header != header_line(format_version, imported.replay.entries(), imported.replay.head())) {
    return make_error(ErrorCode::bad_data, "the export's first line names another number of entries or another head");
  }
  return imported;
}

}  // namespace internal

Result<std::string> Ledger::export_lines(const std::function<Result<void>(std::string_view)>& line) const {
  auto& file = *parts_->file;
  GAUZE_TRY(const internal::Head head, internal::read_head(file));
  GAUZE_TRY_VOID(line(header_line(internal::kFormatVersion, head.entry, head.hash) + "\n"));
  GAUZE_TRY(const bool outcomes, internal::has_table(file, "outcomes"));
  // In pieces up to that head, since nobody can write while the file is read; entries never change.
  for (std::int64_t done = 0; done < head.entry;) {
    const std::int64_t end = std::min(done + internal::kPiece, head.entry);
    GAUZE_TRY(SqliteStatement row,
              file.prepare(outcomes ? "SELECT previous, hash, body, entry, label, answer FROM entries "
                                      "LEFT JOIN outcomes USING (entry) "
                                      "WHERE entry > ? AND entry <= ? ORDER BY entry"
                                    : "SELECT previous, hash, body, entry, NULL, NULL FROM entries "
                                      "WHERE entry > ? AND entry <= ? ORDER BY entry"));
    row.bind(done).bind(end);
    for (;;) {
      GAUZE_TRY(const bool more, row.step());
      if (!more) break;
      GAUZE_TRY_VOID(line(entry_line(row.text(0), row.text(1), row.text(2)) + "\n"));
      const internal::KeptOutcome kept = internal::outcome_row(row, 4);
      if (kept.label || kept.answer) GAUZE_TRY_VOID(line(outcome_line(row.whole(3), kept) + "\n"));
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
