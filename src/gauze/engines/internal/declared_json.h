#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/base/progress.h"
#include "gauze/engines/internal/input_file.h"
#include "gauze/table/declared_source.h"
#include "gauze/table/row_sink.h"

namespace gauze::engines {

/// A file of JSON lines whose rows are read by total rules: the columns are the declared ones, whatever keys there are.
class DeclaredJson {
 public:
  static constexpr std::size_t kLongestLine = std::size_t{64} << 20;

  DeclaredJson(InputFile file, const std::vector<table::DeclaredColumn>& columns,
               std::size_t longest_line = kLongestLine);

  [[nodiscard]] std::uint64_t byte_count() const { return file_.byte_count(); }
  /// Hands over every row: a line that is no object has only missing cells, one that is too long only such that
  /// cannot be read; so is a nested value, or a key that stands twice.
  [[nodiscard]] Result<void> read(table::RowSink& rows, const Progress& progress, const ByteWitness& witness) const;

 private:
  InputFile file_;
  std::unordered_map<std::string, std::size_t> places_;
  std::size_t longest_line_;
};

}  // namespace gauze::engines
