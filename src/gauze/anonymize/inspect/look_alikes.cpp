#include "gauze/anonymize/inspect/look_alikes.h"

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "gauze/schema/hierarchies/kinds/dates.h"

namespace gauze::anonymize {
namespace {

constexpr std::size_t kMostCompared = 10'000;  // values of a column that are compared letter by letter
constexpr std::int32_t kLongWord = 6;

using icu::UnicodeString;

/// Case and width are gone.
UnicodeString folded(const std::string& text) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* const folding = icu::Normalizer2::getNFKCCasefoldInstance(status);
  const UnicodeString raw = UnicodeString::fromUTF8(text);
  if (U_FAILURE(status) != 0) return raw;
  UnicodeString made = folding->normalize(raw, status);
  return U_FAILURE(status) != 0 ? raw : made;
}

/// Letters, digits and signs; punctuation only between digits, where it is part of what is written.
UnicodeString bare(const UnicodeString& text) {
  UnicodeString made;
  for (std::int32_t i = 0; i < text.length(); i = text.moveIndex32(i, 1)) {
    const UChar32 c = text.char32At(i);
    const bool between_digits = i > 0 && u_isdigit(text.char32At(text.moveIndex32(i, -1))) != 0 &&
                                u_isdigit(text.char32At(text.moveIndex32(i, 1))) != 0;
    const auto mask = U_MASK(u_charType(c));
    const bool dropped = (mask & (U_GC_P_MASK | U_GC_Z_MASK | U_GC_C_MASK)) != 0;
    if (!dropped || (between_digits && (mask & U_GC_P_MASK) != 0)) made.append(c);
  }
  return made;
}

bool has_digit(const UnicodeString& text) {
  for (std::int32_t i = 0; i < text.length(); i = text.moveIndex32(i, 1))
    if (u_isdigit(text.char32At(i)) != 0) return true;
  return false;
}

std::string utf8(const UnicodeString& text) {
  std::string made;
  text.toUTF8String(made);
  return made;
}

/// Words that mean one thing, folded and without what bare() takes away.
struct Meaning {
  std::string_view kind;
  std::string_view words;  // between blanks
};
constexpr std::array<Meaning, 4> kMeanings = {{
    {"sex/male", " m male man mann männlich maennlich homme masculin 男 男性 男士 先生 "},
    {"sex/female", " f w female woman frau weiblich femme féminin feminin 女 女性 女士 "},
    {"answer/yes", " y j o yes true ja wahr oui vrai 是 有 1 "},
    {"answer/no", " n no false nein falsch non faux 否 无 0 "},
}};

std::optional<std::string_view> meaning_of(const std::string& word, std::string_view kind) {
  const std::string wanted = " " + word + " ";
  for (const Meaning& one : kMeanings)
    if (one.kind.starts_with(kind) && one.words.find(wanted) != std::string_view::npos) return one.kind;
  return std::nullopt;
}

/// Which values were found alike: sets that are joined.
class Joined {
 public:
  explicit Joined(std::size_t size) : parent_(size) { std::iota(parent_.begin(), parent_.end(), std::size_t{0}); }
  std::size_t find(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::size_t a, std::size_t b) { parent_[find(a)] = find(b); }

 private:
  std::vector<std::size_t> parent_;
};

/// Whether one letter more, less or other, or two that changed places, makes one word of the other.
bool is_one_apart(const std::u32string& a, const std::u32string& b) {
  if (a.size() > b.size()) return is_one_apart(b, a);
  if (b.size() - a.size() > 1) return false;
  const auto [one, other] = std::mismatch(a.begin(), a.end(), b.begin());
  const auto from = [](const auto& text, auto place, std::ptrdiff_t skipped) {
    return std::u32string_view(text).substr(static_cast<std::size_t>(place - text.begin() + skipped));
  };
  if (a.size() < b.size()) return from(a, one, 0) == from(b, other, 1);
  if (one == a.end()) return false;
  if (from(a, one, 1) == from(b, other, 1)) return true;
  return a.end() - one >= 2 && one[0] == other[1] && one[1] == other[0] && from(a, one, 2) == from(b, other, 2);
}

std::u32string letters(const UnicodeString& text) {
  std::u32string made;
  for (std::int32_t i = 0; i < text.length(); i = text.moveIndex32(i, 1))
    made.push_back(static_cast<char32_t>(text.char32At(i)));
  return made;
}

/// Long words that are one letter apart share what is left of them without some letter.
void join_near_words(const std::vector<std::optional<UnicodeString>>& keys, Joined& joined) {
  if (keys.size() > kMostCompared) return;
  std::unordered_map<std::u32string, std::vector<std::size_t>> shortened;
  std::vector<std::u32string> words(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (!keys[i] || has_digit(*keys[i]) || keys[i]->countChar32() < kLongWord) continue;
    words[i] = letters(*keys[i]);
    shortened[words[i]].push_back(i);
    for (std::size_t place = 0; place < words[i].size(); ++place) {
      std::u32string without = words[i];
      without.erase(place, 1);
      auto& list = shortened[std::move(without)];
      if (list.empty() || list.back() != i) list.push_back(i);
    }
  }
  for (const auto& entry : shortened)
    for (std::size_t i = 1; i < entry.second.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (is_one_apart(words[entry.second[i]], words[entry.second[j]]))
          joined.join(entry.second[i], entry.second[j]);
}

/// Words for one thing, where every value of the column is a word of that kind.
void join_synonyms(const std::vector<std::string>& words, Joined& joined) {
  for (const std::string_view kind : {"sex/", "answer/"}) {
    std::map<std::string_view, std::vector<std::size_t>> places;
    bool all = !words.empty();
    bool has_word = false;  // 1 and 0 alone are numbers
    for (std::size_t i = 0; i < words.size() && all; ++i) {
      const auto meaning = meaning_of(words[i], kind);
      all = meaning.has_value();
      if (all) places[*meaning].push_back(i);
      has_word = has_word || (words[i] != "1" && words[i] != "0");
    }
    if (!all || !has_word) continue;
    for (const auto& entry : places)
      for (const std::size_t place : entry.second) joined.join(entry.second.front(), place);
  }
}

}  // namespace

std::vector<LookAlikes> find_look_alikes(std::string_view column, const table::ColumnSummary& summary) {
  if (!summary.dictionary || summary.type == table::ColumnType::integer ||
      summary.type == table::ColumnType::number || summary.type == table::ColumnType::date)
    return {};
  const table::Dictionary& values = *summary.dictionary;
  std::vector<std::uint32_t> codes;
  std::vector<std::optional<UnicodeString>> keys;  // none for what looks like no other value
  std::vector<std::string> words;
  for (std::uint32_t code = 0; code < values.values.size(); ++code) {
    if (code == values.missing) continue;
    const std::string& text = values.values[code];
    const UnicodeString key = bare(folded(text));
    codes.push_back(code);
    words.push_back(utf8(key));
    const bool alone = key.isEmpty() || table::parse_number(text, values.decimal) || schema::parse_date(text, {});
    keys.push_back(alone ? std::nullopt : std::optional(key));
  }
  Joined joined(codes.size());
  std::unordered_map<std::string, std::size_t> first;
  for (std::size_t i = 0; i < codes.size(); ++i)
    if (keys[i]) joined.join(i, first.emplace(words[i], i).first->second);
  join_near_words(keys, joined);
  join_synonyms(words, joined);

  std::map<std::size_t, LookAlikes> groups;
  for (std::size_t i = 0; i < codes.size(); ++i)
    groups[joined.find(i)].values.push_back({values.values[codes[i]], summary.counts[codes[i]]});
  std::vector<LookAlikes> found;
  for (auto& [place, group] : groups) {
    if (group.values.size() < 2) continue;
    std::stable_sort(group.values.begin(), group.values.end(),
                     [](const auto& a, const auto& b) { return a.rows > b.rows; });
    group.column = column;
    group.name = group.values.front().value;
    found.push_back(std::move(group));
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const LookAlikes& a, const LookAlikes& b) { return a.values[0].rows > b.values[0].rows; });
  return found;
}

}  // namespace gauze::anonymize
