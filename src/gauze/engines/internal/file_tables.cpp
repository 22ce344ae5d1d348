#include "gauze/engines/internal/file_tables.h"

#include <utility>

#include "gauze/engines/internal/declared_text.h"
#include "gauze/engines/internal/named_files.h"

namespace gauze::engines {

Result<DuckDbEngine*> FileTables::engine() {
  if (!engine_) {
    GAUZE_TRY(engine_, DuckDbEngine::make(options_));
  }
  return engine_.get();
}

Result<OpenedSource> FileTables::open(const std::string& source, const table::ReadOptions& options) {
  GAUZE_TRY(DuckDbEngine* const engine, this->engine());  // before much is read for nothing
  GAUZE_TRY(auto files, open_named_files(source, options, settings_.temporary));
  OpenedSource opened;
  opened.format = files.front().format();
  if (opened.format == table::FileFormat::parquet) {
    GAUZE_TRY(opened.source, engine->open_parquet(std::move(files), options));
    return opened;
  }
  GAUZE_TRY(TextTable text, read_text_files(std::move(files), options, settings_.temporary));
  opened.form = text.form;
  if (options.decimal) opened.form.decimal = *options.decimal;
  GAUZE_TRY(opened.source, engine->open_text(std::move(text), options));
  return opened;
}

Result<std::unique_ptr<table::DeclaredSource>> FileTables::open_declared(
    const std::string& source, const std::vector<table::DeclaredColumn>& columns, const table::ReadOptions& options) {
  GAUZE_TRY(auto files, open_declared_files(source, options, settings_.temporary));
  if (files.front().format() != table::FileFormat::parquet)
    return open_declared_text(std::move(files), columns, options);
  GAUZE_TRY(DuckDbEngine* const engine, this->engine());
  return engine->open_declared_parquet(std::move(files), columns, options);
}

}  // namespace gauze::engines
