#include "gauze/server/store/report_store.h"

#include <utility>

#include "gauze/base/kernel_random.h"
#include "gauze/base/utc_date.h"
#include "gauze/server/store/internal/row_bytes.h"
#include "gauze/server/store/internal/store_parts.h"
#include "gauze/server/store/internal/stored_blocks.h"

namespace gauze::server {
namespace {

constexpr std::uint32_t kStoreVersion = 1;
constexpr std::string_view kFormatRow = "format";
constexpr std::string_view kIdentityRow = "identity";
constexpr std::string_view kWindowRow = "window";
constexpr std::string_view kStatesFamily = "states";
constexpr std::string_view kStateKeyName = "state-key";
constexpr std::string_view kIdentityName = "store-identity";
constexpr std::size_t kStateKeyBytes = 32;
constexpr std::size_t kIdentityBytes = 16;

/// Gives a new store its format, and a key and an identity to it and its key file. The store comes last: until then it is a new one. A key
/// file in use is not made that of another store, since keys of the first would be lost: its folder may just not be there.
Result<void> begin_store(internal::Database& database, KeyFile& keys) {
  if (!keys.names(internal::kReportKeyPrefix).empty() || !keys.names(internal::kLimitKeyPrefix).empty())
    return make_error(
        ErrorCode::bad_data,
        "the key file has keys of a store, but '{}' holds none: give the folder of that store, or a new "
        "key file",
        database.folder().string());
  if (!keys.get(std::string(kStateKeyName)))
    GAUZE_TRY_VOID(keys.put(std::string(kStateKeyName), SecretBytes::random(kStateKeyBytes)));
  if (!keys.get(std::string(kIdentityName)))
    GAUZE_TRY_VOID(keys.put(std::string(kIdentityName), SecretBytes::random(kIdentityBytes)));
  if (database.find_family(std::string(kStatesFamily)) == nullptr)
    GAUZE_TRY_VOID(database.create_family(std::string(kStatesFamily)));
  const auto identity = keys.get(std::string(kIdentityName));
  std::string format;
  internal::append_little(format, kStoreVersion, 4);
  rocksdb::WriteBatch batch;
  batch.Put(database.meta(), internal::slice_of(kFormatRow), format);
  batch.Put(database.meta(), internal::slice_of(kIdentityRow), internal::slice_of(identity->text()));
  return database.write(batch, true);
}

/// Whether this is a store that this program knows, and the key file its own.
Result<void> check_store(const internal::Database& database, const KeyFile& keys, std::string_view format) {
  if (format.size() != 4 || internal::read_little(format) != kStoreVersion)
    return make_error(ErrorCode::bad_data, "the store in '{}' has a format that this program does not know",
                      database.folder().string());
  GAUZE_TRY(const auto identity, database.get(database.meta(), kIdentityRow));
  const auto known = keys.get(std::string(kIdentityName));
  if (!identity || !known || known->text() != *identity)
    return make_error(ErrorCode::not_authorised, "the key file is not the one of the store in '{}'",
                      database.folder().string());
  return {};
}

Result<Acceptance> read_acceptance(internal::Database& database, const AcceptanceWindow& window, std::int64_t now) {
  GAUZE_TRY(const auto stored, database.get(database.meta(), kWindowRow));
  auto acceptance =
      stored ? Acceptance::decode(*stored) : Acceptance({Acceptance::Since{.time = now, .window = window}});
  if (!acceptance)
    return make_error(ErrorCode::bad_data, "the acceptance windows in the store of reports are damaged");
  if (!acceptance->change(window, now) && stored) return *std::move(acceptance);
  rocksdb::WriteBatch batch;
  batch.Put(database.meta(), internal::slice_of(kWindowRow), acceptance->encode());
  GAUZE_TRY_VOID(database.write(batch, true));
  return *std::move(acceptance);
}

}  // namespace

ReportStore::ReportStore(Options options, std::unique_ptr<Parts> parts)
    : options_(std::move(options)), parts_(std::move(parts)) {}

ReportStore::~ReportStore() {
  // So that the next start has nothing to add up; whatever fails here is added up then.
  if (parts_ != nullptr) static_cast<void>(parts_->aggregates->checkpoint());
}

std::int64_t ReportStore::Parts::today() const { return utc_day_of(options.clock()); }

Result<std::unique_ptr<ReportStore>> ReportStore::open(Options options, const TaskDirectory& tasks) {
  if (options.keys == nullptr) return invalid_parameter("a store of reports needs a key file");
  if (!options.clock) options.clock = utc_now;
  GAUZE_TRY(auto parts, make_parts(options, tasks));
  return std::unique_ptr<ReportStore>(new ReportStore(std::move(options), std::move(parts)));
}

Result<std::unique_ptr<ReportStore::Parts>> ReportStore::make_parts(Options options, const TaskDirectory& tasks) {
  GAUZE_TRY(auto database, internal::Database::open(options.folder, {}));
  KeyFile& keys = *options.keys;
  GAUZE_TRY(const auto format, database->get(database->meta(), kFormatRow));
  if (format)
    GAUZE_TRY_VOID(check_store(*database, keys, *format));
  else
    GAUZE_TRY_VOID(begin_store(*database, keys));
  GAUZE_TRY(Acceptance acceptance, read_acceptance(*database, options.window, options.clock()));

  auto parts = std::make_unique<Parts>(std::move(options), std::move(acceptance));
  parts->database = std::move(database);
  auto state_key = keys.get(std::string(kStateKeyName));
  const internal::FamilyPointer states = parts->database->find_family(std::string(kStatesFamily));
  if (!state_key || states == nullptr)
    return make_error(ErrorCode::bad_data, "the {} of the states is missing", state_key ? "part" : "key");
  parts->state_rows =
      std::make_unique<internal::SealedRows>(*parts->database, states, keys.profile(), *std::move(state_key));
  GAUZE_TRY(parts->families, internal::ReportFamilies::open(*parts->database, keys, parts->today()));
  GAUZE_TRY(parts->index, internal::BlockIndex::open(*parts->database, keys));
  parts->aggregates = std::make_unique<internal::Aggregates>(
      *parts->database, *parts->state_rows,
      internal::Aggregates::Terms{.threads = parts->options.fold_threads,
                                  .checkpoint_blocks = parts->options.checkpoint_blocks});
  GAUZE_TRY(const std::uint64_t sequence, internal::BlockWriter::stored_sequence(*parts->database));
  parts->writer =
      std::make_unique<internal::BlockWriter>(internal::BlockWriter::Parts{.database = *parts->database,
                                                                           .families = *parts->families,
                                                                           .index = *parts->index,
                                                                           .aggregates = *parts->aggregates,
                                                                           .acceptance = parts->acceptance,
                                                                           .clock = parts->options.clock},
                                              sequence);
  GAUZE_TRY_VOID(parts->finish_removals());
  GAUZE_TRY_VOID(parts->add_up_what_no_state_covers(tasks));
  parts->aggregates->start(sequence);
  parts->queue = std::make_unique<internal::GroupQueue>(
      parts->options.gathering, parts->options.group_bytes,
      [writer = parts->writer.get()](std::span<internal::WaitingBatch* const> group) { writer->write(group); });
  return parts;
}

Result<void> ReportStore::Parts::add_up_what_no_state_covers(const TaskDirectory& tasks) {
  const auto add_period = [&](const internal::ReportFamily& family, const collect::TaskHash& hash,
                              std::uint32_t period) -> Result<void> {
    const IngestTask* task = tasks.find(hash);
    if (task == nullptr)
      return make_error(ErrorCode::bad_data, "the store in '{}' holds reports of a task that is not known",
                        options.folder.string());
    if (!task->keeps_aggregate) return {};
    const internal::PartKey key{.task = hash, .period = period, .date = family.date};
    GAUZE_TRY(const std::uint64_t covered, aggregates->covered_in_row(key));
    return internal::for_blocks(*database, family, nullptr,
                                {.task = hash, .periods = {.from = period, .to = period}, .behind = covered},
                                [&](const StoredBlock& block) {
                                  return aggregates->add({.key = key,
                                                          .task = task->counting,
                                                          .sequence = block.sequence,
                                                          .reports = std::string(block.payloads)});
                                });
  };
  for (const internal::ReportFamilyPointer& family : families->live())
    GAUZE_TRY_VOID(internal::for_task_periods(
        *database, *family, nullptr,
        [&](const collect::TaskHash& hash, std::uint32_t period) { return add_period(*family, hash, period); }));
  return {};
}

Result<IngestOutcome> ReportStore::ingest(std::span<const unsigned char, 32> credential, std::string_view plaintext,
                                          const TaskDirectory& tasks) {
  GAUZE_TRY(const Hold hold, hold_to_write());
  parts_->aggregates->wait_for_room();
  internal::WaitingBatch waiting{.credential = {reinterpret_cast<const char*>(credential.data()), credential.size()},
                                 .batch = internal::read_batch(plaintext, tasks,
                                                               {.acceptance = parts_->acceptance,
                                                                .now = parts_->options.clock(),
                                                                .closed_until = parts_->index->closed_until()}),
                                 .bytes = plaintext.size()};
  Result<IngestOutcome> outcome = waiting.batch.outcome;
  // What holds no block that could be taken does not wait for the disk.
  if (!waiting.batch.blocks.empty()) outcome = parts_->queue->submit(waiting);
  if (outcome) {
    const std::lock_guard lock(parts_->figures_mutex);
    parts_->figures.results += *outcome;
  }
  return outcome;
}

Result<bool> ReportStore::remove(const collect::BlockId& id, const TaskDirectory& tasks) {
  GAUZE_TRY(const Hold hold, hold_to_write());
  auto removed = parts_->writer->remove({reinterpret_cast<const char*>(id.data()), id.size()}, tasks);
  if (removed && *removed) {
    const std::lock_guard lock(parts_->figures_mutex);
    ++parts_->figures.deleted_blocks;
  }
  return removed;
}

Result<StoredAggregate> ReportStore::aggregate(const collect::ReportTask& task, PeriodRange periods) {
  GAUZE_TRY(const Hold hold, hold_to_read());
  const std::uint64_t acknowledged = parts_->writer->sequence();
  GAUZE_TRY(auto sum, parts_->aggregates->sum(task, periods.from, periods.to));
  const std::size_t most = collect::most_periods(task.parts(), task.cells);
  std::erase_if(sum.periods, [](const auto& period) {
    return std::all_of(period.second.begin(), period.second.end(),
                       [](const auto& part) { return part.reports == 0; });
  });
  if (sum.periods.size() > most)
    return make_error(
        ErrorCode::infeasible,
        "the reports are of {} periods, and at most {} are added up at once for this task: ask for fewer",
        sum.periods.size(), most);
  StoredAggregate out;
  out.aggregate.task = task.hash;
  out.aggregate.parts = task.parts();
  out.aggregate.cells = task.cells;
  out.aggregate.periods = std::move(sum.periods);
  out.sequence = std::max(acknowledged, sum.last);
  return out;
}

}  // namespace gauze::server
