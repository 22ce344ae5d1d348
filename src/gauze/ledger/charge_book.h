#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "gauze/base/error.h"
#include "gauze/label/commitment.h"
#include "gauze/ledger/balance.h"
#include "gauze/ledger/entry.h"
#include "gauze/ledger/request.h"

namespace gauze {

/// A charge that someone asks for.
struct ChargeRequest {
  std::string dataset;
  std::string analyst;
  Charge charge;
  std::string purpose = {};
  std::string unit = {};                          ///< whom the cost is about; empty: the dataset's unit
  std::optional<Neighbours> neighbours = {};      ///< of the cost; none: the dataset's
  std::optional<std::int64_t> corrects = {};      ///< an earlier entry that charged too little
  const CommitmentKey* commitment_key = nullptr;  ///< kept beside the entry, never exported
  std::optional<RequestId> request = {};          ///< under which it is charged once
  /// For a server that finds its own reservation after a restart: a request that was reserved and not committed gives
  /// that reservation back, uncharged and with the key it was made with, instead of being refused. Only who commits it
  /// may release.
  bool resume = false;
  /// Of a reservation for a training: how many steps the charge is for. Each must be counted (record_progress) before
  /// what it gave is let out; more are refused.
  std::int64_t planned_steps = 0;
};

/// A reservation for the steps of a training.
struct StepReservation {
  ChainedEntry charge;
  std::int64_t persisted = 0;  ///< steps that are counted already
  bool committed = false;      ///< by an entry of its own; one whose steps are counted is so without, too

  [[nodiscard]] std::int64_t left() const { return charge.entry.planned_steps - persisted; }
};

/// What a release needs of a ledger: to be charged before it reads, and recorded when it is out. `Ledger` is one for a program
/// that does one thing at a time, `GroupCommit` one that the threads of a server share.
///
/// Guarantee      : that of Ledger. A change is on the disk before it is granted.
/// Thread safety  : that of the class behind it.
class ChargeBook {
 public:
  virtual ~ChargeBook() = default;

  /// Charges before data is read. A reservation that is never committed stays charged.
  ///
  /// With a request id, the same id on the same dataset is never charged again, from whatever process. With another
  /// digest it is `invalid_parameter`. With the same digest it is refused, and Refusal::request tells how it ended:
  /// committed (the outcome is there; `invalid_parameter`), or not (`request_unfinished`, unless it is resumed).
  [[nodiscard]] virtual Granted reserve(const ChargeRequest& request) = 0;
  /// Records that the release took place, and what it gave out. Costs nothing; once a reservation.
  [[nodiscard]] virtual Result<ChainedEntry> commit(std::int64_t reservation, const Outcome& outcome) = 0;
  /// Counts steps of a training before a checkpoint or a model that holds them is put anywhere: `budget_exhausted` when
  /// they and those that were counted before are more than were planned, whoever counted them. What was counted and then
  /// lost stays counted. A reservation is committed with its first steps, and takes more of them after its commit.
  [[nodiscard]] virtual Result<ChainedEntry> record_progress(std::int64_t reservation, std::int64_t steps) = 0;

  [[nodiscard]] virtual Result<Balance> balance(const std::string& dataset) const = 0;
  /// What became of a request, if it was ever made. `bad_data` when what was kept is not what was released.
  [[nodiscard]] virtual Result<std::optional<RequestRecord>> find_request(const std::string& dataset,
                                                                          const std::string& id) const = 0;
  /// A reservation that was made for steps: `invalid_parameter` when the entry is none.
  [[nodiscard]] virtual Result<StepReservation> step_reservation(std::int64_t reservation) const = 0;
  /// The key kept with an entry: `invalid_parameter` when there is none.
  [[nodiscard]] virtual Result<CommitmentKey> commitment_key(std::int64_t entry) const = 0;

 protected:
  ChargeBook() = default;
  ChargeBook(const ChargeBook&) = default;
  ChargeBook(ChargeBook&&) = default;
  ChargeBook& operator=(const ChargeBook&) = default;
  ChargeBook& operator=(ChargeBook&&) = default;
};

}  // namespace gauze
