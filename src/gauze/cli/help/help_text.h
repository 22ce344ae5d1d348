#pragma once

#include <string>
#include <vector>

#include "gauze/cli/core/command_registry.h"
#include "gauze/cli/core/output_writer.h"

namespace gauze::cli {

/// How help is laid out.
struct HelpLayout {
  Style style;
  int columns = 80;
};

/// `gauze` alone: the promise, the commands by group, where to go next.
[[nodiscard]] std::string overview_text(const Registry& registry, const HelpLayout& layout);
/// `gauze help CMD`: usage, examples, then arguments and flags.
[[nodiscard]] std::string command_text(const Command& command, const HelpLayout& layout);
/// `gauze help label`: the commands that begin with this word.
[[nodiscard]] std::string family_text(std::string_view word, const std::vector<const Command*>& family,
                                      const HelpLayout& layout);
/// `gauze help exit-codes`.
[[nodiscard]] std::string topic_text(const Topic& topic, const HelpLayout& layout);

/// A flag's help with its choices and default, as one sentence.
[[nodiscard]] std::string flag_sentence(const Flag& flag);
/// The same for a positional argument.
[[nodiscard]] std::string positional_sentence(const Positional& positional);

}  // namespace gauze::cli
