#include "gauze/ledger/internal/schema.h"

#include <array>

namespace gauze::internal {
namespace {

struct SchemaObject {
  const char* name;
  const char* sql;  ///< as SQLite keeps it, so that it can be compared
};

// entries is the record; the tables after it are what it adds up to, kept so that one charge need not read them all.
constexpr std::array<SchemaObject, 26> kSchema = {{
    {"entries",
     "CREATE TABLE entries(entry INTEGER PRIMARY KEY, time INTEGER NOT NULL, dataset TEXT NOT NULL, "
     "body TEXT NOT NULL, previous TEXT NOT NULL, hash TEXT NOT NULL) STRICT"},
    {"entries_by_dataset", "CREATE INDEX entries_by_dataset ON entries(dataset, entry)"},
    {"datasets",
     "CREATE TABLE datasets(dataset TEXT PRIMARY KEY, created_entry INTEGER NOT NULL REFERENCES entries(entry), "
     "spent INTEGER NOT NULL CHECK(spent >= 0), spent_delta INTEGER NOT NULL CHECK(spent_delta >= 0), "
     "queries INTEGER NOT NULL, window_index INTEGER NOT NULL, window_spent INTEGER NOT NULL, "
     "shares INTEGER) STRICT, WITHOUT ROWID"},
    {"analysts",
     "CREATE TABLE analysts(dataset TEXT NOT NULL REFERENCES datasets(dataset), analyst TEXT NOT NULL, "
     "share INTEGER, spent INTEGER NOT NULL CHECK(spent >= 0), spent_delta INTEGER NOT NULL CHECK(spent_delta >= 0), "
     "queries INTEGER NOT NULL, PRIMARY KEY(dataset, analyst)) STRICT, WITHOUT ROWID"},
    {"reservations",
     "CREATE TABLE reservations(entry INTEGER PRIMARY KEY REFERENCES entries(entry), "
     "committed_by INTEGER REFERENCES entries(entry)) STRICT"},
    {"commitment_keys",
     "CREATE TABLE commitment_keys(entry INTEGER PRIMARY KEY REFERENCES entries(entry), key TEXT NOT NULL) STRICT"},
    {"entries_have_no_gap",
     "CREATE TRIGGER entries_have_no_gap BEFORE INSERT ON entries "
     "WHEN NEW.entry IS NOT (SELECT coalesce(max(entry), 0) + 1 FROM entries) "
     "BEGIN SELECT RAISE(ABORT, 'entries are numbered without gaps'); END"},
    {"entries_stay",
     "CREATE TRIGGER entries_stay BEFORE DELETE ON entries "
     "BEGIN SELECT RAISE(ABORT, 'nothing is ever deleted'); END"},
    {"entries_do_not_change",
     "CREATE TRIGGER entries_do_not_change BEFORE UPDATE ON entries "
     "BEGIN SELECT RAISE(ABORT, 'a correction is an entry of its own'); END"},
    {"keys_stay",
     "CREATE TRIGGER keys_stay BEFORE DELETE ON commitment_keys "
     "BEGIN SELECT RAISE(ABORT, 'nothing is ever deleted'); END"},
    {"keys_do_not_change",
     "CREATE TRIGGER keys_do_not_change BEFORE UPDATE ON commitment_keys "
     "BEGIN SELECT RAISE(ABORT, 'a key belongs to its entry'); END"},
    {"datasets_stay",
     "CREATE TRIGGER datasets_stay BEFORE DELETE ON datasets "
     "BEGIN SELECT RAISE(ABORT, 'nothing is ever deleted'); END"},
    {"spent_does_not_shrink",
     "CREATE TRIGGER spent_does_not_shrink BEFORE UPDATE ON datasets "
     "WHEN NEW.spent < OLD.spent OR NEW.spent_delta < OLD.spent_delta OR NEW.queries < OLD.queries "
     "BEGIN SELECT RAISE(ABORT, 'what was spent is never refunded'); END"},
    {"analysts_stay",
     "CREATE TRIGGER analysts_stay BEFORE DELETE ON analysts "
     "BEGIN SELECT RAISE(ABORT, 'nothing is ever deleted'); END"},
    // From here on: since format 2.
    {"declarations",
     "CREATE TABLE declarations(dataset TEXT PRIMARY KEY REFERENCES datasets(dataset), "
     "entry INTEGER NOT NULL REFERENCES entries(entry)) STRICT, WITHOUT ROWID"},
    {"declarations_stay",
     "CREATE TRIGGER declarations_stay BEFORE DELETE ON declarations "
     "BEGIN SELECT RAISE(ABORT, 'nothing is ever deleted'); END"},
    {"declarations_do_not_change",
     "CREATE TRIGGER declarations_do_not_change BEFORE UPDATE ON declarations "
     "BEGIN SELECT RAISE(ABORT, 'a relation is declared once'); END"},
    // From here on: since format 3.
    {"requests",
     "CREATE TABLE requests(dataset TEXT NOT NULL REFERENCES datasets(dataset), request TEXT NOT NULL, "
     "entry INTEGER NOT NULL REFERENCES entries(entry), PRIMARY KEY(dataset, request)) STRICT, WITHOUT ROWID"},
    {"requests_stay",
     "CREATE TRIGGER requests_stay BEFORE DELETE ON requests "
     "BEGIN SELECT RAISE(ABORT, 'nothing is ever deleted'); END"},
    {"requests_do_not_change",
     "CREATE TRIGGER requests_do_not_change BEFORE UPDATE ON requests "
     "BEGIN SELECT RAISE(ABORT, 'a request is made once'); END"},
    {"outcomes",
     "CREATE TABLE outcomes(entry INTEGER PRIMARY KEY REFERENCES entries(entry), label TEXT, answer BLOB) STRICT"},
    {"outcomes_stay",
     "CREATE TRIGGER outcomes_stay BEFORE DELETE ON outcomes "
     "BEGIN SELECT RAISE(ABORT, 'nothing is ever deleted'); END"},
    {"outcomes_do_not_change",
     "CREATE TRIGGER outcomes_do_not_change BEFORE UPDATE ON outcomes "
     "BEGIN SELECT RAISE(ABORT, 'what was released stays what it was'); END"},
    // From here on: since format 4.
    {"progress",
     "CREATE TABLE progress(reservation INTEGER PRIMARY KEY REFERENCES reservations(entry), "
     "steps INTEGER NOT NULL CHECK(steps > 0)) STRICT"},
    {"progress_stays",
     "CREATE TRIGGER progress_stays BEFORE DELETE ON progress "
     "BEGIN SELECT RAISE(ABORT, 'nothing is ever deleted'); END"},
    {"progress_does_not_shrink",
     "CREATE TRIGGER progress_does_not_shrink BEFORE UPDATE ON progress "
     "WHEN NEW.steps < OLD.steps OR NEW.reservation IS NOT OLD.reservation "
     "BEGIN SELECT RAISE(ABORT, 'steps that were counted stay counted'); END"},
}};
/// How many of them each version has, from 1 on.
constexpr std::array<std::size_t, kFormatVersion> kObjects = {14, 17, 23, kSchema.size()};

std::size_t objects_of(std::int64_t version) { return kObjects.at(static_cast<std::size_t>(version) - 1); }

tl::unexpected<Error> changed(const SqliteFile& file) {
  return make_error(ErrorCode::bad_data,
                    "the tables or triggers of '{}' are not those of a ledger; nothing was changed", file.name());
}

Result<std::int64_t> object_count(SqliteFile& file) {
  // SQLite's own tables and indexes do not count; it has no triggers and views of its own.
  return file.whole(
      "SELECT count(*) FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' OR type IN ('trigger', 'view')");
}

}  // namespace

Result<void> check_durable(SqliteFile& file) {
  GAUZE_TRY(SqliteStatement mode, file.prepare("PRAGMA journal_mode"));
  GAUZE_TRY(const bool row, mode.step());
  GAUZE_TRY(const std::int64_t version, file.whole("PRAGMA user_version"));
  if (row && mode.text(0) == "delete" && version == kFormatVersion) return {};
  return make_error(
      ErrorCode::io,
      "another program has put the ledger '{}' into another mode while it was open; nothing was recorded, "
      "open it again",
      file.name());
}

Result<void> raise_version(SqliteFile& file, std::int64_t from) {
  for (std::size_t i = objects_of(from); i < kSchema.size(); ++i) GAUZE_TRY_VOID(file.execute(kSchema[i].sql));
  return file.execute(fmt::format("PRAGMA user_version={}", kFormatVersion).c_str());
}

Result<void> make_schema(SqliteFile& file) {
  GAUZE_TRY(const std::int64_t id, file.whole("PRAGMA application_id"));
  if (id != 0) return {};
  GAUZE_TRY(const std::int64_t objects, object_count(file));
  if (objects > 0) return {};  // another program's: check_schema says so
  GAUZE_TRY_VOID(file.make_durable());
  GAUZE_TRY(SqliteTransaction transaction, SqliteTransaction::begin(file, true));
  GAUZE_TRY(const std::int64_t since, file.whole("PRAGMA application_id"));
  if (since != 0) return {};  // another process was quicker
  GAUZE_TRY_VOID(file.execute(fmt::format("PRAGMA application_id={}", kApplicationId).c_str()));
  GAUZE_TRY_VOID(file.execute(fmt::format("PRAGMA user_version={}", kFormatVersion).c_str()));
  for (const SchemaObject& object : kSchema) GAUZE_TRY_VOID(file.execute(object.sql));
  return transaction.commit();
}

Result<std::int64_t> check_schema(SqliteFile& file) {
  GAUZE_TRY(const std::int64_t id, file.whole("PRAGMA application_id"));
  if (id != kApplicationId) {
    GAUZE_TRY(const std::int64_t objects, object_count(file));
    if (id == 0 && objects == 0) {
      return make_error(ErrorCode::bad_data, "'{}' is empty: it is not a ledger, or all of it was cut off",
                        file.name());
    }
    return make_error(ErrorCode::bad_data, "'{}' is a SQLite file of another program, not a ledger", file.name());
  }
  GAUZE_TRY(const std::int64_t version, file.whole("PRAGMA user_version"));
  if (version > kFormatVersion) {
    return make_error(ErrorCode::bad_data,
                      "the ledger '{}' has format version {}, and this Gauze knows versions up to {}; a newer Gauze "
                      "wrote it. Nothing was changed",
                      file.name(), version, kFormatVersion);
  }
  if (version < 1) return changed(file);
  const std::size_t expected = objects_of(version);
  GAUZE_TRY(const std::int64_t objects, object_count(file));
  if (objects != static_cast<std::int64_t>(expected)) return changed(file);
  for (std::size_t i = 0; i < expected; ++i) {
    GAUZE_TRY(SqliteStatement statement, file.prepare("SELECT sql FROM sqlite_master WHERE name = ?"));
    GAUZE_TRY(const bool found, statement.bind(kSchema[i].name).step());
    if (!found || statement.text(0) != kSchema[i].sql) return changed(file);
  }
  return version;
}

}  // namespace gauze::internal
