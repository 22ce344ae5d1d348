#pragma once

#include <string_view>

#include "gauze/base/error.h"
#include "gauze/files/json.h"
#include "gauze/server/http/http_message.h"

namespace gauze::server {

/// A JSON answer; an object without "warnings" gets an empty list of them.
[[nodiscard]] HttpResponse json_answer(int status, Json object);
/// {"error":{"code","message"},"warnings":[]}
[[nodiscard]] HttpResponse error_answer(int status, std::string_view code, std::string_view message);
/// The same by an error of the library: 400, 403, 409, 500 or 503 by its code.
[[nodiscard]] HttpResponse error_answer(const Error& error);
/// 429 with Retry-After.
[[nodiscard]] HttpResponse too_many(std::int64_t retry_after);

/// The body of a request as a JSON object: 415 for another type, 400 for what is none. An empty body is an empty object.
[[nodiscard]] tl::expected<Json, HttpResponse> json_body(const HttpRequest& request);

}  // namespace gauze::server
