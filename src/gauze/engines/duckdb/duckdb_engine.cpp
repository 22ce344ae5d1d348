#include "gauze/engines/duckdb/internal/duckdb_engine.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "gauze/engines/duckdb/internal/connection.h"
#include "gauze/engines/duckdb/internal/declared_parquet.h"
#include "gauze/engines/duckdb/internal/duckdb_session.h"
#include "gauze/engines/duckdb/internal/relation.h"
#include "gauze/engines/internal/engine_settings.h"
#include "gauze/files/scratch_folder.h"

namespace gauze::engines {
struct DuckDbEngine::State {
  EngineSettings settings;
  ScratchFolder spill;  ///< for what does not fit into memory
  std::shared_ptr<Database> database;
};

DuckDbEngine::DuckDbEngine(std::shared_ptr<State> state) : state_(std::move(state)) {}
DuckDbEngine::~DuckDbEngine() = default;

Result<std::unique_ptr<DuckDbEngine>> DuckDbEngine::make(const EngineOptions& options) {
  EngineSettings settings(options);
  GAUZE_TRY_VOID(load_duckdb());
  GAUZE_TRY(ScratchFolder spill, ScratchFolder::make(settings.temporary));
  GAUZE_TRY(auto database, Database::open({{"threads", std::to_string(settings.threads)},
                                           {"memory_limit", fmt::format("{}KiB", settings.memory / 1024)},
                                           {"temp_directory", spill.path().string()},
                                           {"preserve_insertion_order", "true"},
                                           {"autoload_known_extensions", "false"},
                                           {"autoinstall_known_extensions", "false"},
                                           {"allow_community_extensions", "false"},
                                           {"allow_persistent_secrets", "false"},
                                           {"enable_external_file_cache", "false"}}));
  auto state = std::make_shared<State>(State{std::move(settings), std::move(spill), std::move(database)});
  return std::unique_ptr<DuckDbEngine>(new DuckDbEngine(std::move(state)));
}

Result<std::unique_ptr<DuckDbSession>> DuckDbEngine::open_session(
    std::optional<std::chrono::milliseconds> time_limit) {
  GAUZE_TRY(Connection connection, Connection::open(state_->database));
  GAUZE_TRY_VOID(
      connection.execute("SET TimeZone = 'UTC'; SET enable_progress_bar = true; "
                         "SET enable_progress_bar_print = false",
                         "set up DuckDB"));
  return std::make_unique<DuckDbSession>(state_, std::move(connection), state_->settings.threads, time_limit);
}

const std::filesystem::path& DuckDbEngine::temporary() const { return state_->settings.temporary; }

std::unique_ptr<SqlSource> DuckDbEngine::source_of(std::unique_ptr<DuckDbSession> session, SqlRelation relation,
                                                   const table::ReadOptions& options,
                                                   table::DecimalSign decimal) const {
  return std::make_unique<SqlSource>(std::move(session), std::move(relation), options.null_tokens,
                                     state_->settings.values_in_memory, decimal);
}

Result<std::unique_ptr<table::Source>> DuckDbEngine::open_text(TextTable text, const table::ReadOptions& options) {
  GAUZE_TRY(auto session, open_session());
  const table::DecimalSign decimal = options.decimal.value_or(text.form.decimal);
  return source_of(std::move(session), relation_of(std::move(text)), options, decimal);
}

Result<std::unique_ptr<table::Source>> DuckDbEngine::open_parquet(std::vector<InputFile> files,
                                                                  const table::ReadOptions& options) {
  GAUZE_TRY(auto session, open_session());
  GAUZE_TRY(SqlRelation relation, engines::open_parquet(session->connection(), std::move(files), options.names));
  return source_of(std::move(session), std::move(relation), options,
                   options.decimal.value_or(table::DecimalSign::point));
}

Result<std::unique_ptr<table::DeclaredSource>> DuckDbEngine::open_declared_parquet(
    std::vector<InputFile> files, const std::vector<table::DeclaredColumn>& columns,
    const table::ReadOptions& options) {
  GAUZE_TRY(InputBytes bytes, InputBytes::of(files));
  GAUZE_TRY(auto session, open_session());
  GAUZE_TRY(SqlRelation relation,
            engines::open_parquet(session->connection(), std::move(files), options.names, columns));
  return declared_parquet(source_of(std::move(session), std::move(relation), options, table::DecimalSign::point),
                          std::move(bytes));
}

}  // namespace gauze::engines
