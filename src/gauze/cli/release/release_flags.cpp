#include "gauze/cli/release/release_flags.h"

#include "gauze/cli/flags/shared_flags.h"
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

std::vector<Flag> release_flags() {
  std::vector<Flag> flags = {policy_flag()};
  Flag epsilon = epsilon_flag();
  epsilon.required = true;
  flags.push_back(std::move(epsilon));
  flags.push_back(delta_flag());
  for (Flag& flag : release_mode_flags()) flags.push_back(std::move(flag));
  return flags;
}

namespace {

/// As the policy says its input is written, and nothing else does: comma, UTF-8, point.
Result<table::TextForm> declared_form(const table::ReadOptions& input) {
  table::TextForm form;
  form.delimiter = input.delimiter.value_or(form.delimiter);
  form.decimal = input.decimal.value_or(form.decimal);
  if (input.encoding) {
    GAUZE_TRY(form.encoding, table::parse_encoding(*input.encoding, ""));
  }
  return form;
}

}  // namespace

Result<ReleasePolicy> release_policy(const Invocation& invocation) {
  GAUZE_TRY(const std::string file, invocation.text("policy"));
  ReleasePolicy read;
  GAUZE_TRY(read.policy, schema::read_policy_file(file));
  schema::Policy& policy = read.policy;
  GAUZE_TRY_VOID(check_has_columns(policy));
  GAUZE_TRY(read.form, declared_form(policy.input));
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
  return read;
}

Result<release::ReleaseTarget> release_target(const Invocation& invocation) {
  release::ReleaseTarget target;
  GAUZE_TRY(target.epsilon, invocation.rational("epsilon"));
  GAUZE_TRY(const auto delta, invocation.optional_rational("delta"));
  target.delta = delta.value_or(Rational(0));
  return target;
}

}  // namespace gauze::cli
