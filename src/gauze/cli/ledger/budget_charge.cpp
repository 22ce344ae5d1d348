#include "gauze/cli/ledger/budget_charge.h"

#include <filesystem>

#include "gauze/cli/flags/shared_flags.h"
#include "gauze/cli/ledger/ledger_output.h"

namespace gauze::cli {
namespace {

/// The commitment to the bytes of a file; nothing for what is no single file (a glob, the standard input).
Result<std::optional<std::string>> commit_to_file(const CommitmentKey& key, const std::string& purpose,
                                                  const std::string& path) {
  std::error_code problem;
  if (!std::filesystem::is_regular_file(path, problem)) return std::optional<std::string>();
  Commitment commitment(key, purpose);
  GAUZE_TRY_VOID(commitment.add_file(path));
  return std::optional<std::string>(commitment.finish());
}

/// The charge in the currency that the accountant adds up, where the release has one.
Result<Charge> charge_for(const Ledger& ledger, const std::string& dataset, const ReleaseCost& cost) {
  GAUZE_TRY(const Balance balance, ledger.balance(dataset));
  if (cost.rho && balance.terms->accountant.kind() == PrivacyFilter::Kind::zcdp)
    return Charge::make(Charge::Kind::rho, *cost.rho);
  return Charge::make(Charge::Kind::epsilon, cost.epsilon, cost.delta);
}

}  // namespace

std::vector<Flag> charge_flags_of_a_release() {
  return {ledger_flag(),
          {.name = "dataset", .placeholder = "NAME", .help = "the dataset's name in the ledger"},
          analyst_flag(),
          {.name = "purpose", .placeholder = "TEXT", .help = "what it is for; stands in the ledger"}};
}

Result<BudgetCharge> BudgetCharge::make(const Invocation& invocation) {
  BudgetCharge charge;
  if (invocation.has("ledger") != invocation.has("dataset"))
    return make_error(ErrorCode::usage, "--ledger and --dataset go together");
  if (!invocation.has("ledger")) {
    for (const char* flag : {"analyst", "purpose"})
      if (invocation.has(flag)) return make_error(ErrorCode::usage, "--{} goes with --ledger", flag);
    return charge;
  }
  charge.path_ = invocation.optional_text("ledger");
  GAUZE_TRY(charge.dataset_, invocation.text("dataset"));
  charge.analyst_ = invocation.optional_text("analyst").value_or("owner");
  return charge;
}

Result<void> BudgetCharge::reserve(Invocation& invocation, const ReleaseCost& cost, const std::string& purpose) {
  GAUZE_TRY_VOID(invocation.progress().check());  // nobody is charged who has asked to stop
  if (!path_) return {};
  GAUZE_TRY(ledger_, Ledger::open(*path_));
  GAUZE_TRY(key_, CommitmentKey::generate());
  ChargeRequest request;
  request.dataset = dataset_;
  request.analyst = analyst_;
  GAUZE_TRY(request.charge, charge_for(*ledger_, dataset_, cost));
  request.purpose = invocation.optional_text("purpose").value_or(purpose);
  request.unit = cost.unit;
  request.neighbours = cost.neighbours;
  request.commitment_key = &*key_;
  Granted granted = ledger_->reserve(request);
  if (!granted) {
    explain(invocation, granted.error());
    return tl::unexpected<Error>(granted.error());
  }
  stated_ = request.charge;
  head_ = granted->head;
  grant_ = std::move(*granted);
  invocation.set_aftermath(fmt::format("{} stays charged to '{}': reservation {}, which was not committed",
                                       charge_text(stated_, grant_->charged), dataset_, grant_->entry));
  return {};
}

Result<void> BudgetCharge::commit(Invocation& invocation) {
  if (!grant_) return {};
  GAUZE_TRY(const ChainedEntry entry, ledger_->commit(grant_->entry));
  head_ = entry.hash;
  invocation.set_aftermath(fmt::format("the release was written, and its charge is entry {}", grant_->entry));
  return {};
}

Result<void> BudgetCharge::put_into(PrivacyLabel& label, const std::string& input_file,
                                    const std::string& policy_file) const {
  if (!grant_) return {};
  label.budget = {.recorded = true, .dataset = dataset_, .entry = std::to_string(grant_->entry)};
  // What was charged stands in the label, so that the two can be compared later.
  if (stated_.kind == Charge::Kind::rho) label.cost.rho = decimal_of(stated_.amount, Currency::rho);
  GAUZE_TRY(label.commitments.input, commit_to_file(*key_, "input", input_file));
  GAUZE_TRY(label.commitments.policy, commit_to_file(*key_, "policy", policy_file));
  return {};
}

Json BudgetCharge::to_json() const {
  if (!grant_) return {};
  return Json::object(
      {{"dataset", dataset_}, {"entry", grant_->entry}, {"left", grant_->balance.left_json()}, {"head", head_}});
}

std::string BudgetCharge::text() const {
  if (!grant_) return "not recorded in a ledger (--ledger FILE --dataset NAME)";
  return fmt::format("charged {} to '{}', entry {}; left {}", charge_text(stated_, grant_->charged), dataset_,
                     grant_->entry, figures_text(grant_->balance.left_json()));
}

}  // namespace gauze::cli
