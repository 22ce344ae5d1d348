#include "gauze/patterns/hiding/sensitive_patterns.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "gauze/base/did_you_mean.h"
#include "gauze/base/joined.h"
#include "gauze/base/utf8.h"
#include "gauze/patterns/baskets/internal/text_encoding.h"

namespace gauze::patterns {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// How long the wide comma is that stands there; 0 when none does.
std::size_t wide_comma_at(std::string_view text, std::size_t place) {
  for (const std::string_view comma : kWideCommas)
    if (text.substr(place).starts_with(comma)) return comma.size();
  return 0;
}

/// One line, of which what stands in quotes is only ever a name.
class PatternLine {
 public:
  PatternLine(std::string_view text, std::size_t number) : text_(text), number_(number) {
    bool quoted = false;
    for (std::size_t i = 0; i < text_.size(); ++i) {
      if (text_[i] == '"') quoted = !quoted;
      quoted_.push_back(quoted || text_[i] == '"');
    }
    open_quote_ = quoted;
    // " # " begins a remark.
    for (std::size_t i = 1; i < text_.size(); ++i) {
      const bool remark =
          text_[i] == '#' && is_blank(text_[i - 1]) && (i + 1 == text_.size() || is_blank(text_[i + 1]));
      if (!remark || quoted_[i]) continue;
      text_ = trimmed(text_.substr(0, i));
      break;
    }
  }

  template <class... Args>
  [[nodiscard]] tl::unexpected<Error> bad(fmt::format_string<Args...> format, Args&&... args) const {
    return invalid_parameter("line {} of the sensitive patterns: {}", number_,
                             fmt::format(format, std::forward<Args>(args)...));
  }

  /// Cuts a threshold off the end: " @ 0.02".
  Result<std::optional<Rational>> take_threshold() {
    std::size_t at = std::string_view::npos;
    for (std::size_t i = 0; i < text_.size(); ++i)
      if (text_[i] == '@' && !quoted_[i] && (i == 0 || is_blank(text_[i - 1]))) at = i;
    if (at == std::string_view::npos) return std::optional<Rational>();
    const std::string_view rest = trimmed(text_.substr(at + 1));
    if (rest.find_first_of(" \t,") != std::string_view::npos)
      return std::optional<Rational>();  // a name that begins with @
    const auto threshold = Rational::parse(rest);
    if (!threshold || !(*threshold > 0) || !(*threshold <= 1))
      return bad("a threshold after @ lies between 0 and 1 (a name that begins with @ needs quotes)");
    text_ = trimmed(text_.substr(0, at));
    return std::optional(*threshold);
  }

  /// The sides of a rule, or one side. `is_item`: whether something is called like this.
  template <class IsItem>
  Result<std::vector<std::vector<std::string>>> sides(const IsItem& is_item) const {
    if (open_quote_) return bad("a quote is not closed");
    std::vector<std::size_t> arrows;
    bool by_commas = false;
    for (std::size_t i = 0; i < text_.size(); ++i) {
      if (quoted_[i]) continue;
      by_commas = by_commas || text_[i] == ',' || wide_comma_at(text_, i) > 0;
      if (text_.substr(i).starts_with("=>")) arrows.push_back(i);
    }
    if (arrows.size() > 1) return bad("a rule has one => (a name with => needs quotes)");
    std::vector<std::vector<std::string>> result;
    const std::size_t arrow = arrows.empty() ? text_.size() : arrows[0];
    GAUZE_TRY(result.emplace_back(), names(0, arrow, by_commas, is_item));
    if (!arrows.empty()) {
      GAUZE_TRY(result.emplace_back(), names(arrow + 2, text_.size(), by_commas, is_item));
    }
    const auto is_empty = [](const auto& side) { return side.empty(); };
    if (arrows.empty() && result[0].empty()) return bad("it names no item");
    if (std::any_of(result.begin(), result.end(), is_empty)) return bad("a rule has items on both sides");
    by_commas_ = by_commas;
    return result;
  }
  /// Whether commas separate; after sides().
  [[nodiscard]] bool by_commas() const { return by_commas_; }
  /// A side as it is written, without blanks around it; after sides().
  [[nodiscard]] std::string whole(std::size_t side, std::size_t sides) const {
    if (sides == 1) return std::string(text_);
    std::size_t arrow = 0;
    while (quoted_[arrow] || !text_.substr(arrow).starts_with("=>")) ++arrow;
    return std::string(trimmed(side == 0 ? text_.substr(0, arrow) : text_.substr(arrow + 2)));
  }

 private:
  template <class IsItem>
  Result<std::vector<std::string>> names(std::size_t i, std::size_t end, bool by_commas,
                                         const IsItem& is_item) const {
    std::vector<std::string> result;
    const auto separates = [&](char c) { return by_commas ? c == ',' : is_blank(c); };
    for (;;) {
      while (i < end && is_blank(text_[i])) ++i;
      if (i >= end) return result;
      std::string name;
      if (text_[i] == '"') {
        for (++i; text_[i] != '"' || (i + 1 < end && text_[i + 1] == '"'); ++i) {
          if (text_[i] == '"') ++i;
          name += text_[i];
        }
        ++i;
        while (by_commas && i < end && is_blank(text_[i])) ++i;
        if (i < end && !separates(text_[i])) return bad("something follows a closing quote");
      } else {
        const std::size_t from = i;
        while (i < end && !separates(text_[i])) ++i;
        name = std::string(trimmed(text_.substr(from, i - from)));
        if (by_commas && !name.empty() && !is_item(name)) {
          GAUZE_TRY_VOID(add_pieces(name, result));
          if (i < end) ++i;
          continue;
        }
      }
      if (name.empty()) return bad("an item has no name");
      result.push_back(std::move(name));
      if (i < end && by_commas) ++i;
    }
  }

  /// A name of no item, cut at wide commas.
  Result<void> add_pieces(std::string_view name, std::vector<std::string>& result) const {
    std::size_t from = 0;
    for (std::size_t i = 0; i <= name.size(); ++i) {
      const std::size_t comma = wide_comma_at(name, i);
      if (comma == 0 && i < name.size()) continue;
      const std::string_view piece = trimmed(name.substr(from, i - from));
      if (piece.empty()) return bad("an item has no name");
      result.emplace_back(piece);
      from = i + comma;
    }
    return {};
  }

  std::string_view text_;
  std::size_t number_;
  std::vector<bool> quoted_;
  bool open_quote_ = false;
  mutable bool by_commas_ = false;
};

/// Reads the lines of a list, whose items are those of the transactions.
class SensitiveReader {
 public:
  SensitiveReader(const Database& database, UnknownItems unknown) : database_(database), unknown_(unknown) {
    for (Item item = 0; item < database.names.size(); ++item) places_.emplace(database.names[item], item);
  }

  Result<void> read(std::string_view line, std::size_t number) {
    PatternLine parser(line, number);
    if (line.starts_with('#')) {
      if (is_item(line.substr(0, line.find_first_of(" \t,"))))
        return parser.bad("# begins a comment, but an item is called like this: put it in quotes");
      return {};
    }
    SensitivePattern pattern;
    pattern.text = std::string(line);
    pattern.line = number;
    GAUZE_TRY(pattern.min_support, parser.take_threshold());
    GAUZE_TRY(auto sides, parser.sides([this](std::string_view name) { return is_item(name); }));
    bool known = true;
    for (std::size_t side = 0; side < sides.size(); ++side) {
      std::vector<std::string>& names = sides[side];
      // A name with blanks that has no quotes: `sleep aid => tea`.
      const std::string whole = parser.whole(side, sides.size());
      const auto is_unknown = [&](const std::string& name) { return !is_item(name); };
      if (!parser.by_commas() && is_item(whole) && std::any_of(names.begin(), names.end(), is_unknown))
        names = {whole};
      for (const std::string& name : names) {
        const auto found = places_.find(name);
        if (found == places_.end()) {
          // Without commas it may be a part of a name with blanks.
          tell_unknown(number, name, !parser.by_commas() && names.size() > 1 ? whole : name);
          known = false;
          const Item behind = static_cast<Item>(database_.names.size() + absent_places_.size());
          pattern.items.push_back(absent_places_.emplace(name, behind).first->second);
          continue;
        }
        if (side == 1 && std::find(pattern.left.begin(), pattern.left.end(), found->second) != pattern.left.end())
          return parser.bad("an item is on both sides of the rule");
        pattern.items.push_back(found->second);
        if (side == 0 && sides.size() == 2) pattern.left.push_back(found->second);
      }
    }
    if (known)
      add(std::move(pattern));
    else
      add_absent(std::move(pattern.items));
    return {};
  }

  Result<SensitiveList> end() {
    if (unknown_ == UnknownItems::refuse && !unknown_items_.empty()) {
      const std::size_t more = unknown_items_.size() - std::min(unknown_items_.size(), kMostNamed);
      unknown_items_.resize(unknown_items_.size() - more);
      return invalid_parameter("no transaction has these items of the sensitive patterns: {}{}",
                               joined(unknown_items_, "; "), more > 0 ? fmt::format("; and {} more", more) : "");
    }
    if (list_.patterns.empty() && list_.warnings.empty())
      return invalid_parameter("the list of sensitive patterns names none");
    return std::move(list_);
  }

 private:
  static constexpr std::size_t kMostNamed = 5;

  [[nodiscard]] bool is_item(std::string_view name) const { return places_.contains(name); }

  void tell_unknown(std::size_t number, const std::string& name, const std::string& whole) {
    const std::string meant = unknown_items_.size() < kMostNamed ? closest(whole, database_.names) : "";
    unknown_items_.push_back(fmt::format("line {}: '{}'{}", number, name,
                                         meant.empty() ? "" : fmt::format(" (did you mean '{}'?)", meant)));
    if (!list_.warnings.empty() && list_.warnings.back().code == kUnknown && last_unknown_ == number) return;
    last_unknown_ = number;
    list_.warnings.push_back(Warning::of_privacy(
        std::string(kUnknown),
        fmt::format("line {}: an item does not occur, so there is nothing to hide (a name with blanks needs commas "
                    "or quotes)",
                    number)));
  }

  void add(SensitivePattern pattern) {
    for (Itemset* const set : {&pattern.items, &pattern.left}) {
      std::sort(set->begin(), set->end());
      set->erase(std::unique(set->begin(), set->end()), set->end());
    }
    const auto same = std::find_if(list_.patterns.begin(), list_.patterns.end(), [&](const SensitivePattern& one) {
      return one.items == pattern.items && one.left == pattern.left && one.min_support == pattern.min_support;
    });
    if (same == list_.patterns.end())
      list_.patterns.push_back(std::move(pattern));
    else
      list_.warnings.push_back(
          {"repeated_pattern", fmt::format("line {}: the same as line {}", pattern.line, same->line)});
  }

  void add_absent(Itemset items) {
    std::sort(items.begin(), items.end());
    items.erase(std::unique(items.begin(), items.end()), items.end());
    if (std::find(list_.absent.begin(), list_.absent.end(), items) == list_.absent.end())
      list_.absent.push_back(std::move(items));
  }

  static constexpr std::string_view kUnknown = "unknown_item";
  const Database& database_;
  UnknownItems unknown_;
  std::unordered_map<std::string_view, Item> places_;
  std::unordered_map<std::string, Item> absent_places_;
  SensitiveList list_;
  std::vector<std::string> unknown_items_;
  std::size_t last_unknown_ = 0;
};

}  // namespace

Result<SensitiveList> parse_sensitive(std::string_view bytes, const Database& database,
                                      const SensitiveReading& reading) {
  GAUZE_TRY(const internal::DecodedText decoded, internal::decode_text(std::string(bytes), reading.encoding));
  std::string_view text = decoded.text;
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  SensitiveReader reader(database, reading.unknown);
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line.empty()) {
      GAUZE_TRY_VOID(reader.read(line, number));
    }
  }
  return reader.end();
}

}  // namespace gauze::patterns
