#pragma once

#include <memory>

#include "gauze/ledger/ledger.h"

namespace gauze {

/// Lets many threads of one process charge through one ledger: charges that arrive while the disk is busy go into one
/// transaction and share one wait. Each is granted only when it is on the disk, as with Ledger::spend.
///
/// Thread safety: spend() may be called from any number of threads.
class GroupCommit {
 public:
  explicit GroupCommit(Ledger ledger);
  GroupCommit(const GroupCommit&) = delete;
  GroupCommit& operator=(const GroupCommit&) = delete;
  ~GroupCommit();

  /// Blocks until the charge is durable, or refused.
  [[nodiscard]] Granted spend(const ChargeRequest& request);

 private:
  struct Queue;
  std::unique_ptr<Queue> queue_;
};

}  // namespace gauze
