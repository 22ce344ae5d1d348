#include "gauze/ledger/terms/neighbour_relation.h"

#include <algorithm>

#include "gauze/base/interval.h"

namespace gauze {
namespace {

constexpr mpfr_prec_t kPrecision = 192;  // far more than the 1e-18 that delta is counted in

/// (1 + e^epsilon) delta in units, rounded up; nothing when that is 1 or more, which would promise nothing.
std::optional<std::int64_t> group_delta(const Charge& charge) {
  const Rational epsilon = amount_of(charge.amount, Currency::epsilon);
  if (epsilon > Rational(50)) return std::nullopt;  // e^50 units of delta are more than 1
  const Interval power = Interval(epsilon, kPrecision).exp();
  mpq_t exact;
  mpq_init(exact);
  mpfr_get_q(exact, power.high_end());
  const Rational factor = Rational(1) + Rational::from_gmp(exact);
  mpq_clear(exact);
  const Rational delta = factor * amount_of(charge.delta, Currency::delta);
  if (!(delta < Rational(1))) return std::nullopt;
  return units_up(delta, Currency::delta);
}

Result<Charge> for_group_of_two(const Charge& charge) {
  Charge group = charge;
  if (charge.kind == Charge::Kind::rdp) {
    return asking_for(
        "neighbours",
        invalid_parameter(
            "a Renyi-DP cost for adding or removing one unit gives none for replacing it at the same order, and this "
            "dataset is kept under replace-one: charge the cost under replace-one"));
  }
  if (charge.kind == Charge::Kind::rho && charge.delta > 0) {
    return asking_for(
        "neighbours",
        invalid_parameter(
            "approximate zCDP (rho with a delta) for adding or removing one unit gives no simple bound for replacing it, and "
            "this dataset is kept under replace-one: charge the cost under replace-one"));
  }
  if (charge.delta > 0) {
    const auto delta = group_delta(charge);
    if (!delta) {
      return asking_for(
          "neighbours",
          invalid_parameter(
              "for a group of two, as replace-one needs it, this charge would have a delta of 1 or more, which promises "
              "nothing: charge the cost under replace-one"));
    }
    group.delta = *delta;
  }
  // Beyond the largest amount it fits no total, and is refused as such.
  const std::int64_t factor = charge.kind == Charge::Kind::rho ? 4 : 2;
  group.amount = std::min(charge.amount, kMostUnits / factor + 1) * factor;
  return group;
}

}  // namespace

bool is_dataset_relation(Neighbours neighbours) {
  return neighbours == Neighbours::add_remove || neighbours == Neighbours::replace_one;
}

Result<Charge> charge_under(const Charge& charge, Neighbours stated, Neighbours dataset) {
  if (!is_dataset_relation(stated)) {
    return invalid_parameter("a charge is about add-remove or replace-one neighbours, not {}", to_string(stated));
  }
  if (stated == dataset) return charge;
  if (dataset == Neighbours::replace_one) return for_group_of_two(charge);
  return invalid_parameter(
      "a cost for replacing one unit gives none for adding or removing it, and this dataset is kept under add-remove: "
      "charge the cost under add-remove");
}

}  // namespace gauze
