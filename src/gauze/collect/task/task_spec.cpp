#include "gauze/collect/task/task_spec.h"

#include <algorithm>

#include "gauze/accounting/profiles.h"
#include "gauze/base/joined.h"
#include "gauze/collect/plan/planner.h"

namespace gauze::collect {

std::string NumberField::text(std::int64_t units) const {
  if (places == 0) return std::to_string(units);
  const bool negative = units < 0;
  std::string digits = std::to_string(units).substr(negative ? 1 : 0);
  const auto behind = static_cast<std::size_t>(places);
  if (digits.size() <= behind) digits.insert(0, behind + 1 - digits.size(), '0');
  return (negative ? "-" : "") + digits.substr(0, digits.size() - behind) + "." +
         digits.substr(digits.size() - behind);
}

Result<NumberField> NumberField::make(const Rational& low, const Rational& high, int places, bool squares) {
  if (places < 0 || places > 18) return invalid_parameter("places must lie between 0 and 18, but is {}", places);
  Rational scale(1);
  for (int i = 0; i < places; ++i) scale *= Rational(10);
  const auto units = [&](const Rational& end, std::string_view name) -> Result<std::int64_t> {
    const Rational scaled = end * scale;
    if (!scaled.is_integer())
      return invalid_parameter("{} has more than {} behind the point", name,
                               counted(static_cast<std::uint64_t>(places), "place"));
    const auto whole = scaled.to_int64();
    if (!whole) return invalid_parameter("{} is too large with {} places: units have 64 bits", name, places);
    return *whole;
  };
  NumberField field;
  field.places = places;
  GAUZE_TRY(field.low, units(low, "low"));
  GAUZE_TRY(field.high, units(high, "high"));
  if (field.low >= field.high) return invalid_parameter("low must be below high");
  const std::uint64_t most = std::uint64_t{1} << (squares ? 31 : 62);
  if (field.range() >= most)
    return invalid_parameter("high - low has {} units, but must have fewer than {}{}", field.range(), most,
                             squares ? " where the variance is asked for" : "");
  return field;
}

std::vector<std::string> TaskSpec::missing() const {
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

Result<void> check_task_spec(const TaskSpec& spec) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  };
  if (spec.name.empty() || spec.name.size() > 64 || !std::all_of(spec.name.begin(), spec.name.end(), is_letter))
    return invalid_parameter("the name of a task has 1 to 64 letters, digits, - and _");
  if (spec.mechanism != "auto") {
    const LocalMechanism* found = find_local_mechanism(spec.mechanism);
    if (found == nullptr || found->question != spec.question) {
      std::vector<std::string> names = names_of_mechanisms(spec.question);
      names.insert(names.begin(), "auto");
      return tl::unexpected<Error>(wrong_word(
          fmt::format("the mechanism of a {}", word_of(kQuestionWords, spec.question)), names, spec.mechanism));
    }
  }
  if (spec.limits.window_nano.has_value() != spec.limits.window_seconds.has_value())
    return invalid_parameter("limits: window and epsilon_window come together");
  if (spec.profile.empty()) return {};
  GAUZE_TRY(const SpendingProfile profile, find_profile(spec.profile));
  const std::uint64_t spent = spec.limits.window_nano.value_or(spec.epsilon_nano);
  if (Rational(static_cast<std::int64_t>(spent), 1'000'000'000) <= profile.local_epsilon || !spec.deviation.empty())
    return {};
  return make_error(
      ErrorCode::not_private,
      "epsilon {} {} is above {}, the ceiling of the profile '{}' for local collection; a deviation with "
      "its reason allows it and stands in the label",
      nano_text(spent), spec.limits.window_nano ? "in a window" : "a report", profile.local_epsilon.to_decimal(),
      spec.profile);
}

}  // namespace gauze::collect
