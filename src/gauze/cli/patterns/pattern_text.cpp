#include "gauze/cli/patterns/pattern_text.h"

#include <fmt/core.h>

namespace gauze::cli {

std::string standing_text(const patterns::HiddenPattern& pattern) {
  return fmt::format("{}: {} before, {} to {} after, {}", pattern.pattern.text, pattern.before.definite,
                     pattern.after.definite, pattern.after.definite + pattern.after.undetermined,
                     word_of(kLevelWords, pattern.level));
}

}  // namespace gauze::cli
