#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/base/words.h"
#include "gauze/collect/channel/batch.h"
#include "gauze/collect/channel/sealing_key.h"
#include "gauze/files/json.h"
#include "gauze/server/keys/key_file.h"

namespace gauze::server {

enum class SealingState : unsigned char { pending, active, expired };
inline constexpr Words<SealingState, 3> kSealingStateWords = {
    {{SealingState::pending, "pending"}, {SealingState::active, "active"}, {SealingState::expired, "expired"}}};

/// The keys that devices seal to: one active key a suite. A day before an active key is too old its successor is listed as pending and
/// already opened; when it takes over, the old one's private part is wiped and gone from the file of keys.
///
/// Thread safety: all members may be called from any thread; opening does not wait for opening.
class SealingKeys {
 public:
  using Clock = std::function<std::int64_t()>;
  struct Options {
    bool sm = false;  ///< suite 3 besides 1 and 2
    std::int64_t rotation_seconds = 90 * 86'400;
  };
  struct Change {
    std::string id;  ///< 16 hexadecimal digits
    collect::Suite suite;
    SealingState state;
  };

  /// Reads the keys of the file; tick() makes those that are missing. `keys` must outlive this.
  [[nodiscard]] static Result<std::unique_ptr<SealingKeys>> open(KeyFile& keys, const Options& options, Clock clock);

  /// {"keys":[{"id","suite","public_key","state","not_after"}]}; expired ones are not listed.
  [[nodiscard]] Json to_json() const;

  enum class Opening { opened, malformed, key_expired };
  struct Opened {
    Opening outcome = Opening::malformed;
    std::string blocks = {};
  };
  /// What is in a batch. A key that is none of ours, or was once: `key_expired`, whatever else the batch holds.
  [[nodiscard]] Opened open(std::string_view batch) const;

  /// A new active key for each suite at once; the old ones expire.
  [[nodiscard]] Result<std::vector<Change>> rotate();
  /// What the passing of time does: successors appear and take over.
  [[nodiscard]] Result<std::vector<Change>> tick();

 private:
  struct Held {
    collect::SealingKey key;
    SealingState state = SealingState::active;
    std::int64_t made_at = 0;
    std::int64_t active_from = 0;
    std::int64_t not_after = 0;
  };
  SealingKeys(KeyFile& keys, const Options& options, Clock clock)
      : keys_(keys), options_(options), clock_(std::move(clock)) {}
  [[nodiscard]] Result<void> load();
  [[nodiscard]] Result<Held*> make(collect::Suite suite, SealingState state, std::int64_t active_from);
  [[nodiscard]] Result<void> store(const Held& held);
  [[nodiscard]] Result<void> expire(std::size_t place, std::vector<Change>& changes);
  [[nodiscard]] bool offers(collect::Suite suite) const { return suite != collect::Suite::sm || options_.sm; }

  KeyFile& keys_;
  Options options_;
  Clock clock_;
  mutable std::shared_mutex mutex_;
  std::vector<std::unique_ptr<Held>> held_;
};

}  // namespace gauze::server
