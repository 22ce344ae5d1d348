#include "gauze/collect/task/task_terms.h"

#include <algorithm>

namespace gauze::collect {

std::vector<std::string> TaskTerms::missing() const {
  const std::pair<const char*, bool> all[] = {
      {"purpose", purpose.empty()},
      {"legal_basis", legal_basis.empty()},
      {"collection.period", !period_seconds.has_value()},
      {"collection.validity", validity.empty()},
      {"collection.detection", detection.empty()},
      {"collection.entry", entry.empty()},
      {"collection.depth", depth.empty()},
      {"retention", !retention_seconds.has_value()},
      {"classification.source", source.empty()},
      {"classification.type", type.empty()},
      {"classification.importance", importance.empty()},
      {"justification", justification.empty()},
      {"contact", contact.empty()},
  };
  std::vector<std::string> names;
  for (const auto& [place, absent] : all)
    if (absent) names.emplace_back(place);
  return names;
}

Result<void> check_task_name(std::string_view name) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  };
  if (name.empty() || name.size() > 64 || !std::all_of(name.begin(), name.end(), is_letter))
    return invalid_parameter("the name of a task has 1 to 64 letters, digits, - and _");
  return {};
}

}  // namespace gauze::collect
