#include "gauze/engines/internal/named_files.h"

#include <utility>

#include "gauze/engines/internal/json_lines.h"
#include "gauze/files/find_files.h"

namespace gauze::engines {
namespace {

template <class Open>
Result<std::vector<InputFile>> open_each(const std::string& source, const Open& open) {
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

Result<std::vector<InputFile>> open_named_files(const std::string& source, const table::ReadOptions& options,
                                                const std::filesystem::path& temporary) {
  return open_each(source,
                   [&](const std::string& path) { return InputFile::open(path, temporary, options.encoding); });
}

Result<std::vector<InputFile>> open_declared_files(const std::string& source, const table::ReadOptions& options,
                                                   const std::filesystem::path& temporary) {
  return open_each(
      source, [&](const std::string& path) { return InputFile::open_declared(path, temporary, options.encoding); });
}

Result<TextTable> read_text_files(std::vector<InputFile> files, const table::ReadOptions& options,
                                  const std::filesystem::path& temporary) {
  if (files.front().format() == table::FileFormat::csv) return read_csv_files(std::move(files), options, temporary);
  return read_json_lines(std::move(files), options, temporary);
}

}  // namespace gauze::engines
