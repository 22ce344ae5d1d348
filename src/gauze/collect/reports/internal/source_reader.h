#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "gauze/collect/reports/internal/collector.h"
#include "gauze/files/byte_source.h"

namespace gauze::collect::internal {

enum class SourceFormat { blocks, lines, state };

/// By its first bytes: what is neither a block nor a state is lines if it looks like text and holds no block nearby.
[[nodiscard]] SourceFormat sniff_format(std::string_view beginning);

/// What was in a source. One of reports is counted already, and known by its digest, which is empty when there was no byte.
struct SourceContent {
  SourceFormat format = SourceFormat::blocks;
  std::string digest;
  std::string state;  ///< the bytes of a state
};

/// Reads a source to its end and counts its reports. `name` begins messages.
[[nodiscard]] Result<SourceContent> read_source(std::unique_ptr<ByteSource> source, const std::string& name,
                                                const ReportTask& task, Collector& collector);

}  // namespace gauze::collect::internal
