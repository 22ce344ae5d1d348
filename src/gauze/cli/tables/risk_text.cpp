#include "gauze/cli/tables/risk_text.h"

#include <fmt/format.h>

namespace gauze::cli {

std::string counted(std::uint64_t count, std::string_view noun, std::string_view plural) {
  if (count == 1) return fmt::format("1 {}", noun);
  return plural.empty() ? fmt::format("{} {}s", count, noun) : fmt::format("{} {}", count, plural);
}

std::string classes_text(const anonymize::ReidentificationRisk& risk) {
  if (risk.classes == 0) return "none";
  if (risk.smallest_class != risk.largest_class)
    return fmt::format("{} of {} to {} rows", risk.classes, risk.smallest_class, risk.largest_class);
  return fmt::format("{} of {}{}", risk.classes, counted(risk.smallest_class, "row"),
                     risk.classes == 1 ? "" : " each");
}

}  // namespace gauze::cli
