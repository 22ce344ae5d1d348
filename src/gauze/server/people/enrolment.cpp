#include "gauze/server/people/enrolment.h"

#include <condition_variable>
#include <cstring>
#include <mutex>
#include <shared_mutex>
#include <unordered_set>
#include <vector>

#include "gauze/files/sha256.h"
#include "gauze/ledger/sqlite_file.h"
#include "gauze/server/keys/value_cipher.h"
#include "gauze/server/people/secret_text.h"

namespace gauze::server {
namespace {

/// "GZEN" in the header of the SQLite file.
constexpr std::int64_t kApplicationId = 0x475A454E;
constexpr std::size_t kLargestGroup = 1'024;

constexpr const char* kTables =
    "CREATE TABLE IF NOT EXISTS tokens(digest TEXT PRIMARY KEY, devices INTEGER NOT NULL, used INTEGER NOT NULL, "
    "until INTEGER NOT NULL);"
    "CREATE TABLE IF NOT EXISTS devices(id BLOB PRIMARY KEY) WITHOUT ROWID";

struct HashOfId {
  std::size_t operator()(const DeviceId& id) const {
    std::size_t hash = 0;
    std::memcpy(&hash, id.data(), sizeof hash);
    return hash;
  }
};

tl::unexpected<Error> refused() {
  return make_error(ErrorCode::not_authorised, "the token is unknown, expired or used up");
}

}  // namespace

class Enrolment::Impl {
 public:
  Impl(std::unique_ptr<SqliteFile> file, SecretBytes key, Clock clock)
      : file_(std::move(file)), key_(std::move(key)), clock_(std::move(clock)) {}

  Result<void> load() {
    GAUZE_TRY(SqliteStatement rows, file_->prepare("SELECT id FROM devices"));
    for (;;) {
      GAUZE_TRY(const bool more, rows.step());
      if (!more) return {};
      const std::string bytes = rows.bytes(0);
      DeviceId id{};
      if (bytes.size() != id.size()) return make_error(ErrorCode::bad_data, "the file of enrolments is damaged");
      std::memcpy(id.data(), bytes.data(), id.size());
      ids_.insert(id);
    }
  }

  DeviceId id_of(std::string_view credential) const {
    const std::string digest = keyed_digest(CryptoProfile::standard, key_, credential);
    DeviceId id{};
    std::memcpy(id.data(), digest.data(), id.size());
    return id;
  }

  Result<std::string> make_token(std::uint64_t devices, std::int64_t until) {
    if (devices < 1 || devices > kMostDevices)
      return invalid_parameter("a token is for 1 to {} devices, not {}", kMostDevices, devices);
    if (until <= clock_()) return invalid_parameter("the token would have expired already");
    const std::string token = draw_secret_text();
    const std::lock_guard guard(disk_);
    GAUZE_TRY(SqliteTransaction transaction, SqliteTransaction::begin(*file_, true));
    {
      GAUZE_TRY(SqliteStatement insert, file_->prepare("INSERT INTO tokens VALUES (?,?,0,?)"));
      GAUZE_TRY_VOID(insert.bind(sha256_hex(token)).bind(static_cast<std::int64_t>(devices)).bind(until).run());
    }
    GAUZE_TRY_VOID(transaction.commit());
    return token;
  }

  Result<std::string> enrol(const std::string& token) {
    if (!is_secret_text(token)) return refused();
    Waiting mine{.token = sha256_hex(token), .credential = draw_secret_text()};
    mine.id = id_of(mine.credential);
    std::unique_lock lock(queue_);
    waiting_.push_back(&mine);
    while (!mine.answer) {
      if (busy_) {
        done_.wait(lock);
      } else {
        serve(lock);
      }
    }
    if (!*mine.answer) return tl::unexpected<Error>(std::move(*mine.answer).error());
    return std::move(mine.credential);
  }

  std::optional<DeviceId> find(std::string_view credential) const {
    if (!is_secret_text(credential)) return std::nullopt;
    const DeviceId id = id_of(credential);
    const std::shared_lock guard(ids_mutex_);
    return ids_.contains(id) ? std::optional(id) : std::nullopt;
  }
  std::uint64_t devices() const {
    const std::shared_lock guard(ids_mutex_);
    return ids_.size();
  }

 private:
  struct Waiting {
    std::string token;
    std::string credential;
    DeviceId id{};
    std::optional<Result<void>> answer = {};
  };

  /// Takes all who wait to the disk, together.
  void serve(std::unique_lock<std::mutex>& lock) {
    busy_ = true;
    const std::size_t size = std::min(waiting_.size(), kLargestGroup);
    const std::vector<Waiting*> group(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(size));
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(size));
    lock.unlock();
    std::vector<Result<void>> answers;
    Result<void> all = write(group, answers);
    if (all) {
      const std::unique_lock guard(ids_mutex_);
      for (std::size_t i = 0; i < group.size(); ++i)
        if (answers[i]) ids_.insert(group[i]->id);
    }
    lock.lock();
    for (std::size_t i = 0; i < group.size(); ++i)
      group[i]->answer = all ? std::move(answers[i]) : Result<void>(tl::unexpected<Error>(all.error()));
    busy_ = false;
    done_.notify_all();
  }

  Result<void> write(const std::vector<Waiting*>& group, std::vector<Result<void>>& answers) {
    const std::lock_guard guard(disk_);
    GAUZE_TRY(SqliteTransaction transaction, SqliteTransaction::begin(*file_, true));
    for (const Waiting* one : group) {
      GAUZE_TRY(const bool admitted, use_token(one->token));
      if (!admitted) {
        answers.emplace_back(refused());
        continue;
      }
      GAUZE_TRY(SqliteStatement insert, file_->prepare("INSERT INTO devices VALUES (?)"));
      GAUZE_TRY_VOID(insert.bind_bytes({reinterpret_cast<const char*>(one->id.data()), one->id.size()}).run());
      answers.emplace_back();
    }
    return transaction.commit();
  }

  Result<bool> use_token(const std::string& digest) {
    {
      GAUZE_TRY(SqliteStatement find,
                file_->prepare("SELECT 1 FROM tokens WHERE digest = ? AND used < devices AND until > ?"));
      GAUZE_TRY(const bool found, find.bind(digest).bind(clock_()).step());
      if (!found) return false;
    }
    GAUZE_TRY(SqliteStatement use, file_->prepare("UPDATE tokens SET used = used + 1 WHERE digest = ?"));
    GAUZE_TRY_VOID(use.bind(digest).run());
    return true;
  }

  std::mutex disk_;
  std::unique_ptr<SqliteFile> file_;
  SecretBytes key_;
  Clock clock_;
  std::mutex queue_;
  std::condition_variable done_;
  std::vector<Waiting*> waiting_;
  bool busy_ = false;
  mutable std::shared_mutex ids_mutex_;
  std::unordered_set<DeviceId, HashOfId> ids_;
};

Enrolment::Enrolment(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Enrolment::~Enrolment() = default;

Result<std::unique_ptr<Enrolment>> Enrolment::open(const std::filesystem::path& place, SecretBytes key, Clock clock) {
  GAUZE_TRY(auto file, SqliteFile::open(place, SqliteFile::Access::create, 10'000, "file of enrolments"));
  GAUZE_TRY_VOID(file->make_durable());
  {
    GAUZE_TRY(SqliteTransaction transaction, SqliteTransaction::begin(*file, true));
    GAUZE_TRY(const std::int64_t id, file->whole("PRAGMA application_id"));
    GAUZE_TRY(const std::int64_t objects, file->whole("SELECT count(*) FROM sqlite_schema"));
    if (id != kApplicationId && (id != 0 || objects != 0))
      return make_error(ErrorCode::bad_data, "'{}' is no file of enrolments", file->name());
    GAUZE_TRY_VOID(file->execute(fmt::format("PRAGMA application_id={}", kApplicationId).c_str()));
    GAUZE_TRY_VOID(file->execute(kTables));
    file->set_checked();
    GAUZE_TRY_VOID(transaction.commit());
  }
  auto impl = std::make_unique<Impl>(std::move(file), std::move(key), std::move(clock));
  GAUZE_TRY_VOID(impl->load());
  return std::unique_ptr<Enrolment>(new Enrolment(std::move(impl)));
}

Result<std::string> Enrolment::make_token(std::uint64_t devices, std::int64_t until) {
  return impl_->make_token(devices, until);
}
Result<std::string> Enrolment::enrol(const std::string& token) { return impl_->enrol(token); }
std::optional<DeviceId> Enrolment::find(std::string_view credential) const { return impl_->find(credential); }
std::uint64_t Enrolment::devices() const { return impl_->devices(); }

}  // namespace gauze::server
