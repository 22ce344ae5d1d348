#include "gauze/cli/release/release_flags.h"

#include "gauze/cli/flags/table_flags.h"

namespace gauze::cli {
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
           .choices = all_words(schema::kReleaseModeWords)},
          {.name = "kind",
           .placeholder = "KIND",
           .help = "instead of the policy's kind",
           .choices = all_words(schema::kReleaseKindWords)},
          {.name = "as-published", .help = "the published method to the letter; it has no guarantee"},
          {.name = "noise-scale",
           .placeholder = "S",
           .help = "as published: the factor on the noise's scale",
           .default_text = "1"}};
}

Result<schema::Policy> release_policy(const Invocation& invocation) {
  GAUZE_TRY(const std::string file, invocation.text("policy"));
  GAUZE_TRY(schema::Policy policy, schema::read_policy_file(file));
  GAUZE_TRY(policy.input, read_options(invocation, std::move(policy.input)));
  schema::PolicyRelease release = policy.release.value_or(schema::PolicyRelease{});
  if (invocation.has("mode")) {
    GAUZE_TRY(release.mode, invocation.value("mode", schema::kReleaseModeWords));
  }
  if (invocation.has("kind")) {
    GAUZE_TRY(release.kind, invocation.value("kind", schema::kReleaseKindWords));
  }
  policy.release = std::move(release);
  GAUZE_TRY_VOID(schema::check(policy));
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
