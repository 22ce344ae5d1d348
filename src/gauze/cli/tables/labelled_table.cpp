#include "gauze/cli/tables/labelled_table.h"

#include "gauze/engines/open_source.h"
#include "gauze/table/table_writer.h"

namespace gauze::cli {
namespace {

Result<table::TableTarget> target_of(publish::LabelledOutput& output, const table::TextForm& form) {
  table::TableTarget target{.path = "-", .format = {}, .form = form};
  if (!output.is_standard_output()) {
    GAUZE_TRY(const std::filesystem::path path, output.path());
    target.path = path.string();
  }
  return target;
}

}  // namespace

Result<void> write_table(table::Source& source, const table::Rewrite& rewrite, const table::TextForm& form,
                         publish::LabelledOutput& output, Progress& progress) {
  GAUZE_TRY(const table::TableTarget target, target_of(output, form));
  return engines::make_table_writer()->write(source, rewrite, target, progress);
}

Result<void> write_rows(table::RowStream& rows, const table::TextForm& form, publish::LabelledOutput& output,
                        Progress& progress) {
  GAUZE_TRY(const table::TableTarget target, target_of(output, form));
  return engines::make_table_writer()->write(rows, target, progress);
}

}  // namespace gauze::cli
