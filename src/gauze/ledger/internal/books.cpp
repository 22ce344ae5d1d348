#include "gauze/ledger/internal/books.h"

#include "gauze/ledger/terms/neighbour_relation.h"

namespace gauze::internal {
namespace {

tl::unexpected<Error> broken(std::int64_t entry, std::string_view reason) {
  return make_error(ErrorCode::bad_data, "entry {} does not fit: {}", entry, reason);
}

bool same(const Charge& a, const Charge& b) { return a.kind == b.kind && a.amount == b.amount && a.delta == b.delta; }

/// What an entry says the dataset stands at after it, beyond what was spent. Format 1 does not say it.
bool same_state(const Entry& a, const Entry& b) {
  return a.queries == b.queries && a.window_index == b.window_index && a.window_spent == b.window_spent;
}

/// Whether a stored capacity is at most what follows from the declared amount. Where it is converted, accounting may
/// gain or lose a last digit from one version to the next, so a billionth is tolerated.
bool is_at_most(std::int64_t stored, std::int64_t computed, const DatasetTerms& terms) {
  if (terms.accountant.currency() == terms.total.currency()) return stored == computed;
  return stored >= 1 && stored <= computed + computed / 1'000'000'000 + 1;
}

bool limit_fits(const InnerLimit& limit, const DatasetTerms& terms) {
  if (limit.declared < 1 || limit.declared > terms.total.amount) return false;
  const auto computed = terms.accountant.capacity_of(limit.declared, terms.total);
  return computed && is_at_most(limit.limit, *computed, terms) && limit.limit <= kMostUnits;
}

/// Terms read from a file must be such as DatasetTerms::make gives.
bool terms_fit(const DatasetTerms& terms) {
  const Total& total = terms.total;
  if (terms.neighbours && !is_dataset_relation(*terms.neighbours)) return false;
  if (!check_name("", terms.name) || terms.unit.empty() || !check_text("", terms.unit, kLongestUnit)) return false;
  if (total.amount < 1 || total.amount > kMostUnits) return false;
  if (total.delta < 0 || total.delta >= units_in_one(Currency::delta)) return false;
  const auto capacity = terms.accountant.capacity(total);
  if (!capacity || !is_at_most(terms.capacity.amount, capacity->amount, terms) ||
      terms.capacity.amount > kMostUnits || terms.capacity.delta != capacity->delta) {
    return false;
  }
  const bool window_fits = terms.window_seconds >= kShortestWindow && terms.window_seconds <= kLongestWindow &&
                           limit_fits(terms.window, terms);
  if (terms.window_seconds != 0 && !window_fits) return false;
  if (terms.max_per_query && !limit_fits(*terms.max_per_query, terms)) return false;
  const auto& most_delta = terms.max_delta_per_query;
  if (most_delta && (*most_delta < 1 || *most_delta > total.delta)) return false;
  return !terms.max_queries || *terms.max_queries >= 1;
}

bool charge_fits(const Charge& charge) {
  return charge.amount >= 1 && charge.amount <= kMostUnits && charge.delta >= 0 &&
         charge.delta <= units_in_one(Currency::delta) &&
         (charge.delta == 0 || charge.kind == Charge::Kind::epsilon || charge.kind == Charge::Kind::rho);
}

}  // namespace

Result<DatasetState*> MemoryAccounts::dataset(const std::string& name) {
  const auto found = datasets.find(name);
  return found == datasets.end() ? nullptr : &found->second;
}

Result<std::vector<std::string>> MemoryAccounts::dataset_names() {
  std::vector<std::string> names;
  for (const auto& one : datasets) names.push_back(one.first);
  return names;
}

Result<DatasetState*> MemoryAccounts::add_dataset(const std::string& name) { return &datasets[name]; }

Result<AnalystState*> MemoryAccounts::analyst(const std::string& dataset, const std::string& name) {
  return &analysts[{dataset, name}];
}

Result<ReservationState*> MemoryAccounts::reservation(std::int64_t entry) {
  const auto found = reservations.find(entry);
  return found == reservations.end() ? nullptr : &found->second;
}

void MemoryAccounts::add_reservation(std::int64_t entry, ReservationState state) {
  reservations[entry] = std::move(state);
}

Result<bool> MemoryAccounts::is_charge(std::int64_t entry, const std::string& dataset) {
  const auto found = datasets.find(dataset);
  const auto at = static_cast<std::size_t>(entry);
  return found != datasets.end() && at < charges.size() && charges[at] == &found->second;
}

void MemoryAccounts::add_charge(std::int64_t entry, const DatasetState& dataset) {
  charges.resize(static_cast<std::size_t>(entry) + 1);
  charges.back() = &dataset;
}

Result<std::int64_t> MemoryAccounts::request(const std::string& dataset, const std::string& id) {
  const auto found = requests.find({dataset, id});
  return found == requests.end() ? 0 : found->second;
}

void MemoryAccounts::add_request(const std::string& dataset, const std::string& id, std::int64_t entry) {
  requests[{dataset, id}] = entry;
}

Result<Entry> Replay::check(std::string_view body, std::string_view previous, std::string_view hash) {
  const std::int64_t number = entries_ + 1;
  if (previous != head_) return broken(number, "it does not follow the entry before it");
  if (chain_hash(previous, body) != hash) return broken(number, "its hash is not that of its content");
  auto entry = Entry::parse(body);
  if (!entry) return broken(number, entry.error().message);
  if (entry->number != number) return broken(number, "its number is another one");
  if (entry->time < time_) return broken(number, "its time is before that of the entry before it");
  if (entry->time > kLastTime) return broken(number, "its time is beyond the year 9999");
  if (!entry->is_of_format_1() && !is_nonce(entry->nonce)) return broken(number, "its nonce is none");
  if (entry->is_of_format_1() && has_nonces_)
    return broken(number, "it has no nonce, and an entry before it has one");
  if (entry->kind == EntryKind::create &&
      (!terms_fit(*entry->terms) || entry->terms->neighbours.has_value() == entry->is_of_format_1())) {
    return broken(number, "its terms contradict each other");
  }
  if (entry->is_charge() && !charge_fits(entry->charge)) return broken(number, "its charge is out of range");
  if (entry->is_of_format_1() && entry->format() > 1)
    return broken(number, "it has no nonce, but keys that need one");
  for (const std::string* digest :
       {&entry->key_digest, &entry->label_sha256, &entry->output_sha256, &entry->answer_sha256}) {
    if (!digest->empty() && !is_hash(*digest)) return broken(number, "one of its digests is none");
  }
  return entry;
}

Result<Entry> Replay::add(std::string_view body, std::string_view previous, std::string_view hash) {
  GAUZE_TRY(const Entry entry, check(body, previous, hash));
  Entry replayed = entry;
  if (const auto applied = apply(accounts_, replayed); !applied) {
    if (applied.error().code != ErrorCode::budget_exhausted)
      return broken(entry.number, "the rules do not allow it at its place");
    return broken(entry.number, entry.is_charge() ? "its charge exceeds what was left then"
                                                  : "its steps exceed those that were planned");
  }
  if (replayed.unit != entry.unit || replayed.neighbours != entry.neighbours) {
    return broken(entry.number, "it does not say whom its cost is about");
  }
  if (!same(replayed.charged, entry.charged)) return broken(entry.number, "it charges other than it states");
  if (replayed.cost != entry.cost) return broken(entry.number, "its cost is not that of its charge");
  if (!entry.is_of_format_1() && !same_state(replayed, entry)) {
    return broken(entry.number, "its window or its number of queries is not what the charges add up to");
  }
  if (replayed.spent != entry.spent) return broken(entry.number, "its balance is not the sum of the charges");
  if (replayed.dataset != entry.dataset) return broken(entry.number, "it names another dataset");
  ++entries_;
  time_ = entry.time;
  has_nonces_ = !entry.is_of_format_1();
  head_ = hash;
  return entry;
}

}  // namespace gauze::internal
