#pragma once
// Errors are values here: in this field an error is an output, so it must be visible in the signature.

#include <fmt/core.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace gauze {

/// What went wrong, as programs see it. The command line prints the code and derives its exit status from it.
enum class ErrorCode {
  usage,
  invalid_parameter,
  unknown_column,
  io,
  bad_data,
  internal,
  budget_exhausted,
  not_private,
  infeasible,
  unsupported,
  request_unfinished,
  cost_above_claim,
  not_authorised,
  interrupted,
};

/// The code as it is printed: "invalid_parameter".
[[nodiscard]] std::string_view to_string(ErrorCode code);

/// The exit status of a command that ends with this error: 1, 2, 3, 4 or 130.
[[nodiscard]] int exit_status(ErrorCode code);

/// A stretch of a text that somebody gave, in bytes.
struct TextSpan {
  std::size_t offset = 0;
  std::size_t length = 0;
  friend bool operator==(const TextSpan&, const TextSpan&) = default;
};

/// A message names the thing, the rule, the value given and the remedy; it never quotes data.
struct Error {
  ErrorCode code = ErrorCode::internal;
  std::string message = {};
  /// What would mend it, where the message asks for something: the name of a parameter, which lives as long as the program. Whoever
  /// took the request knows how it is given there: the command line adds its flag of that name.
  std::string_view parameter = {};
  std::optional<TextSpan> span = {};  ///< of a statement that was given: what it is about
  std::string hint = {};              ///< what would be allowed instead, where the message does not say so
};

template <class T>
using Result = tl::expected<T, Error>;

namespace internal {
/// Out of line: hundreds of call sites format a message, and none of them is hot.
[[nodiscard]] tl::unexpected<Error> formatted_error(ErrorCode code, fmt::string_view format, fmt::format_args args);
}  // namespace internal

/// An Error that converts to any Result: `return make_error(ErrorCode::io, "cannot write {}", path);`
template <class... Args>
[[nodiscard]] tl::unexpected<Error> make_error(ErrorCode code, fmt::format_string<Args...> format, Args&&... args) {
  return internal::formatted_error(code, format, fmt::make_format_args(args...));
}

template <class... Args>
[[nodiscard]] tl::unexpected<Error> invalid_parameter(fmt::format_string<Args...> format, Args&&... args) {
  return make_error(ErrorCode::invalid_parameter, format, std::forward<Args>(args)...);
}

/// The same error with the parameter that would mend it: `return asking_for("encoding", make_error(...));`
[[nodiscard]] inline tl::unexpected<Error> asking_for(std::string_view parameter, tl::unexpected<Error> error) {
  error.value().parameter = parameter;
  return error;
}

namespace internal {
[[noreturn]] void check_failed(const char* condition, const char* file, int line);
}  // namespace internal

}  // namespace gauze

#define GAUZE_CONCAT_INNER(a, b) a##b
#define GAUZE_CONCAT(a, b) GAUZE_CONCAT_INNER(a, b)
#define GAUZE_TRY_INTO(holder, declaration, ...)                                   \
  auto holder = (__VA_ARGS__);                                                     \
  if (!holder) return ::tl::unexpected<::gauze::Error>(std::move(holder).error()); \
  declaration = *std::move(holder)

/// Declares a variable from a Result, or returns its error from the enclosing function.
#define GAUZE_TRY(declaration, ...) GAUZE_TRY_INTO(GAUZE_CONCAT(gauze_try_, __LINE__), declaration, __VA_ARGS__)

/// The same for a Result<void>.
#define GAUZE_TRY_VOID(...)                                                  \
  do {                                                                       \
    if (auto gauze_try = (__VA_ARGS__); !gauze_try)                          \
      return ::tl::unexpected<::gauze::Error>(std::move(gauze_try).error()); \
  } while (false)

/// An invariant of the program itself, never reachable from user input. Ends the process when it is broken.
#define GAUZE_CHECK(condition) \
  ((condition) ? static_cast<void>(0) : ::gauze::internal::check_failed(#condition, __FILE__, __LINE__))
