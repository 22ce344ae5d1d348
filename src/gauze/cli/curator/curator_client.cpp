#include "gauze/cli/curator/curator_client.h"

#include <cstdlib>

#include "gauze/base/joined.h"
#include "gauze/files/atomic_file.h"
#include "gauze/files/json_reader.h"

namespace gauze::cli {
namespace {

/// The error of the library that a curator's answer stands for, so that exit codes are those of a command without a server.
ErrorCode code_of(std::string_view word, long status) {
  for (const ErrorCode code : {ErrorCode::usage, ErrorCode::invalid_parameter, ErrorCode::unknown_column,
                               ErrorCode::io, ErrorCode::bad_data, ErrorCode::internal, ErrorCode::budget_exhausted,
                               ErrorCode::not_private, ErrorCode::infeasible, ErrorCode::unsupported,
                               ErrorCode::request_unfinished, ErrorCode::cost_above_claim, ErrorCode::not_authorised})
    if (to_string(code) == word) return code;
  if (status == 401 || status == 403) return ErrorCode::not_authorised;
  if (status >= 400 && status < 500 && status != 429) return ErrorCode::invalid_parameter;
  return ErrorCode::io;
}

}  // namespace

Result<CuratorClient> CuratorClient::make(const Options& options) {
  if (!options.url.starts_with("https://"))
    return invalid_parameter("a curator's address begins with https://: tokens go over TLS alone");
  GAUZE_TRY(std::string token, read_file(options.token_file, 1'024));
  token.resize(token.find_last_not_of(" \r\n") + 1);
  if (token.empty() || token.find_first_of(" \r\n") != std::string::npos)
    return make_error(ErrorCode::bad_data, "'{}' holds no token", options.token_file.string());
  GAUZE_TRY(
      HttpsClient client,
      HttpsClient::make({.ca = options.ca, .seconds = options.seconds, .most_answer_bytes = std::size_t{2} << 30U}));
  return CuratorClient(std::move(client), options.url, std::move(token));
}

Result<HttpsClient::Response> CuratorClient::send(Invocation& invocation, const std::string& method,
                                                  const std::string& path, std::string_view body) {
  auto response = client_.send({.method = method,
                                .url = url_ + path,
                                .bearer = token_,
                                .content_type = body.empty() ? "" : "application/json",
                                .body = body});
  if (!response) return tl::unexpected<Error>(std::move(response).error().error);
  if (response->status < 300) return std::move(*response);
  const auto read = read_json(response->body);
  const Json* error = read ? read->find("error") : nullptr;
  if (error == nullptr) return make_error(ErrorCode::io, "the curator answers with status {}", response->status);
  const auto text = [&](const char* key) {
    const Json* value = error->find(key);
    return value != nullptr ? std::string(value->text()) : std::string();
  };
  for (const auto& [key, value] : *read->members())
    if (key != "error" && key != "warnings") invocation.attach_to_error(key, value);
  if (response->status == 401)
    return make_error(ErrorCode::not_authorised, "{}: the curator does not know this token",
                      std::string_view(url_).substr(std::string_view("https://").size()));
  return tl::unexpected<Error>(Error{.code = code_of(text("code"), response->status), .message = text("message")});
}

Result<Json> CuratorClient::ask(Invocation& invocation, const std::string& method, const std::string& path,
                                std::string_view body) {
  GAUZE_TRY(const auto response, send(invocation, method, path, body));
  return read_json(response.body);
}

Result<std::string> CuratorClient::fetch(Invocation& invocation, const std::string& path) {
  GAUZE_TRY(auto response, send(invocation, "GET", path, {}));
  return std::move(response.body);
}

std::string text_in(const Json& answer, std::string_view key) {
  const Json* value = answer.find(key);
  if (value == nullptr || value->is_null()) return {};
  const JsonKind kind = kind_of(*value);
  return kind == JsonKind::string || kind == JsonKind::number ? std::string(value->text()) : value->dump();
}

std::string counted_in(const Json& answer, std::string_view key, std::string_view noun, std::string_view plural) {
  return counted(std::strtoull(text_in(answer, key).c_str(), nullptr, 10), noun, plural);
}

}  // namespace gauze::cli
