#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "gauze/base/error.h"
#include "gauze/files/json.h"
#include "gauze/ledger/request.h"
#include "gauze/ledger/terms/dataset_terms.h"

namespace gauze {

/// Where a dataset stands: what was spent against its total, and what is left. Charges were rounded up, so what is
/// left is never more than the truth.
struct Balance {
  std::shared_ptr<const DatasetTerms> terms;
  std::int64_t created = 0;  ///< seconds since 1970
  Cost spent;                ///< in units of the accountant's currency, and of delta
  std::int64_t queries = 0;
  std::int64_t window_spent = 0;  ///< in the window that `window_ends` ends
  std::int64_t window_ends = 0;   ///< seconds since 1970; 0 without a window
  bool shares_set = false;
  std::optional<Neighbours> neighbours;  ///< none: of format 1 and not declared yet, so that nothing can be charged

  [[nodiscard]] Cost left() const;
  /// What was spent and what is left in the total's terms: {"epsilon","delta"}, {"rho"} or {"rho","delta"}. Under zcdp, rdp and gdp
  /// with an (epsilon, delta) total the accountant's own figure stands beside them; epsilon is then what that figure
  /// implies at the conversion's half of delta, and delta is the half that charges may use.
  [[nodiscard]] Json spent_json() const;
  [[nodiscard]] Json left_json() const;
  /// {"length","limit","left","renews"}; null without a window.
  [[nodiscard]] Json window_json() const;
  /// Everything about the dataset, for programs.
  [[nodiscard]] Json to_json() const;
  /// The share of the total that is gone, between 0 and 1, for a bar.
  [[nodiscard]] double used() const;

 private:
  [[nodiscard]] std::int64_t implied_epsilon() const;
  [[nodiscard]] Json figures(std::int64_t epsilon, const Cost& cost) const;
};

/// A cost in the accountant's own currency: {"rho":0.005,"delta":0}. delta is left out where the dataset has none.
[[nodiscard]] Json cost_json(const Cost& cost, const DatasetTerms& terms);

/// Where one analyst stands with one dataset.
struct AnalystBalance {
  std::string analyst;
  std::optional<std::int64_t> share;  ///< units of Currency::share; none when none was set
  Cost spent;
  Cost left;  ///< of the share; without shares of the whole dataset
  std::int64_t queries = 0;
};

/// What a granted charge gives back. It is on the disk by then.
struct Grant {
  std::int64_t entry = 0;  ///< also the number of the reservation
  std::int64_t time = 0;
  std::string head;  ///< the hash of the entry
  Charge charged;    ///< under the dataset's relation; the charge as stated unless it was for a group of two
  Cost cost;
  Balance balance;       ///< after the charge
  bool resumed = false;  ///< nothing was charged: it is the reservation that the same request made earlier
};

/// Why a charge was not granted; nothing was recorded. Passes as a plain Error wherever one is expected.
struct Refusal : Error {
  Refusal() = default;
  Refusal(Error error) : Error(std::move(error)) {}

  std::string limit;               ///< total, window, per_query, queries, share, delta; else empty
  std::optional<Balance> balance;  ///< of the dataset, as it is
  std::optional<Charge> allowed;   ///< the largest charge of the same kind, as stated, that would be granted
  std::optional<std::int64_t> window_opens;  ///< when the window renews, where that is what stands in the way
  /// The same request as it was made before. Where it is committed, its outcome is the answer to this one, too.
  std::optional<RequestRecord> request;

  /// What it tells besides its message, for programs: reservation; left, allowed, limit and renews where the budget refused.
  [[nodiscard]] Json details() const;
};

using Granted = tl::expected<Grant, Refusal>;

}  // namespace gauze
