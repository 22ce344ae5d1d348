#include "gauze/engines/duckdb/internal/duckdb_engine.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "gauze/engines/duckdb/internal/connection.h"
#include "gauze/engines/duckdb/internal/declared_parquet.h"
#include "gauze/engines/duckdb/internal/duckdb_session.h"
#include "gauze/engines/duckdb/internal/relation.h"
#include "gauze/engines/internal/declared_text.h"
#include "gauze/engines/internal/engine_settings.h"
#include "gauze/engines/internal/input_file.h"
#include "gauze/engines/internal/json_lines.h"
#include "gauze/engines/internal/text_table.h"
#include "gauze/files/find_files.h"
#include "gauze/files/scratch_folder.h"

namespace gauze::engines {
namespace {

/// All files that a source names, which must be of one format.
template <class Open>
Result<std::vector<InputFile>> open_files(const std::string& source, const Open& open) {
  GAUZE_TRY(const auto paths, find_files(source));
  std::vector<InputFile> files;
  for (const auto& path : paths) {
    GAUZE_TRY(InputFile file, open(path));
    if (!files.empty() && file.format() != files.front().format()) {
      return make_error(ErrorCode::bad_data, "{} and {} are not of the same format", files.front().name(),
                        file.name());
    }
    files.push_back(std::move(file));
  }
  return files;
}

}  // namespace

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

Result<OpenedSource> DuckDbEngine::open(const std::string& source, const table::ReadOptions& options) {
  const auto& settings = state_->settings;
  GAUZE_TRY(auto files, open_files(source, [&](const std::string& path) {
              return InputFile::open(path, settings.temporary, options.encoding);
            }));
  GAUZE_TRY(auto session, open_session());
  OpenedSource opened;
  opened.format = files.front().format();
  SqlRelation relation;
  if (opened.format == table::FileFormat::parquet) {
    GAUZE_TRY(relation, open_parquet(session->connection(), std::move(files), options.names));
  } else {
    GAUZE_TRY(TextTable text, opened.format == table::FileFormat::csv
                                  ? read_csv_files(std::move(files), options, settings.temporary)
                                  : read_json_lines(std::move(files), options, settings.temporary));
    opened.form = text.form;
    if (options.decimal) opened.form.decimal = *options.decimal;
    relation = relation_of(std::move(text));
  }
  opened.source =
      std::make_unique<SqlSource>(std::move(session), std::move(relation), options.null_tokens,
                                  settings.values_in_memory, options.decimal.value_or(opened.form.decimal));
  return opened;
}

Result<std::vector<InputFile>> DuckDbEngine::open_declared_files(const std::string& source,
                                                                 const table::ReadOptions& options) const {
  return open_files(source, [&](const std::string& path) {
    return InputFile::open_declared(path, state_->settings.temporary, options.encoding);
  });
}

Result<std::unique_ptr<table::DeclaredSource>> DuckDbEngine::open_declared(
    const std::string& source, const std::vector<table::DeclaredColumn>& columns, const table::ReadOptions& options) {
  const auto& settings = state_->settings;
  GAUZE_TRY(auto files, open_declared_files(source, options));
  if (files.front().format() != table::FileFormat::parquet)
    return open_declared_text(std::move(files), columns, options);
  GAUZE_TRY(InputBytes bytes, InputBytes::of(files));
  GAUZE_TRY(auto session, open_session());
  GAUZE_TRY(SqlRelation relation, open_parquet(session->connection(), std::move(files), options.names, columns));
  return declared_parquet(std::make_unique<SqlSource>(std::move(session), std::move(relation), options.null_tokens,
                                                      settings.values_in_memory),
                          std::move(bytes));
}

}  // namespace gauze::engines
