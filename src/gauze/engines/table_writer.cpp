#include <unistd.h>

#include <utility>

#include "gauze/engines/duckdb/internal/duckdb_engine.h"
#include "gauze/engines/duckdb/internal/parquet_writing.h"
#include "gauze/engines/internal/changed_csv.h"
#include "gauze/engines/internal/csv_writing.h"
#include "gauze/engines/internal/engine_settings.h"
#include "gauze/engines/open_source.h"
#include "gauze/files/atomic_file.h"
#include "gauze/files/file_descriptor.h"
#include "gauze/table/rewritten_rows.h"

namespace gauze::engines {
namespace {

using table::FileFormat;
using table::TableTarget;

Result<void> copy_to_standard_output(const FileDescriptor& file) {
  FileSource source(file, "a temporary file");
  std::vector<char> block(std::size_t{1} << 18);
  for (;;) {
    GAUZE_TRY(const std::size_t got, source.read(block));
    if (got == 0) return {};
    GAUZE_TRY_VOID(write_all(FileDescriptor(STDOUT_FILENO), {block.data(), got}, "the standard output"));
  }
}

class FileWriter : public table::TableWriter {
 public:
  explicit FileWriter(EngineOptions options) : options_(std::move(options)), settings_(options_) {}

  [[nodiscard]] Result<void> write(table::Source& source, const table::Rewrite& rewrite, const TableTarget& target,
                                   Progress& progress) override {
    for (const auto* const columns : {&rewrite.inputs, &rewrite.outputs, &rewrite.dropped})
      GAUZE_TRY_VOID(source.check_columns(*columns));
    GAUZE_TRY_VOID(progress.check());
    GAUZE_TRY(const FileFormat format, table::format_of(target));
    if (rewrite.written(source.columns().size()).empty())
      return invalid_parameter("all columns are left out; at least one must be written");
    std::vector<std::string> names;
    for (const std::size_t column : rewrite.written(source.columns().size()))
      names.push_back(source.columns()[column]);
    GAUZE_TRY_VOID(table::check_names(format, names));
    GAUZE_TRY(const std::uint64_t rows, source.row_count());
    progress.begin("writing", rows);
    auto* const own = dynamic_cast<SqlSource*>(&source);
    auto* const session = own == nullptr ? nullptr : dynamic_cast<DuckDbSession*>(&own->session());
    if (format == FileFormat::parquet && session != nullptr) {
      return to_parquet_file(target, progress, [&](const ParquetFile& file) {
        return write_parquet(*own, *session, rewrite, file, progress);
      });
    }
    if (format == FileFormat::csv && rewrite.knows_rows(source.columns().size())) {
      GAUZE_TRY(const auto tuples, table::RewrittenRows::of_tuples(source, rewrite, progress));
      return write_csv(*tuples, target.path, csv_writing(target, rewrite.shuffle), progress);
    }
    // A line of a single cell that is empty is written in quotes, which is no matter of the cell alone.
    if (format == FileFormat::csv && names.size() > 1 && rewrite.knows_changes(source.columns().size()))
      return write_changed_csv(source, rewrite, target.path, csv_writing(target, rewrite.shuffle), progress);
    GAUZE_TRY(const auto rewritten, table::RewrittenRows::open(source, rewrite, progress));
    return write_rows(*rewritten, format, target, rewrite.shuffle, progress);
  }

  [[nodiscard]] Result<void> write(table::RowStream& rows, const TableTarget& target, Progress& progress) override {
    GAUZE_TRY_VOID(progress.check());
    GAUZE_TRY(const FileFormat format, table::format_of(target));
    std::vector<std::string> names;
    for (const auto& column : rows.columns()) names.push_back(column.name);
    GAUZE_TRY_VOID(table::check_names(format, names));
    return write_rows(rows, format, target, {}, progress);
  }

 private:
  using Shuffle = std::function<std::uint64_t(std::uint64_t)>;
  [[nodiscard]] CsvWriting csv_writing(const TableTarget& target, const Shuffle& shuffle) const {
    return {.form = target.form,
            .shuffle = shuffle,
            .shuffle_bytes = settings_.shuffle_bytes(),
            .temporary = settings_.temporary};
  }

  [[nodiscard]] Result<void> write_rows(table::RowStream& rows, FileFormat format, const TableTarget& target,
                                        const Shuffle& shuffle, Progress& progress) const {
    if (format == FileFormat::csv) return write_csv(rows, target.path, csv_writing(target, shuffle), progress);
    GAUZE_TRY(const auto engine, DuckDbEngine::make(options_));
    GAUZE_TRY(const auto session, engine->open_session());
    return to_parquet_file(target, progress, [&](const ParquetFile& file) {
      return write_parquet(rows, *session, shuffle, file, progress);
    });
  }

  /// DuckDB writes into a file that is open already; only then it takes its place.
  template <class Write>
  [[nodiscard]] Result<void> to_parquet_file(const TableTarget& target, const Progress& progress,
                                             const Write& write) const {
    if (target.path == "-") {
      GAUZE_TRY(const FileDescriptor file, open_nameless(settings_.temporary));
      GAUZE_TRY_VOID(write(ParquetFile{file.path(), "the standard output"}));
      return copy_to_standard_output(file);
    }
    GAUZE_TRY(AtomicFile file, AtomicFile::create(target.path));
    GAUZE_TRY_VOID(
        write(ParquetFile{fmt::format("/proc/self/fd/{}", file.descriptor()), fmt::format("'{}'", target.path)}));
    GAUZE_TRY_VOID(progress.check());
    return file.commit();
  }

  EngineOptions options_;
  EngineSettings settings_;
};

}  // namespace

std::unique_ptr<table::TableWriter> make_table_writer(const EngineOptions& engine) {
  return std::make_unique<FileWriter>(engine);
}

}  // namespace gauze::engines
