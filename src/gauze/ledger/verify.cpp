#include <fmt/core.h>

#include <limits>

#include "gauze/ledger/internal/ledger_parts.h"

namespace gauze {

using internal::SqliteTransaction;
using internal::Statement;

namespace {

/// SQLite's own check of its pages, before the entries are read from them.
Result<void> check_pages(internal::SqliteFile& file) {
  GAUZE_TRY(Statement row, file.prepare("PRAGMA integrity_check(1)"));
  GAUZE_TRY(const bool found, row.step());
  if (found && row.text(0) == "ok") return {};
  return make_error(ErrorCode::bad_data, "the ledger '{}' is damaged: its pages contradict each other", file.name());
}

/// Keys must be those whose digests the entries hold. A key that is absent is none: exports omit them.
Result<void> check_keys(internal::SqliteFile& file) {
  GAUZE_TRY(Statement row,
            file.prepare("SELECT entry, key, body FROM commitment_keys LEFT JOIN entries USING (entry)"));
  for (;;) {
    GAUZE_TRY(const bool found, row.step());
    if (!found) return {};
    const auto entry = Entry::parse(row.text(2));
    if (!entry || entry->key_digest != digest_of_key(row.text(1))) {
      return make_error(ErrorCode::bad_data, "the commitment key of entry {} is not the one the entry names",
                        row.whole(0));
    }
  }
}

/// Replays entries from where the replay stands, at most so many. True when there are no more.
Result<bool> replay_on(internal::SqliteFile& file, internal::Replay& replay, std::int64_t most,
                       const std::optional<std::string>& kept_head, LedgerVerification& found, Progress& progress) {
  GAUZE_TRY(Statement row, file.prepare("SELECT body, previous, hash, entry, time, dataset FROM entries "
                                        "WHERE entry > ? ORDER BY entry LIMIT ?"));
  row.bind(replay.entries()).bind(most);
  std::int64_t rows = 0;
  for (;; ++rows) {
    GAUZE_TRY(const bool more, row.step());
    if (!more) break;
    const std::string hash = row.text(2);
    GAUZE_TRY(const Entry entry, replay.add(row.text(0), row.text(1), hash));
    if (row.whole(3) != entry.number || row.whole(4) != entry.time || row.text(5) != entry.dataset) {
      return make_error(ErrorCode::bad_data, "entry {} does not fit: its columns differ from its content",
                        entry.number);
    }
    if (kept_head == hash) found.head_entry = entry.number;
    progress.advance();
    if (entry.number % 1024 == 0) GAUZE_TRY_VOID(progress.check());
  }
  return rows < most;
}

/// What can be compared once all entries are replayed, in the same transaction as the last of them.
Result<void> check_against(internal::SqliteFile& file, const internal::Replay& replay) {
  // An entry below the first number would never be read.
  GAUZE_TRY(const std::int64_t entries, file.whole("SELECT count(*) FROM entries"));
  if (entries != replay.entries()) {
    return make_error(ErrorCode::bad_data, "the ledger has {} entries, and {} are in the chain", entries,
                      replay.entries());
  }
  GAUZE_TRY_VOID(internal::compare_accounts(file, replay.accounts()));
  return check_keys(file);
}

}  // namespace

namespace internal {

Result<void> check_whole(SqliteFile& file) {
  Progress silent;
  LedgerVerification ignored;
  Replay replay;
  GAUZE_TRY_VOID(check_pages(file));
  GAUZE_TRY_VOID(replay_on(file, replay, std::numeric_limits<std::int64_t>::max(), {}, ignored, silent));
  return check_against(file, replay);
}

}  // namespace internal

Result<LedgerVerification> Ledger::verify(const std::optional<std::string>& kept_head, Progress& progress) const {
  if (kept_head && !is_hash(*kept_head)) {
    return invalid_parameter("a head is 64 lower-case hexadecimal digits, as every change prints it");
  }
  auto& file = *parts_->file;
  progress.begin("checking pages", 0);
  GAUZE_TRY_VOID(check_pages(file));
  GAUZE_TRY(const std::int64_t entries, file.whole("SELECT max(entry) FROM entries"));
  progress.begin("verifying", static_cast<std::uint64_t>(entries));
  LedgerVerification found;
  internal::Replay replay;
  // In pieces, since nobody can write while the file is read. Entries never change, so that only what they add up to
  // must be compared at one moment: when all of them are replayed.
  for (bool all = false; !all;) {
    GAUZE_TRY(const SqliteTransaction transaction, SqliteTransaction::begin(file, false));
    GAUZE_TRY(all, replay_on(file, replay, internal::kPiece, kept_head, found, progress));
    if (all) GAUZE_TRY_VOID(check_against(file, replay));
  }
  if (kept_head && !found.head_entry) {
    return make_error(ErrorCode::bad_data,
                      "the head kept elsewhere is not in the ledger: the file was rolled back, cut off or replaced");
  }
  found.entries = replay.entries();
  found.datasets = static_cast<std::int64_t>(replay.accounts().datasets.size());
  found.head = replay.head();
  return found;
}

}  // namespace gauze
