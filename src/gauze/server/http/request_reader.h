#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "gauze/server/http/http_message.h"

namespace gauze::server {

/// Bytes of strangers into requests, by the parser of Boost.Beast; no sockets. Total: any bytes give requests, the wish for more, or a
/// status with which the connection ends. A request is one by HTTP/1.1 as proxies and servers agree on it: with both
/// Content-Length and Transfer-Encoding, with two lengths, with a header line that goes on in the next one, or with a line end of its own it
/// is none; of the encodings only "chunked" is spoken. Bytes that were not parsed are kept up to `header_bytes`, and one request, with its
/// chunk headers and trailer, has twice as many as both limits together at most.
class RequestReader {
 public:
  struct Limits {
    std::size_t header_bytes = 8'192;
    std::size_t body_bytes = 65'536;
  };
  enum class State {
    empty,   ///< nothing of a request has come
    header,  ///< the header is not whole
    body,    ///< the body is not whole
    done,    ///< take() gives it
    failed,  ///< status() tells why; there is no way on
  };

  explicit RequestReader(const Limits& limits);
  RequestReader(RequestReader&&) noexcept;
  ~RequestReader();

  /// Takes the next bytes, as many as came. What follows a whole request waits for the next one.
  State put(std::string_view bytes);
  [[nodiscard]] State state() const;
  /// Of what failed: 400, 413, 431, 501 or 505.
  [[nodiscard]] int status() const;
  /// Whether the client waits for "100 Continue" before it sends the body. Once a request.
  [[nodiscard]] bool expects_continue();
  [[nodiscard]] bool keep_alive() const;

  /// The request that is done; the reader begins with the next one, of which bytes may be there already.
  [[nodiscard]] HttpRequest take();

 private:
  class Parser;
  std::unique_ptr<Parser> parser_;
};

}  // namespace gauze::server
