#pragma once

#include <string>

#include "gauze/anonymize/risk/reidentification_risk.h"

namespace gauze::cli {

/// "24 of 5 to 9 rows", "7 of 6 rows each".
[[nodiscard]] std::string classes_text(const anonymize::ReidentificationRisk& risk);

}  // namespace gauze::cli
