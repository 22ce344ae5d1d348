#include "gauze/ledger/ledger.h"

#include <algorithm>
#include <chrono>

#include "gauze/ledger/internal/ledger_parts.h"
#include "gauze/ledger/internal/schema.h"

namespace gauze {

using internal::StoredAccounts;

Ledger::Ledger(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Ledger::Ledger(Ledger&& other) noexcept = default;
Ledger& Ledger::operator=(Ledger&& other) noexcept = default;
Ledger::~Ledger() = default;

std::int64_t Ledger::Parts::now() const {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  const std::int64_t time =
      options.clock ? options.clock() : std::chrono::duration_cast<std::chrono::seconds>(since).count();
  return std::clamp<std::int64_t>(time, 0, kLastTime);
}

Result<Ledger> Ledger::open(const std::filesystem::path& path, Options options) {
  auto parts = std::make_unique<Parts>();
  GAUZE_TRY(parts->file,
            SqliteFile::open(path, options.read_only ? SqliteFile::Access::read : SqliteFile::Access::write,
                             options.busy_milliseconds));
  GAUZE_TRY_VOID(parts->file->check_size());
  {
    // One view: another process may be raising the version just now.
    GAUZE_TRY(const SqliteTransaction view, SqliteTransaction::begin(*parts->file, false));
    GAUZE_TRY_VOID(internal::check_schema(*parts->file));
  }
  if (!options.read_only) GAUZE_TRY_VOID(prepare_to_write(*parts));
  parts->options = std::move(options);
  return Ledger(std::move(parts));
}

Result<void> Ledger::prepare_to_write(Parts& parts) {
  SqliteFile& file = *parts.file;
  GAUZE_TRY_VOID(file.make_durable());
  GAUZE_TRY(const std::int64_t before, file.whole("PRAGMA user_version"));
  if (before == internal::kFormatVersion) return {};
  GAUZE_TRY(SqliteTransaction transaction, SqliteTransaction::begin(file, true));
  GAUZE_TRY(const std::int64_t version, internal::check_schema(file));
  if (version == internal::kFormatVersion) return {};  // another process was quicker
  // A log that was lost may have left a file that does not fit together: it stays as it is.
  GAUZE_TRY_VOID(internal::check_whole(file));
  GAUZE_TRY_VOID(internal::raise_version(file, version));
  return transaction.commit();
}

Result<Ledger> Ledger::create(const std::filesystem::path& path, Options options) {
  {
    GAUZE_TRY(const auto file, SqliteFile::open(path, SqliteFile::Access::create, options.busy_milliseconds));
    GAUZE_TRY_VOID(internal::make_schema(*file));
  }
  return open(path, std::move(options));
}

Result<Ledger> Ledger::reader() const {
  Options options = parts_->options;
  options.read_only = true;
  return open(parts_->file->place(), std::move(options));
}

Result<std::string> Ledger::head() const {
  GAUZE_TRY(internal::Head head, internal::read_head(*parts_->file));
  return std::move(head.hash);
}

Result<Balance> Ledger::balance(const std::string& dataset) const {
  GAUZE_TRY(const SqliteTransaction transaction, SqliteTransaction::begin(*parts_->file, false));
  GAUZE_TRY(const internal::Head head, internal::read_head(*parts_->file));
  StoredAccounts accounts(*parts_->file, parts_->terms);
  GAUZE_TRY(const internal::DatasetState* state, accounts.dataset(dataset));
  if (state == nullptr) {
    return tl::unexpected(internal::no_such_dataset(accounts, dataset));
  }
  return state->balance(std::max(head.time, parts_->now()));
}

Result<std::vector<Balance>> Ledger::balances() const {
  GAUZE_TRY(const auto names, internal::dataset_names(*parts_->file));
  std::vector<Balance> all;
  for (const auto& name : names) {
    GAUZE_TRY(Balance one, balance(name));
    all.push_back(std::move(one));
  }
  return all;
}

Result<std::vector<AnalystBalance>> Ledger::analysts(const std::string& dataset) const {
  GAUZE_TRY(const Balance whole, balance(dataset));
  GAUZE_TRY(const SqliteTransaction transaction, SqliteTransaction::begin(*parts_->file, false));
  GAUZE_TRY(const auto names, internal::analyst_names(*parts_->file, dataset));
  StoredAccounts accounts(*parts_->file, parts_->terms);
  std::vector<AnalystBalance> all;
  for (const auto& name : names) {
    GAUZE_TRY(const internal::AnalystState* state, accounts.analyst(dataset, name));
    AnalystBalance one{.analyst = name,
                       .share = state->share,
                       .spent = state->spent,
                       .left = whole.left(),
                       .queries = state->queries};
    if (whole.shares_set) {
      const Cost left = state->left(*whole.terms);
      one.left.amount = std::clamp<std::int64_t>(left.amount, 0, one.left.amount);
      one.left.delta = std::clamp<std::int64_t>(left.delta, 0, one.left.delta);
    }
    all.push_back(std::move(one));
  }
  return all;
}

Result<std::vector<ChainedEntry>> Ledger::history(const HistoryFilter& filter) const {
  GAUZE_TRY(SqliteStatement rows,
            parts_->file->prepare(filter.dataset.empty()
                                      ? "SELECT body, hash FROM entries ORDER BY entry DESC"
                                      : "SELECT body, hash FROM entries WHERE dataset = ? ORDER BY entry DESC"));
  if (!filter.dataset.empty()) rows.bind(filter.dataset);
  std::vector<ChainedEntry> found;
  while (filter.last == 0 || static_cast<std::int64_t>(found.size()) < filter.last) {
    GAUZE_TRY(const bool row, rows.step());
    if (!row) break;
    auto entry = Entry::parse(rows.text(0));
    if (!entry) {
      return make_error(ErrorCode::bad_data, "an entry cannot be read; 'gauze ledger verify' tells which");
    }
    const bool fits = filter.analyst.empty() || entry->analyst == filter.analyst || entry->receiver == filter.analyst;
    if (fits) found.push_back({.entry = *std::move(entry), .hash = rows.text(1)});
  }
  std::reverse(found.begin(), found.end());
  return found;
}

Result<ChainedEntry> Ledger::entry(std::int64_t number) const {
  GAUZE_TRY(const SqliteTransaction view, SqliteTransaction::begin(*parts_->file, false));
  GAUZE_TRY(const internal::Head head, internal::read_head(*parts_->file));
  if (number < 1 || number > head.entry) return invalid_parameter("the ledger has no entry {}", number);
  return internal::entry_at(*parts_->file, number);
}

Result<StepReservation> Ledger::step_reservation(std::int64_t reservation) const {
  GAUZE_TRY(const SqliteTransaction view, SqliteTransaction::begin(*parts_->file, false));
  GAUZE_TRY(const internal::Head head, internal::read_head(*parts_->file));
  if (reservation < 1 || reservation > head.entry)
    return invalid_parameter("the ledger has no entry {}", reservation);
  StepReservation found;
  GAUZE_TRY(found.charge, internal::entry_at(*parts_->file, reservation));
  if (found.charge.entry.planned_steps == 0)
    return invalid_parameter("entry {} is not a reservation for steps of a training", reservation);
  GAUZE_TRY(found.persisted, internal::persisted_steps(*parts_->file, reservation));
  GAUZE_TRY(SqliteStatement row, parts_->file->prepare("SELECT committed_by FROM reservations WHERE entry = ?"));
  GAUZE_TRY(const bool reserved, row.bind(reservation).step());
  found.committed = reserved && !row.is_null(0);
  return found;
}

Result<CommitmentKey> Ledger::commitment_key(std::int64_t entry) const {
  GAUZE_TRY(SqliteStatement row, parts_->file->prepare("SELECT key FROM commitment_keys WHERE entry = ?"));
  GAUZE_TRY(const bool found, row.bind(entry).step());
  if (!found) return invalid_parameter("the ledger keeps no commitment key with entry {}", entry);
  auto key = CommitmentKey::from_hex(row.text(0));
  if (!key) return make_error(ErrorCode::bad_data, "the commitment key of entry {} is damaged", entry);
  return key;
}

}  // namespace gauze
