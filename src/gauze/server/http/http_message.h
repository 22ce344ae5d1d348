#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gauze::server {

/// One request, whole and decoded.
struct HttpRequest {
  std::string method;
  std::string path;                                        ///< decoded, without the question mark and what follows it
  std::vector<std::pair<std::string, std::string>> query;  ///< decoded, in order
  std::string content_type;                                ///< lower case, without parameters
  std::string bearer;                                      ///< of `Authorization: Bearer ...`; empty without
  std::string body;
  /// Of the client, to count what comes from one place, so of IPv6 the first 64 bits: never stored or logged.
  std::string address;
  bool is_loopback = false;
  std::chrono::steady_clock::time_point received = {};  ///< when its last byte came

  /// The value of a name in the query: nothing unless it stands there exactly once.
  [[nodiscard]] std::optional<std::string> parameter(std::string_view name) const;
};

struct HttpResponse {
  int status = 200;
  std::string content_type = "application/json";
  std::string body = {};
  std::vector<std::pair<std::string, std::string>> headers = {};
  bool closes = false;  ///< the connection ends with it
};

/// Called in a thread of its own; may block.
using HttpHandler = std::function<HttpResponse(const HttpRequest&)>;

/// The answer to what is no request, or came too slowly (408): its connection ends.
[[nodiscard]] HttpResponse refusal(int status);
/// "Not Found".
[[nodiscard]] std::string_view reason_phrase(int status);
/// The bytes of a response as they are sent.
[[nodiscard]] std::string serialize(const HttpResponse& response, bool with_body, bool keep_alive);

}  // namespace gauze::server
