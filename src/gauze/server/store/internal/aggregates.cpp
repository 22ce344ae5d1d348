#include "gauze/server/store/internal/aggregates.h"

#include <algorithm>

#include "gauze/collect/reports/block_counts.h"
#include "gauze/server/store/internal/row_bytes.h"

namespace gauze::server::internal {
namespace {

constexpr char kPartRow = 'A';
constexpr std::size_t kPartHashBytes = 32;
constexpr std::size_t kPartKeyBytes = 1 + kPartHashBytes + 4 + 8;
constexpr std::size_t kCoveredBytes = 8;
/// Whoever asks adds up what waits, so a thread need not hurry: it takes so many blocks at a time, or what has come after so long.
constexpr std::size_t kManyBlocks = 256;
constexpr std::chrono::milliseconds kPatience{20};

std::string covered_bytes(std::uint64_t covered) {
  std::string bytes;
  append_little(bytes, covered, kCoveredBytes);
  return bytes;
}

std::span<const unsigned char> bytes_of_reports(const std::string& reports) {
  return {reinterpret_cast<const unsigned char*>(reports.data()), reports.size()};
}

tl::unexpected<Error> state_is_of_another_task() {
  return make_error(ErrorCode::bad_data, "a state in the store of reports is not that of its task");
}

bool fits(const std::vector<collect::PartCounts>& counts, const collect::ReportTask& task) {
  return counts.size() == task.parts() &&
         std::all_of(counts.begin(), counts.end(), [&](const auto& part) { return part.cells.size() == task.cells; });
}

void add_counts(std::vector<collect::PartCounts>& sum, const std::vector<collect::PartCounts>& more,
                std::int64_t times = 1) {
  for (std::size_t part = 0; part < sum.size(); ++part) {
    sum[part].reports += static_cast<std::uint64_t>(times) * more[part].reports;
    for (std::size_t i = 0; i < sum[part].cells.size(); ++i) sum[part].cells[i] += times * more[part].cells[i];
  }
}

}  // namespace

std::string part_rows_from(const collect::TaskHash& task, std::uint32_t period) {
  std::string row(1, kPartRow);
  row.append(task.begin(), task.end());
  append_big(row, period, 4);
  return row;
}

std::string part_row_key(const PartKey& key) { return part_rows_from(key.task, key.period) + key_of(key.date); }

std::optional<PartKey> read_part_row_key(std::string_view row) {
  if (row.size() != kPartKeyBytes || row.front() != kPartRow) return std::nullopt;
  PartKey key;
  std::copy_n(row.begin() + 1, kPartHashBytes, key.task.begin());
  key.period = static_cast<std::uint32_t>(read_big(row.substr(1 + kPartHashBytes, 4)));
  key.date = read_expiry_date(row.substr(5 + kPartHashBytes));
  return key;
}

std::string encode_part_state(const PartState& state) {
  std::string out;
  const std::size_t cells = state.counts.empty() ? 0 : state.counts.front().cells.size();
  out.reserve(8 + state.counts.size() * 8 * (cells + 1));
  append_little(out, state.counts.size(), 4);
  append_little(out, cells, 4);
  for (const collect::PartCounts& part : state.counts) {
    append_little(out, part.reports, 8);
    for (const std::int64_t cell : part.cells) append_little(out, static_cast<std::uint64_t>(cell), 8);
  }
  return out;
}

std::optional<PartState> decode_part_state(std::string_view bytes) {
  if (bytes.size() < 8) return std::nullopt;
  const std::uint64_t parts = read_little(bytes.substr(0, 4));
  const std::uint64_t cells = read_little(bytes.substr(4, 4));
  bytes.remove_prefix(8);
  if (parts < 1 || parts > 2 || bytes.size() != parts * 8 * (cells + 1)) return std::nullopt;
  PartState state;
  state.counts.resize(parts);
  const auto take = [&bytes] {
    const std::uint64_t value = read_little(bytes.substr(0, 8));
    bytes.remove_prefix(8);
    return value;
  };
  for (collect::PartCounts& part : state.counts) {
    part.reports = take();
    part.cells.resize(cells);
    for (std::int64_t& cell : part.cells) cell = static_cast<std::int64_t>(take());
  }
  return state;
}

Aggregates::Aggregates(Database& database, SealedRows& rows, const Terms& terms)
    : database_(database), rows_(rows), terms_(terms) {
  for (unsigned i = 0; i < std::max(1U, terms.threads); ++i) lanes_.push_back(std::make_unique<Lane>());
}

void Aggregates::start(std::uint64_t sequence) {
  for (auto& lane : lanes_) lane->last = sequence;
  for (auto& lane : lanes_) lane->thread = std::thread([this, &lane = *lane] { work(lane); });
}

Aggregates::~Aggregates() {
  for (auto& lane : lanes_) {
    {
      const std::lock_guard lock(lane->queue_mutex);
      lane->is_stopping = true;
    }
    lane->arrived.notify_all();
    if (lane->thread.joinable()) lane->thread.join();
  }
}

void Aggregates::work(Lane& lane) {
  for (;;) {
    {
      std::unique_lock lock(lane.queue_mutex);
      lane.arrived.wait(lock, [&] { return lane.is_stopping || !lane.queue.empty(); });
      lane.arrived.wait_for(lock, kPatience, [&] { return lane.is_stopping || lane.queue.size() >= kManyBlocks; });
      if (lane.is_stopping) return;
    }
    const std::lock_guard lock(lane.state_mutex);
    // What fails is kept, and told to whoever asks.
    if (!drain(lane)) continue;
    if (lane.blocks < terms_.checkpoint_blocks && lane.bytes < terms_.checkpoint_bytes) continue;
    if (auto written = write_states(lane); !written) lane.failure = written.error();
  }
}

void Aggregates::wait_for_room() {
  if (waiting_bytes_ < terms_.most_waiting_bytes) return;
  std::unique_lock lock(room_mutex_);
  room_.wait(lock, [&] { return waiting_bytes_ < terms_.most_waiting_bytes; });
}

void Aggregates::push(CountedBlock block) {
  Lane& lane = *lanes_[lane_of(block.key.task)];
  const std::size_t bytes = block.reports.size() + sizeof block;
  waiting_bytes_ += bytes;
  std::size_t waiting = 0;
  {
    const std::lock_guard lock(lane.queue_mutex);
    lane.queue.push_back(std::move(block));
    lane.queued_bytes += bytes;
    waiting = lane.queue.size();
  }
  if (waiting == 1 || waiting == kManyBlocks) lane.arrived.notify_one();
}

Result<void> Aggregates::drain(Lane& lane) {
  std::deque<CountedBlock> queue;
  std::size_t bytes = 0;
  {
    const std::lock_guard lock(lane.queue_mutex);
    queue.swap(lane.queue);
    bytes = std::exchange(lane.queued_bytes, 0);
  }
  for (const CountedBlock& block : queue) {
    if (lane.failure) break;
    if (auto added = add_to_part(lane, block); !added) lane.failure = added.error();
  }
  if (bytes > 0) {
    {
      const std::lock_guard lock(room_mutex_);
      waiting_bytes_ -= bytes;
    }
    room_.notify_all();
  }
  if (lane.failure) return tl::unexpected<Error>(*lane.failure);
  return {};
}

Result<Aggregates::Part*> Aggregates::part_of(Lane& lane, const PartKey& key, const collect::ReportTask& task) {
  const auto place = lane.parts.find(key);
  if (place != lane.parts.end()) return &place->second;
  const std::string row = part_row_key(key);
  GAUZE_TRY(const auto value, database_.get(rows_.handle(), row));
  Part part{.task = task, .state = {}};
  if (value) {
    GAUZE_TRY(part.state, read_row(row, *value));
    if (!fits(part.state.counts, task)) return state_is_of_another_task();
  } else {
    part.state.counts = collect::empty_parts(task);
  }
  return &lane.parts.emplace(key, std::move(part)).first->second;
}

Result<void> Aggregates::add_to_part(Lane& lane, const CountedBlock& block) {
  GAUZE_TRY(Part* const part, part_of(lane, block.key, block.task));
  if (collect::count_reports(block.task, bytes_of_reports(block.reports), part->state.counts) != 0)
    return make_error(ErrorCode::bad_data, "the store holds a block that is not one of its task");
  part->state.covered = block.sequence;
  lane.last = block.sequence;
  part->is_changed = true;
  part->used = lane.checkpoints;
  ++lane.blocks;
  lane.bytes += block.reports.size();
  return {};
}

Result<void> Aggregates::add(const CountedBlock& block) {
  Lane& lane = *lanes_[lane_of(block.key.task)];
  const std::lock_guard lock(lane.state_mutex);
  GAUZE_TRY_VOID(add_to_part(lane, block));
  if (lane.blocks < terms_.checkpoint_blocks && lane.bytes < terms_.checkpoint_bytes) return {};
  return write_states(lane);
}

Result<std::string> Aggregates::seal(const PartKey& key, const PartState& state) {
  return rows_.seal(part_row_key(key), covered_bytes(state.covered), encode_part_state(state));
}

Result<PartState> Aggregates::read_row(std::string_view row, std::string_view value) const {
  GAUZE_TRY(const std::string message, rows_.open(row, value, kCoveredBytes));
  auto state = decode_part_state(message);
  if (!state) return state_is_of_another_task();
  state->covered = read_little(SealedRows::clear_bytes_of(value, kCoveredBytes));
  return *std::move(state);
}

Result<void> Aggregates::write_states(Lane& lane) {
  rocksdb::WriteBatch batch;
  for (auto& [key, part] : lane.parts) {
    if (!part.is_changed) continue;
    GAUZE_TRY(const std::string value, seal(key, part.state));
    batch.Put(rows_.handle(), part_row_key(key), value);
  }
  if (batch.Count() > 0) GAUZE_TRY_VOID(database_.write(batch, false));
  for (auto& [key, part] : lane.parts) part.is_changed = false;
  // What nobody used since the checkpoint before lies whole in its row.
  std::erase_if(lane.parts, [&](const auto& entry) { return entry.second.used < lane.checkpoints; });
  ++lane.checkpoints;
  lane.blocks = 0;
  lane.bytes = 0;
  return {};
}

Result<void> Aggregates::checkpoint() {
  for (auto& lane : lanes_) {
    const std::lock_guard lock(lane->state_mutex);
    GAUZE_TRY_VOID(drain(*lane));
    GAUZE_TRY_VOID(write_states(*lane));
  }
  return {};
}

Result<Aggregates::LaneSnapshot> Aggregates::snapshot_of_lane(std::size_t number) {
  Lane& lane = *lanes_[number];
  const std::lock_guard lock(lane.state_mutex);
  GAUZE_TRY_VOID(drain(lane));
  GAUZE_TRY_VOID(write_states(lane));
  return LaneSnapshot{.snapshot = database_.db().GetSnapshot(), .last = lane.last};
}

Result<Aggregates::Sum> Aggregates::sum(const collect::ReportTask& task, std::uint32_t from, std::uint32_t to) {
  Lane& lane = *lanes_[lane_of(task.hash)];
  const std::lock_guard lock(lane.state_mutex);
  GAUZE_TRY_VOID(drain(lane));
  Periods periods;
  const auto add = [&](const PartKey& key, const PartState& state) {
    const auto [place, is_new] = periods.try_emplace(key.period, state.counts);
    if (!is_new) add_counts(place->second, state.counts);
  };
  const auto first = lane.parts.lower_bound(PartKey{.task = task.hash, .period = from, .date = {}});
  for (auto part = first; part != lane.parts.end() && part->first.task == task.hash && part->first.period <= to;
       ++part)
    add(part->first, part->second.state);
  GAUZE_TRY_VOID(for_rows(database_, rows_.handle(), nullptr, part_rows_from(task.hash, from),
                          [&](std::string_view row, std::string_view value) -> Result<bool> {
                            const auto key = read_part_row_key(row);
                            if (!key || key->task != task.hash || key->period > to) return false;
                            if (lane.parts.contains(*key)) return true;
                            GAUZE_TRY(const PartState state, read_row(row, value));
                            if (!fits(state.counts, task)) return state_is_of_another_task();
                            add(*key, state);
                            return true;
                          }));
  return Sum{.periods = std::move(periods), .last = lane.last};
}

Result<void> Aggregates::subtract(const CountedBlock& block, std::uint64_t change, const Write& write) {
  Lane& lane = *lanes_[lane_of(block.key.task)];
  const std::lock_guard lock(lane.state_mutex);
  GAUZE_TRY_VOID(drain(lane));
  GAUZE_TRY(Part* const part, part_of(lane, block.key, block.task));
  PartState without = part->state;
  std::vector<collect::PartCounts> own = collect::empty_parts(block.task);
  collect::count_reports(block.task, bytes_of_reports(block.reports), own);
  add_counts(without.counts, own, -1);
  GAUZE_TRY(const std::string value, seal(block.key, without));
  GAUZE_TRY_VOID(write(part_row_key(block.key), value));
  part->state = std::move(without);
  part->is_changed = false;
  part->used = lane.checkpoints;
  lane.last = change;
  return {};
}

Result<std::uint64_t> Aggregates::covered_in_row(const PartKey& key) const {
  GAUZE_TRY(const auto value, database_.get(rows_.handle(), part_row_key(key)));
  if (!value) return std::uint64_t{0};
  return read_little(SealedRows::clear_bytes_of(*value, kCoveredBytes));
}

}  // namespace gauze::server::internal
