#include "gauze/publish/publication.h"

#include <fmt/core.h>

#include <utility>

#include "gauze/files/sha256.h"
#include "gauze/ledger/charge_of_cost.h"
#include "gauze/ledger/ledger.h"

namespace gauze::publish {

void mark_seeded(PrivacyLabel& label) {
  label.warning = "drawn from a seed: no guarantee";
  label.definition = Definition::none;
  label.cost = {};
  label.covers.clear();
  label.does_not_cover = {"anything: whoever knows or guesses the seed can subtract the noise"};
}

std::string request_digest(std::string_view command, const Json& parameters, std::string_view analyst,
                           std::string_view document) {
  const Json asked = Json::object({{"command", command},
                                   {"parameters", parameters},
                                   {"analyst", analyst},
                                   {"document", document.empty() ? Json() : Json(sha256_hex(document))}});
  return sha256_hex("gauze-request-1\n" + asked.dump());
}

namespace {

Result<std::shared_ptr<ChargeBook>> open_book(const Account& account) {
  if (const auto* const open = std::get_if<std::shared_ptr<ChargeBook>>(&account.ledger)) {
    GAUZE_CHECK(*open != nullptr);
    return *open;
  }
  GAUZE_TRY(Ledger ledger, Ledger::open(std::get<std::filesystem::path>(account.ledger)));
  return std::make_shared<Ledger>(std::move(ledger));
}

}  // namespace

Result<Publication> Publication::begin(Request request) {
  for (const std::string& output : request.outputs) GAUZE_TRY_VOID(LabelledOutput::try_place(output));
  Publication publication;
  if (request.account && request.seeded)
    return make_error(ErrorCode::usage,
                      "a seeded output has no guarantee that a budget could be charged for: leave the ledger out");
  if (request.account) {
    GAUZE_TRY(publication.ledger_, open_book(*request.account));
  }
  publication.request_ = std::move(request);
  return publication;
}

tl::expected<void, Refusal> Publication::reserve(const PrivacyCost& cost) {
  if (!ledger_) return {};
  GAUZE_CHECK(!grant_);
  const Account& account = *request_.account;
  const auto prepare = [&]() -> Result<ChargeRequest> {
    GAUZE_TRY(const Balance balance, ledger_->balance(account.dataset));
    ChargeRequest charge;
    charge.dataset = account.dataset;
    charge.analyst = account.analyst;
    GAUZE_TRY(charge.charge, charge_of_cost(cost, *balance.terms));
    charge.purpose = account.purpose;
    charge.unit = cost.unit;
    charge.neighbours = cost.neighbours;
    charge.request = account.request;
    charge.resume = account.resume;
    GAUZE_TRY(key_, CommitmentKey::generate());
    charge.commitment_key = &*key_;
    return charge;
  };
  const auto charge = prepare();
  if (!charge) return tl::unexpected<Refusal>(charge.error());
  Granted granted = ledger_->reserve(*charge);
  if (!granted) return tl::unexpected<Refusal>(std::move(granted.error()));
  if (granted->resumed) {
    auto key = ledger_->commitment_key(granted->entry);
    if (!key) return tl::unexpected<Refusal>(key.error());
    key_.emplace(std::move(*key));
  }
  stated_ = charge->charge;
  head_ = granted->head;
  grant_ = std::move(*granted);
  return {};
}

ByteWitness Publication::witness_of_input() {
  if (!grant_) return {};
  input_ = std::make_unique<Commitment>(*key_, "input");
  return [commitment = input_.get()](std::string_view piece) { commitment->add(piece); };
}

ByteWitness Publication::witness_of_input(const std::string& name) {
  if (!grant_) return {};
  auto& commitment = inputs_[name];
  commitment = std::make_unique<Commitment>(*key_, "input " + name);
  return [to = commitment.get()](std::string_view piece) { to->add(piece); };
}

void Publication::bind_policy(std::string_view bytes) {
  if (!grant_) return;
  Commitment commitment(*key_, "policy");
  commitment.add(bytes);
  policy_ = commitment.finish();
}

Result<void> Publication::open(PrivacyLabel& label) {
  if (request_.seeded) mark_seeded(label);
  if (grant_) {
    label.privacy_unit = grant_->balance.terms->unit;
    label.budget = {.recorded = true, .dataset = request_.account->dataset, .entry = std::to_string(grant_->entry)};
    // What was charged stands in the label, so that the two can be compared later.
    if (stated_.kind == Charge::Kind::rho) label.cost.rho = decimal_of(stated_.amount, Currency::rho);
    label.commitments = {.input = input_ ? std::optional(input_->finish()) : std::nullopt, .policy = policy_};
    for (const auto& [name, commitment] : inputs_) label.commitments.inputs[name] = commitment->finish();
  }
  opened_ = true;
  return label.check_rules();
}

Result<void> Publication::finish(PrivacyLabel& label, std::span<LabelledOutput> outputs) {
  if (!opened_) GAUZE_TRY_VOID(open(label));
  const bool has_request = grant_ && request_.account->request;
  if (has_request && !answer_ && outputs.size() == 1) {
    GAUZE_TRY(answer_, outputs.front().content(kLargestKept));
  }
  if (answer_ && answer_->size() > kLargestKept) answer_.reset();
  for (LabelledOutput& output : outputs) GAUZE_TRY_VOID(output.commit(label));
  written_ = true;
  if (!grant_) return {};
  Outcome outcome;
  if (has_request)
    outcome = {.label = label.to_json().dump(), .output_sha256 = label.released.sha256, .answer = answer_};
  GAUZE_TRY(const ChainedEntry entry, ledger_->commit(grant_->entry, outcome));
  head_ = entry.hash;
  committed_ = true;
  return {};
}

std::string Publication::aftermath() const {
  if (!grant_) return {};
  if (committed_) return fmt::format("the release was written, and its charge is entry {}", grant_->entry);
  return fmt::format("{}{} stays charged to '{}': reservation {}, which was not committed",
                     written_ ? "the release was written; " : "", charge_text(stated_, grant_->charged),
                     request_.account->dataset, grant_->entry);
}

Json Publication::to_json() const {
  if (!grant_) return {};
  return Json::object({{"dataset", request_.account->dataset},
                       {"entry", grant_->entry},
                       {"charged", grant_->charged.to_json()},
                       {"left", grant_->balance.left_json()},
                       {"head", head_}});
}

std::string Publication::text() const {
  if (!grant_) return "not recorded in a ledger";
  return fmt::format("charged {} to '{}', entry {}; left {}", charge_text(stated_, grant_->charged),
                     request_.account->dataset, grant_->entry, figures_text(grant_->balance.left_json()));
}

}  // namespace gauze::publish
