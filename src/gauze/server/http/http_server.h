#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/server/http/http_message.h"
#include "gauze/server/http/request_reader.h"

namespace gauze::server {

/// What clients may ask of all listeners together, in seconds and pieces. An address is one of IPv4, or the first 64 bits of one of IPv6.
struct HttpLimits {
  std::size_t connections = 4'096;  ///< the last eighth for reserved listeners
  std::size_t connections_per_address = 256;
  /// The last eighth for reserved listeners. One address has a quarter, or 10 where that is more. A connection counts here with the first byte of
  /// its handshake.
  double handshakes_per_second = 500;
  RequestReader::Limits request = {};
  double header_seconds = 5;  ///< from the first byte of a header to its last
  double body_seconds = 10;
  double idle_seconds = 30;      ///< between two requests
  double write_seconds = 30;     ///< for a client that does not read
  bool spares_loopback = false;  ///< 127.0.0.0/8 and ::1 may have any number of connections
};

struct ListenerOptions {
  std::string name;     ///< "device", in messages
  std::string address;  ///< "127.0.0.1"
  std::uint16_t port = 0;
  std::filesystem::path certificate;
  std::filesystem::path key;
  std::size_t workers = 4;  ///< requests that are worked on at the same time
  HttpHandler handler;
  bool reserved = false;  ///< may use what other listeners must leave: connections and handshakes
  /// Workers of their own for requests of which is_slow() says so, that others do not wait for them; without, `workers` do all.
  std::size_t slow_workers = 0;
  /// Must not block: it runs where sockets are read.
  std::function<bool(const HttpRequest&)> is_slow = {};
};

/// HTTPS listeners, each with its own certificate and handler, one set of limits.
///
/// What is no TLS gets an alert and nothing else. A client that is over a limit gets its answer where there is a way to give one: 413 (what
/// it still sends is read away first), 408, 431; connections beyond a limit are closed before TLS begins.
/// Thread safety: all members but start() may be called from any thread.
class HttpServer {
 public:
  struct Figures {
    std::uint64_t connections = 0;  ///< open now
    std::uint64_t accepted = 0;
    std::uint64_t refused = 0;  ///< for want of room, or too many handshakes
    std::uint64_t handshakes = 0;
    std::uint64_t resumed = 0;  ///< of them with a ticket
    std::uint64_t handshake_failures = 0;
    std::uint64_t requests = 0;
    std::uint64_t time_outs = 0;
    std::uint64_t malformed = 0;  ///< requests that are none
  };

  /// Binds all addresses, or none. `io` names the listener.
  [[nodiscard]] static Result<HttpServer> start(std::vector<ListenerOptions> listeners, const HttpLimits& limits);
  HttpServer(HttpServer&&) noexcept;
  HttpServer& operator=(HttpServer&&) = delete;
  ~HttpServer();

  /// Of a listener, in the order of start(): "https://127.0.0.1:8443".
  [[nodiscard]] const std::vector<std::string>& addresses() const;
  [[nodiscard]] Figures figures() const;

  /// Certificates are read again, and new limits hold from now on. On an error everything stays as it was.
  [[nodiscard]] Result<void> reload(const HttpLimits& limits);
  /// Accepts nothing more, lets requests that were received be answered for so many seconds, and ends.
  void stop(double seconds);

 private:
  class Impl;
  explicit HttpServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace gauze::server
