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

Result<ChargeRequest> Publication::charge_request(const PrivacyCost& cost) const {
  const Account& account = *request_.account;
  GAUZE_TRY(const Balance balance, ledger_->balance(account.dataset));
  ChargeRequest charge;
  charge.dataset = account.dataset;
  charge.analyst = account.analyst;
  GAUZE_TRY(charge.charge, charge_of_cost(cost, *balance.terms));
  charge.purpose = account.purpose;
  charge.unit = cost.unit;
  charge.neighbours = cost.neighbours;
  return charge;
}

tl::expected<void, Refusal> Publication::reserve(const PrivacyCost& cost, std::uint64_t planned_steps) {
  if (!ledger_) return {};
  GAUZE_CHECK(!grant_);
  const Account& account = *request_.account;
  const auto prepare = [&]() -> Result<ChargeRequest> {
    GAUZE_TRY(ChargeRequest charge, charge_request(cost));
    charge.request = account.request;
    charge.resume = account.resume;
    charge.planned_steps = static_cast<std::int64_t>(planned_steps);
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
  planned_steps_ = planned_steps;
  stated_ = charge->charge;
  head_ = granted->head;
  grant_ = std::move(*granted);
  return {};
}

Result<void> Publication::take_up(std::int64_t reservation, const PrivacyCost& cost, std::uint64_t planned_steps) {
  GAUZE_CHECK(ledger_ && !grant_);
  const Account& account = *request_.account;
  GAUZE_TRY(const ChargeRequest asked, charge_request(cost));
  GAUZE_TRY(const StepReservation reserved, ledger_->step_reservation(reservation));
  const Entry& entry = reserved.charge.entry;
  GAUZE_TRY(const Balance balance, ledger_->balance(account.dataset));
  if (entry.dataset != account.dataset)
    return invalid_parameter("reservation {} is on another dataset than '{}'", reservation, account.dataset);
  const std::string& unit = asked.unit.empty() ? balance.terms->unit : asked.unit;
  const bool same_cost = entry.charge.kind == asked.charge.kind && entry.charge.amount == asked.charge.amount &&
                         entry.charge.delta == asked.charge.delta;
  if (!same_cost || entry.unit != unit || entry.neighbours != asked.neighbours.value_or(entry.neighbours) ||
      entry.planned_steps != static_cast<std::int64_t>(planned_steps))
    return invalid_parameter(
        "reservation {} on '{}' was made for another cost, unit, kind of neighbours or number of steps", reservation,
        account.dataset);
  GAUZE_TRY(key_, ledger_->commitment_key(reservation));
  planned_steps_ = planned_steps;
  counted_steps_ = static_cast<std::uint64_t>(reserved.persisted);
  committed_ = reserved.committed;
  stated_ = asked.charge;
  head_ = reserved.charge.hash;
  grant_ = Grant{.entry = reservation,
                 .time = entry.time,
                 .head = reserved.charge.hash,
                 .charged = entry.charged,
                 .cost = entry.cost,
                 .balance = balance,
                 .resumed = true};
  return {};
}

Result<void> Publication::progress(std::uint64_t steps) {
  if (!grant_) return {};
  GAUZE_CHECK(planned_steps_ > 0);
  GAUZE_TRY(const ChainedEntry entry, ledger_->record_progress(grant_->entry, static_cast<std::int64_t>(steps)));
  head_ = entry.hash;
  counted_steps_ += steps;
  is_counted_ = true;
  return {};
}

Result<void> Publication::put_checkpoint(PrivacyLabel label, LabelledOutput& output) {
  GAUZE_CHECK(grant_ && is_counted_);
  GAUZE_TRY_VOID(open(label));
  opened_ = false;  // the label of the release comes last
  is_counted_ = false;
  return output.commit(label);
}

std::string Publication::commitment_to(std::string_view purpose, std::string_view bytes) const {
  GAUZE_CHECK(key_.has_value());
  Commitment commitment(*key_, purpose);
  commitment.add(bytes);
  return commitment.finish();
}

bool Publication::is_commitment_to(std::string_view purpose, std::string_view bytes,
                                   std::string_view commitment) const {
  GAUZE_CHECK(key_.has_value());
  Commitment made(*key_, purpose);
  made.add(bytes);
  return made.verify(commitment);
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
    if (!commitments_) {
      commitments_.emplace();
      if (input_) commitments_->input = input_->finish();
      for (const auto& [name, commitment] : inputs_) commitments_->inputs[name] = commitment->finish();
    }
    label.commitments = *commitments_;
    label.commitments.policy = policy_;
  }
  opened_ = true;
  return label.check_rules();
}

Result<void> Publication::finish(PrivacyLabel& label, std::span<LabelledOutput> outputs) {
  GAUZE_CHECK(planned_steps_ == 0 || is_counted_);
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
  return commit(outcome);
}

/// A training that is continued more than once has several ends, and is committed once.
Result<void> Publication::commit(const Outcome& outcome) {
  if (!committed_) {
    const auto entry = ledger_->commit(grant_->entry, outcome);
    if (entry) {
      head_ = entry->hash;
    } else {
      if (planned_steps_ == 0) return tl::unexpected<Error>(entry.error());
      const auto reserved = ledger_->step_reservation(grant_->entry);
      if (!reserved || !reserved->committed) return tl::unexpected<Error>(entry.error());
    }
  }
  committed_ = true;
  return {};
}

std::string Publication::aftermath() const {
  if (!grant_) return {};
  if (written_ && committed_)
    return fmt::format("the release was written, and its charge is entry {}", grant_->entry);
  const std::string how = counted_steps_ > 0
                              ? fmt::format("{} of whose {} steps are counted", counted_steps_, planned_steps_)
                              : "which was not committed";
  return fmt::format("{}{} stays charged to '{}': reservation {}, {}", written_ ? "the release was written; " : "",
                     charge_text(stated_, grant_->charged), request_.account->dataset, grant_->entry, how);
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
  if (planned_steps_ > 0 && grant_->resumed)
    return fmt::format("charged nothing to '{}': entry {} has paid for all {} steps; left {}",
                       request_.account->dataset, grant_->entry, planned_steps_,
                       figures_text(grant_->balance.left_json()));
  return fmt::format("charged {} to '{}', entry {}; left {}", charge_text(stated_, grant_->charged),
                     request_.account->dataset, grant_->entry, figures_text(grant_->balance.left_json()));
}

}  // namespace gauze::publish
