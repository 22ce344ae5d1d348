#pragma once

#include "gauze/ledger/internal/outcomes.h"
#include "gauze/ledger/internal/stored_accounts.h"
#include "gauze/ledger/ledger.h"
#include "gauze/ledger/sqlite_file.h"

namespace gauze {

namespace internal {

/// Entries that are read or replayed before others may write again.
inline constexpr std::int64_t kPiece = 20'000;

struct Head {
  std::int64_t entry = 0;
  std::int64_t time = 0;
  std::string hash = genesis_hash();
};
/// The last entry, which every change builds on: `bad_data` when it, or how it follows the one before, is not as it was
/// recorded.
[[nodiscard]] Result<Head> read_head(SqliteFile& file);
[[nodiscard]] Result<void> write_entry(SqliteFile& file, const Entry& entry, std::string_view body,
                                       std::string_view previous, std::string_view hash);
[[nodiscard]] Grant grant_of(const ChainedEntry& charge, Balance balance);
/// All that Ledger::verify checks, in a transaction of the caller.
[[nodiscard]] Result<void> check_whole(SqliteFile& file);

}  // namespace internal

struct Ledger::Parts {
  std::unique_ptr<SqliteFile> file;
  Options options;
  internal::TermsCache terms;
  bool checked = false;  ///< whether the file was looked at as a whole, or is too long for it
  internal::Head seen;   ///< the last entry at the last change: it must still be there at the next

  /// The clock, kept within what an entry can hold.
  [[nodiscard]] std::int64_t now() const;
};

/// One transaction that adds entries. What is added is only granted after commit().
class Ledger::Change {
 public:
  /// Nothing is granted from a file that is not where it was, in another mode, half-written and not in order, behind
  /// what this process has seen, or whose last entries do not fit.
  [[nodiscard]] static Result<std::unique_ptr<Change>> begin(Parts& parts);

  /// Numbers and dates the entry, applies the rules and adds it to the chain.
  [[nodiscard]] tl::expected<std::string, Refusal> add(Entry& entry);
  /// A charge with all that belongs to it; a request that was made before is answered as it is.
  [[nodiscard]] Granted charge(EntryKind kind, const ChargeRequest& request, const Outcome& outcome);
  [[nodiscard]] Result<ChainedEntry> commit_reservation(std::int64_t reservation, const Outcome& outcome);
  [[nodiscard]] Result<ChainedEntry> count_steps(std::int64_t reservation, std::int64_t steps);
  [[nodiscard]] StepAnswer take(const BudgetStep& step);
  /// Puts what was added on the disk. Where nothing was, there is nothing to wait for.
  [[nodiscard]] Result<void> commit();

 private:
  Change(Parts& parts, SqliteTransaction transaction);
  [[nodiscard]] Granted repeat(RequestRecord record, const ChargeRequest& request);
  [[nodiscard]] Result<void> keep_key(std::int64_t entry, const CommitmentKey& key) const;
  [[nodiscard]] Result<void> keep_outcome(std::int64_t entry, const Outcome& outcome) const;

  Parts& parts_;
  SqliteTransaction transaction_;
  internal::StoredAccounts accounts_;
  std::int64_t first_ = 0;  ///< the last entry when it began
  std::int64_t last_ = 0;
  std::int64_t time_ = 0;
  std::string head_;
};

namespace internal {

/// An export, checked to the last line.
struct ImportedLedger {
  Replay replay;
  struct Line {
    Entry entry;
    std::string body;
    std::string previous;
    std::string hash;
    KeptOutcome kept;
  };
  std::vector<Line> lines;
};
/// Total: any bytes give a ledger or a `bad_data` error that quotes nothing of them.
[[nodiscard]] Result<ImportedLedger> read_export(std::string_view text);

}  // namespace internal
}  // namespace gauze
