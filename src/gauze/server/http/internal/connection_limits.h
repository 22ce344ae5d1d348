#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>

#include "gauze/server/http/http_server.h"

namespace gauze::server::internal {

/// Who may connect now. Addresses live here as long as they have connections.
class ConnectionLimits {
 public:
  explicit ConnectionLimits(const HttpLimits& limits) : limits_(limits) {}

  void set(const HttpLimits& limits) {
    const std::lock_guard guard(mutex_);
    limits_ = limits;
  }
  [[nodiscard]] HttpLimits limits() const {
    const std::lock_guard guard(mutex_);
    return limits_;
  }

  /// Whether there is room for one more; then it counts until leave().
  [[nodiscard]] bool enter(const std::string& address, bool is_loopback) {
    const std::lock_guard guard(mutex_);
    const bool is_spared = is_loopback && limits_.spares_loopback;
    if (open_ >= limits_.connections || !may_shake_hands(is_spared)) return false;
    std::size_t& of_address = addresses_[address];
    if (!is_spared && of_address >= limits_.connections_per_address) return false;
    ++of_address;
    ++open_;
    return true;
  }
  void leave(const std::string& address) {
    const std::lock_guard guard(mutex_);
    --open_;
    const auto found = addresses_.find(address);
    if (found != addresses_.end() && --found->second == 0) addresses_.erase(found);
  }
  [[nodiscard]] std::size_t open() const {
    const std::lock_guard guard(mutex_);
    return open_;
  }

 private:
  /// A bucket that fills by the second: as many at once as a second allows.
  bool may_shake_hands(bool is_spared) {
    const auto now = std::chrono::steady_clock::now();
    const std::chrono::duration<double> passed = now - filled_;
    filled_ = now;
    tokens_ = std::min(limits_.handshakes_per_second, tokens_ + passed.count() * limits_.handshakes_per_second);
    if (is_spared) return true;
    if (tokens_ < 1) return false;
    tokens_ -= 1;
    return true;
  }

  mutable std::mutex mutex_;
  HttpLimits limits_;
  std::unordered_map<std::string, std::size_t> addresses_;
  std::size_t open_ = 0;
  double tokens_ = 1;
  std::chrono::steady_clock::time_point filled_ = {};
};

}  // namespace gauze::server::internal
