// Any line is a report or it is not. One that is, is JSON, and gives the same report when it is written again in the usual
// layout; and any bytes are lines whose reports add up.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "gauze/collect/reports/internal/line_reader.h"
#include "gauze/collect/reports/testing/report_files.h"
#include "gauze/files/json_reader.h"

using namespace gauze::collect;
using namespace gauze::collect::internal;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  ReportTask task = testing::direct_task(200);
  ReportLine report;
  if (parse_report_line(text, report)) {
    if (!gauze::read_json(text)) std::abort();
    task.hash = report.task;
    std::string again = testing::line_of(
        task, report.period, {reinterpret_cast<const char*>(report.payload.data()), report.payload.size()});
    again.pop_back();
    ReportLine second;
    if (!parse_report_line(again, second) || second.task != report.task || second.period != report.period ||
        second.payload != report.payload)
      std::abort();
  }
  ScannedLines out;
  scan_lines(text, task, out);
  std::uint64_t lines =
      out.found.rejected.malformed + out.found.rejected.unknown_task + out.found.rejected.parameter_mismatch;
  for (const auto& run : out.found.runs) lines += run.count;
  const auto ends = static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
  if (lines != ends + (text.empty() || text.back() == '\n' ? 0 : 1)) std::abort();
  return 0;
}
