#include "gauze/server/store/internal/read_batch.h"

#include <optional>

#include "gauze/collect/reports/block_counts.h"

namespace gauze::server::internal {
namespace {

std::optional<Rejection> rejection_of(const collect::BlockWalk::Piece& piece, const collect::BlockHeader& header,
                                      const IngestTask* task, const OpenPeriods& periods) {
  if (task == nullptr) return Rejection::unknown_task;
  if (header.payload_bytes != task->counting.report_bytes() || task->state == IngestTask::State::replaced)
    return Rejection::parameter_mismatch;
  if (task->is_closed_at(periods.now)) return Rejection::closed;
  switch (periods.answer(header.period, task->period_seconds)) {
    case Acceptance::Answer::not_yet:
      return Rejection::not_yet;
    case Acceptance::Answer::expired:
      return Rejection::expired;
    case Acceptance::Answer::taken:
      break;
  }
  if (!piece.is_whole) return Rejection::damaged;
  if (!collect::are_in_range(task->counting, collect::reports_of_block(piece.block))) return Rejection::out_of_range;
  return std::nullopt;
}

}  // namespace

Acceptance::Answer OpenPeriods::answer(std::uint32_t period, std::int64_t period_seconds) const {
  if (acceptance.closing_day(period, period_seconds) <= closed_until) return Acceptance::Answer::expired;
  return acceptance.answer(period, period_seconds, now);
}

ReadBatch read_batch(std::string_view plaintext, const TaskDirectory& tasks, const OpenPeriods& periods) {
  ReadBatch batch;
  collect::BlockWalk walk({reinterpret_cast<const unsigned char*>(plaintext.data()), plaintext.size()});
  while (const auto piece = walk.next()) {
    if (piece->block.empty()) {
      ++batch.outcome.of(Rejection::malformed);
      continue;
    }
    const collect::BlockHeader header = collect::parse_block_header(piece->block.data());
    const IngestTask* task = tasks.find(header.task);
    if (const auto rejection = rejection_of(*piece, header, task, periods)) {
      batch.outcome.of(*rejection) += header.count;
      continue;
    }
    const auto reports = collect::reports_of_block(piece->block);
    batch.blocks.push_back(
        {.header = header, .task = task, .reports = {reinterpret_cast<const char*>(reports.data()), reports.size()}});
  }
  return batch;
}

}  // namespace gauze::server::internal
