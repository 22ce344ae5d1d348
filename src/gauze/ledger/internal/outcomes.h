#pragma once

#include <optional>
#include <string>

#include "gauze/ledger/entry.h"
#include "gauze/ledger/internal/stored_accounts.h"
#include "gauze/ledger/request.h"

namespace gauze::internal {

/// Label and answer as the table `outcomes` keeps them beside an entry.
struct KeptOutcome {
  std::optional<std::string> label;
  std::optional<std::string> answer;
};

/// Writes the digests of an outcome into the entry that is to record it.
void bind_outcome(Entry& entry, const Outcome& outcome);

/// Writes what an entry keeps, in a transaction of the caller; nothing where it keeps nothing.
[[nodiscard]] Result<void> write_outcome(SqliteFile& file, std::int64_t entry, const KeptOutcome& kept);
/// Label and answer from two columns of a row.
[[nodiscard]] KeptOutcome outcome_row(const SqliteStatement& row, int label_column);
/// Whether these are what the entry names, neither more nor less: `bad_data` if not.
[[nodiscard]] Result<void> check_kept(const Entry& entry, const KeptOutcome& kept);

/// What became of a request, if it was made, as the accounts and the file have it.
[[nodiscard]] Result<std::optional<RequestRecord>> read_request(SqliteFile& file, StoredAccounts& accounts,
                                                                const std::string& dataset, const std::string& id);

}  // namespace gauze::internal
