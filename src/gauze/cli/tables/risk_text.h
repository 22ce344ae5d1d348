#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "gauze/anonymize/risk/reidentification_risk.h"

namespace gauze::cli {

/// "1 row", "5 rows"; irregular plurals are given.
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view noun, std::string_view plural = {});

/// "24 of 5 to 9 rows", "7 of 6 rows each".
[[nodiscard]] std::string classes_text(const anonymize::ReidentificationRisk& risk);

}  // namespace gauze::cli
