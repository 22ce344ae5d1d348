// The side of the ledger that writes: one transaction a change, granted when it is on the disk.
#include <algorithm>

#include "gauze/ledger/internal/ledger_parts.h"
#include "gauze/ledger/internal/schema.h"

namespace gauze {

using internal::DatasetState;

namespace internal {

Result<Head> read_head(SqliteFile& file) {
  GAUZE_TRY(SqliteStatement row, file.prepare("SELECT entry, time, dataset, body, previous, hash FROM entries "
                                              "ORDER BY entry DESC LIMIT 2"));
  GAUZE_TRY(const bool found, row.step());
  if (!found) return Head();
  GAUZE_TRY(const Entry last, stored_entry(row));
  Head head{.entry = last.number, .time = last.time, .hash = row.text(5)};
  const std::string previous = row.text(4);
  GAUZE_TRY(const bool more, row.step());
  Entry before;
  if (more) {
    GAUZE_TRY(before, stored_entry(row));
  }
  if (previous != (more ? row.text(5) : genesis_hash()) || before.number + 1 != last.number) {
    return make_error(ErrorCode::bad_data, "entry {} does not follow the one before it: the file was changed",
                      last.number);
  }
  return head;
}

Result<void> write_entry(SqliteFile& file, const Entry& entry, std::string_view body, std::string_view previous,
                         std::string_view hash) {
  GAUZE_TRY(SqliteStatement statement, file.prepare("INSERT INTO entries VALUES (?,?,?,?,?,?)"));
  statement.bind(entry.number).bind(entry.time).bind(entry.dataset);
  return statement.bind(body).bind(previous).bind(hash).run();
}

Grant grant_of(const ChainedEntry& charge, Balance balance) {
  return {.entry = charge.entry.number,
          .time = charge.entry.time,
          .head = charge.hash,
          .charged = charge.entry.charged,
          .cost = charge.entry.cost,
          .balance = std::move(balance)};
}

}  // namespace internal

namespace {

Entry charge_entry(EntryKind kind, const ChargeRequest& request) {
  Entry entry;
  entry.kind = kind;
  entry.dataset = request.dataset;
  entry.analyst = request.analyst;
  entry.purpose = request.purpose;
  entry.unit = request.unit;
  entry.neighbours = request.neighbours.value_or(Neighbours::not_applicable);
  entry.charge = request.charge;
  entry.corrects = request.corrects;
  entry.planned_steps = request.planned_steps;
  if (request.commitment_key != nullptr) entry.key_digest = digest_of_key(request.commitment_key->hex());
  if (request.request) {
    entry.request = request.request->id;
    entry.request_digest = request.request->digest;
  }
  return entry;
}

Result<Entry> share_entry(const std::string& dataset, const ShareChange& change) {
  if (!(change.share >= Rational() && change.share <= Rational(1))) {
    return invalid_parameter("a share must lie between 0 and 1");
  }
  Entry entry;
  entry.kind = change.receiver.empty() ? EntryKind::share : EntryKind::delegate;
  entry.dataset = dataset;
  entry.analyst = change.analyst;
  entry.receiver = change.receiver;
  entry.share = *units_down(change.share, Currency::share);
  return entry;
}

template <class Answer>
const Error* error_of(const Answer& answer) {
  return answer ? nullptr : &answer.error();
}

/// What one step asks for is its own matter; what happens to the file concerns all.
bool concerns_all(ErrorCode code) {
  return code == ErrorCode::io || code == ErrorCode::bad_data || code == ErrorCode::internal;
}

/// So many entries are checked in a few hundredths of a second.
constexpr std::int64_t kQuicklyChecked = 2000;

/// The whole ledger, when a change was not finished or another program made one; and before the first change through
/// this object, unless the ledger is long.
Result<void> check_if_needed(SqliteFile& file, bool first) {
  bool needed = file.needs_check();
  if (!needed && first) {
    GAUZE_TRY(const std::int64_t entries, file.whole("SELECT max(entry) FROM entries"));
    needed = entries <= kQuicklyChecked;
  }
  if (!needed) return {};
  const auto whole = internal::check_whole(file);
  if (!whole && whole.error().code == ErrorCode::bad_data) {
    return make_error(
        ErrorCode::bad_data,
        "the ledger '{}' does not fit together: {}. It was damaged or changed by another program, or a "
        "change was interrupted and what could have undone it is lost. Nothing is granted; keep the file "
        "and restore a copy",
        file.name(), whole.error().message);
  }
  GAUZE_TRY_VOID(whole);
  file.set_checked();
  return {};
}

/// What was granted through this object must still be there.
Result<void> check_seen(SqliteFile& file, const internal::Head& seen) {
  if (seen.entry == 0) return {};
  GAUZE_TRY(SqliteStatement row, file.prepare("SELECT hash FROM entries WHERE entry = ?"));
  GAUZE_TRY(const bool found, row.bind(seen.entry).step());
  if (found && row.text(0) == seen.hash) return {};
  return make_error(ErrorCode::bad_data,
                    "the ledger '{}' was rolled back while it was open: entry {} is not there any more. Nothing was "
                    "recorded; keep the file and restore a copy",
                    file.name(), seen.entry);
}

}  // namespace

Ledger::Change::Change(Parts& parts, SqliteTransaction transaction)
    : parts_(parts), transaction_(std::move(transaction)), accounts_(*parts.file, parts.terms) {}

Result<std::unique_ptr<Ledger::Change>> Ledger::Change::begin(Parts& parts) {
  GAUZE_TRY(SqliteTransaction transaction, SqliteTransaction::begin(*parts.file, true));
  GAUZE_TRY_VOID(parts.file->check_place());
  GAUZE_TRY_VOID(internal::check_durable(*parts.file));
  GAUZE_TRY_VOID(check_if_needed(*parts.file, !parts.checked));
  parts.checked = true;
  GAUZE_TRY_VOID(check_seen(*parts.file, parts.seen));
  std::unique_ptr<Change> change(new Change(parts, std::move(transaction)));
  GAUZE_TRY(internal::Head head, internal::read_head(*parts.file));
  change->first_ = change->last_ = head.entry;
  // A clock that was set back opens no new window: time in the ledger never runs backwards.
  change->time_ = std::max(head.time, parts.now());
  change->head_ = std::move(head.hash);
  return change;
}

tl::expected<std::string, Refusal> Ledger::Change::add(Entry& entry) {
  entry.number = last_ + 1;
  entry.time = time_;
  GAUZE_TRY(entry.nonce, make_nonce());
  if (auto applied = internal::apply(accounts_, entry); !applied) return tl::unexpected<Refusal>(applied.error());
  const std::string body = entry.canonical();
  std::string hash = chain_hash(head_, body);
  GAUZE_TRY_VOID(internal::write_entry(*parts_.file, entry, body, head_, hash));
  last_ = entry.number;
  head_ = hash;
  return hash;
}

Result<void> Ledger::Change::keep_key(std::int64_t entry, const CommitmentKey& key) const {
  GAUZE_TRY(SqliteStatement statement, parts_.file->prepare("INSERT INTO commitment_keys VALUES (?,?)"));
  return statement.bind(entry).bind(key.hex()).run();
}

Result<void> Ledger::Change::keep_outcome(std::int64_t entry, const Outcome& outcome) const {
  internal::KeptOutcome kept{.label = {}, .answer = outcome.answer};
  if (!outcome.label.empty()) kept.label = outcome.label;
  return internal::write_outcome(*parts_.file, entry, kept);
}

Granted Ledger::Change::charge(EntryKind kind, const ChargeRequest& request, const Outcome& outcome) {
  GAUZE_TRY_VOID(check_outcome(outcome));
  if (request.request) {
    GAUZE_TRY_VOID(check_request(*request.request));
    GAUZE_TRY(std::optional<RequestRecord> before,
              internal::read_request(*parts_.file, accounts_, request.dataset, request.request->id));
    if (before) return repeat(*std::move(before), request);
  }
  Entry entry = charge_entry(kind, request);
  internal::bind_outcome(entry, outcome);
  auto hash = add(entry);
  if (!hash) return tl::unexpected<Refusal>(hash.error());
  if (request.commitment_key != nullptr) GAUZE_TRY_VOID(keep_key(entry.number, *request.commitment_key));
  GAUZE_TRY_VOID(keep_outcome(entry.number, outcome));
  GAUZE_TRY(const DatasetState* dataset, accounts_.dataset(entry.dataset));
  Balance balance = dataset->balance(entry.time);
  return internal::grant_of({.entry = std::move(entry), .hash = *std::move(hash)}, std::move(balance));
}

Result<ChainedEntry> Ledger::Change::commit_reservation(std::int64_t reservation, const Outcome& outcome) {
  GAUZE_TRY_VOID(check_outcome(outcome));
  Entry entry;
  entry.kind = EntryKind::commit;
  entry.reservation = reservation;
  internal::bind_outcome(entry, outcome);
  GAUZE_TRY(std::string hash, add(entry));
  GAUZE_TRY_VOID(keep_outcome(entry.number, outcome));
  return ChainedEntry{.entry = std::move(entry), .hash = std::move(hash)};
}

Result<ChainedEntry> Ledger::Change::count_steps(std::int64_t reservation, std::int64_t steps) {
  Entry entry;
  entry.kind = EntryKind::progress;
  entry.reservation = reservation;
  entry.steps = steps;
  GAUZE_TRY(std::string hash, add(entry));
  return ChainedEntry{.entry = std::move(entry), .hash = std::move(hash)};
}

StepAnswer Ledger::Change::take(const BudgetStep& step) {
  const Outcome none;
  const Outcome& outcome = step.outcome != nullptr ? *step.outcome : none;
  if (step.kind == EntryKind::commit) return commit_reservation(step.reservation, outcome);
  if (step.kind == EntryKind::progress) return count_steps(step.reservation, step.steps);
  return charge(step.kind, *step.request, outcome);
}

Result<void> Ledger::Change::commit() {
  if (last_ == first_) return {};
  GAUZE_TRY_VOID(accounts_.save());
  GAUZE_TRY_VOID(transaction_.commit());
  parts_.seen = {.entry = last_, .time = time_, .hash = head_};
  return {};
}

Result<ChainedEntry> Ledger::record(Entry entry) {
  GAUZE_TRY(const auto change, Change::begin(*parts_));
  GAUZE_TRY(std::string hash, change->add(entry));
  GAUZE_TRY_VOID(change->commit());
  return ChainedEntry{.entry = std::move(entry), .hash = std::move(hash)};
}

Result<ChainedEntry> Ledger::create_dataset(const DatasetTerms& terms) {
  Entry entry;
  entry.kind = EntryKind::create;
  entry.dataset = terms.name;
  entry.terms = terms;
  return record(std::move(entry));
}

Result<ChainedEntry> Ledger::commit(std::int64_t reservation, const Outcome& outcome) {
  GAUZE_TRY(const auto change, Change::begin(*parts_));
  GAUZE_TRY(ChainedEntry committed, change->commit_reservation(reservation, outcome));
  GAUZE_TRY_VOID(change->commit());
  return committed;
}

Result<ChainedEntry> Ledger::record_progress(std::int64_t reservation, std::int64_t steps) {
  GAUZE_TRY(const auto change, Change::begin(*parts_));
  GAUZE_TRY(ChainedEntry counted, change->count_steps(reservation, steps));
  GAUZE_TRY_VOID(change->commit());
  return counted;
}

Result<ChainedEntry> Ledger::declare(const std::string& dataset, Neighbours neighbours) {
  Entry entry;
  entry.kind = EntryKind::declare;
  entry.dataset = dataset;
  entry.neighbours = neighbours;
  return record(std::move(entry));
}

Result<ChainedEntry> Ledger::change_shares(const std::string& dataset, std::span<const ShareChange> changes) {
  if (changes.empty()) return invalid_parameter("there is no share to change");
  GAUZE_TRY(const auto change, Change::begin(*parts_));
  ChainedEntry last;
  for (const ShareChange& one : changes) {
    GAUZE_TRY(last.entry, share_entry(dataset, one));
    GAUZE_TRY(last.hash, change->add(last.entry));
  }
  GAUZE_TRY_VOID(change->commit());
  return last;
}

Result<ChainedEntry> Ledger::set_share(const std::string& dataset, const std::string& analyst,
                                       const Rational& share) {
  const ShareChange change{.analyst = analyst, .share = share};
  return change_shares(dataset, {&change, 1});
}

Result<ChainedEntry> Ledger::delegate(const std::string& dataset, const std::string& from, const std::string& to,
                                      const Rational& share) {
  GAUZE_TRY_VOID(check_name("the name of an analyst", to));
  const ShareChange change{.analyst = from, .share = share, .receiver = to};
  return change_shares(dataset, {&change, 1});
}

Granted Ledger::charge(EntryKind kind, const ChargeRequest& request, const Outcome& outcome) {
  GAUZE_TRY(const auto change, Change::begin(*parts_));
  Granted granted = change->charge(kind, request, outcome);
  if (granted) GAUZE_TRY_VOID(change->commit());
  return granted;
}

Granted Ledger::reserve(const ChargeRequest& request) { return charge(EntryKind::reserve, request, {}); }
Granted Ledger::spend(const ChargeRequest& request, const Outcome& outcome) {
  return charge(EntryKind::spend, request, outcome);
}

Result<std::vector<StepAnswer>> Ledger::change_many(std::span<const BudgetStep> steps) {
  GAUZE_TRY(const auto change, Change::begin(*parts_));
  std::vector<StepAnswer> answers;
  answers.reserve(steps.size());
  for (const BudgetStep& step : steps) {
    answers.push_back(change->take(step));
    const Error* error = std::visit([](const auto& answer) { return error_of(answer); }, answers.back());
    if (error != nullptr && concerns_all(error->code)) return tl::unexpected<Error>(*error);
  }
  GAUZE_TRY_VOID(change->commit());
  return answers;
}

}  // namespace gauze
