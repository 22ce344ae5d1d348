#include "gauze/cli/tables/labelled_table.h"

#include "gauze/engines/open_source.h"
#include "gauze/table/table_writer.h"

namespace gauze::cli {
namespace {

Result<table::TableTarget> target_of(publish::LabelledOutput& output, const std::string& delimiter) {
  table::TableTarget target{.path = "-", .format = {}, .delimiter = delimiter};
  if (!output.is_standard_output()) {
    GAUZE_TRY(const std::filesystem::path path, output.path());
    target.path = path.string();
  }
  return target;
}

}  // namespace

Result<void> write_table(table::Source& source, const table::Rewrite& rewrite, const std::string& delimiter,
                         publish::LabelledOutput& output, Progress& progress) {
  GAUZE_TRY(const table::TableTarget target, target_of(output, delimiter));
  return engines::make_table_writer()->write(source, rewrite, target, progress);
}

Result<void> write_rows(table::RowStream& rows, const std::string& delimiter, publish::LabelledOutput& output,
                        Progress& progress) {
  GAUZE_TRY(const table::TableTarget target, target_of(output, delimiter));
  return engines::make_table_writer()->write(rows, target, progress);
}

}  // namespace gauze::cli
