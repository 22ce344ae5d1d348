#include "gauze/collect/task/task_spec.h"

#include "gauze/accounting/profiles.h"
#include "gauze/collect/plan/planner.h"

namespace gauze::collect {

Result<void> check_task_spec(const TaskSpec& spec) {
  GAUZE_TRY_VOID(check_task_name(spec.name));
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
