#pragma once

#include <optional>
#include <vector>

#include "gauze/accounting/accountant.h"
#include "gauze/accounting/spec.h"
#include "gauze/base/progress.h"
#include "gauze/base/rational.h"
#include "gauze/files/json.h"
#include "gauze/label/label.h"
#include "gauze/label/warning.h"

namespace gauze {

/// What a composition costs, which nobody has released yet: the answers of all methods, its label, its JSON, and what the
/// reader should know. Upper bounds round up.
struct CostStatement {
  Rational epsilon;                              ///< asked for or found, as the label states it
  Rational delta;                                ///< likewise
  bool asked_for_delta = false;                  ///< delta was found for an epsilon, and not the other way round
  std::vector<Accountant::Answer> answers = {};  ///< the best first
  PrivacyLabel label = {};

  /// The best upper bound with the tightest lower bound of any method, which never exceeds it.
  [[nodiscard]] Bounds bounds() const;
  /// epsilon, delta, method, all; of an epsilon also gap and wide.
  [[nodiscard]] Json to_json() const;
  /// Bounds further apart than usual, an order at the edge of those tried.
  [[nodiscard]] std::vector<Warning> warnings() const;

  [[nodiscard]] static Result<CostStatement> epsilon_at(const Accountant& accountant, const PrivacyEvent& event,
                                                        const Rational& delta, Accountant::Method method);
  [[nodiscard]] static Result<CostStatement> delta_at(const Accountant& accountant, const PrivacyEvent& event,
                                                      const Rational& epsilon, Accountant::Method method);
  /// The worst of what one unit can meet; one step of the progress an alternative.
  [[nodiscard]] static Result<CostStatement> epsilon_of(const CompositionSpec& spec, const Rational& delta,
                                                        Accountant::Method method, Progress& progress);
};

}  // namespace gauze
