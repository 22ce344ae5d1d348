#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

namespace gauze::server {

/// How often something was asked for within the present minute, by key (a credential's digest, an address): in memory alone, forgotten
/// with the minute.
///
/// Thread safety: all members may be called from any thread.
class RateLimits {
 public:
  /// Takes so many from a key's allowance for this minute. 0, or the seconds until the next minute when they are not left; then
  /// nothing was taken.
  [[nodiscard]] std::int64_t take(std::string_view key, std::uint64_t amount, std::uint64_t allowance,
                                  std::int64_t now) {
    const std::lock_guard guard(mutex_);
    if (now / 60 != minute_) {
      minute_ = now / 60;
      taken_.clear();
    }
    std::uint64_t& taken = taken_[std::string(key)];
    if (amount > allowance || taken > allowance - amount) return 60 - now % 60;
    taken += amount;
    return 0;
  }

 private:
  std::mutex mutex_;
  std::int64_t minute_ = 0;
  std::unordered_map<std::string, std::uint64_t> taken_;
};

}  // namespace gauze::server
