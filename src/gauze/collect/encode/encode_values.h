#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/base/progress.h"
#include "gauze/base/words.h"
#include "gauze/collect/task/central_task.h"
#include "gauze/collect/task/task.h"
#include "gauze/files/byte_source.h"
#include "gauze/table/declared_source.h"

namespace gauze::collect {

enum class ReportFormat { binary, json_lines };
inline constexpr Words<ReportFormat, 2> kReportFormatWords = {
    {{ReportFormat::binary, "binary"}, {ReportFormat::json_lines, "jsonl"}}};

struct EncodeRequest {
  std::uint32_t period = 0;
  ReportFormat format = ReportFormat::binary;
};

/// Where reports go, in order.
using ReportSink = std::function<Result<void>(std::string_view)>;

/// How many reports, in how many bytes.
struct EncodedReports {
  std::uint64_t reports = 0;
  std::uint64_t bytes = 0;
};

/// A line is a device: a report for each, in their order, whatever it holds. An empty line, one that is no value and one that is longer than
/// a mebibyte are devices whose value is out of the domain. Memory is that of a batch; both cores encode.
[[nodiscard]] Result<EncodedReports> encode_lines(ByteSource& source, const Task& task, const EncodeRequest& request,
                                                  const ReportSink& sink, Progress& progress);

/// The same for the first declared column of a table, read by total rules: a row is a device, and no row decides whether
/// others report. A cell that is one of `missing`, or that cannot be read, is out of the domain.
[[nodiscard]] Result<EncodedReports> encode_column(table::DeclaredSource& source,
                                                   const std::vector<std::string>& missing, const Task& task,
                                                   const EncodeRequest& request, const ReportSink& sink,
                                                   Progress& progress);

/// The same for records of a central task: the declared columns of the table are its fields, in their order. What comes out is private as
/// it is.
[[nodiscard]] Result<EncodedReports> encode_records(table::DeclaredSource& source,
                                                    const std::vector<std::string>& missing, const CentralTask& task,
                                                    const EncodeRequest& request, const ReportSink& sink,
                                                    Progress& progress);

/// Blocks, or lines of JSON, of reports that lie one after the other.
[[nodiscard]] std::string formatted_reports(const DeviceTask& task, const EncodeRequest& request,
                                            std::string_view payloads);

}  // namespace gauze::collect
