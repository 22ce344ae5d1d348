#pragma once

#include <cstdint>

struct sqlite3;

namespace gauze::internal {

/// The name of a SQLite file system that tells a whole file from one that is in the middle of a change, or that another
/// program has changed.
///
/// SQLite repairs a file after a crash from the journal beside it, and believes whatever lies there: without a journal
/// it takes a half-written file for a whole one, and an old journal that was put back undoes what was granted since.
/// Here the file itself knows, by two numbers in bytes of its header that SQLite does not use (docs/formats/ledger.md).
/// The mark is the number of the change (the header's change counter) while its pages are being written, 0 otherwise.
/// The stamp is the number of the last change that was made here: another program raises the counter, not the stamp.
///
/// Guarantee     : the mark is in the file before any other page of a change, and is taken away only after the change
///                 is synced and its journal is gone. A journal is played back only if it belongs to the change that
///                 the file is in; beside a whole file any other is emptied. What was played back stays marked.
/// Not covered   : a file that was replaced by an older copy of itself; a loss of power together with a lost journal,
///                 where pages may have reached the disk before the mark.
/// Thread safety : that of SQLite.
[[nodiscard]] const char* guarded_vfs();

/// Whether a change of the file was begun and not ended, or made by another program. To be asked with the right to
/// write, so that nobody is at it.
[[nodiscard]] bool needs_check(sqlite3* connection);
/// Says that the whole file was found in order.
void set_checked(sqlite3* connection);

}  // namespace gauze::internal
