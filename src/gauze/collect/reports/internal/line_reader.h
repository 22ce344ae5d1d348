#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/collect/reports/internal/found_reports.h"

namespace gauze::collect::internal {

/// A line that is longer than any report is malformed without being read.
inline constexpr std::size_t kMostLineBytes = 65'536;

/// {"task":HEX,"period":N,"payload":BASE64}: exactly these keys, in any order.
struct ReportLine {
  TaskHash task{};
  std::uint32_t period = 0;
  std::vector<unsigned char> payload;
};

/// Whether the line is a report. Total. Base64 is strict: padded, nothing in between, no bits left over.
[[nodiscard]] bool parse_report_line(std::string_view line, ReportLine& out);

/// The reports of lines; the payloads of its runs are kept in `payloads`.
struct ScannedLines {
  FoundReports found;
  std::vector<unsigned char> payloads;
};

/// Reads whole lines; the last one may lack its line end.
void scan_lines(std::string_view text, const ReportTask& task, ScannedLines& out);

}  // namespace gauze::collect::internal
