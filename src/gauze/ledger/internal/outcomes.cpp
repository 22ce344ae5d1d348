#include "gauze/ledger/internal/outcomes.h"

#include "gauze/files/sha256.h"

namespace gauze::internal {
namespace {

bool fits(const std::optional<std::string>& kept, const std::string& digest) {
  return kept ? sha256_hex(*kept) == digest : digest.empty();
}

tl::unexpected<Error> not_that_request(const std::string& dataset) {
  return make_error(ErrorCode::bad_data,
                    "the table 'requests' names an entry that is not that request of '{}': the file was changed",
                    dataset);
}

Result<Outcome> read_outcome(SqliteFile& file, const Entry& entry) {
  Outcome outcome;
  outcome.output_sha256 = entry.output_sha256;
  GAUZE_TRY(SqliteStatement row, file.prepare("SELECT label, answer FROM outcomes WHERE entry = ?"));
  GAUZE_TRY(const bool found, row.bind(entry.number).step());
  KeptOutcome kept = found ? outcome_row(row, 0) : KeptOutcome();
  GAUZE_TRY_VOID(check_kept(entry, kept));
  outcome.label = std::move(kept.label).value_or("");
  outcome.answer = std::move(kept.answer);
  return outcome;
}

}  // namespace

void bind_outcome(Entry& entry, const Outcome& outcome) {
  if (!outcome.label.empty()) entry.label_sha256 = sha256_hex(outcome.label);
  entry.output_sha256 = outcome.output_sha256;
  if (outcome.answer) entry.answer_sha256 = sha256_hex(*outcome.answer);
}

Result<void> write_outcome(SqliteFile& file, std::int64_t entry, const KeptOutcome& kept) {
  if (!kept.label && !kept.answer) return {};
  GAUZE_TRY(SqliteStatement statement, file.prepare("INSERT INTO outcomes VALUES (?,?,?)"));
  statement.bind(entry);
  kept.label ? statement.bind(*kept.label) : statement.bind_null();
  kept.answer ? statement.bind_bytes(*kept.answer) : statement.bind_null();
  return statement.run();
}

KeptOutcome outcome_row(const SqliteStatement& row, int label_column) {
  KeptOutcome kept;
  if (!row.is_null(label_column)) kept.label = row.text(label_column);
  if (!row.is_null(label_column + 1)) kept.answer = row.bytes(label_column + 1);
  return kept;
}

Result<void> check_kept(const Entry& entry, const KeptOutcome& kept) {
  const bool label = fits(kept.label, entry.label_sha256);
  if (label && fits(kept.answer, entry.answer_sha256)) return {};
  return make_error(ErrorCode::bad_data, "the {} kept with entry {} is not the one that was released",
                    label ? "answer" : "label", entry.number);
}

Result<std::optional<RequestRecord>> read_request(SqliteFile& file, StoredAccounts& accounts,
                                                  const std::string& dataset, const std::string& id) {
  GAUZE_TRY(const std::int64_t number, accounts.request(dataset, id));
  if (number == 0) return std::nullopt;
  GAUZE_TRY(const ChainedEntry chained, entry_at(file, number));
  const Entry& charge = chained.entry;
  if (!charge.is_charge() || charge.dataset != dataset || charge.request != id) return not_that_request(dataset);
  RequestRecord record{.digest = charge.request_digest, .entry = number, .committed_by = number, .outcome = {}};
  ChainedEntry release = chained;
  if (charge.kind == EntryKind::reserve) {
    GAUZE_TRY(const ReservationState* reservation, accounts.reservation(number));
    if (reservation == nullptr) return not_that_request(dataset);
    record.committed_by = reservation->committed_by;
    if (!record.is_committed()) return record;
    GAUZE_TRY(release, entry_at(file, record.committed_by));
    if (release.entry.kind != EntryKind::commit || release.entry.reservation != number) {
      return not_that_request(dataset);
    }
  }
  GAUZE_TRY(record.outcome, read_outcome(file, release.entry));
  return record;
}

}  // namespace gauze::internal
