#include "gauze/engines/open_source.h"

#include <sys/stat.h>

#include <algorithm>
#include <cctype>

#include "gauze/engines/duckdb/internal/duckdb_engine.h"
#include "gauze/engines/duckdb/internal/duckdb_session.h"
#include "gauze/engines/internal/file_tables.h"

namespace gauze::engines {
namespace {

/// The scheme of a URI: letters, digits, +, - and . before "://"; nothing for the name of a file.
std::optional<std::string> scheme_of(const std::string& uri) {
  const std::size_t end = uri.find("://");
  if (end == std::string::npos || end == 0) return std::nullopt;
  const std::string scheme = uri.substr(0, end);
  const auto fits = [](unsigned char c) { return std::isalnum(c) != 0 || c == '+' || c == '-' || c == '.'; };
  if (std::isalpha(static_cast<unsigned char>(scheme.front())) == 0 ||
      !std::all_of(scheme.begin(), scheme.end(), fits))
    return std::nullopt;
  struct stat status {};
  if (::stat(uri.c_str(), &status) == 0) return std::nullopt;  // a path that exists is taken as it is
  return scheme;
}

Result<void> check_scheme(const std::string& uri) {
  const auto scheme = scheme_of(uri);
  if (!scheme) return {};
  return make_error(ErrorCode::unsupported, "this build of Gauze reads files; it has no engine for {}://", *scheme);
}

}  // namespace

Result<OpenedSource> open_source(const std::string& uri, const table::ReadOptions& options,
                                 const EngineOptions& engine) {
  GAUZE_TRY_VOID(check_scheme(uri));
  return FileTables(engine).open(uri, options);
}

Result<std::unique_ptr<table::DeclaredSource>> open_declared_source(const std::string& uri,
                                                                    const std::vector<table::DeclaredColumn>& columns,
                                                                    const table::ReadOptions& options,
                                                                    const EngineOptions& engine) {
  GAUZE_TRY_VOID(check_scheme(uri));
  return FileTables(engine).open_declared(uri, columns, options);
}

Result<std::unique_ptr<SqlSession>> open_session(const EngineOptions& engine,
                                                 std::optional<std::chrono::milliseconds> time_limit) {
  GAUZE_TRY(const auto made, DuckDbEngine::make(engine));
  return made->open_session(time_limit);
}

Result<std::unique_ptr<SqlDatabase>> open_database(const std::vector<DatabaseTable>& tables,
                                                   const EngineOptions& engine,
                                                   std::optional<std::chrono::milliseconds> time_limit) {
  for (const DatabaseTable& table : tables) GAUZE_TRY_VOID(check_scheme(table.uri));
  GAUZE_TRY(const auto made, DuckDbEngine::make(engine));
  return made->open_database(tables, time_limit);
}

}  // namespace gauze::engines
