#include "gauze/cli/release/evaluation_flags.h"

#include "gauze/cli/flags/shared_flags.h"
#include "gauze/cli/flags/table_flags.h"
#include "gauze/cli/release/release_flags.h"

namespace gauze::cli {

std::vector<Flag> evaluation_flags() {
  std::vector<Flag> flags = {policy_flag(), delta_flag()};
  for (Flag& flag : release_mode_flags()) flags.push_back(std::move(flag));
  const std::vector<Flag> more = {
      {.name = "repetitions",
       .placeholder = "N",
       .help = "how often each release is simulated",
       .default_text = "30"},
      {.name = "target", .placeholder = "COL", .help = "what models predict, instead of the policy's target"},
      {.name = "positive", .placeholder = "VALUE", .help = "the value of the target that counts as positive"},
      {.name = "protected",
       .placeholder = "A,B",
       .help = "columns over which fairness is measured, instead of the policy's"},
      {.name = "minimum-group",
       .placeholder = "N",
       .help = "groups with fewer test rows do not count in gaps",
       .default_text = "30"},
      {.name = "seed", .placeholder = "S", .help = "simulations repeat with the same seed", .default_text = "1"}};
  flags.insert(flags.end(), more.begin(), more.end());
  for (Flag& flag : table_flags()) flags.push_back(std::move(flag));
  return flags;
}

Result<assess::Weights> parse_weights(const std::string& text) {
  std::vector<Rational> parts;
  std::size_t begin = 0;
  for (;;) {
    const std::size_t end = text.find('/', begin);
    std::string part = text.substr(begin, end == std::string::npos ? end : end - begin);
    if (part.starts_with('.')) part.insert(0, "0");
    const auto value = Rational::parse(part);
    if (!value || *value < 0)
      return make_error(
          ErrorCode::usage,
          "--weights '{}' must be three numbers that are not negative, such as 0.4/0.3/0.3 (privacy / utility / fairness)",
          text);
    parts.push_back(*value);
    if (end == std::string::npos) break;
    begin = end + 1;
  }
  if (parts.size() != 3 || parts[0] + parts[1] + parts[2] == Rational(0))
    return make_error(
        ErrorCode::usage,
        "--weights '{}' must be three numbers, not all 0, such as 0.4/0.3/0.3 (privacy / utility / fairness)", text);
  return assess::Weights{parts[0].to_double(), parts[1].to_double(), parts[2].to_double()};
}

Result<assess::EvaluationSetting> evaluation_setting(const Invocation& invocation) {
  assess::EvaluationSetting setting;
  GAUZE_TRY(ReleasePolicy read, release_policy(invocation));
  setting.policy = std::move(read.policy);
  setting.take_roles_from_policy();
  GAUZE_TRY(const auto delta, invocation.optional_rational("delta"));
  setting.delta = delta.value_or(Rational(0));
  GAUZE_TRY(const std::int64_t repetitions, invocation.integer("repetitions", 1, 100'000));
  setting.repetitions = static_cast<int>(repetitions);
  GAUZE_TRY(const std::int64_t seed, invocation.integer("seed", 0));
  setting.seed = static_cast<std::uint64_t>(seed);
  GAUZE_TRY(const std::int64_t group, invocation.integer("minimum-group", 1));
  setting.minimum_group = static_cast<double>(group);
  if (const auto target = invocation.optional_text("target")) {
    if (setting.target != target) setting.positive.clear();
    setting.target = *target;
  }
  if (const auto positive = invocation.optional_text("positive")) setting.positive = *positive;
  if (invocation.has("protected")) {
    GAUZE_TRY(setting.protected_columns, invocation.list("protected"));
  }
  setting.as_published = invocation.has("as-published");
  if (setting.as_published) {
    for (const char* flag : {"mode", "kind", "delta"})
      if (invocation.has(flag)) return make_error(ErrorCode::usage, "--as-published takes no --{}", flag);
    GAUZE_TRY(setting.noise_scale, invocation.rational("noise-scale"));
  } else if (invocation.has("noise-scale")) {
    return make_error(ErrorCode::usage, "--noise-scale goes with --as-published");
  }
  return setting;
}

}  // namespace gauze::cli
