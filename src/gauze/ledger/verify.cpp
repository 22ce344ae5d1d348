#include <fmt/core.h>

#include "gauze/ledger/internal/ledger_parts.h"

namespace gauze {

namespace {

/// SQLite's own check of its pages, before the entries are read from them.
Result<void> check_pages(SqliteFile& file) {
  GAUZE_TRY(SqliteStatement row, file.prepare("PRAGMA integrity_check(1)"));
  GAUZE_TRY(const bool found, row.step());
  if (found && row.text(0) == "ok") return {};
  return make_error(ErrorCode::bad_data, "the ledger '{}' is damaged: its pages contradict each other", file.name());
}

/// Keys must be those whose digests the entries hold. A key that is absent is none: exports omit them.
Result<void> check_keys(SqliteFile& file) {
  GAUZE_TRY(SqliteStatement row,
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

/// Labels and answers are large: so many bytes of them are a piece, too.
constexpr std::size_t kPieceBytes = 64U << 20U;

/// What the parts of a verification have found so far.
struct Verifying {
  internal::Replay replay;
  std::optional<std::string> kept_head;
  LedgerVerification found;
  std::int64_t outcomes = 0;  ///< entries that keep a label or an answer
};

/// Replays one piece of entries from where the replay stands, with what they keep. True when there are no more.
Result<bool> replay_on(SqliteFile& file, Verifying& verifying, Progress& progress) {
  GAUZE_TRY(const bool outcomes, internal::has_table(file, "outcomes"));
  GAUZE_TRY(SqliteStatement row,
            file.prepare(outcomes ? "SELECT body, previous, hash, entry, time, dataset, label, answer "
                                    "FROM entries LEFT JOIN outcomes USING (entry) "
                                    "WHERE entry > ? ORDER BY entry LIMIT ?"
                                  : "SELECT body, previous, hash, entry, time, dataset, NULL, NULL "
                                    "FROM entries WHERE entry > ? ORDER BY entry LIMIT ?"));
  row.bind(verifying.replay.entries()).bind(internal::kPiece);
  std::size_t bytes = 0;
  for (std::int64_t rows = 0; rows < internal::kPiece && bytes < kPieceBytes; ++rows) {
    GAUZE_TRY(const bool more, row.step());
    if (!more) return true;
    const std::string hash = row.text(2);
    GAUZE_TRY(const Entry entry, verifying.replay.add(row.text(0), row.text(1), hash));
    if (row.whole(3) != entry.number || row.whole(4) != entry.time || row.text(5) != entry.dataset) {
      return make_error(ErrorCode::bad_data, "entry {} does not fit: its columns differ from its content",
                        entry.number);
    }
    const internal::KeptOutcome kept = internal::outcome_row(row, 6);
    GAUZE_TRY_VOID(internal::check_kept(entry, kept));
    if (entry.keeps_outcome()) ++verifying.outcomes;
    bytes += kept.label.value_or("").size() + kept.answer.value_or("").size();
    if (verifying.kept_head == hash) verifying.found.head_entry = entry.number;
    progress.advance();
    if (entry.number % 1024 == 0) GAUZE_TRY_VOID(progress.check());
  }
  return false;
}

/// What can be compared once all entries are replayed, in the same transaction as the last of them.
Result<void> check_against(SqliteFile& file, const Verifying& verifying) {
  const internal::Replay& replay = verifying.replay;
  // An entry below the first number would never be read.
  GAUZE_TRY(const std::int64_t entries, file.whole("SELECT count(*) FROM entries"));
  if (entries != replay.entries()) {
    return make_error(ErrorCode::bad_data, "the ledger has {} entries, and {} are in the chain", entries,
                      replay.entries());
  }
  GAUZE_TRY_VOID(internal::compare_accounts(file, replay.accounts()));
  GAUZE_TRY(const bool any, internal::has_table(file, "outcomes"));
  GAUZE_TRY(const std::int64_t outcomes, any ? file.whole("SELECT count(*) FROM outcomes") : Result<std::int64_t>(0));
  if (outcomes != verifying.outcomes) {
    return make_error(ErrorCode::bad_data, "a label or an answer is kept that belongs to no entry");
  }
  return check_keys(file);
}

}  // namespace

namespace internal {

Result<void> check_whole(SqliteFile& file) {
  Progress silent;
  Verifying verifying;
  GAUZE_TRY_VOID(check_pages(file));
  for (bool all = false; !all;) {
    GAUZE_TRY(all, replay_on(file, verifying, silent));
  }
  return check_against(file, verifying);
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
  Verifying verifying;
  verifying.kept_head = kept_head;
  // In pieces, since nobody can write while the file is read. Entries never change, so that only what they add up to
  // must be compared at one moment: when all of them are replayed.
  for (bool all = false; !all;) {
    GAUZE_TRY(const SqliteTransaction transaction, SqliteTransaction::begin(file, false));
    GAUZE_TRY(all, replay_on(file, verifying, progress));
    if (all) GAUZE_TRY_VOID(check_against(file, verifying));
  }
  LedgerVerification found = verifying.found;
  const internal::Replay& replay = verifying.replay;
  if (kept_head && !found.head_entry) {
    return make_error(ErrorCode::bad_data,
                      "the head kept elsewhere is not in the ledger: the file was rolled back, cut off or replaced");
  }
  found.entries = replay.entries();
  found.datasets = static_cast<std::int64_t>(replay.accounts().datasets.size());
  found.head = replay.head();
  return found;
}

Json LedgerVerification::to_json(bool with_head) const {
  Json json = Json::object({{"verified", true}, {"entries", entries}, {"datasets", datasets}, {"head", head}});
  json.set("head_found", with_head ? Json(head_entry.has_value()) : Json());
  return json.set("newer_entries", with_head ? Json(entries - *head_entry) : Json());
}

}  // namespace gauze
