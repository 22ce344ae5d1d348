#include "gauze/server/store/internal/stored_blocks.h"

#include <limits>

namespace gauze::server::internal {

Result<void> for_task_periods(const Database& database, const ReportFamily& family, const rocksdb::Snapshot* snapshot,
                              const std::function<Result<void>(const collect::TaskHash&, std::uint32_t)>& each) {
  rocksdb::ReadOptions options;
  options.snapshot = snapshot;
  const std::unique_ptr<rocksdb::Iterator> rows(database.db().NewIterator(options, family.rows.handle()));
  rows->Seek(rocksdb::Slice(&kBlockRow, 1));
  while (rows->Valid()) {
    const auto row = read_block_row_key(view_of(rows->key()));
    if (!row) break;
    GAUZE_TRY_VOID(each(row->task, row->period));
    // The row behind the last one that this task version and period could have.
    const std::string last = block_row_key(
        {.task = row->task, .period = row->period, .sequence = std::numeric_limits<std::uint64_t>::max()});
    rows->Seek(last);
    if (rows->Valid() && rows->key() == last) rows->Next();
  }
  if (!rows->status().ok()) return store_error("reading", rows->status());
  return {};
}

Result<void> for_blocks(const Database& database, const ReportFamily& family, const rocksdb::Snapshot* snapshot,
                        const BlockRange& range, const std::function<Result<void>(const StoredBlock&)>& each) {
  const std::string from =
      block_row_key({.task = range.task, .period = range.periods.from, .sequence = range.behind + 1});
  return for_rows(
      database, family.rows.handle(), snapshot, from,
      [&](std::string_view key, std::string_view value) -> Result<bool> {
        const auto row = read_block_row_key(key);
        if (!row || row->task != range.task || row->period > range.periods.to) return false;
        GAUZE_TRY(const std::string message, family.rows.open(key, value));
        const BlockMessage block = read_block_message(message);
        GAUZE_TRY_VOID(each(
            {.period = row->period, .sequence = row->sequence, .reports = block.reports, .payloads = block.bytes}));
        return true;
      });
}

}  // namespace gauze::server::internal
