#include "gauze/cli/release/release_flags.h"

#include <algorithm>

#include "gauze/cli/flags/table_flags.h"

namespace gauze::cli {
namespace {

template <class Words>
std::vector<std::string> choices(const Words& words) {
  return {words.begin(), words.end()};
}

template <class Words>
int place_of(const Words& words, std::string_view word) {
  return static_cast<int>(std::find(words.begin(), words.end(), word) - words.begin());
}

}  // namespace

Flag policy_flag() {
  return {.name = "policy",
          .placeholder = "FILE",
          .help = "columns, domains, levels and k in one reviewable file",
          .required = true,
          .is_file = true};
}

std::vector<Flag> release_mode_flags() {
  return {{.name = "mode",
           .placeholder = "MODE",
           .help = "instead of the policy's mode",
           .choices = choices(anonymize::kReleaseModeWords)},
          {.name = "kind",
           .placeholder = "KIND",
           .help = "instead of the policy's kind",
           .choices = choices(anonymize::kReleaseKindWords)},
          {.name = "as-published", .help = "the published method to the letter; it has no guarantee"},
          {.name = "noise-scale",
           .placeholder = "S",
           .help = "as published: the factor on the noise's scale",
           .default_text = "1"}};
}

Result<anonymize::Policy> release_policy(const Invocation& invocation) {
  GAUZE_TRY(const std::string file, invocation.text("policy"));
  GAUZE_TRY(anonymize::Policy policy, anonymize::read_policy_file(file));
  GAUZE_TRY(policy.input, read_options(invocation, std::move(policy.input)));
  anonymize::PolicyRelease release = policy.release.value_or(anonymize::PolicyRelease{});
  if (const auto mode = invocation.optional_text("mode"))
    release.mode = static_cast<anonymize::ReleaseMode>(place_of(anonymize::kReleaseModeWords, *mode));
  if (const auto kind = invocation.optional_text("kind"))
    release.kind = static_cast<anonymize::ReleaseKind>(place_of(anonymize::kReleaseKindWords, *kind));
  policy.release = std::move(release);
  GAUZE_TRY_VOID(anonymize::check(policy));
  return policy;
}

Result<release::ReleaseTarget> release_target(const Invocation& invocation) {
  release::ReleaseTarget target;
  GAUZE_TRY(target.epsilon, invocation.rational("epsilon"));
  GAUZE_TRY(const auto delta, invocation.optional_rational("delta"));
  target.delta = delta.value_or(Rational(0));
  return target;
}

}  // namespace gauze::cli
