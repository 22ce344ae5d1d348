#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "gauze/base/error.h"

namespace gauze {

/// A client of HTTPS servers, on libcurl: connections stay open between requests to one server. No redirects, no proxies, no cookies; TLS
/// 1.2 at least, and a certificate that verifies.
///
/// Thread safety: one thread at a time; several clients may be used at once.
class HttpsClient {
 public:
  struct Options {
    std::filesystem::path ca;  ///< certificates to trust, in PEM; empty: those of the system
    double connect_seconds = 10;
    double seconds = 60;  ///< for a whole request
    std::size_t most_answer_bytes = std::size_t{64} << 20U;
  };
  struct Request {
    std::string method = "GET";
    std::string url;
    std::string bearer = {};  ///< goes into a header; empty: none
    std::string content_type = {};
    std::string_view body = {};
  };
  struct Response {
    long status = 0;
    std::string content_type = {};
    std::string body = {};
    std::optional<std::int64_t> retry_after = {};  ///< seconds
  };
  /// Why there is no response: `io` in each case.
  struct Failure {
    enum class Kind {
      unreachable,  ///< nobody answers, or not in time: trying again may help
      certificate,  ///< the server does not show one that verifies: it does not
      other,
    };
    Kind kind = Kind::other;
    Error error;
  };

  /// `io` when the file of certificates cannot be read.
  [[nodiscard]] static Result<HttpsClient> make(const Options& options);
  HttpsClient(HttpsClient&&) noexcept;
  HttpsClient& operator=(HttpsClient&&) noexcept;
  ~HttpsClient();

  [[nodiscard]] tl::expected<Response, Failure> send(const Request& request);

 private:
  class Impl;
  explicit HttpsClient(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// The text as a part of a URL's path or query.
[[nodiscard]] std::string url_escaped(std::string_view text);

}  // namespace gauze
