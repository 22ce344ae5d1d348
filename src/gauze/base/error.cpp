#include "gauze/base/error.h"

#include <cstdio>
#include <cstdlib>

namespace gauze {

std::string_view to_string(ErrorCode code) {
  switch (code) {
    case ErrorCode::usage:
      return "usage";
    case ErrorCode::invalid_parameter:
      return "invalid_parameter";
    case ErrorCode::unknown_column:
      return "unknown_column";
    case ErrorCode::io:
      return "io";
    case ErrorCode::bad_data:
      return "bad_data";
    case ErrorCode::internal:
      return "internal";
    case ErrorCode::budget_exhausted:
      return "budget_exhausted";
    case ErrorCode::not_private:
      return "not_private";
    case ErrorCode::infeasible:
      return "infeasible";
    case ErrorCode::unsupported:
      return "unsupported";
    case ErrorCode::request_unfinished:
      return "request_unfinished";
    case ErrorCode::cost_above_claim:
      return "cost_above_claim";
    case ErrorCode::not_authorised:
      return "not_authorised";
    case ErrorCode::interrupted:
      return "interrupted";
  }
  return "internal";
}

int exit_status(ErrorCode code) {
  switch (code) {
    case ErrorCode::usage:
    case ErrorCode::invalid_parameter:
    case ErrorCode::unknown_column:
      return 2;
    case ErrorCode::io:
    case ErrorCode::bad_data:
    case ErrorCode::internal:
      return 1;
    case ErrorCode::budget_exhausted:
    case ErrorCode::not_private:
    case ErrorCode::infeasible:
    case ErrorCode::unsupported:
    case ErrorCode::request_unfinished:
    case ErrorCode::cost_above_claim:
      return 3;
    case ErrorCode::not_authorised:
      return 4;
    case ErrorCode::interrupted:
      return 130;
  }
  return 1;
}

namespace internal {

tl::unexpected<Error> formatted_error(ErrorCode code, fmt::string_view format, fmt::format_args args) {
  return tl::unexpected<Error>(Error{code, fmt::vformat(format, args)});
}

void check_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "gauze: internal error: %s does not hold (%s:%d). Please report this.\n", condition, file,
               line);
  std::abort();
}

}  // namespace internal
}  // namespace gauze
