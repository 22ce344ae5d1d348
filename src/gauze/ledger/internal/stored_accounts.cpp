#include "gauze/ledger/internal/stored_accounts.h"

#include <algorithm>
#include <vector>

namespace gauze::internal {
namespace {

constexpr const char* kReadDataset =
    "SELECT created_entry, entries.time, spent, spent_delta, queries, window_index, window_spent, shares "
    "FROM datasets LEFT JOIN entries ON entries.entry = created_entry WHERE datasets.dataset = ?";
constexpr const char* kReadAnalyst =
    "SELECT share, spent, spent_delta, queries FROM analysts WHERE dataset = ? AND analyst = ?";
constexpr const char* kReadReservation =
    "SELECT dataset, committed_by FROM reservations JOIN entries USING (entry) WHERE entry = ?";
constexpr const char* kReadProgress = "SELECT steps FROM progress WHERE reservation = ?";
constexpr const char* kReadDeclaration = "SELECT entry FROM declarations WHERE dataset = ?";
constexpr const char* kReadAnalystSums =
    "SELECT sum(spent), sum(spent_delta), sum(queries), sum(share) FROM analysts WHERE dataset = ?";
constexpr const char* kReadEntry = "SELECT entry, time, dataset, body, previous, hash FROM entries WHERE entry = ?";
constexpr const char* kReadEntriesBackwards =
    "SELECT entry, time, dataset, body, previous, hash FROM entries WHERE dataset = ? ORDER BY entry DESC";

Result<void> save_dataset(SqliteFile& file, const std::string& name, const DatasetState& state) {
  GAUZE_TRY(SqliteStatement statement,
            file.prepare("INSERT INTO datasets VALUES (?,?,?,?,?,?,?,?) ON CONFLICT(dataset) DO UPDATE SET "
                         "spent=excluded.spent, spent_delta=excluded.spent_delta, queries=excluded.queries, "
                         "window_index=excluded.window_index, window_spent=excluded.window_spent, "
                         "shares=excluded.shares"));
  statement.bind(name).bind(state.created_entry).bind(state.spent.amount).bind(state.spent.delta);
  statement.bind(state.queries).bind(state.window_index).bind(state.window_spent);
  return (state.shares_set ? statement.bind(state.shares) : statement.bind_null()).run();
}

Result<void> save_analyst(SqliteFile& file, const std::string& dataset, const std::string& name,
                          const AnalystState& state) {
  GAUZE_TRY(SqliteStatement statement,
            file.prepare("INSERT INTO analysts VALUES (?,?,?,?,?,?) ON CONFLICT(dataset, analyst) DO UPDATE SET "
                         "share=excluded.share, spent=excluded.spent, spent_delta=excluded.spent_delta, "
                         "queries=excluded.queries"));
  statement.bind(dataset).bind(name);
  (state.share ? statement.bind(*state.share) : statement.bind_null());
  return statement.bind(state.spent.amount).bind(state.spent.delta).bind(state.queries).run();
}

Result<void> save_reservation(SqliteFile& file, std::int64_t entry, const ReservationState& state) {
  GAUZE_TRY(SqliteStatement statement,
            file.prepare("INSERT INTO reservations VALUES (?,?) ON CONFLICT(entry) DO UPDATE "
                         "SET committed_by=excluded.committed_by"));
  statement.bind(entry);
  GAUZE_TRY_VOID((state.committed_by != 0 ? statement.bind(state.committed_by) : statement.bind_null()).run());
  if (state.persisted == 0) return {};
  GAUZE_TRY(
      SqliteStatement progress,
      file.prepare("INSERT INTO progress VALUES (?,?) ON CONFLICT(reservation) DO UPDATE SET steps=excluded.steps"));
  return progress.bind(entry).bind(state.persisted).run();
}

/// What the tables hold about one dataset; the terms are left out.
DatasetState dataset_row(const SqliteStatement& row) {
  DatasetState state;
  state.created_entry = row.whole(0);
  state.created = row.whole(1);
  state.spent = {.amount = row.whole(2), .delta = row.whole(3)};
  state.queries = row.whole(4);
  state.window_index = row.whole(5);
  state.window_spent = row.whole(6);
  state.shares_set = !row.is_null(7);
  state.shares = row.whole(7);
  return state;
}

Result<void> save_declaration(SqliteFile& file, const std::string& name, const DatasetState& state) {
  if (state.declared_by == 0) return {};
  GAUZE_TRY(SqliteStatement statement,
            file.prepare("INSERT INTO declarations VALUES (?,?) ON CONFLICT(dataset) DO NOTHING"));
  return statement.bind(name).bind(state.declared_by).run();
}

Result<void> save_request(SqliteFile& file, const std::pair<std::string, std::string>& request, std::int64_t entry) {
  GAUZE_TRY(SqliteStatement statement, file.prepare("INSERT INTO requests VALUES (?,?,?)"));
  return statement.bind(request.first).bind(request.second).bind(entry).run();
}

AnalystState analyst_row(const SqliteStatement& row) {
  AnalystState state;
  if (!row.is_null(0)) state.share = row.whole(0);
  state.spent = {.amount = row.whole(1), .delta = row.whole(2)};
  state.queries = row.whole(3);
  return state;
}

bool same(const DatasetState& a, const DatasetState& b) {
  return a.created_entry == b.created_entry && a.created == b.created && a.spent == b.spent &&
         a.queries == b.queries && a.window_index == b.window_index && a.window_spent == b.window_spent &&
         a.shares_set == b.shares_set && a.shares == b.shares;
}

bool same(const AnalystState& a, const AnalystState& b) {
  return a.share == b.share && a.spent == b.spent && a.queries == b.queries;
}

Result<std::vector<std::string>> names(SqliteStatement statement) {
  std::vector<std::string> found;
  for (;;) {
    GAUZE_TRY(const bool row, statement.step());
    if (!row) return found;
    found.push_back(statement.text(0));
  }
}

tl::unexpected<Error> differs(std::string_view table) {
  return make_error(ErrorCode::bad_data,
                    "the balances in the table '{}' are not what the entries add up to: the file was changed", table);
}

Result<void> compare_reservations(SqliteFile& file, const MemoryAccounts& accounts) {
  GAUZE_TRY(SqliteStatement row, file.prepare("SELECT entry, committed_by FROM reservations ORDER BY entry"));
  for (const auto& [entry, state] : accounts.reservations) {
    GAUZE_TRY(const bool found, row.step());
    if (!found || row.whole(0) != entry || row.whole(1) != state.committed_by) return differs("reservations");
  }
  GAUZE_TRY(const bool more, row.step());
  if (more) return differs("reservations");
  return {};
}

Result<void> compare_progress(SqliteFile& file, const MemoryAccounts& accounts) {
  GAUZE_TRY(const bool any, has_table(file, "progress"));
  const bool counted = std::any_of(accounts.reservations.begin(), accounts.reservations.end(),
                                   [](const auto& one) { return one.second.persisted != 0; });
  if (!any) return counted ? differs("progress") : Result<void>();
  GAUZE_TRY(SqliteStatement row, file.prepare("SELECT reservation, steps FROM progress ORDER BY reservation"));
  for (const auto& [entry, state] : accounts.reservations) {
    if (state.persisted == 0) continue;
    GAUZE_TRY(const bool found, row.step());
    if (!found || row.whole(0) != entry || row.whole(1) != state.persisted) return differs("progress");
  }
  GAUZE_TRY(const bool more, row.step());
  if (more) return differs("progress");
  return {};
}

Result<void> compare_declarations(SqliteFile& file, const MemoryAccounts& accounts) {
  GAUZE_TRY(const bool any, has_table(file, "declarations"));
  if (!any) return {};
  std::int64_t declared = 0;
  for (const auto& [name, state] : accounts.datasets) {
    if (state.declared_by == 0) continue;
    GAUZE_TRY(SqliteStatement row, file.prepare(kReadDeclaration));
    GAUZE_TRY(const bool found, row.bind(name).step());
    if (!found || row.whole(0) != state.declared_by) return differs("declarations");
    ++declared;
  }
  GAUZE_TRY(const std::int64_t rows, file.whole("SELECT count(*) FROM declarations"));
  if (rows != declared) return differs("declarations");
  return {};
}

Result<void> compare_requests(SqliteFile& file, const MemoryAccounts& accounts) {
  GAUZE_TRY(const bool any, has_table(file, "requests"));
  if (!any && accounts.requests.empty()) return {};
  if (!any) return differs("requests");
  GAUZE_TRY(SqliteStatement row,
            file.prepare("SELECT dataset, request, entry FROM requests ORDER BY dataset, request"));
  for (const auto& [key, entry] : accounts.requests) {
    GAUZE_TRY(const bool found, row.step());
    if (!found || row.text(0) != key.first || row.text(1) != key.second || row.whole(2) != entry) {
      return differs("requests");
    }
  }
  GAUZE_TRY(const bool more, row.step());
  if (more) return differs("requests");
  return {};
}

}  // namespace

Result<bool> has_table(SqliteFile& file, std::string_view name) {
  GAUZE_TRY(SqliteStatement row, file.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?"));
  return row.bind(name).step();
}

Result<std::int64_t> persisted_steps(SqliteFile& file, std::int64_t reservation) {
  GAUZE_TRY(const bool possible, has_table(file, "progress"));
  if (!possible) return 0;
  GAUZE_TRY(SqliteStatement row, file.prepare(kReadProgress));
  GAUZE_TRY(const bool found, row.bind(reservation).step());
  return found ? row.whole(0) : 0;
}

Result<ChainedEntry> entry_at(SqliteFile& file, std::int64_t number) {
  GAUZE_TRY(SqliteStatement row, file.prepare(kReadEntry));
  GAUZE_TRY(const bool found, row.bind(number).step());
  if (!found) {
    return make_error(ErrorCode::bad_data, "entry {} is not there; 'gauze ledger verify' tells more", number);
  }
  GAUZE_TRY(Entry entry, stored_entry(row));
  return ChainedEntry{.entry = std::move(entry), .hash = row.text(5)};
}

Result<Entry> stored_entry(const SqliteStatement& row) {
  auto entry = Entry::parse(row.text(3));
  if (!entry || chain_hash(row.text(4), row.text(3)) != row.text(5) || row.whole(0) != entry->number ||
      row.whole(1) != entry->time || row.text(2) != entry->dataset) {
    return make_error(ErrorCode::bad_data,
                      "entry {} is not as it was recorded: the file was changed; 'gauze ledger verify' tells more",
                      row.whole(0));
  }
  return entry;
}

Result<std::shared_ptr<const DatasetTerms>> StoredAccounts::terms_of(const std::string& name, std::int64_t entry) {
  GAUZE_TRY(SqliteStatement row, file_.prepare(kReadEntry));
  GAUZE_TRY(const bool found, row.bind(entry).step());
  KnownTerms& known = terms_[name];
  std::string body = found ? row.text(3) : std::string();
  const bool intact = found && chain_hash(row.text(4), body) == row.text(5);
  if (intact && known.terms != nullptr && known.body == body) return known.terms;
  const auto created = intact ? stored_entry(row) : Result<Entry>(Entry());
  if (!created || !created->terms || created->dataset != name) {
    return make_error(ErrorCode::bad_data, "the terms of '{}' cannot be read; 'gauze ledger verify' tells more",
                      name);
  }
  known = {.body = std::move(body), .terms = std::make_shared<const DatasetTerms>(*created->terms)};
  return known.terms;
}

Result<void> StoredAccounts::check_last_charge(const std::string& name, const DatasetState& state) {
  GAUZE_TRY(SqliteStatement row, file_.prepare(kReadEntriesBackwards));
  row.bind(name);
  Entry last;
  do {
    GAUZE_TRY(const bool found, row.step());
    if (!found) return differs("datasets");
    GAUZE_TRY(last, stored_entry(row));
  } while (!last.is_charge() && last.kind != EntryKind::create);  // what comes between them spends nothing
  if (last.spent != state.spent) return differs("datasets");
  if (last.kind == EntryKind::create && (state.queries != 0 || state.window_spent != 0)) return differs("datasets");
  if (!last.is_charge() || last.is_of_format_1()) return {};
  if (last.queries != state.queries || last.window_index != state.window_index ||
      last.window_spent != state.window_spent) {
    return differs("datasets");
  }
  return {};
}

Result<void> StoredAccounts::check_analysts(const std::string& name, const DatasetState& state) {
  GAUZE_TRY(SqliteStatement row, file_.prepare(kReadAnalystSums));
  GAUZE_TRY_VOID(row.bind(name).step());
  if (row.whole(0) != state.spent.amount || row.whole(1) != state.spent.delta || row.whole(2) != state.queries ||
      row.whole(3) != state.shares || row.is_null(3) == state.shares_set) {
    return differs("analysts");
  }
  return {};
}

Result<void> StoredAccounts::read_declaration(const std::string& name, DatasetState& state) {
  state.neighbours = state.terms->neighbours;
  GAUZE_TRY(const bool possible, state.neighbours ? Result<bool>(false) : has_table(file_, "declarations"));
  if (!possible) return {};
  GAUZE_TRY(SqliteStatement declared, file_.prepare(kReadDeclaration));
  GAUZE_TRY(const bool found, declared.bind(name).step());
  if (!found) return {};
  const auto entry = entry_at(file_, declared.whole(0));
  if (!entry || entry->entry.kind != EntryKind::declare || entry->entry.dataset != name) {
    return differs("declarations");
  }
  state.neighbours = entry->entry.neighbours;
  state.declared_by = entry->entry.number;
  return {};
}

Result<DatasetState*> StoredAccounts::dataset(const std::string& name) {
  if (const auto found = loaded_.datasets.find(name); found != loaded_.datasets.end()) return &found->second;
  GAUZE_TRY(SqliteStatement row, file_.prepare(kReadDataset));
  GAUZE_TRY(const bool found, row.bind(name).step());
  if (!found) return nullptr;
  DatasetState state = dataset_row(row);
  GAUZE_TRY(state.terms, terms_of(name, state.created_entry));
  GAUZE_TRY_VOID(read_declaration(name, state));
  GAUZE_TRY_VOID(check_last_charge(name, state));
  GAUZE_TRY_VOID(check_analysts(name, state));
  return &(loaded_.datasets[name] = std::move(state));
}

Result<DatasetState*> StoredAccounts::add_dataset(const std::string& name) { return loaded_.add_dataset(name); }

Result<AnalystState*> StoredAccounts::analyst(const std::string& dataset, const std::string& name) {
  const auto key = std::make_pair(dataset, name);
  if (const auto found = loaded_.analysts.find(key); found != loaded_.analysts.end()) return &found->second;
  GAUZE_TRY(SqliteStatement row, file_.prepare(kReadAnalyst));
  GAUZE_TRY(const bool found, row.bind(dataset).bind(name).step());
  return &(loaded_.analysts[key] = found ? analyst_row(row) : AnalystState());
}

Result<ReservationState*> StoredAccounts::reservation(std::int64_t entry) {
  if (const auto found = loaded_.reservations.find(entry); found != loaded_.reservations.end()) return &found->second;
  GAUZE_TRY(SqliteStatement row, file_.prepare(kReadReservation));
  GAUZE_TRY(const bool found, row.bind(entry).step());
  if (!found) return nullptr;
  ReservationState state{.dataset = row.text(0), .committed_by = row.whole(1)};
  GAUZE_TRY(const ChainedEntry reserved, entry_at(file_, entry));
  state.planned = reserved.entry.planned_steps;
  if (state.planned != 0) {
    GAUZE_TRY(state.persisted, persisted_steps(file_, entry));
  }
  return &(loaded_.reservations[entry] = std::move(state));
}

void StoredAccounts::add_reservation(std::int64_t entry, ReservationState state) {
  loaded_.add_reservation(entry, std::move(state));
}

Result<bool> StoredAccounts::is_charge(std::int64_t entry, const std::string& dataset) {
  GAUZE_TRY(SqliteStatement row, file_.prepare(kReadEntry));
  GAUZE_TRY(const bool found, row.bind(entry).step());
  if (!found) return false;
  GAUZE_TRY(const Entry read, stored_entry(row));
  return read.is_charge() && read.dataset == dataset;
}

void StoredAccounts::add_charge(std::int64_t /*entry*/, const DatasetState& /*dataset*/) {}  // the file has it

Result<std::int64_t> StoredAccounts::request(const std::string& dataset, const std::string& id) {
  GAUZE_TRY(const std::int64_t added, loaded_.request(dataset, id));
  if (added != 0) return added;
  GAUZE_TRY(SqliteStatement row, file_.prepare("SELECT entry FROM requests WHERE dataset = ? AND request = ?"));
  GAUZE_TRY(const bool found, row.bind(dataset).bind(id).step());
  return found ? row.whole(0) : 0;
}

void StoredAccounts::add_request(const std::string& dataset, const std::string& id, std::int64_t entry) {
  loaded_.add_request(dataset, id, entry);
}

Result<void> StoredAccounts::save() {
  // One who was asked for and has neither a share nor a charge leaves no row.
  std::erase_if(loaded_.analysts, [](const auto& item) { return !item.second.share && item.second.queries == 0; });
  return save_accounts(file_, loaded_);
}

Result<std::vector<std::string>> dataset_names(SqliteFile& file) {
  GAUZE_TRY(SqliteStatement statement, file.prepare("SELECT dataset FROM datasets ORDER BY created_entry"));
  return names(std::move(statement));
}

Result<std::vector<std::string>> analyst_names(SqliteFile& file, const std::string& dataset) {
  GAUZE_TRY(SqliteStatement statement,
            file.prepare("SELECT analyst FROM analysts WHERE dataset = ? ORDER BY analyst"));
  statement.bind(dataset);
  return names(std::move(statement));
}

Result<void> save_accounts(SqliteFile& file, const MemoryAccounts& accounts) {
  for (const auto& [name, state] : accounts.datasets) {
    GAUZE_TRY_VOID(save_dataset(file, name, state));
    GAUZE_TRY_VOID(save_declaration(file, name, state));
  }
  for (const auto& [key, state] : accounts.analysts) {
    GAUZE_TRY_VOID(save_analyst(file, key.first, key.second, state));
  }
  for (const auto& [entry, state] : accounts.reservations) GAUZE_TRY_VOID(save_reservation(file, entry, state));
  for (const auto& [request, entry] : accounts.requests) GAUZE_TRY_VOID(save_request(file, request, entry));
  return {};
}

Result<void> compare_accounts(SqliteFile& file, const MemoryAccounts& accounts) {
  for (const auto& [name, state] : accounts.datasets) {
    GAUZE_TRY(SqliteStatement row, file.prepare(kReadDataset));
    GAUZE_TRY(const bool found, row.bind(name).step());
    if (!found || !same(dataset_row(row), state)) return differs("datasets");
  }
  for (const auto& [key, state] : accounts.analysts) {
    GAUZE_TRY(SqliteStatement row, file.prepare(kReadAnalyst));
    GAUZE_TRY(const bool found, row.bind(key.first).bind(key.second).step());
    if (!found || !same(analyst_row(row), state)) return differs("analysts");
  }
  GAUZE_TRY(const std::int64_t datasets, file.whole("SELECT count(*) FROM datasets"));
  if (datasets != static_cast<std::int64_t>(accounts.datasets.size())) return differs("datasets");
  GAUZE_TRY(const std::int64_t analysts, file.whole("SELECT count(*) FROM analysts"));
  if (analysts != static_cast<std::int64_t>(accounts.analysts.size())) return differs("analysts");
  GAUZE_TRY_VOID(compare_declarations(file, accounts));
  GAUZE_TRY_VOID(compare_requests(file, accounts));
  GAUZE_TRY_VOID(compare_progress(file, accounts));
  return compare_reservations(file, accounts);
}

}  // namespace gauze::internal
