#include "gauze/base/did_you_mean.h"

#include <fmt/core.h>

#include <algorithm>

namespace gauze {
namespace {

constexpr std::size_t kLongestName = 40;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_name_character(char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '_'; }

}  // namespace

int edit_distance(std::string_view a, std::string_view b) {
  // Optimal string alignment: three rows of the usual table.
  std::vector<int> before_last(b.size() + 1);
  std::vector<int> last(b.size() + 1);
  std::vector<int> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int change = a[i - 1] == b[j - 1] ? 0 : 1;
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
    std::swap(before_last, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

std::string closest(std::string_view word, const std::vector<std::string>& candidates) {
  if (word.empty() || word.size() > kLongestName) return "";
  std::string best;
  // One slip in a short word, one in three letters in a long one.
  int best_distance = std::max(1, static_cast<int>(word.size()) / 3) + 1;
  for (const std::string& candidate : candidates) {
    const bool begins = word.size() >= 3 && candidate.starts_with(word);
    const int distance = begins ? 1 : edit_distance(word, candidate);
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates, std::string_view prefix) {
  const std::string candidate = closest(word, candidates);
  return candidate.empty() ? "" : fmt::format("; did you mean '{}{}'?", prefix, candidate);
}

std::string quoted_name(std::string_view word) {
  const bool is_name = !word.empty() && word.size() <= kLongestName && is_letter(word.front()) &&
                       std::all_of(word.begin(), word.end(), is_name_character);
  return is_name ? fmt::format(" '{}'", word) : "";
}

}  // namespace gauze
