#pragma once

#include <memory>

#include "gauze/ledger/ledger.h"

namespace gauze {

/// Lets many threads of one process charge through one ledger: changes that arrive while the disk is busy go into one
/// transaction and share one wait. Each is granted only when it is on the disk, as with Ledger itself.
///
/// One connection writes, since a SQLite file has one writer at a time: two of them would wait for each other, in smaller
/// groups. Look-ups have connections of their own and do not wait for the group.
///
/// Thread safety: all members may be called from any number of threads.
class GroupCommit final : public ChargeBook {
 public:
  explicit GroupCommit(Ledger ledger);
  GroupCommit(const GroupCommit&) = delete;
  GroupCommit& operator=(const GroupCommit&) = delete;
  ~GroupCommit() override;

  /// As the members of Ledger: block until the change is durable, or refused.
  [[nodiscard]] Granted reserve(const ChargeRequest& request) override;
  [[nodiscard]] Granted spend(const ChargeRequest& request, const Outcome& outcome = {});
  [[nodiscard]] Result<ChainedEntry> commit(std::int64_t reservation, const Outcome& outcome = {}) override;
  [[nodiscard]] Result<ChainedEntry> record_progress(std::int64_t reservation, std::int64_t steps) override;

  [[nodiscard]] Result<Balance> balance(const std::string& dataset) const override;
  [[nodiscard]] Result<std::optional<RequestRecord>> find_request(const std::string& dataset,
                                                                  const std::string& id) const override;
  [[nodiscard]] Result<StepReservation> step_reservation(std::int64_t reservation) const override;
  [[nodiscard]] Result<CommitmentKey> commitment_key(std::int64_t entry) const override;

 private:
  struct Queue;
  class Readers;
  std::unique_ptr<Queue> queue_;
  std::unique_ptr<Readers> readers_;
};

}  // namespace gauze
