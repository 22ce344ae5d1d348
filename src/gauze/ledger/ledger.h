#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/base/progress.h"
#include "gauze/label/label.h"
#include "gauze/ledger/balance.h"
#include "gauze/ledger/charge_book.h"
#include "gauze/ledger/entry.h"
#include "gauze/ledger/terms/dataset_terms.h"

namespace gauze {

/// One of several changes that share a transaction. What it points to belongs to the caller.
struct BudgetStep {
  EntryKind kind = EntryKind::spend;       ///< reserve, spend, commit or progress
  const ChargeRequest* request = nullptr;  ///< reserve, spend
  std::int64_t reservation = 0;            ///< commit, progress
  std::int64_t steps = 0;                  ///< progress
  const Outcome* outcome = nullptr;        ///< spend, commit: what was released; nullptr: nothing is kept
};

/// What a step has given: a charge its grant, a commit and a progress their entry.
using StepAnswer = std::variant<Granted, Result<ChainedEntry>>;

/// A share to be set, or to be handed on.
struct ShareChange {
  std::string analyst;
  Rational share;
  std::string receiver = {};  ///< not empty: `analyst` gives the share to them
};

/// What verify() has found, when all is well.
struct LedgerVerification {
  std::int64_t entries = 0;
  std::int64_t datasets = 0;
  std::string head;
  std::optional<std::int64_t> head_entry;  ///< the entry whose hash is the head that was kept elsewhere

  /// For programs; `with_head`: a head kept elsewhere was looked for.
  [[nodiscard]] Json to_json(bool with_head) const;
};

/// The durable record of what was spent, by whom, on which data: one SQLite file (docs/formats/ledger.md).
///
/// Guarantee      : the charges granted on a dataset never exceed its lifetime total, whatever the analysts ask, in
///                  whatever order, from however many processes; each accountant is a privacy filter for analysts
///                  who adapt. A charge is in the file and on the disk before it is granted; nothing is refunded or
///                  deleted. Unit and neighbours are declared with the dataset and stated with each charge: another
///                  unit is refused, another relation charged for what it costs or refused.
/// After a crash  : the file itself knows that a change was not finished; the whole of it is checked before anything
///                  is granted again. Journals that are lost, damaged or old cannot bring a grant back unnoticed.
/// Tamper-evident : entries are chained by SHA-256; verify() finds every change, and with a head kept elsewhere also
///                  a file that was rolled back or cut off.
/// Not covered    : releases that are not charged; charges that understate what a release costs; whoever rewrites
///                  the whole file while no head is kept elsewhere.
/// Thread safety  : one thread at a time. Several objects, in one or several processes, may open the same file. An
///                  object must not be carried across fork().
/// Errors         : `io`, `bad_data`, `budget_exhausted`, `invalid_parameter`, `not_authorised` (an analyst without a
///                  share where shares are set), `request_unfinished`. After any of them nothing was granted; nothing was recorded either,
///                  unless the disk failed in the last step of a change.
class Ledger final : public ChargeBook {
 public:
  struct Options {
    bool read_only = false;
    int busy_milliseconds = 10'000;         ///< how long to wait for other writers
    std::function<std::int64_t()> clock{};  ///< seconds since 1970; the system's when empty
  };

  /// Opens a ledger that is there. Nothing is changed if it is not one, or of a newer version.
  [[nodiscard]] static Result<Ledger> open(const std::filesystem::path& path, Options options);
  [[nodiscard]] static Result<Ledger> open(const std::filesystem::path& path) { return open(path, Options()); }
  /// Opens it, or makes an empty one where nothing is. Safe when several processes do so at once.
  [[nodiscard]] static Result<Ledger> create(const std::filesystem::path& path, Options options);
  [[nodiscard]] static Result<Ledger> create(const std::filesystem::path& path) { return create(path, Options()); }

  /// A connection of its own to the same file, for reading beside this one. May be called while another thread uses this
  /// one.
  [[nodiscard]] Result<Ledger> reader() const;

  Ledger(Ledger&& other) noexcept;
  Ledger& operator=(Ledger&& other) noexcept;
  ~Ledger() override;

  // --- changes: each is one entry or more, durable on return --------------------------------------------------------

  [[nodiscard]] Result<ChainedEntry> create_dataset(const DatasetTerms& terms);
  [[nodiscard]] Granted reserve(const ChargeRequest& request) override;
  [[nodiscard]] Result<ChainedEntry> commit(std::int64_t reservation, const Outcome& outcome = {}) override;
  [[nodiscard]] Result<ChainedEntry> record_progress(std::int64_t reservation, std::int64_t steps) override;
  /// A reservation and its commit in one.
  [[nodiscard]] Granted spend(const ChargeRequest& request, const Outcome& outcome = {});
  /// Many of these in one transaction, so that they share one wait for the disk. Each is granted or refused by itself, in
  /// order; an error of the file refuses all.
  [[nodiscard]] Result<std::vector<StepAnswer>> change_many(std::span<const BudgetStep> steps);
  /// Says once which neighbours a dataset of format 1 is about: add_remove or replace_one.
  [[nodiscard]] Result<ChainedEntry> declare(const std::string& dataset, Neighbours neighbours);
  /// Several shares and delegations together: all of them, in order, or none.
  [[nodiscard]] Result<ChainedEntry> change_shares(const std::string& dataset, std::span<const ShareChange> changes);
  /// Gives an analyst a share of the total (between 0 and 1, rounded down to 1e-9). From the first share on, only
  /// analysts with a share may spend. Shares add up to at most 1.
  [[nodiscard]] Result<ChainedEntry> set_share(const std::string& dataset, const std::string& analyst,
                                               const Rational& share);
  /// Moves a part of one analyst's share, as far as it is not spent, to another.
  [[nodiscard]] Result<ChainedEntry> delegate(const std::string& dataset, const std::string& from,
                                              const std::string& to, const Rational& share);

  // --- reading ------------------------------------------------------------------------------------------------------

  /// The hash of the last entry: keep it elsewhere, and verify() finds a file that was rolled back.
  [[nodiscard]] Result<std::string> head() const;
  [[nodiscard]] Result<Balance> balance(const std::string& dataset) const override;
  [[nodiscard]] Result<std::vector<Balance>> balances() const;
  [[nodiscard]] Result<std::vector<AnalystBalance>> analysts(const std::string& dataset) const;

  struct HistoryFilter {
    std::string dataset = {};  ///< empty: all
    std::string analyst = {};  ///< empty: all
    std::int64_t last = 0;     ///< only the last so many that fit; 0: all
  };
  /// In the order they were recorded.
  [[nodiscard]] Result<std::vector<ChainedEntry>> history(const HistoryFilter& filter) const;
  /// The entry of that number: `invalid_parameter` when there is none.
  [[nodiscard]] Result<ChainedEntry> entry(std::int64_t number) const;
  /// The charge that a label names, as the label states it: dataset, cost, unit, neighbours. `bad_data` tells what does
  /// not fit.
  [[nodiscard]] Result<ChainedEntry> entry_of(const PrivacyLabel& label) const;
  /// Whether the release that a charge was made for is known to have taken place: false for a reservation that was never
  /// committed, and counted no steps.
  [[nodiscard]] Result<bool> is_committed(std::int64_t entry) const;
  /// Charges on a dataset whose release took place: those of `spend`, and reservations that were committed, or counted steps.
  [[nodiscard]] Result<std::vector<ChainedEntry>> committed_charges(const std::string& dataset) const;
  [[nodiscard]] Result<std::optional<RequestRecord>> find_request(const std::string& dataset,
                                                                  const std::string& id) const override;
  [[nodiscard]] Result<StepReservation> step_reservation(std::int64_t reservation) const override;
  [[nodiscard]] Result<CommitmentKey> commitment_key(std::int64_t entry) const override;

  // --- the whole file -----------------------------------------------------------------------------------------------

  /// Recomputes everything from the first entry on: hashes, numbers, terms, costs, limits, balances, keys, labels and
  /// answers. `bad_data` names what does not fit. With a head kept elsewhere, its entry must be found.
  [[nodiscard]] Result<LedgerVerification> verify(const std::optional<std::string>& kept_head,
                                                  Progress& progress) const;

  /// Hands over the ledger line by line in the format of docs/formats/ledger.md, without commitment keys. Returns the
  /// head of what was handed over.
  [[nodiscard]] Result<std::string> export_lines(const std::function<Result<void>(std::string_view)>& line) const;
  /// Makes a new ledger from an export. All is checked as by verify() before the file gets its entries, all at once;
  /// a ledger that has entries already is refused.
  [[nodiscard]] static Result<LedgerVerification> import_text(const std::filesystem::path& path,
                                                              std::string_view text,
                                                              const std::optional<std::string>& kept_head);

 private:
  struct Parts;
  class Change;
  explicit Ledger(std::unique_ptr<Parts> parts);
  [[nodiscard]] Granted charge(EntryKind kind, const ChargeRequest& request, const Outcome& outcome);
  [[nodiscard]] Result<ChainedEntry> record(Entry entry);
  [[nodiscard]] static Result<void> prepare_to_write(Parts& parts);

  std::unique_ptr<Parts> parts_;
};

/// An entry for programs: decimals instead of units, times in ISO 8601. `terms` are those of its dataset.
[[nodiscard]] Json entry_json(const ChainedEntry& entry, const DatasetTerms& terms);
/// "2026-01-31T08:00:00Z".
[[nodiscard]] std::string time_text(std::int64_t seconds);

}  // namespace gauze
