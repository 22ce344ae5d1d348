#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "gauze/base/error.h"
#include "gauze/base/progress.h"
#include "gauze/table/row_stream.h"
#include "gauze/table/text_form.h"

namespace gauze::engines {

struct CsvWriting {
  table::TextForm form = {};
  std::function<std::uint64_t(std::uint64_t)> shuffle = {};  ///< as in table::Rewrite
  std::size_t shuffle_bytes = 0;                             ///< of rows that are kept at once to be shuffled
  std::filesystem::path temporary = {};                      ///< for those that are not
};

/// Writes a line of names and all rows in the form into a file that appears whole or not at all, compressed if its name says so; "-" is
/// the standard output. Some batches at a time are laid out in parallel.
[[nodiscard]] Result<void> write_csv(table::RowStream& rows, const std::string& target, const CsvWriting& writing,
                                     Progress& progress);

}  // namespace gauze::engines
