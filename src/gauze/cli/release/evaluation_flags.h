#pragma once

#include <vector>

#include "gauze/assess/evaluation/setting.h"
#include "gauze/cli/core/command_registry.h"
#include "gauze/cli/core/invocation.h"

namespace gauze::cli {

/// The flags `evaluate` and `compare` share: policy, roles, repetitions, mode, seed.
[[nodiscard]] std::vector<Flag> evaluation_flags();

/// What these flags and the policy say; epsilons are left to the caller.
[[nodiscard]] Result<assess::EvaluationSetting> evaluation_setting(const Invocation& invocation);

/// --weights .4/.3/.3
[[nodiscard]] Result<assess::Weights> parse_weights(const std::string& text);

}  // namespace gauze::cli
