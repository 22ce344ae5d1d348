#pragma once

namespace gauze::table {

enum class FileFormat { csv, parquet, json_lines };

}  // namespace gauze::table
