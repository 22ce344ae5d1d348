#include "gauze/cli/tables/labelled_table.h"

#include "gauze/engines/open_source.h"
#include "gauze/files/file_descriptor.h"
#include "gauze/files/scratch_folder.h"
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
  if (!output.is_standard_output()) {
    GAUZE_TRY(const table::TableTarget target, target_of(output, form));
    return engines::make_table_writer()->write(rows, target, progress);
  }
  // By way of a file: the output knows what went through it, and nothing is shown of what fails half way.
  GAUZE_TRY(const ScratchFolder folder, ScratchFolder::make());
  const std::string path = folder.file("rows.csv");
  GAUZE_TRY_VOID(engines::make_table_writer()->write(rows, {.path = path, .format = {}, .form = form}, progress));
  GAUZE_TRY(const FileDescriptor file, open_for_reading(path));
  FileSource source(file, path);
  std::vector<char> block(std::size_t{1} << 18U);
  for (;;) {
    GAUZE_TRY(const std::size_t got, source.read(block));
    if (got == 0) return {};
    GAUZE_TRY_VOID(output.write({block.data(), got}));
  }
}

}  // namespace gauze::cli
