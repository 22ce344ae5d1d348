#pragma once

#include "gauze/collect/count/report_shape.h"

namespace gauze::collect {

/// Records of central tasks: there are no cells. Out of range: a number of a category that is none, a number outside its field.
std::uint64_t count_records(const ReportShape& shape, const unsigned char* payloads, std::size_t stride,
                            std::size_t count, std::span<std::int64_t> cells);

}  // namespace gauze::collect
