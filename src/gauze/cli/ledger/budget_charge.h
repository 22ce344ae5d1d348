#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gauze/cli/core/command_registry.h"
#include "gauze/cli/core/invocation.h"
#include "gauze/label/commitment.h"
#include "gauze/label/label.h"
#include "gauze/ledger/ledger.h"

namespace gauze::cli {

/// --ledger, --dataset, --analyst, --purpose: for every command that releases something.
[[nodiscard]] std::vector<Flag> charge_flags_of_a_release();

/// What a release costs, in the terms a ledger may want.
struct ReleaseCost {
  Rational epsilon;
  Rational delta;
  std::optional<Rational> rho;  ///< where the release is zCDP as a whole
  std::string unit;             ///< whom it protects: must be the dataset's
  Neighbours neighbours = Neighbours::add_remove;
};

/// The charge of one release: reserved before data is read, committed once it is written. Without --ledger nothing is
/// recorded, and the label says so.
class BudgetCharge {
 public:
  /// Reads the flags; a `usage` error when --ledger and --dataset do not come together.
  [[nodiscard]] static Result<BudgetCharge> make(const Invocation& invocation);

  /// Reserves; `budget_exhausted` (exit 3) tells what is left, another privacy unit than the dataset's is refused (exit
  /// 2). A key for commitments is kept with the entry. Whatever fails afterwards says that the charge stays.
  [[nodiscard]] Result<void> reserve(Invocation& invocation, const ReleaseCost& cost, const std::string& purpose);
  /// The release was written.
  [[nodiscard]] Result<void> commit(Invocation& invocation);

  /// Names the entry, and binds the label to the input and the policy.
  [[nodiscard]] Result<void> put_into(PrivacyLabel& label, const std::string& input_file,
                                      const std::string& policy_file) const;
  /// {"dataset","entry","left","head"}, or null.
  [[nodiscard]] Json to_json() const;
  /// "charged epsilon 1 to 'visits'; left ...", or that nothing was recorded.
  [[nodiscard]] std::string text() const;

 private:
  std::optional<std::string> path_;
  std::string dataset_;
  std::string analyst_;
  std::optional<Ledger> ledger_;
  std::optional<Grant> grant_;
  std::optional<CommitmentKey> key_;
  Charge stated_;
  std::string head_;
};

}  // namespace gauze::cli
