#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gauze/accounting/event.h"
#include "gauze/accounting/loss_composition.h"

namespace gauze {

/// What a composition of events costs, by every method that applies.
///
/// Guarantee : each upper bound holds for events and counts that are fixed beforehand and run one after the other (adaptively
///             chosen inputs, not adaptively chosen costs: those are the ledger's). Lower bounds are attained by some input.
class Accountant {
 public:
  enum class Method { automatic, basic, advanced, zcdp, rdp, pld, exact };

  /// Refuses an empty list and events that check() refuses; all events must have the same adjacency.
  [[nodiscard]] static Result<Accountant> make(std::vector<PrivacyEvent> events);

  struct Answer {
    Method method = Method::automatic;
    Bounds bounds = {};
    std::optional<double> order = {};  ///< Renyi only: the order that was best
    bool order_at_edge = false;        ///< the best order is the smallest or largest tried
  };

  /// All methods that apply, or the one asked for; the reason when it does not apply. The first answer is the best.
  [[nodiscard]] Result<std::vector<Answer>> epsilon(double delta, Method method = Method::automatic,
                                                    double tolerance = 0) const;
  [[nodiscard]] Result<std::vector<Answer>> delta(double epsilon, Method method = Method::automatic) const;
  /// The Renyi-DP of everything together at one order.
  [[nodiscard]] Result<double> renyi(double order) const;

  /// The orders that are tried, ascending; replaced by the caller's if not empty.
  void set_orders(std::vector<double> orders) { orders_ = std::move(orders); }

 private:
  explicit Accountant(std::vector<PrivacyEvent> events);
  using Attempt = Result<Answer>;
  [[nodiscard]] Attempt basic_epsilon(double delta) const;
  [[nodiscard]] Attempt advanced_epsilon(double delta) const;
  [[nodiscard]] Attempt zcdp_epsilon(double delta) const;
  [[nodiscard]] Attempt rdp_epsilon(double delta) const;
  [[nodiscard]] Attempt pld_epsilon(double delta, double tolerance) const;
  [[nodiscard]] Attempt exact_epsilon(double delta) const;
  [[nodiscard]] Result<std::vector<ComposedLoss>> directions() const;
  [[nodiscard]] std::optional<double> total_mu() const;

  std::vector<PrivacyEvent> events_;
  std::vector<double> orders_;
};

[[nodiscard]] std::string_view to_string(Accountant::Method method);
[[nodiscard]] std::optional<Accountant::Method> parse_method(std::string_view text);

}  // namespace gauze
