#include "gauze/cli/patterns/pattern_text.h"

#include <fmt/core.h>

#include <algorithm>

namespace gauze::cli {

std::string standing_text(const patterns::HiddenPattern& pattern) {
  return fmt::format("{}: {} before, {} to {} after, {}", pattern.pattern.text, pattern.before.definite,
                     pattern.after.definite, pattern.after.definite + pattern.after.undetermined,
                     word_of(patterns::kLevelWords, pattern.level));
}

std::string part_text(const patterns::SetShare& share) {
  const std::string of = share.total ? std::to_string(*share.total) : "an unknown number of";
  if (share.part) return fmt::format("{} of {}", *share.part, of);
  if (!share.sampled) return share.total ? fmt::format("unknown how many of {}", of) : "unknown how many";
  const Estimate& about = *share.sampled;
  return fmt::format("about {:.3g} % ({:.3g} to {:.3g} %) of {}", 100 * about.mean, 100 * about.low, 100 * about.high,
                     of);
}

std::vector<std::pair<std::string_view, std::string>> level_texts(
    const std::vector<patterns::HiddenPattern>& patterns, bool anonymous_marks) {
  using patterns::HidingLevel;
  const std::string_view filling =
      anonymous_marks ? "one who guesses what they stand for may find it" : "one who fills them in finds it";
  std::vector<std::pair<std::string_view, std::string>> texts;
  for (const auto& [level, word] : patterns::kLevelWords) {
    const auto has_level = [wanted = level](const patterns::HiddenPattern& one) { return one.level == wanted; };
    if (std::none_of(patterns.begin(), patterns.end(), has_level)) continue;
    switch (level) {
      case HidingLevel::none:
        texts.emplace_back(word, "found by everybody: as frequent as the threshold, or more");
        break;
      case HidingLevel::h1:
        texts.emplace_back(word, fmt::format("hidden from one who takes marks as absent; one who leaves out "
                                             "transactions with marks may find it, and {}",
                                             filling));
        break;
      case HidingLevel::h2:
        texts.emplace_back(word, fmt::format("hidden from one who takes marks as absent or leaves out transactions "
                                             "with marks; {}",
                                             filling));
        break;
      case HidingLevel::h3:
        texts.emplace_back(word, "hidden from everybody, whatever marks stand for");
        break;
    }
  }
  return texts;
}

}  // namespace gauze::cli
