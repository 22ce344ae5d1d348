#include "gauze/table/missing_tokens.h"

#include <algorithm>

#include "gauze/base/utf8.h"

namespace gauze::table {

MissingTokens::MissingTokens(const std::vector<std::string>& configured) {
  for (const auto& token : configured) {
    const auto trimmed = gauze::trimmed(token);
    if (contains(trimmed)) continue;
    configured_.insert(std::upper_bound(configured_.begin(), configured_.end(), trimmed), std::string(trimmed));
    longest_ = std::max(longest_, trimmed.size());
  }
}

bool MissingTokens::is_configured(std::string_view trimmed) const {
  return std::binary_search(configured_.begin(), configured_.end(), trimmed);
}

std::vector<std::string> MissingTokens::all() const {
  std::vector<std::string> tokens = configured_;
  tokens.insert(tokens.end(), {"", "?", "NULL"});
  std::sort(tokens.begin(), tokens.end());
  return tokens;
}

}  // namespace gauze::table
