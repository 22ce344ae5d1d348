#include "gauze/cli/tables/risk_text.h"

#include "gauze/base/joined.h"

namespace gauze::cli {

std::string classes_text(const anonymize::ReidentificationRisk& risk) {
  if (risk.classes == 0) return "none";
  if (risk.smallest_class != risk.largest_class)
    return fmt::format("{} of {} to {} rows", risk.classes, risk.smallest_class, risk.largest_class);
  return fmt::format("{} of {}{}", risk.classes, counted(risk.smallest_class, "row"),
                     risk.classes == 1 ? "" : " each");
}

}  // namespace gauze::cli
