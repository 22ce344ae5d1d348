// A release that is charged before the data is read, and a charge that no longer fits.
#include <fmt/core.h>

#include <cstdio>

#include "gauze/ledger/ledger.h"
#include "gauze/mechanisms/noise/geometric.h"

namespace {

using namespace gauze;

Result<void> run() {
  const char* path = "keep_a_budget.ledger";
  std::remove(path);
  GAUZE_TRY(Ledger ledger, Ledger::create(path));
  DatasetOptions options;
  options.name = "visits";
  options.unit = "one patient";
  options.epsilon = Rational(1);
  GAUZE_TRY(const DatasetTerms terms, DatasetTerms::make(options));
  GAUZE_TRY_VOID(ledger.create_dataset(terms));

  GAUZE_TRY(const Charge charge, Charge::make(Charge::Kind::epsilon, Rational(7, 10)));
  const ChargeRequest request{.dataset = "visits", .analyst = "ana", .charge = charge, .purpose = "a count"};
  GAUZE_TRY(const Grant grant, ledger.reserve(request));  // on the disk from here on
  const auto mechanism = GeometricMechanism::make({.epsilon = Rational(7, 10), .l1_sensitivity = 1});
  const GridValue noisy = mechanism->release(SecureRandom::of_thread(), 1234);
  GAUZE_TRY_VOID(ledger.commit(grant.entry));
  fmt::print("{} visits; left {}\n", noisy.to_decimal(), grant.balance.left_json().dump());

  const Granted refused = ledger.reserve(request);
  fmt::print("{}; allowed {}\n", to_string(refused.error().code), refused.error().allowed->to_json().dump());
  return {};
}

}  // namespace

int main() {
  const auto done = run();
  if (!done) fmt::print(stderr, "{}\n", done.error().message);
  return done ? 0 : 1;
}
