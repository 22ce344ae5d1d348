#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/collect/count/report_shape.h"
#include "gauze/collect/reports/block_format.h"

namespace gauze::collect {

/// What counting must know of a task.
struct ReportTask {
  TaskHash hash{};
  ReportShape shape;
  CountReports count = nullptr;
  std::size_t cells = 0;
  /// One byte before each payload says which of two parts it is of; above 1 is out of range.
  bool has_part_byte = false;

  [[nodiscard]] std::size_t parts() const { return has_part_byte ? 2 : 1; }
  /// Of a report in a block.
  [[nodiscard]] std::size_t report_bytes() const { return shape.payload_bytes + (has_part_byte ? 1 : 0); }
};

/// Reports that were not counted, by reason. A block that can be read counts with as many reports as it states, any other
/// stretch of bytes and a line as one.
struct RejectedReports {
  std::uint64_t malformed = 0;           ///< no block, no line; a block out of limits or longer than its file
  std::uint64_t damaged = 0;             ///< the checksum is another one
  std::uint64_t unknown_task = 0;        ///< the hash of another task
  std::uint64_t parameter_mismatch = 0;  ///< payloads of another size
  std::uint64_t out_of_range = 0;        ///< a payload that no encoder makes

  RejectedReports& operator+=(const RejectedReports& other);
  friend bool operator==(const RejectedReports&, const RejectedReports&) = default;
};

struct PartCounts {
  std::uint64_t reports = 0;
  std::vector<std::int64_t> cells;
  friend bool operator==(const PartCounts&, const PartCounts&) = default;
};

/// What the reports of one task add up to. The order and the cutting of files, and the number of threads, leave no trace in it.
struct Aggregate {
  TaskHash task{};
  std::size_t parts = 1;
  std::size_t cells = 0;                                     ///< of a part
  std::map<std::uint32_t, std::vector<PartCounts>> periods;  ///< those with reports, each with all parts
  RejectedReports rejected;
  std::uint64_t duplicates = 0;      ///< reports in blocks whose id was there before
  std::vector<std::string> sources;  ///< digests of the files that are in it, sorted; see source_digest.h

  [[nodiscard]] std::uint64_t reports() const;
  /// The parts with all periods added up.
  [[nodiscard]] std::vector<PartCounts> total() const;
  friend bool operator==(const Aggregate&, const Aggregate&) = default;
};

/// Periods of one aggregate are bounded, or a hostile file could name 2^32 of them.
inline constexpr std::size_t kMostPeriods = 4'096;
inline constexpr std::size_t kMostCountBytes = std::size_t{1} << 30U;
/// How many periods of a task fit: kMostPeriods, and kMostCountBytes of cells.
[[nodiscard]] std::size_t most_periods(std::size_t parts, std::size_t cells);

struct AggregateOptions {
  /// Of blocks with one id the first counts, in the order of files and bytes; memory by blocks.
  bool distinct = false;
};

/// Counts the reports of files: blocks, JSON lines or the state of another aggregate (state_file.h), by their first bytes; any of them may be
/// compressed by gzip or zstd. "-" is the standard input. `bad_data`: a source that is given twice, directly or inside a
/// state; a state of another task; too many periods. What is wrong in a source of reports is counted, and never an error.
[[nodiscard]] Result<Aggregate> aggregate_reports(const std::vector<std::filesystem::path>& files,
                                                  const ReportTask& task, const AggregateOptions& options = {});

/// What one run over everything would have given. `bad_data`: states of different tasks, a source that is in both, too many
/// periods.
[[nodiscard]] Result<Aggregate> merge(Aggregate first, const Aggregate& second);

}  // namespace gauze::collect
