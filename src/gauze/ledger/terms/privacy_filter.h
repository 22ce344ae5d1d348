#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "gauze/base/error.h"
#include "gauze/base/rational.h"
#include "gauze/files/json.h"
#include "gauze/ledger/terms/amounts.h"

namespace gauze {

/// What a dataset may cost over its lifetime.
struct Total {
  enum class Kind { epsilon, rho };
  Kind kind = Kind::epsilon;
  std::int64_t amount = 0;  ///< units of epsilon or of rho, rounded down
  std::int64_t delta = 0;   ///< units of delta, rounded down; 0 for pure totals, and for rho without a delta

  [[nodiscard]] Currency currency() const { return kind == Kind::epsilon ? Currency::epsilon : Currency::rho; }
  [[nodiscard]] bool is_pure() const { return kind == Kind::epsilon && delta == 0; }
};

/// What a release costs, in the terms it was analysed in.
struct Charge {
  enum class Kind { epsilon, rho, mu, rdp };
  Kind kind = Kind::epsilon;
  std::int64_t amount = 0;  ///< in units of the kind, rounded up
  std::int64_t delta = 0;   ///< in units of delta, rounded up; only beside epsilon and rho (approximate zCDP)

  /// The amount must be above 0, delta not negative, below 1 and only beside epsilon or rho.
  [[nodiscard]] static Result<Charge> make(Kind kind, const Rational& amount, const Rational& delta = Rational());
  [[nodiscard]] Currency currency() const;
  /// {"epsilon":0.1}, with "delta" where there is one.
  [[nodiscard]] Json to_json() const;
};

/// What a charge takes from the two balances of an accountant.
struct Cost {
  std::int64_t amount = 0;  ///< in units of the accountant's currency; kMostUnits + 1 when it is beyond any total
  std::int64_t delta = 0;
  friend bool operator==(const Cost&, const Cost&) = default;
};

/// How charges add up when each of them may depend on the answers before it: a privacy filter, fixed when the dataset
/// is created. The four kinds are valid for analysts who adapt (docs/guide/ledger.md names the sources); privacy-loss
/// distributions and advanced composition are not, and enter as the certified cost of one reservation.
class PrivacyFilter {
 public:
  enum class Kind { basic, zcdp, rdp, gdp };

  PrivacyFilter() = default;  ///< basic
  /// "basic", "zcdp", "gdp" or "rdp:ORDER" with an order above 1, at most 1e6, of at most nine decimals.
  [[nodiscard]] static Result<PrivacyFilter> parse(std::string_view text);

  [[nodiscard]] Kind kind() const { return kind_; }
  /// Of rdp; 0 for the others.
  [[nodiscard]] const Rational& order() const { return order_; }
  [[nodiscard]] std::string name() const;
  /// What it adds up.
  [[nodiscard]] Currency currency() const;

  /// What this accountant may spend under the total: `invalid_parameter` when the two do not go together. Under
  /// zcdp, rdp and gdp half of the delta of an epsilon total is kept for the conversion and half is left to the charges.
  /// A total in rho is not converted: all of its delta is left to them.
  [[nodiscard]] Result<Cost> capacity(const Total& total) const;
  /// How much of its currency implies `amount` of the total's currency: for limits inside the total.
  [[nodiscard]] Result<std::int64_t> capacity_of(std::int64_t amount, const Total& total) const;

  /// What a charge costs: an integer function of the charge, rounded up. `invalid_parameter` with the reason when
  /// this accountant cannot absorb it.
  [[nodiscard]] Result<Cost> cost(const Charge& charge) const;

  /// The largest epsilon, in units and rounded down, for which one epsilon-DP release costs at most `amount` of this
  /// accountant's currency (docs/guide/ledger.md); 0 under gdp, where only mu can be charged.
  [[nodiscard]] std::int64_t as_one_pure_release(std::int64_t amount) const;

  /// The epsilon that `spent` implies at the conversion's half of the total's delta, in units: rounded up. Of totals in
  /// epsilon only.
  [[nodiscard]] std::int64_t epsilon_of(std::int64_t spent, const Total& total) const;

 private:
  PrivacyFilter(Kind kind, Rational order) : kind_(kind), order_(std::move(order)) {}
  [[nodiscard]] Result<Rational> exact_cost(const Charge& charge) const;

  Kind kind_ = Kind::basic;
  Rational order_;
};

}  // namespace gauze
