#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>

#include "gauze/server/http/http_server.h"

namespace gauze::server::internal {

/// Who may connect and shake hands now. A place is an IPv4 address or the first 64 bits of an IPv6 address; places live here as long as they
/// have connections or shook hands within the last seconds. The last eighth of connections and handshakes is for reserved listeners alone, so
/// that a crowd elsewhere does not lock them out.
class ConnectionLimits {
 public:
  using Time = std::chrono::steady_clock::time_point;

  explicit ConnectionLimits(const HttpLimits& limits) : limits_(limits) {}

  void set(const HttpLimits& limits) {
    const std::lock_guard guard(mutex_);
    limits_ = limits;
  }
  [[nodiscard]] HttpLimits limits() const {
    const std::lock_guard guard(mutex_);
    return limits_;
  }

  /// Whether there is room for one more connection; then it counts until leave().
  [[nodiscard]] bool enter(const std::string& place, bool is_loopback, bool is_reserved) {
    const std::lock_guard guard(mutex_);
    const auto found = places_.find(place);
    const std::size_t of_place = found == places_.end() ? 0 : found->second.connections;
    if (!is_spared(is_loopback) && of_place >= limits_.connections_per_address) return false;
    const std::size_t kept = is_reserved ? 0 : limits_.connections / 8;
    if (open_ >= limits_.connections - kept) return false;
    ++places_[place].connections;
    ++open_;
    return true;
  }
  void leave(const std::string& place) {
    const std::lock_guard guard(mutex_);
    --open_;
    const auto found = places_.find(place);
    if (found == places_.end()) return;
    --found->second.connections;
    if (found->second.connections == 0 && !found->second.shook_hands) places_.erase(found);
  }

  /// Whether a connection that entered may begin TLS. One place has a quarter of all handshakes, or 10 a second where that is more.
  [[nodiscard]] bool shake_hands(const std::string& place, bool is_loopback, bool is_reserved,
                                 Time now = std::chrono::steady_clock::now()) {
    const std::lock_guard guard(mutex_);
    if (is_spared(is_loopback)) return true;
    const double all = limits_.handshakes_per_second;
    handshakes_.fill(all, now);
    forget_places(now);
    Place& here = places_[place];
    here.handshakes.fill(of_one_place(), now);
    const double kept = is_reserved ? 0 : std::floor(all / 8);
    if (here.handshakes.tokens < 1 || handshakes_.tokens < 1 + kept) return false;
    here.shook_hands = true;
    here.handshakes.tokens -= 1;
    handshakes_.tokens -= 1;
    return true;
  }

  [[nodiscard]] std::size_t open() const {
    const std::lock_guard guard(mutex_);
    return open_;
  }
  /// How many places are remembered.
  [[nodiscard]] std::size_t places() const {
    const std::lock_guard guard(mutex_);
    return places_.size();
  }

 private:
  /// Fills by the second: as many at once as a second allows, at least one.
  struct Bucket {
    double tokens = 0;
    Time filled = {};

    void fill(double per_second, Time now) {
      const double passed = std::chrono::duration<double>(now - filled).count();
      tokens = filled == Time{} ? std::max(1.0, per_second)
                                : std::min(std::max(1.0, per_second), tokens + passed * per_second);
      filled = now;
    }
  };
  struct Place {
    std::size_t connections = 0;
    bool shook_hands = false;
    Bucket handshakes = {};
  };

  [[nodiscard]] bool is_spared(bool is_loopback) const { return is_loopback && limits_.spares_loopback; }
  [[nodiscard]] double of_one_place() const { return std::max(10.0, limits_.handshakes_per_second / 4); }

  /// A place without connections whose bucket is full by now is as one that was never here.
  void forget_places(Time now) {
    if (now - forgotten_ < std::chrono::seconds(1)) return;
    forgotten_ = now;
    for (auto place = places_.begin(); place != places_.end();) {
      const bool is_full = now - place->second.handshakes.filled >= std::chrono::seconds(1);
      place = place->second.connections == 0 && is_full ? places_.erase(place) : std::next(place);
    }
  }

  mutable std::mutex mutex_;
  HttpLimits limits_;
  std::unordered_map<std::string, Place> places_;
  std::size_t open_ = 0;
  Bucket handshakes_ = {};
  Time forgotten_ = {};
};

}  // namespace gauze::server::internal
