#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/cli/core/invocation.h"
#include "gauze/files/https_client.h"
#include "gauze/files/json.h"

namespace gauze::cli {

/// A person at a curator's listener.
class CuratorClient {
 public:
  struct Options {
    std::string url;
    std::filesystem::path ca;  ///< empty: the system's authorities
    std::filesystem::path token_file;
    double seconds = 600;  ///< checks and backups take their time
  };
  [[nodiscard]] static Result<CuratorClient> make(const Options& options);

  /// The JSON of an answer. What the curator refuses is an error with its code and message; what it adds (left, allowed) goes beside it.
  [[nodiscard]] Result<Json> ask(Invocation& invocation, const std::string& method, const std::string& path,
                                 std::string_view body = {});
  /// The bytes of an answer.
  [[nodiscard]] Result<std::string> fetch(Invocation& invocation, const std::string& path);

 private:
  CuratorClient(HttpsClient client, std::string url, std::string token)
      : client_(std::move(client)), url_(std::move(url)), token_(std::move(token)) {}
  [[nodiscard]] Result<HttpsClient::Response> send(Invocation& invocation, const std::string& method,
                                                   const std::string& path, std::string_view body);

  HttpsClient client_;
  std::string url_;
  std::string token_;
};

/// A member of an answer as text: of a string what it says, of anything else its JSON; empty without one, and for null.
[[nodiscard]] std::string text_in(const Json& answer, std::string_view key);
/// A number of an answer with what it counts: "1 report", "2 reports".
[[nodiscard]] std::string counted_in(const Json& answer, std::string_view key, std::string_view noun,
                                     std::string_view plural = {});

}  // namespace gauze::cli
