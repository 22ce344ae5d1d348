#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/ledger/balance.h"
#include "gauze/ledger/entry.h"

namespace gauze::internal {

/// What the entries of a dataset add up to.
struct DatasetState {
  std::shared_ptr<const DatasetTerms> terms;
  std::int64_t created_entry = 0;
  std::int64_t created = 0;  ///< time
  Cost spent;
  std::int64_t queries = 0;
  std::int64_t window_index = 0;  ///< the window of the last charge, counted from creation
  std::int64_t window_spent = 0;
  std::int64_t shares = 0;  ///< the sum of all shares
  bool shares_set = false;
  std::optional<Neighbours> neighbours;  ///< of the terms, or as declared
  std::int64_t declared_by = 0;          ///< the entry that declared it; 0: the terms say it, or nothing does

  [[nodiscard]] Balance balance(std::int64_t now) const;
  [[nodiscard]] std::int64_t window_at(std::int64_t time) const;
};

struct AnalystState {
  std::optional<std::int64_t> share;
  Cost spent;
  std::int64_t queries = 0;

  /// What the share leaves, of a dataset with shares.
  [[nodiscard]] Cost left(const DatasetTerms& terms) const;
};

struct ReservationState {
  std::string dataset;
  std::int64_t committed_by = 0;  ///< 0: open
  std::int64_t planned = 0;       ///< steps that were paid for; 0: it is not for steps
  std::int64_t persisted = 0;     ///< and how many of them are counted
};

/// Where the rules find what the entries so far add up to: in memory when a whole ledger is replayed, in the tables of
/// the file when one entry is added. Pointers stay valid as long as the object.
class Accounts {
 public:
  Accounts() = default;
  Accounts(const Accounts&) = delete;
  Accounts(Accounts&&) = default;
  Accounts& operator=(const Accounts&) = delete;
  Accounts& operator=(Accounts&&) = delete;
  virtual ~Accounts() = default;

  virtual Result<DatasetState*> dataset(const std::string& name) = 0;  ///< nullptr when there is none
  virtual Result<std::vector<std::string>> dataset_names() = 0;
  virtual Result<DatasetState*> add_dataset(const std::string& name) = 0;
  /// One who has not occurred yet begins with nothing.
  virtual Result<AnalystState*> analyst(const std::string& dataset, const std::string& name) = 0;
  virtual Result<ReservationState*> reservation(std::int64_t entry) = 0;  ///< nullptr when there is none
  virtual void add_reservation(std::int64_t entry, ReservationState state) = 0;
  /// Whether this entry, one before the present, charged this dataset.
  virtual Result<bool> is_charge(std::int64_t entry, const std::string& dataset) = 0;
  virtual void add_charge(std::int64_t entry, const DatasetState& dataset) = 0;
  /// The charge that was made under a request id; 0 when there is none.
  virtual Result<std::int64_t> request(const std::string& dataset, const std::string& id) = 0;
  virtual void add_request(const std::string& dataset, const std::string& id, std::int64_t entry) = 0;
};

/// That there is no such dataset, and which one was most likely meant.
[[nodiscard]] Error no_such_dataset(Accounts& accounts, const std::string& name);

/// Adds one entry to the accounts, or refuses it and changes nothing: the rules of the ledger, the same ones whether
/// an entry is new or replayed. Fills in what follows from the entries before: cost and spent.
[[nodiscard]] tl::expected<void, Refusal> apply(Accounts& accounts, Entry& entry);

/// Accounts in memory.
class MemoryAccounts : public Accounts {
 public:
  Result<DatasetState*> dataset(const std::string& name) override;
  Result<std::vector<std::string>> dataset_names() override;
  Result<DatasetState*> add_dataset(const std::string& name) override;
  Result<AnalystState*> analyst(const std::string& dataset, const std::string& name) override;
  Result<ReservationState*> reservation(std::int64_t entry) override;
  void add_reservation(std::int64_t entry, ReservationState state) override;
  Result<bool> is_charge(std::int64_t entry, const std::string& dataset) override;
  void add_charge(std::int64_t entry, const DatasetState& dataset) override;
  Result<std::int64_t> request(const std::string& dataset, const std::string& id) override;
  void add_request(const std::string& dataset, const std::string& id, std::int64_t entry) override;

  std::map<std::string, DatasetState> datasets;
  std::map<std::pair<std::string, std::string>, AnalystState> analysts;
  std::map<std::int64_t, ReservationState> reservations;
  std::map<std::pair<std::string, std::string>, std::int64_t> requests;  ///< by dataset and id
  std::vector<const DatasetState*> charges;  ///< by number of the entry: what it charged, or nothing
};

/// Replays a chain of entries from the beginning. Every rule is checked again: hashes, numbers, times, terms, costs,
/// limits. Errors are `bad_data`; they name the entry and quote nothing of it.
class Replay {
 public:
  [[nodiscard]] Result<Entry> add(std::string_view body, std::string_view previous, std::string_view hash);

  [[nodiscard]] std::int64_t entries() const { return entries_; }
  [[nodiscard]] const std::string& head() const { return head_; }
  [[nodiscard]] const MemoryAccounts& accounts() const { return accounts_; }

 private:
  [[nodiscard]] Result<Entry> check(std::string_view body, std::string_view previous, std::string_view hash);

  MemoryAccounts accounts_;
  std::int64_t entries_ = 0;
  std::int64_t time_ = 0;
  bool has_nonces_ = false;
  std::string head_ = genesis_hash();
};

}  // namespace gauze::internal
