#pragma once

#include "gauze/base/error.h"
#include "gauze/ledger/sqlite_file.h"

namespace gauze::internal {

/// "GZLG" in the header of the SQLite file.
inline constexpr std::int64_t kApplicationId = 0x475A4C47;
/// The version of the format, in the header too; docs/formats/ledger.md describes it.
inline constexpr std::int64_t kFormatVersion = 4;

/// Makes the tables in a file that is empty; leaves a ledger as it is. Whoever comes first does it, others wait.
[[nodiscard]] Result<void> make_schema(SqliteFile& file);

/// Whether the file is a ledger of this version, or of an older one, with exactly the tables and triggers it should
/// have; gives its version. Reads only: another program's file, a newer version or a changed trigger is a `bad_data`
/// error and stays as it is.
[[nodiscard]] Result<std::int64_t> check_schema(SqliteFile& file);

/// Whether the settings still hold, in a transaction that may write: another program may have changed the file's mode.
[[nodiscard]] Result<void> check_durable(SqliteFile& file);

/// Gives a ledger of an older format the tables of this version, in a transaction of the caller.
[[nodiscard]] Result<void> raise_version(SqliteFile& file, std::int64_t from);

}  // namespace gauze::internal
