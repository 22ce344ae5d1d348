#include "gauze/patterns/hiding/sensitive_patterns.h"

#include <algorithm>
#include <unordered_map>

#include "gauze/table/missing_tokens.h"

namespace gauze::patterns {
namespace {

using table::trim_blanks;

/// The names in one side of a line.
Result<std::vector<std::string>> split_names(std::string_view text, bool by_commas, std::size_t line) {
  std::vector<std::string> names;
  std::size_t i = 0;
  const auto ends = [&](char c) { return by_commas ? c == ',' : c == ' ' || c == '\t'; };
  while (i < text.size()) {
    while (i < text.size() && (text[i] == ' ' || text[i] == '\t')) ++i;
    if (i == text.size()) break;
    std::string name;
    if (text[i] == '"') {
      ++i;
      for (;;) {
        if (i == text.size())
          return invalid_parameter("line {} of the sensitive patterns: a quote is not closed", line);
        if (text[i] == '"') {
          if (i + 1 == text.size() || text[i + 1] != '"') break;
          ++i;
        }
        name += text[i++];
      }
      ++i;
      while (i < text.size() && (text[i] == ' ' || text[i] == '\t')) ++i;
    } else {
      const std::size_t from = i;
      while (i < text.size() && !ends(text[i])) ++i;
      name = std::string(trim_blanks(text.substr(from, i - from)));
    }
    if (i < text.size() && text[i] == ',' && by_commas) ++i;
    if (name.empty()) return invalid_parameter("line {} of the sensitive patterns: an item has no name", line);
    names.push_back(std::move(name));
  }
  return names;
}

}  // namespace

Result<SensitiveList> parse_sensitive(std::string_view text, const Database& database) {
  std::unordered_map<std::string_view, Item> places;
  for (Item item = 0; item < database.names.size(); ++item) places.emplace(database.names[item], item);
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  SensitiveList list;
  std::size_t number = 0;
  while (!text.empty()) {
    ++number;
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = trim_blanks(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.starts_with('#')) continue;
    SensitivePattern pattern;
    pattern.text = std::string(line);
    pattern.line = number;
    if (const std::size_t at = line.rfind(" @ "); at != std::string_view::npos) {
      const auto threshold = Rational::parse(trim_blanks(line.substr(at + 3)));
      if (!threshold || !(*threshold > 0) || !(*threshold <= 1))
        return invalid_parameter("line {} of the sensitive patterns: a threshold after @ lies between 0 and 1",
                                 number);
      pattern.min_support = *threshold;
      line = trim_blanks(line.substr(0, at));
    }
    const bool by_commas = line.find(',') != std::string_view::npos;
    const std::size_t arrow = line.find("=>");
    const std::string_view sides[] = {line.substr(0, arrow),
                                      arrow == std::string_view::npos ? std::string_view() : line.substr(arrow + 2)};
    bool known = true;
    for (std::size_t side = 0; side < (arrow == std::string_view::npos ? 1U : 2U); ++side) {
      GAUZE_TRY(std::vector<std::string> names, split_names(sides[side], by_commas, number));
      // A name with blanks that has no quotes: `sleep aid => tea`.
      const std::string whole(trim_blanks(sides[side]));
      const auto is_unknown = [&](const std::string& name) { return !places.contains(name); };
      if (!by_commas && places.contains(whole) && std::any_of(names.begin(), names.end(), is_unknown))
        names = {whole};
      if (names.empty())
        return invalid_parameter("line {} of the sensitive patterns: a rule has items on both sides", number);
      for (const std::string& name : names) {
        const auto found = places.find(name);
        known = known && found != places.end();
        if (found == places.end()) continue;
        if (side == 1 && std::find(pattern.left.begin(), pattern.left.end(), found->second) != pattern.left.end())
          return invalid_parameter("line {} of the sensitive patterns: an item is on both sides of the rule", number);
        pattern.items.push_back(found->second);
        if (side == 0 && arrow != std::string_view::npos) pattern.left.push_back(found->second);
      }
    }
    for (Itemset* const set : {&pattern.items, &pattern.left}) {
      std::sort(set->begin(), set->end());
      set->erase(std::unique(set->begin(), set->end()), set->end());
    }
    if (!known) {
      list.notices.push_back(fmt::format(
          "line {}: an item does not occur, so there is nothing to hide (a name with blanks needs commas or quotes)",
          number));
      continue;
    }
    const auto same = std::find_if(list.patterns.begin(), list.patterns.end(), [&](const SensitivePattern& one) {
      return one.items == pattern.items && one.left == pattern.left;
    });
    if (same != list.patterns.end()) {
      list.notices.push_back(fmt::format("line {}: the same items as line {}", number, same->line));
      continue;
    }
    list.patterns.push_back(std::move(pattern));
  }
  return list;
}

}  // namespace gauze::patterns
