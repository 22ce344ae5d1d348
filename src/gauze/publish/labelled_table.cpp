#include "gauze/publish/labelled_table.h"

#include <string>
#include <vector>

#include "gauze/engines/open_source.h"
#include "gauze/files/file_descriptor.h"
#include "gauze/files/scratch_folder.h"
#include "gauze/table/table_writer.h"

namespace gauze::publish {
namespace {

Result<void> copy(const std::string& path, LabelledOutput& output) {
  GAUZE_TRY(const FileDescriptor file, open_for_reading(path));
  FileSource source(file, path);
  std::vector<char> block(std::size_t{1} << 18U);
  for (;;) {
    GAUZE_TRY(const std::size_t got, source.read(block));
    if (got == 0) return {};
    GAUZE_TRY_VOID(output.write({block.data(), got}));
  }
}

/// Has the file written, beside the place of the output or, for the standard output, in a folder of its own.
template <class Write>
Result<void> write_into(LabelledOutput& output, const table::TextForm& form, const Write& write) {
  if (!output.is_standard_output()) {
    GAUZE_TRY(const std::filesystem::path path, output.path());
    return write(table::TableTarget{.path = path.string(), .format = {}, .form = form});
  }
  GAUZE_TRY(const ScratchFolder folder, ScratchFolder::make());
  const std::string path = folder.file("rows.csv");
  GAUZE_TRY_VOID(write(table::TableTarget{.path = path, .format = {}, .form = form}));
  return copy(path, output);
}

}  // namespace

Result<void> write_table(table::Source& source, const table::Rewrite& rewrite, const table::TextForm& form,
                         LabelledOutput& output, Progress& progress) {
  return write_into(output, form, [&](const table::TableTarget& target) {
    return engines::make_table_writer()->write(source, rewrite, target, progress);
  });
}

Result<void> write_rows(table::RowStream& rows, const table::TextForm& form, LabelledOutput& output,
                        Progress& progress) {
  return write_into(output, form, [&](const table::TableTarget& target) {
    return engines::make_table_writer()->write(rows, target, progress);
  });
}

}  // namespace gauze::publish
