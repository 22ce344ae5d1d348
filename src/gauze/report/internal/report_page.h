#pragma once

#include <string_view>

namespace gauze::internal {

/// web/dist/report.html as it was when the program was built.
[[nodiscard]] std::string_view report_page();

}  // namespace gauze::internal
