#pragma once

#include <optional>
#include <string>

#include "gauze/base/error.h"
#include "gauze/base/rational.h"
#include "gauze/label/label.h"

namespace gauze {

/// What a release costs those it is about: upper bounds under one definition, for one unit and one relation of neighbours.
///
/// Exact: whoever prints a figure, or charges it, rounds up. Which figures there are follows from the definition: epsilon
/// of `pure`, epsilon and delta of `approximate`, rho of `zcdp`, epsilon at an order of `renyi`, mu of `gaussian`. A release
/// that is zCDP may state what that implies in epsilon and delta beside its rho.
struct PrivacyCost {
  Definition definition = Definition::pure;
  std::optional<Rational> epsilon = {};
  std::optional<Rational> delta = {};
  std::optional<Rational> rho = {};
  std::optional<Rational> rho_delta =
      {};  ///< beside rho: the probability with which rho does not hold (approximate zCDP)
  std::optional<Rational> mu = {};
  std::optional<Rational> renyi_order = {};    ///< above 1; with
  std::optional<Rational> renyi_epsilon = {};  ///< the divergence at that order
  std::string unit = "one row";                ///< whom it protects: the name that a ledger compares
  Neighbours neighbours = Neighbours::add_remove;

  [[nodiscard]] static PrivacyCost of_epsilon(Rational epsilon, Rational delta = Rational());
  [[nodiscard]] static PrivacyCost of_rho(Rational rho);

  /// Whether a budget can be charged for it: metric, k-anonymity, hidden patterns, `none` and `internal` cannot.
  [[nodiscard]] bool is_chargeable() const;

  /// Both releases together, by basic composition: figures add up, each within its definition. Gaussian ones add up in
  /// squares. `invalid_parameter` where definitions, orders, units or neighbours differ.
  [[nodiscard]] Result<void> add(const PrivacyCost& other);
  /// The cost of so many such releases.
  [[nodiscard]] Result<PrivacyCost> times(std::int64_t count) const;

  /// Writes definition, figures (rounded up), unit and neighbours into a label.
  void put_into(PrivacyLabel& label) const;
};

/// Whether a label of this definition promises something that adds up in a budget.
[[nodiscard]] bool is_chargeable(Definition definition);

}  // namespace gauze
