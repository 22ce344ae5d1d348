#include "gauze/server/store/internal/block_writer.h"

#include <algorithm>

#include "gauze/base/utc_date.h"
#include "gauze/server/store/internal/row_bytes.h"
#include "gauze/server/store/internal/stored_blocks.h"

namespace gauze::server::internal {
namespace {

constexpr std::string_view kSequenceRow = "sequence";

std::string_view text_of_id(const collect::BlockId& id) {
  return {reinterpret_cast<const char*>(id.data()), id.size()};
}

}  // namespace

/// What one group of batches adds to the store. Blocks of one group see each other as if each had been written before the next.
class BlockWriter::Group {
 public:
  Group(const Parts& parts, std::uint64_t sequence)
      : parts_(parts),
        sequence_(sequence),
        now_(parts.clock()),
        periods_{parts.acceptance, now_, parts.index.closed_until()} {}

  Result<void> add(std::string_view credential, const AdmissibleBlock& block, IngestOutcome& outcome) {
    const std::uint32_t count = block.header.count;
    const std::int64_t seconds = block.task->period_seconds;
    // The clock, or the day of the index, may have moved on since the block was looked at.
    if (periods_.answer(block.header.period, seconds) == Acceptance::Answer::expired) {
      outcome.of(Rejection::expired) += count;
      return {};
    }
    GAUZE_TRY(const IndexDayPointer day,
              parts_.index.day(parts_.acceptance.closing_day(block.header.period, seconds)));
    GAUZE_TRY(const bool was_seen, is_seen(*day, block));
    if (was_seen) {
      outcome.duplicates += count;
      return {};
    }
    GAUZE_TRY(std::uint32_t* const given, given_before(*day, credential, block));
    const auto limit = block.task->reports_per_period;
    if (limit && std::uint64_t{*given} + count > *limit) {
      outcome.of(Rejection::contribution_limit) += count;
      return {};
    }
    *given += count;
    GAUZE_TRY_VOID(put(*day, block));
    outcome.accepted += count;
    return {};
  }

  /// Everything of the group; the numbers of its blocks end with sequence().
  rocksdb::WriteBatch& batch() {
    for (const auto& [place, limit] : limits_) {
      std::string value;
      append_little(value, limit.given, 4);
      batch_.Put(limit.handle, place.second, value);
    }
    for (const ReportFamilyPointer& family : new_families_)
      ReportFamilies::add_entry(*family, FamilyState::live, parts_.database, batch_);
    return batch_;
  }
  [[nodiscard]] bool is_empty() const { return counted_.empty() && batch_.Count() == 0; }
  [[nodiscard]] std::uint64_t sequence() const { return sequence_; }

  /// The batch is on the disk.
  void hand_over() {
    for (const ReportFamilyPointer& family : new_families_) parts_.families.note_entry(*family);
    for (CountedBlock& block : counted_) parts_.aggregates.push(std::move(block));
  }

 private:
  struct Limit {
    rocksdb::ColumnFamilyHandle* handle = nullptr;
    std::uint32_t given = 0;
  };

  Result<bool> is_seen(const IndexDay& day, const AdmissibleBlock& block) {
    const std::string row = BlockIndex::id_row(text_of_id(block.header.id));
    if (!ids_.insert({day.day, row}).second) return true;
    GAUZE_TRY(const auto found, parts_.database.get(day.family->handle(), row));
    if (!found) ids_.erase({day.day, row});
    return found.has_value();
  }

  Result<std::uint32_t*> given_before(const IndexDay& day, std::string_view credential,
                                      const AdmissibleBlock& block) {
    std::string row = parts_.index.limit_row(day, credential, block.task->name, block.header.period);
    const auto [place, is_new] =
        limits_.try_emplace({day.day, std::move(row)}, Limit{.handle = day.family->handle()});
    if (is_new) {
      GAUZE_TRY(const auto stored, parts_.database.get(day.family->handle(), place->first.second));
      if (stored) place->second.given = static_cast<std::uint32_t>(read_little(*stored));
    }
    return &place->second.given;
  }

  Result<void> put(const IndexDay& day, const AdmissibleBlock& block) {
    const std::int64_t expiry = std::max<std::int64_t>(0, utc_day_of(now_)) + std::max(1, block.task->retention_days);
    GAUZE_TRY(const ReportFamilyPointer family, parts_.families.family_of(static_cast<std::uint32_t>(expiry)));
    if (!family->is_registered &&
        std::find(new_families_.begin(), new_families_.end(), family) == new_families_.end())
      new_families_.push_back(family);
    const std::string_view id = text_of_id(block.header.id);
    const std::string key =
        block_row_key({.task = block.header.task, .period = block.header.period, .sequence = sequence_ + 1});
    GAUZE_TRY(const std::string value, family->rows.seal(key, {}, block_message(block.header.count, block.reports)));
    ++sequence_;
    batch_.Put(family->rows.handle(), key, value);
    batch_.Put(family->rows.handle(), place_row_key(id, key), rocksdb::Slice());
    batch_.Put(day.family->handle(), BlockIndex::id_row(id), rocksdb::Slice());
    ids_.insert({day.day, BlockIndex::id_row(id)});
    if (block.task->keeps_aggregate)
      counted_.push_back({.key = {.task = block.header.task, .period = block.header.period, .date = family->date},
                          .task = block.task->counting,
                          .sequence = sequence_,
                          .reports = std::string(block.reports)});
    return {};
  }

  const Parts& parts_;
  std::uint64_t sequence_;
  std::int64_t now_;
  OpenPeriods periods_;
  rocksdb::WriteBatch batch_;
  std::set<std::pair<std::int64_t, std::string>> ids_;
  std::map<std::pair<std::int64_t, std::string>, Limit> limits_;
  std::vector<ReportFamilyPointer> new_families_;
  std::vector<CountedBlock> counted_;
};

Result<std::uint64_t> BlockWriter::stored_sequence(const Database& database) {
  GAUZE_TRY(const auto value, database.get(database.meta(), kSequenceRow));
  return value ? read_little(*value) : 0;
}

Result<void> BlockWriter::write_synced(rocksdb::WriteBatch& batch, std::uint64_t sequence) {
  std::string value;
  append_little(value, sequence, 8);
  batch.Put(parts_.database.meta(), slice_of(kSequenceRow), value);
  return parts_.database.write(batch, true);
}

void BlockWriter::write(std::span<WaitingBatch* const> group) {
  std::vector<IngestOutcome> outcomes(group.size());
  Result<void> written;
  {
    const std::lock_guard lock(mutex_);
    written = write_group(group, outcomes);
  }
  for (std::size_t i = 0; i < group.size(); ++i) {
    if (written)
      group[i]->answer = outcomes[i];
    else
      group[i]->answer = Result<IngestOutcome>(tl::unexpected<Error>(written.error()));
  }
}

Result<void> BlockWriter::write_group(std::span<WaitingBatch* const> group, std::vector<IngestOutcome>& outcomes) {
  GAUZE_TRY_VOID(parts_.database.check_writable());
  Group all(parts_, sequence_);
  for (std::size_t i = 0; i < group.size(); ++i) {
    outcomes[i] = group[i]->batch.outcome;
    for (const AdmissibleBlock& block : group[i]->batch.blocks)
      GAUZE_TRY_VOID(all.add(group[i]->credential, block, outcomes[i]));
  }
  if (all.sequence() == sequence_) return {};  // no block was taken
  GAUZE_TRY_VOID(write_synced(all.batch(), all.sequence()));
  all.hand_over();
  sequence_ = all.sequence();
  return {};
}

Result<bool> BlockWriter::remove(std::string_view id, const TaskDirectory& tasks) {
  const std::lock_guard lock(mutex_);
  GAUZE_TRY_VOID(parts_.database.check_writable());
  bool was_there = false;
  for (const ReportFamilyPointer& family : parts_.families.live()) {
    std::vector<std::string> places;
    const std::string first = places_of(id);
    GAUZE_TRY_VOID(for_rows(parts_.database, family->rows.handle(), nullptr, first,
                            [&](std::string_view row, std::string_view) -> Result<bool> {
                              if (!row.starts_with(first)) return false;
                              places.emplace_back(row);
                              return true;
                            }));
    for (const std::string& place : places) GAUZE_TRY_VOID(remove_block(*family, place, tasks));
    was_there = was_there || !places.empty();
  }
  if (was_there) return true;
  // So that the time of the answer does not tell whether the block was there: a write that changes nothing.
  rocksdb::WriteBatch batch;
  GAUZE_TRY_VOID(write_synced(batch, sequence_));
  return false;
}

Result<void> BlockWriter::remove_block(ReportFamily& family, std::string_view place, const TaskDirectory& tasks) {
  const std::string block_key = block_key_of_place(place);
  const auto row = read_block_row_key(block_key);
  GAUZE_TRY(const auto value, parts_.database.get(family.rows.handle(), block_key));
  if (!row || !value) return make_error(ErrorCode::bad_data, "the store of reports has lost a block that it names");
  const IngestTask* task = tasks.find(row->task);
  if (task == nullptr) return make_error(ErrorCode::bad_data, "the store holds a block of a task that is not known");
  rocksdb::WriteBatch batch;
  batch.Delete(family.rows.handle(), block_key);
  batch.Delete(family.rows.handle(), slice_of(place));
  const std::uint64_t change = sequence_ + 1;
  if (task->keeps_aggregate) {
    GAUZE_TRY(const std::string message, family.rows.open(block_key, *value));
    const CountedBlock block{.key = {.task = row->task, .period = row->period, .date = family.date},
                             .task = task->counting,
                             .sequence = row->sequence,
                             .reports = std::string(read_block_message(message).bytes)};
    GAUZE_TRY_VOID(
        parts_.aggregates.subtract(block, change, [&](const std::string& state_row, const std::string& state) {
          batch.Put(parts_.aggregates.handle(), state_row, state);
          return write_synced(batch, change);
        }));
  } else {
    GAUZE_TRY_VOID(write_synced(batch, change));
  }
  sequence_ = change;
  return {};
}

Result<void> BlockWriter::begin_sweep(std::int64_t day) {
  const std::lock_guard lock(mutex_);
  std::vector<ReportFamilyPointer> due = parts_.families.live();
  std::erase_if(due, [day](const ReportFamilyPointer& family) { return std::int64_t{family->date.day} > day; });
  if (due.empty()) return {};
  GAUZE_TRY_VOID(parts_.database.check_writable());
  // Once the key is gone nothing can be added up any more: all states come first.
  GAUZE_TRY_VOID(parts_.aggregates.checkpoint());
  rocksdb::WriteBatch batch;
  for (const ReportFamilyPointer& family : due)
    ReportFamilies::add_entry(*family, FamilyState::sweeping, parts_.database, batch);
  GAUZE_TRY_VOID(write_synced(batch, sequence_));
  for (const ReportFamilyPointer& family : due) parts_.families.take_out(family->date);
  return {};
}

Result<void> BlockWriter::close_periods() {
  const std::lock_guard lock(mutex_);
  return parts_.index.close_until(utc_day_of(parts_.clock()));
}

}  // namespace gauze::server::internal
