#include "gauze/server/api/api_answer.h"

#include "gauze/files/json_reader.h"

namespace gauze::server {

HttpResponse json_answer(int status, Json object) {
  if (object.find("warnings") == nullptr) object.set("warnings", Json::array());
  return {.status = status, .body = object.dump() + "\n"};
}

HttpResponse error_answer(int status, std::string_view code, std::string_view message) {
  return json_answer(status, Json::object({{"error", Json::object({{"code", code}, {"message", message}})}}));
}

HttpResponse error_answer(const Error& error) {
  const auto status_of = [](ErrorCode code) {
    switch (code) {
      case ErrorCode::usage:
      case ErrorCode::invalid_parameter:
      case ErrorCode::unknown_column:
      case ErrorCode::bad_data:
      case ErrorCode::unsupported:
        return 400;
      case ErrorCode::not_authorised:
        return 403;
      case ErrorCode::budget_exhausted:
      case ErrorCode::not_private:
      case ErrorCode::infeasible:
      case ErrorCode::request_unfinished:
      case ErrorCode::cost_above_claim:
        return 409;
      case ErrorCode::io:
        return 503;
      default:
        return 500;
    }
  };
  return error_answer(status_of(error.code), to_string(error.code), error.message);
}

HttpResponse too_many(std::int64_t retry_after) {
  HttpResponse answer = error_answer(429, "too_many", "more than this server takes from one place within a minute");
  answer.headers.emplace_back("Retry-After", std::to_string(retry_after));
  return answer;
}

tl::expected<Json, HttpResponse> json_body(const HttpRequest& request) {
  if (request.body.empty()) return Json::object();
  if (!request.content_type.empty() && request.content_type != "application/json")
    return tl::unexpected<HttpResponse>(error_answer(415, "unsupported_type", "the body must be application/json"));
  auto body = read_json(request.body);
  if (!body) return tl::unexpected<HttpResponse>(error_answer(400, "bad_data", "the body is no JSON"));
  if (body->members() == nullptr)
    return tl::unexpected<HttpResponse>(error_answer(400, "bad_data", "the body is no JSON object"));
  return std::move(*body);
}

}  // namespace gauze::server
