#include "gauze/table/table_writer.h"

#include <set>
#include <utility>

#include "gauze/base/ascii.h"

namespace gauze::table {

Result<FileFormat> format_of(const TableTarget& target) {
  const auto by_name = target.path.ends_with(".parquet") ? FileFormat::parquet : FileFormat::csv;
  const FileFormat format = target.format.value_or(by_name);
  if (format == FileFormat::json_lines)
    return make_error(ErrorCode::unsupported, "tables are written as CSV or Parquet, not as JSON lines");
  const bool ascii =
      target.form.delimiter.size() == 1 && static_cast<unsigned char>(target.form.delimiter.front()) < 0x80;
  if (format == FileFormat::csv && (!ascii || target.form.delimiter.find_first_of("\"\n\r") != std::string::npos))
    return invalid_parameter("delimiter must be one ASCII character other than a quote, but is '{}'",
                             target.form.delimiter);
  return format;
}

Result<void> check_names(FileFormat format, std::span<const std::string> names) {
  if (format != FileFormat::parquet) return {};
  std::set<std::string> seen;
  for (const std::string& name : names) {
    std::string small = name;
    for (char& c : small) c = ascii_lower(c);
    if (!seen.insert(std::move(small)).second)
      return asking_for(
          "names",
          invalid_parameter(
              "a column '{}' differs from another in upper and lower case alone, which Parquet does not keep apart: "
              "write CSV, or rename it",
              name));
  }
  return {};
}

}  // namespace gauze::table
