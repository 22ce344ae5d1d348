#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/files/json.h"
#include "gauze/ledger/sqlite_file.h"

namespace gauze::server {

/// Something that an assessor may ask for later. Never a value, an id of a block, a credential or an address.
struct TrailEvent {
  std::string kind;          ///< "task approved"
  std::string who;           ///< a person's name, or "curator"
  std::string subject = {};  ///< a task's name, a date, a key's id; may be empty
  Json details = Json::object();
};

struct TrailEntry {
  std::int64_t number = 0;  ///< from 1 on
  std::int64_t time = 0;    ///< seconds since 1970
  TrailEvent event = {};
  std::string previous = {};  ///< the hash of the entry before; 64 zeros of the first
  std::string hash = {};

  [[nodiscard]] Json to_json() const;
};

/// What happened to a curator, in one SQLite file that also holds its tasks: entries are chained by SHA-256, each over the one before.
///
/// Guarantee      : an entry is on the disk when record() returns. verify() finds an entry that was changed, taken out or put in; with a
///                  head kept elsewhere also a file that was cut off or rolled back.
/// Not covered    : whoever rewrites the whole file while no head is kept elsewhere.
/// Thread safety  : all members may be called from any thread.
class AuditTrail {
 public:
  using Clock = std::function<std::int64_t()>;

  [[nodiscard]] static Result<std::unique_ptr<AuditTrail>> open(const std::filesystem::path& place, Clock clock);
  /// For looking at it beside a server, or without one.
  [[nodiscard]] static Result<std::unique_ptr<AuditTrail>> open_read_only(const std::filesystem::path& place);

  [[nodiscard]] Result<void> record(TrailEvent event);
  /// Changes other tables of the file together with what is recorded of it: all of it, or nothing. `change` may fail.
  [[nodiscard]] Result<void> record(TrailEvent event, const std::function<Result<void>(SqliteFile&)>& change);
  /// Reads other tables of the file in one view.
  [[nodiscard]] Result<void> read(const std::function<Result<void>(SqliteFile&)>& look) const;

  [[nodiscard]] std::string head() const;
  /// When the last entry was made; 0 without one.
  [[nodiscard]] std::int64_t last_time() const;
  /// Entries from a number on, at most so many.
  [[nodiscard]] Result<std::vector<TrailEntry>> entries(std::int64_t from, std::int64_t most) const;

  /// The last entry of a kind.
  [[nodiscard]] Result<std::optional<TrailEntry>> last_of(std::string_view kind) const;

  struct Verification {
    std::int64_t entries = 0;
    std::string head;
    std::optional<std::int64_t> head_entry = {};  ///< whose hash the kept head is
  };
  /// Computes every hash anew. `bad_data` says where the chain breaks, or that the kept head is nowhere in it.
  [[nodiscard]] Result<Verification> verify(const std::optional<std::string>& kept_head) const;

 private:
  AuditTrail(std::unique_ptr<SqliteFile> file, Clock clock) : file_(std::move(file)), clock_(std::move(clock)) {}
  [[nodiscard]] Result<void> load_head();

  mutable std::mutex mutex_;
  std::unique_ptr<SqliteFile> file_;
  Clock clock_;
  std::string head_;
  std::int64_t last_number_ = 0;
  std::int64_t last_time_ = 0;
};

}  // namespace gauze::server
