#pragma once

#include "gauze/cli/core/command_registry.h"
#include "gauze/cli/core/invocation.h"
#include "gauze/collect/task/any_task.h"

namespace gauze::cli {

/// --task FILE, required.
[[nodiscard]] Flag task_flag();
/// The task that it names: one of local differential privacy; a central one is refused (exit 2).
[[nodiscard]] Result<collect::Task> read_task(const Invocation& invocation, std::string_view name = "task");
/// A task of either kind.
[[nodiscard]] Result<collect::AnyTask> read_any_task(const Invocation& invocation, std::string_view name = "task");

/// An amount of epsilon in 1e-9: --epsilon-window.
[[nodiscard]] Result<std::optional<std::uint64_t>> optional_nano(const Invocation& invocation, std::string_view name);
/// --epsilon of one report.
[[nodiscard]] Result<std::uint64_t> report_nano(const Invocation& invocation);

/// --question; those of later versions are refused by name.
[[nodiscard]] Flag question_flag();
[[nodiscard]] Result<collect::Question> question_of(const Invocation& invocation);

/// --profile P and --deviation REASON: ceilings of the standard.
[[nodiscard]] Flag profile_flag();
[[nodiscard]] Flag deviation_flag();

/// --time ISO, or now, in unix seconds.
[[nodiscard]] Flag time_flag();
[[nodiscard]] Result<std::uint64_t> time_of(const Invocation& invocation);

}  // namespace gauze::cli
