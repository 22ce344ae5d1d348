// The rules of the ledger: which entry may follow which.
#include <algorithm>

#include "gauze/base/did_you_mean.h"
#include "gauze/label/printable_text.h"
#include "gauze/ledger/charge_of_cost.h"
#include "gauze/ledger/internal/books.h"
#include "gauze/ledger/terms/neighbour_relation.h"

namespace gauze::internal {
namespace {

constexpr std::int64_t kWhole = 1'000'000'000;  // all shares together, in units

Result<DatasetState*> existing(Accounts& accounts, const std::string& name) {
  GAUZE_TRY(DatasetState * dataset, accounts.dataset(name));
  if (dataset == nullptr) return tl::unexpected(no_such_dataset(accounts, name));
  return dataset;
}

/// How much each limit leaves at this moment.
struct Room {
  std::int64_t total = 0;
  std::int64_t window = 0;
  std::int64_t share = 0;
  std::int64_t delta = 0;
  bool queries = true;

  [[nodiscard]] std::int64_t amount() const { return queries ? std::min({total, window, share}) : 0; }
};

Room room_of(const DatasetState& dataset, const AnalystState& analyst, std::int64_t time) {
  const DatasetTerms& terms = *dataset.terms;
  Room room;
  room.total = terms.capacity.amount - dataset.spent.amount;
  room.delta = terms.capacity.delta - dataset.spent.delta;
  room.window = room.share = room.total;
  if (terms.window_seconds > 0) {
    room.window = terms.window.limit - (dataset.window_at(time) == dataset.window_index ? dataset.window_spent : 0);
  }
  if (dataset.shares_set) {
    const Cost left = analyst.left(terms);
    room.share = left.amount;
    room.delta = std::min(room.delta, left.delta);
  }
  room.queries = !terms.max_queries || dataset.queries < *terms.max_queries;
  return room;
}

/// What a charge of the entry's kind takes, were this its statement; nothing when it cannot be charged.
struct Taking {
  Charge charged;
  Cost cost;
};

Result<Taking> taking_of(const DatasetState& dataset, const Entry& entry, const Charge& stated) {
  Taking taking{.charged = stated, .cost = {}};
  if (!entry.is_of_format_1()) {
    GAUZE_TRY(taking.charged, charge_under(stated, entry.neighbours, *dataset.neighbours));
  }
  GAUZE_TRY(taking.cost, dataset.terms->accountant.cost(taking.charged));
  return taking;
}

/// The largest charge of this kind, up to what was asked for, that all limits admit.
Charge largest_charge(const DatasetState& dataset, const Entry& entry, const Room& room) {
  const DatasetTerms& terms = *dataset.terms;
  const Charge& asked = entry.charge;
  Charge charge = asked;
  // For a group of two, delta is charged more than twice.
  const bool group = !entry.is_of_format_1() && entry.neighbours != *dataset.neighbours;
  const std::int64_t most_delta = std::min(room.delta, terms.max_delta_per_query.value_or(room.delta));
  charge.delta = std::clamp<std::int64_t>(group ? most_delta / 3 : most_delta, 0, asked.delta);
  std::int64_t fits = 0;
  std::int64_t too_much = asked.amount + 1;
  while (too_much - fits > 1) {
    charge.amount = fits + (too_much - fits) / 2;
    const auto taking = taking_of(dataset, entry, charge);
    if (taking && taking->cost.amount <= room.amount() &&
        taking->cost.delta <= std::max<std::int64_t>(room.delta, 0) &&
        terms.allows_query(taking->charged, taking->cost)) {
      fits = charge.amount;
    } else {
      too_much = charge.amount;
    }
  }
  charge.amount = fits;
  if (fits == 0) charge.delta = 0;  // a charge needs an amount: nothing is allowed
  return charge;
}

/// The first limit that the cost breaks, or an empty text.
std::string broken_limit(const DatasetTerms& terms, const Charge& charge, const Cost& cost, const Room& room) {
  if (cost.amount > room.total) return "total";
  if (!room.queries) return "queries";
  if (!terms.allows_query(charge, cost)) return "per_query";
  if (cost.amount > room.share) return "share";
  // A share lowered below what was spent leaves a negative delta, which a charge without one does not touch.
  if (cost.delta > std::max<std::int64_t>(room.delta, 0)) return "delta";
  if (cost.amount > room.window) return "window";
  return {};
}

std::string why(const std::string& limit, const DatasetTerms& terms) {
  if (limit == "queries") return fmt::format("the dataset's limit of {} queries is reached", *terms.max_queries);
  if (limit == "per_query") return "it exceeds the dataset's limit per query";
  if (limit == "share") return "it exceeds what the analyst's share leaves";
  if (limit == "delta") return "it exceeds the delta that is left";
  if (limit == "window") return "it exceeds what the window leaves until it renews";
  return "it exceeds what is left of the lifetime total";
}

/// Under accountants that do not add up epsilon a charge may look small beside the total: what it is there.
std::string in_its_currency(const DatasetTerms& terms, const Entry& entry) {
  const auto cost = terms.accountant.cost(entry.charged);
  if (!cost || entry.charged.currency() == terms.accountant.currency()) return "";
  const std::string worth = terms.worth_text();
  return fmt::format(". The reason is the accountant, {}: {} {} costs {} {} of {}{}{}", terms.accountant.name(),
                     to_string(entry.charged.currency()), decimal_of(entry.charged.amount, entry.charged.currency()),
                     to_string(terms.accountant.currency()), decimal_of(cost->amount, terms.accountant.currency()),
                     decimal_of(terms.capacity.amount, terms.accountant.currency()),
                     worth.empty() ? "" : "; the total is worth, ", worth);
}

Refusal refuse(const DatasetState& dataset, const Entry& entry, const Room& room, const std::string& limit) {
  Refusal refusal(Error{ErrorCode::budget_exhausted,
                        fmt::format("the charge on '{}' is refused: {}{}", entry.dataset, why(limit, *dataset.terms),
                                    limit == "total" ? in_its_currency(*dataset.terms, entry) : "")});
  refusal.limit = limit;
  refusal.balance = dataset.balance(entry.time);
  refusal.allowed = largest_charge(dataset, entry, room);
  if (limit == "window") refusal.window_opens = refusal.balance->window_ends;
  return refusal;
}

tl::expected<void, Refusal> check_authorised(const DatasetState& dataset, const AnalystState& analyst,
                                             const Entry& entry) {
  if (!dataset.shares_set || analyst.share) return {};
  return make_error(ErrorCode::not_authorised,
                    "the analyst '{}' has no share of '{}': set one, or delegate a part of another's", entry.analyst,
                    entry.dataset);
}

Result<void> check_correction(Accounts& accounts, const Entry& entry) {
  if (!entry.corrects) return {};
  bool charged = *entry.corrects >= 1 && *entry.corrects < entry.number;
  if (charged) {
    GAUZE_TRY(charged, accounts.is_charge(*entry.corrects, entry.dataset));
  }
  if (charged) return {};
  return invalid_parameter("a correction names an earlier charge on '{}', and entry {} is none", entry.dataset,
                           *entry.corrects);
}

/// Names of new entries; those of format 1 were not held to it.
Result<void> check_analyst(const Entry& entry, const std::string& name) {
  GAUZE_TRY_VOID(check_name("the name of an analyst", name));
  if (entry.is_of_format_1()) return {};
  return check_visible("the name of an analyst", name);
}

/// Whom and which neighbours a charge is about: by default the dataset's.
Result<void> check_relation(const DatasetState& dataset, Entry& entry) {
  if (entry.is_of_format_1()) return {};
  if (!dataset.neighbours) {
    return invalid_parameter(
        "'{}' comes from a ledger of format 1, which did not say what neighbours are, so that nothing can be charged; "
        "declare add-remove or replace-one, once",
        entry.dataset);
  }
  const std::string& unit = dataset.terms->unit;
  if (entry.unit.empty()) entry.unit = unit;
  if (entry.unit != unit) {
    return invalid_parameter(
        "'{}' keeps a budget for the privacy unit '{}', and this charge is about '{}': a guarantee for the one says "
        "nothing about the other",
        entry.dataset, unit, printable(entry.unit));
  }
  if (entry.neighbours == Neighbours::not_applicable) entry.neighbours = *dataset.neighbours;
  return {};
}

/// A request id is charged once.
Result<void> check_new_request(Accounts& accounts, const Entry& entry) {
  if (entry.request.empty() && entry.request_digest.empty()) return {};
  GAUZE_TRY_VOID(check_request({.id = entry.request, .digest = entry.request_digest}));
  GAUZE_TRY(const std::int64_t before, accounts.request(entry.dataset, entry.request));
  if (before == 0) return {};
  return invalid_parameter("the request '{}' on '{}' was charged already, by entry {}", entry.request, entry.dataset,
                           before);
}

/// Steps are counted under a reservation, which is for at least one if it is for any.
Result<void> check_planned_steps(const Entry& entry) {
  if (entry.planned_steps == 0) return {};
  if (entry.planned_steps > 0 && entry.kind == EntryKind::reserve) return {};
  return invalid_parameter("planned steps go with a reservation, and must be at least 1");
}

tl::expected<void, Refusal> apply_charge(Accounts& accounts, Entry& entry) {
  GAUZE_TRY_VOID(check_analyst(entry, entry.analyst));
  GAUZE_TRY_VOID(check_text("the purpose", entry.purpose, kLongestPurpose));
  if (!entry.is_of_format_1() && has_invisible(entry.purpose, Joiners::pass)) {
    return invalid_parameter("the purpose must not contain characters that cannot be seen");
  }
  GAUZE_TRY(DatasetState * dataset, existing(accounts, entry.dataset));
  GAUZE_TRY_VOID(check_correction(accounts, entry));
  GAUZE_TRY_VOID(check_new_request(accounts, entry));
  GAUZE_TRY_VOID(check_planned_steps(entry));
  const DatasetTerms& terms = *dataset->terms;
  GAUZE_TRY_VOID(check_relation(*dataset, entry));
  GAUZE_TRY_VOID(check_delta(terms, entry.charge));
  GAUZE_TRY(const Taking taking, taking_of(*dataset, entry, entry.charge));
  entry.charged = taking.charged;
  entry.cost = taking.cost;
  GAUZE_TRY(AnalystState * analyst, accounts.analyst(entry.dataset, entry.analyst));
  if (auto authorised = check_authorised(*dataset, *analyst, entry); !authorised) return authorised;
  const Room room = room_of(*dataset, *analyst, entry.time);
  const std::string limit = broken_limit(terms, entry.charged, entry.cost, room);
  if (!limit.empty()) return tl::unexpected<Refusal>(refuse(*dataset, entry, room, limit));

  const std::int64_t window = dataset->window_at(entry.time);
  if (window != dataset->window_index) dataset->window_spent = 0;
  dataset->window_index = window;
  for (Cost* spent : {&dataset->spent, &analyst->spent}) {
    spent->amount += entry.cost.amount;
    spent->delta += entry.cost.delta;
  }
  if (terms.window_seconds > 0) dataset->window_spent += entry.cost.amount;
  ++dataset->queries;
  ++analyst->queries;
  entry.spent = dataset->spent;
  entry.queries = dataset->queries;
  entry.window_index = dataset->window_index;
  entry.window_spent = dataset->window_spent;
  accounts.add_charge(entry.number, *dataset);
  if (!entry.request.empty()) accounts.add_request(entry.dataset, entry.request, entry.number);
  if (entry.kind == EntryKind::reserve)
    accounts.add_reservation(entry.number, {.dataset = entry.dataset, .planned = entry.planned_steps});
  return {};
}

Result<void> apply_create(Accounts& accounts, const Entry& entry) {
  GAUZE_TRY(const DatasetState* before, accounts.dataset(entry.dataset));
  if (before != nullptr) {
    return invalid_parameter("the dataset '{}' is in this ledger already, and its terms cannot change",
                             entry.dataset);
  }
  GAUZE_TRY(DatasetState * dataset, accounts.add_dataset(entry.dataset));
  dataset->terms = std::make_shared<const DatasetTerms>(*entry.terms);
  dataset->created_entry = entry.number;
  dataset->created = entry.time;
  dataset->neighbours = entry.terms->neighbours;
  return {};
}

Result<void> apply_declaration(Accounts& accounts, const Entry& entry) {
  GAUZE_TRY(DatasetState * dataset, existing(accounts, entry.dataset));
  if (!is_dataset_relation(entry.neighbours)) {
    return invalid_parameter("the neighbours of a dataset must be add-remove or replace-one");
  }
  if (dataset->neighbours) {
    return invalid_parameter("the neighbours of '{}' are {} already, and cannot change", entry.dataset,
                             to_string(*dataset->neighbours));
  }
  dataset->neighbours = entry.neighbours;
  dataset->declared_by = entry.number;
  return {};
}

Result<void> apply_commit(Accounts& accounts, Entry& entry) {
  GAUZE_TRY(ReservationState * reservation, accounts.reservation(entry.reservation));
  if (reservation == nullptr) return invalid_parameter("entry {} is not a reservation", entry.reservation);
  if (reservation->committed_by != 0) {
    return invalid_parameter("reservation {} was committed already, by entry {}", entry.reservation,
                             reservation->committed_by);
  }
  reservation->committed_by = entry.number;
  entry.dataset = reservation->dataset;
  return {};
}

Result<void> apply_progress(Accounts& accounts, Entry& entry) {
  GAUZE_TRY(ReservationState * reservation, accounts.reservation(entry.reservation));
  if (reservation == nullptr) return invalid_parameter("entry {} is not a reservation", entry.reservation);
  if (reservation->planned == 0) {
    return invalid_parameter("reservation {} was not made for steps of a training, so that none can be counted",
                             entry.reservation);
  }
  if (entry.steps < 1) return invalid_parameter("the steps that are counted must be at least 1");
  const std::int64_t left = reservation->planned - reservation->persisted;
  if (entry.steps > left) {
    return make_error(ErrorCode::budget_exhausted,
                      "reservation {} paid for {} steps, of which {} are left: {} more are refused",
                      entry.reservation, reservation->planned, left, entry.steps);
  }
  reservation->persisted += entry.steps;
  entry.dataset = reservation->dataset;
  return {};
}

Result<void> apply_share(Accounts& accounts, const Entry& entry) {
  GAUZE_TRY_VOID(check_analyst(entry, entry.analyst));
  GAUZE_TRY(DatasetState * dataset, existing(accounts, entry.dataset));
  GAUZE_TRY(AnalystState * analyst, accounts.analyst(entry.dataset, entry.analyst));
  if (entry.share < 0 || entry.share > kWhole) return invalid_parameter("a share must lie between 0 and 1");
  const std::int64_t shares = dataset->shares - analyst->share.value_or(0) + entry.share;
  if (shares > kWhole) {
    return invalid_parameter("the shares of '{}' would add up to {}, more than 1", entry.dataset,
                             decimal_of(shares, Currency::share));
  }
  dataset->shares = shares;
  dataset->shares_set = true;
  analyst->share = entry.share;
  return {};
}

Result<void> apply_delegation(Accounts& accounts, const Entry& entry) {
  GAUZE_TRY_VOID(check_analyst(entry, entry.receiver));
  GAUZE_TRY(const DatasetState* dataset, existing(accounts, entry.dataset));
  GAUZE_TRY(AnalystState * giver, accounts.analyst(entry.dataset, entry.analyst));
  GAUZE_TRY(AnalystState * receiver, accounts.analyst(entry.dataset, entry.receiver));
  if (entry.share < 1 || giver == receiver) {
    return invalid_parameter("a delegation gives a share above 0 from one analyst to another");
  }
  if (!giver->share || *giver->share < entry.share) {
    return invalid_parameter("the analyst '{}' has a share of {} and cannot give {}", entry.analyst,
                             decimal_of(giver->share.value_or(0), Currency::share),
                             decimal_of(entry.share, Currency::share));
  }
  AnalystState after = *giver;
  *after.share -= entry.share;
  const Cost left = after.left(*dataset->terms);
  if (left.amount < 0 || left.delta < 0) {
    return invalid_parameter("the analyst '{}' has spent too much of the share to give {}", entry.analyst,
                             decimal_of(entry.share, Currency::share));
  }
  *giver = after;
  receiver->share = receiver->share.value_or(0) + entry.share;
  return {};
}

}  // namespace

Error no_such_dataset(Accounts& accounts, const std::string& name) {
  const auto names = accounts.dataset_names();
  return {ErrorCode::invalid_parameter,
          fmt::format("this ledger has no dataset '{}'; 'gauze ledger show' lists them{}", name,
                      did_you_mean(name, names.value_or(std::vector<std::string>())))};
}

std::int64_t DatasetState::window_at(std::int64_t time) const {
  return terms->window_seconds > 0 ? (time - created) / terms->window_seconds : 0;
}

Balance DatasetState::balance(std::int64_t now) const {
  Balance balance;
  balance.terms = terms;
  balance.created = created;
  balance.spent = spent;
  balance.queries = queries;
  balance.shares_set = shares_set;
  balance.neighbours = neighbours;
  if (terms->window_seconds > 0) {
    const std::int64_t window = std::max(window_at(now), window_index);
    balance.window_spent = window == window_index ? window_spent : 0;
    balance.window_ends = created + (window + 1) * terms->window_seconds;
  }
  return balance;
}

Cost AnalystState::left(const DatasetTerms& terms) const {
  const std::int64_t part = share.value_or(0);
  return {.amount = part_of(terms.capacity.amount, part, kWhole) - spent.amount,
          .delta = part_of(terms.capacity.delta, part, kWhole) - spent.delta};
}

tl::expected<void, Refusal> apply(Accounts& accounts, Entry& entry) {
  if (entry.is_charge()) return apply_charge(accounts, entry);
  Result<void> applied;
  if (entry.kind == EntryKind::create) applied = apply_create(accounts, entry);
  if (entry.kind == EntryKind::commit) applied = apply_commit(accounts, entry);
  if (entry.kind == EntryKind::progress) applied = apply_progress(accounts, entry);
  if (entry.kind == EntryKind::share) applied = apply_share(accounts, entry);
  if (entry.kind == EntryKind::delegate) applied = apply_delegation(accounts, entry);
  if (entry.kind == EntryKind::declare) applied = apply_declaration(accounts, entry);
  if (!applied) return tl::unexpected<Refusal>(Refusal(applied.error()));
  return {};
}

}  // namespace gauze::internal
