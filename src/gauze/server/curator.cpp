#include "gauze/server/curator.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <chrono>

#include "gauze/base/utc_date.h"
#include "gauze/collect/channel/self_test.h"
#include "gauze/collect/job/collected_result.h"
#include "gauze/files/atomic_file.h"
#include "gauze/files/sha256.h"

namespace gauze::server {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kIdentity = "identity";
constexpr std::string_view kEnrolment = "enrolment";
constexpr std::chrono::seconds kBetweenTicks{5};
/// Clocks of machines are set by a little now and then.
constexpr std::int64_t kClockTolerance = 60;

Result<FileDescriptor> lock_folder(const fs::path& place) {
  FileDescriptor file(::open(place.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (file.number() < 0)
    return make_error(ErrorCode::io, "cannot open '{}': {}", place.string(), std::generic_category().message(errno));
  if (::flock(file.number(), LOCK_EX | LOCK_NB) != 0)
    return make_error(ErrorCode::io, "another curator is at work in '{}'", place.parent_path().string());
  return file;
}

/// A secret of the file of keys, made at the first start.
Result<SecretBytes> secret_of(KeyFile& keys, std::string_view name) {
  if (auto found = keys.get(std::string(name))) return std::move(*found);
  SecretBytes made = SecretBytes::random(32);
  GAUZE_TRY_VOID(keys.put(std::string(name), made));
  return made;
}

/// A consistent copy of one file of SQLite.
Result<void> copy_database(const fs::path& from, const fs::path& to) {
  GAUZE_TRY(const auto file, SqliteFile::open(from, SqliteFile::Access::write, 10'000, "file of records"));
  GAUZE_TRY(SqliteStatement copy, file->prepare("VACUUM INTO ?"));
  GAUZE_TRY_VOID(copy.bind(to.string()).run());
  std::error_code ignored;
  fs::permissions(to, fs::perms::owner_read | fs::perms::owner_write, ignored);
  return {};
}

IngestTask::State ingest_state(VersionState state) {
  switch (state) {
    case VersionState::active:
      return IngestTask::State::active;
    case VersionState::closed:
      return IngestTask::State::closed;
    default:
      return IngestTask::State::replaced;
  }
}

}  // namespace

Result<KeyEncryptionKey> read_key_encryption_key(const KeySource& source) {
  if (source.descriptor) return KeyEncryptionKey::from_descriptor(*source.descriptor);
  if (!source.credential.empty()) return KeyEncryptionKey::from_credential(source.credential);
  if (source.passphrase_file.empty()) return KeyEncryptionKey::from_file(source.file);
  return KeyEncryptionKey::from_passphrase_file(source.passphrase_file);
}

Curator::Curator(CuratorConfig config, Surroundings surroundings)
    : config_(std::move(config)),
      log_(std::move(surroundings.log)),
      clock_(surroundings.clock ? std::move(surroundings.clock) : Clock(utc_now)),
      paths_(config_.folder) {}

Result<std::unique_ptr<Curator>> Curator::open(CuratorConfig config, Surroundings surroundings) {
  std::unique_ptr<Curator> curator(new Curator(std::move(config), std::move(surroundings)));
  GAUZE_TRY_VOID(curator->open_all());
  return curator;
}

Result<void> Curator::open_all() {
  std::error_code problem;
  fs::create_directories(config_.folder, problem);
  if (problem)
    return make_error(ErrorCode::io, "cannot make the folder '{}': {}", config_.folder.string(), problem.message());
  fs::permissions(config_.folder, fs::perms::owner_all, problem);
  GAUZE_TRY(lock_, lock_folder(paths_.lock));
  GAUZE_TRY_VOID(collect::self_test());

  GAUZE_TRY(const KeyEncryptionKey key, read_key_encryption_key(config_.key));
  const bool is_new = !fs::exists(paths_.keys, problem);
  if (is_new && fs::exists(paths_.store, problem))
    return make_error(ErrorCode::bad_data,
                      "the file of keys '{}' is gone, and without it nothing in the store can be read",
                      paths_.keys.string());
  GAUZE_TRY_VOID(is_new ? make_files() : check_files());
  const CryptoProfile profile = config_.sm ? CryptoProfile::sm : CryptoProfile::standard;
  if (is_new) {
    GAUZE_TRY(keys_, KeyFile::create(paths_.keys, key, profile));
  } else {
    auto opened = KeyFile::open(paths_.keys, key);
    if (!opened && opened.error().code == ErrorCode::not_authorised && config_.previous_key) {
      GAUZE_TRY(const KeyEncryptionKey previous, read_key_encryption_key(*config_.previous_key));
      opened = KeyFile::open(paths_.keys, previous);
    }
    GAUZE_TRY(keys_, std::move(opened));
  }
  GAUZE_TRY(const SecretBytes identity, secret_of(*keys_, kIdentity));
  identity_ = sha256_hex("gauze-curator-1" + std::string(identity.text()));

  GAUZE_TRY(trail_, AuditTrail::open(paths_.records, clock_));
  GAUZE_TRY(tasks_, TaskRegistry::open(*trail_, {.retention_ceiling_days = config_.retention_ceiling_days}, clock_));
  take_tasks(tasks_->snapshot());
  tasks_->on_change([this](const TaskRegistry::Snapshot& snapshot) { take_tasks(snapshot); });

  GAUZE_TRY(SecretBytes devices, secret_of(*keys_, kEnrolment));
  GAUZE_TRY(enrolment_, Enrolment::open(paths_.enrolment, std::move(devices), clock_));
  GAUZE_TRY(sealing_,
            SealingKeys::open(*keys_, {.sm = config_.sm, .rotation_seconds = config_.key_rotation_seconds}, clock_));
  GAUZE_TRY(store_, ReportStore::open(
                        {.folder = paths_.store,
                         .keys = keys_,
                         .window = {.periods_back = config_.periods_back, .periods_ahead = config_.periods_ahead},
                         .clock = clock_},
                        *directory()));
  GAUZE_TRY(Ledger ledger, Ledger::create(paths_.ledger, {.clock = clock_}));
  GAUZE_TRY(Ledger reader, ledger.reader());
  reader_ = std::make_unique<Ledger>(std::move(reader));
  ledger_ = std::make_shared<GroupCommit>(std::move(ledger));
  GAUZE_TRY_VOID(check_ledger());
  GAUZE_TRY_VOID(
      trail_->record({.kind = "curator started",
                      .who = "curator",
                      .details = Json::object({{"configuration", sha256_hex(curator_config_text(config_))}})}));
  GAUZE_TRY_VOID(tick());
  thread_ = std::thread([this] { keep_promises(); });
  return {};
}

/// Before the file of keys: from then on a file that is not there was there once.
Result<void> Curator::make_files() {
  GAUZE_TRY_VOID(AuditTrail::open(paths_.records, clock_));
  GAUZE_TRY_VOID(Ledger::create(paths_.ledger, {.clock = clock_}));
  GAUZE_TRY_VOID(SqliteFile::open(paths_.enrolment, SqliteFile::Access::create, 10'000, "file of enrolments"));
  return {};
}

Result<void> Curator::check_files() const {
  for (const auto& [file, what] :
       {std::pair(&paths_.records, "which tasks were approved, and by whom"),
        std::pair(&paths_.ledger, "what was spent of budgets: a new one would grant them again"),
        std::pair(&paths_.enrolment, "who is enrolled: every device would be a new one, with limits of its own")}) {
    std::error_code problem;
    if (!fs::exists(*file, problem))
      return make_error(ErrorCode::bad_data, "'{}' is gone, and with it {}; restore it", file->string(), what);
  }
  return {};
}

/// The trail knows the charges of answers by number and hash: a ledger that was put back to an earlier state has others, or none.
Result<void> Curator::check_ledger() const {
  GAUZE_TRY(const auto last, trail_->last_of("query charged"));
  if (!last) return {};
  const Json* number = last->event.details.find("entry");
  const Json* hash = last->event.details.find("entry_hash");
  std::int64_t entry = 0;
  if (number != nullptr) std::from_chars(number->text().data(), number->text().data() + number->text().size(), entry);
  const auto found = reader_->entry(entry);
  if (found && hash != nullptr && found->hash == hash->text()) return {};
  return make_error(
      ErrorCode::bad_data,
      "the ledger '{}' is older than the audit trail, or another one: budgets that were spent would be granted again",
      paths_.ledger.string());
}

Curator::~Curator() {
  {
    const std::lock_guard guard(thread_mutex_);
    is_ending_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) {
    thread_.join();
    static_cast<void>(trail_->record({.kind = "curator stopped", .who = "curator"}));
  }
  store_.reset();
}

void Curator::take_tasks(const TaskRegistry::Snapshot& snapshot) {
  std::vector<IngestTask> known;
  for (const TaskVersion& version : *snapshot) {
    if (!version.was_approved()) continue;
    IngestTask made;
    made.name = version.name;
    made.hash = version.device_task().hash_bytes();
    made.state = ingest_state(version.state);
    made.counting = collect::report_task(*version.task);
    made.is_central = version.central() != nullptr;
    made.keeps_aggregate = !made.is_central;
    made.period_seconds = version.terms().period();
    made.approved_at = version.approved_at;
    made.ends_at = version.ends_at();
    made.retention_days = static_cast<int>(version.retention_days());
    made.reports_per_period = version.central() != nullptr
                                  ? std::optional(version.central()->spec().reports_per_period)
                                  : version.local()->spec().limits.reports_per_period;
    known.push_back(std::move(made));
  }
  auto directory = std::make_shared<const TaskDirectory>(std::move(known));
  const std::lock_guard guard(mutex_);
  directory_ = std::move(directory);
}

std::shared_ptr<const TaskDirectory> Curator::directory() const {
  const std::lock_guard guard(mutex_);
  return directory_;
}

Result<std::vector<Balance>> Curator::balances() const {
  const std::lock_guard guard(mutex_);
  return reader_->balances();
}

Result<void> Curator::create_dataset(const DatasetTerms& terms) {
  GAUZE_TRY(Ledger ledger, Ledger::open(paths_.ledger, {.clock = clock_}));
  GAUZE_TRY_VOID(ledger.create_dataset(terms));
  return {};
}

std::vector<std::string> Curator::troubles() const {
  std::vector<std::string> found;
  if (now() + kClockTolerance < trail_->last_time()) found.emplace_back("the clock is before the last audit entry");
  std::error_code problem;
  if (!store_->is_writable()) found.emplace_back("the store takes nothing since a write failed");
  const auto space = fs::space(config_.folder, problem);
  if (problem || space.available < config_.least_free_bytes) found.emplace_back("the disk is nearly full");
  if (!fs::exists(paths_.keys, problem)) found.emplace_back("the file of keys is gone");
  return found;
}

Result<std::vector<SweptDate>> Curator::sweep(std::int64_t as_of_day, const std::string& who) {
  const std::lock_guard guard(sweeping_);
  const auto record = [&](const SweptDate& date) {
    return trail_->record({.kind = "reports swept", .who = who, .subject = utc_date_text(date.day)});
  };
  return store_->sweep(as_of_day, record);
}

Result<void> Curator::backup(const fs::path& folder, const std::string& who) {
  if (::mkdir(folder.c_str(), 0700) != 0)
    return make_error(ErrorCode::io, "cannot make the folder '{}': {}", folder.string(),
                      std::generic_category().message(errno));
  const Paths to(folder);
  std::error_code problem;
  if (auto copied = store_->backup(to.store); !copied) {
    fs::remove(folder, problem);
    return copied;
  }
  GAUZE_TRY_VOID(trail_->record({.kind = "backup made", .who = who}));
  GAUZE_TRY_VOID(copy_database(paths_.records, to.records));
  GAUZE_TRY_VOID(copy_database(paths_.enrolment, to.enrolment));
  return copy_database(paths_.ledger, to.ledger);
}

Result<void> Curator::rewrap(const std::string& who) {
  GAUZE_TRY(const CuratorConfig present, read_curator_config(config_.place));
  GAUZE_TRY(const KeyEncryptionKey key, read_key_encryption_key(present.key));
  GAUZE_TRY_VOID(keys_->rewrap(key));
  return trail_->record({.kind = "keys wrapped anew", .who = who});
}

Result<void> Curator::record_keys(const std::vector<SealingKeys::Change>& changes, const std::string& who) {
  for (const SealingKeys::Change& change : changes)
    GAUZE_TRY_VOID(trail_->record({.kind = fmt::format("sealing key {}", word_of(kSealingStateWords, change.state)),
                                   .who = who,
                                   .subject = change.id,
                                   .details = Json::object({{"suite", number_of(change.suite)}})}));
  return {};
}

Result<std::vector<SealingKeys::Change>> Curator::rotate_keys(const std::string& who) {
  GAUZE_TRY(auto changes, sealing_->rotate());
  GAUZE_TRY_VOID(record_keys(changes, who));
  return changes;
}

Result<void> Curator::tick() {
  GAUZE_TRY_VOID(store_->recover(*directory()));
  GAUZE_TRY(const auto changes, sealing_->tick());
  GAUZE_TRY_VOID(record_keys(changes, "curator"));
  const std::int64_t today = utc_day_of(now());
  if (today == swept_day_) return {};
  GAUZE_TRY(const auto swept, sweep(today, "curator"));
  swept_day_ = today;
  if (!swept.empty()) log({.level = "info", .event = "swept", .fields = Json::object({{"dates", swept.size()}})});
  return {};
}

void Curator::keep_promises() {
  std::unique_lock lock(thread_mutex_);
  while (!is_ending_) {
    lock.unlock();
    if (const auto ticked = tick(); !ticked)
      log({.level = "error", .event = "upkeep failed", .fields = Json::object({{"error", ticked.error().message}})});
    lock.lock();
    wake_.wait_for(lock, kBetweenTicks, [this] { return is_ending_; });
  }
}

Json to_json(const StoreCheck& check) {
  return Json::object({{"same", check.different == 0},
                       {"parts", check.parts},
                       {"different", check.different},
                       {"settled", check.settled},
                       {"blocks", check.blocks},
                       {"reports", check.reports}});
}

}  // namespace gauze::server
