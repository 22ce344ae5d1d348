#pragma once

#include <string_view>
#include <system_error>

#include "gauze/base/error.h"

namespace gauze::internal {

/// "cannot read 'x': No such file or directory".
[[nodiscard]] inline tl::unexpected<Error> io_error(std::string_view verb, std::string_view name, int code) {
  return make_error(ErrorCode::io, "cannot {} {}: {}", verb, name, std::generic_category().message(code));
}

}  // namespace gauze::internal
