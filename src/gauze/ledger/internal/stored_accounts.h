#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "gauze/ledger/internal/books.h"
#include "gauze/ledger/sqlite_file.h"

namespace gauze::internal {

/// The terms of datasets, which never change, kept between transactions with the text they were read from: what the
/// file says is looked at every time, what it means is worked out once.
struct KnownTerms {
  std::string body;
  std::shared_ptr<const DatasetTerms> terms;
};
using TermsCache = std::map<std::string, KnownTerms>;

/// The datasets of a ledger, in the order they were created.
[[nodiscard]] Result<std::vector<std::string>> dataset_names(SqliteFile& file);

/// The accounts as the tables of the file have them, read when they are asked for and written back by save().
/// Lives within one transaction.
class StoredAccounts : public Accounts {
 public:
  StoredAccounts(SqliteFile& file, TermsCache& terms) : file_(file), terms_(terms) {}

  Result<DatasetState*> dataset(const std::string& name) override;
  Result<std::vector<std::string>> dataset_names() override { return internal::dataset_names(file_); }
  Result<DatasetState*> add_dataset(const std::string& name) override;
  Result<AnalystState*> analyst(const std::string& dataset, const std::string& name) override;
  Result<ReservationState*> reservation(std::int64_t entry) override;
  void add_reservation(std::int64_t entry, ReservationState state) override;
  Result<bool> is_charge(std::int64_t entry, const std::string& dataset) override;
  void add_charge(std::int64_t entry, const DatasetState& dataset) override;
  Result<std::int64_t> request(const std::string& dataset, const std::string& id) override;
  void add_request(const std::string& dataset, const std::string& id, std::int64_t entry) override;

  /// Writes what was read or added back into the tables.
  [[nodiscard]] Result<void> save();

 private:
  [[nodiscard]] Result<std::shared_ptr<const DatasetTerms>> terms_of(const std::string& name, std::int64_t entry);
  /// The entries know where the dataset stands, too: a balance that was changed alone grants nothing.
  [[nodiscard]] Result<void> check_last_charge(const std::string& name, const DatasetState& state);
  /// What the analysts spent adds up to what was spent, and their shares to the sum of shares.
  [[nodiscard]] Result<void> check_analysts(const std::string& name, const DatasetState& state);
  /// The relation of a dataset of format 1, where it was declared.
  [[nodiscard]] Result<void> read_declaration(const std::string& name, DatasetState& state);

  SqliteFile& file_;
  TermsCache& terms_;
  MemoryAccounts loaded_;
};

/// The entry in a row of entry, time, dataset, body, previous, hash: `bad_data` when the others are not those of the
/// body.
[[nodiscard]] Result<Entry> stored_entry(const SqliteStatement& row);

/// The entry of that number: `bad_data` when it is not there, or not as it was recorded.
[[nodiscard]] Result<ChainedEntry> entry_at(SqliteFile& file, std::int64_t number);
/// The steps that are counted under a reservation.
[[nodiscard]] Result<std::int64_t> persisted_steps(SqliteFile& file, std::int64_t reservation);
/// Whether the file has this table: those of older formats have fewer.
[[nodiscard]] Result<bool> has_table(SqliteFile& file, std::string_view name);

/// All analysts of a dataset, by name.
[[nodiscard]] Result<std::vector<std::string>> analyst_names(SqliteFile& file, const std::string& dataset);

/// Writes all accounts of an import into the tables of an empty ledger.
[[nodiscard]] Result<void> save_accounts(SqliteFile& file, const MemoryAccounts& accounts);
/// Whether the tables hold exactly these accounts: `bad_data` if not.
[[nodiscard]] Result<void> compare_accounts(SqliteFile& file, const MemoryAccounts& accounts);

}  // namespace gauze::internal
