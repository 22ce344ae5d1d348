#include "gauze/server/http/http_message.h"

#include <fmt/format.h>

namespace gauze::server {
namespace {

HttpResponse plain_error(int status, std::string_view message) {
  const char* code = status == 408 ? "time_out" : status == 413 ? "too_large" : "malformed";
  return {.status = status,
          .body = fmt::format(R"({{"error":{{"code":"{}","message":"{}"}},"warnings":[]}})", code, message) + "\n",
          .closes = true};
}

}  // namespace

HttpResponse refusal(int status) {
  switch (status) {
    case 408:
      return plain_error(status, "the request did not come in time");
    case 413:
      return plain_error(status, "the body is larger than this server takes");
    case 431:
      return plain_error(status, "the header is larger than this server takes");
    case 501:
      return plain_error(status, "this transfer encoding is not supported");
    case 505:
      return plain_error(status, "only HTTP 1.0 and 1.1 are spoken here");
    default:
      return plain_error(400, "this is no request");
  }
}

std::optional<std::string> HttpRequest::parameter(std::string_view name) const {
  std::optional<std::string> found;
  for (const auto& [key, value] : query) {
    if (key != name) continue;
    if (found) return std::nullopt;
    found = value;
  }
  return found;
}

std::string_view reason_phrase(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 201:
      return "Created";
    case 204:
      return "No Content";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 409:
      return "Conflict";
    case 413:
      return "Content Too Large";
    case 415:
      return "Unsupported Media Type";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 501:
      return "Not Implemented";
    case 503:
      return "Service Unavailable";
    case 505:
      return "HTTP Version Not Supported";
    default:
      return "Internal Server Error";
  }
}

std::string serialize(const HttpResponse& response, bool with_body, bool keep_alive) {
  std::string text = fmt::format("HTTP/1.1 {} {}\r\n", response.status, reason_phrase(response.status));
  if (response.status != 204)
    text += fmt::format("Content-Type: {}\r\nContent-Length: {}\r\n", response.content_type, response.body.size());
  for (const auto& [name, value] : response.headers) text += fmt::format("{}: {}\r\n", name, value);
  text += "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n";
  if (!keep_alive) text += "Connection: close\r\n";
  text += "\r\n";
  if (with_body && response.status != 204) text += response.body;
  return text;
}

}  // namespace gauze::server
