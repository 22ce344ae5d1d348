#pragma once

#include "gauze/base/error.h"
#include "gauze/ledger/internal/sqlite_file.h"

namespace gauze::internal {

/// "GZLG" in the header of the SQLite file.
inline constexpr std::int64_t kApplicationId = 0x475A4C47;
/// The version of the format, in the header too; docs/formats/ledger.md describes it.
inline constexpr std::int64_t kFormatVersion = 1;

/// Makes the tables in a file that is empty; leaves a ledger as it is. Whoever comes first does it, others wait.
[[nodiscard]] Result<void> make_schema(SqliteFile& file);

/// Whether the file is a ledger of this version with exactly the tables and triggers it should have. Reads only:
/// another program's file, a newer version or a changed trigger is a `bad_data` error and stays as it is.
[[nodiscard]] Result<void> check_schema(SqliteFile& file);

/// Settings of a connection that writes: every commit is on the disk before it returns.
[[nodiscard]] Result<void> make_durable(SqliteFile& file);

}  // namespace gauze::internal
