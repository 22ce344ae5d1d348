#include "gauze/text/tokens/clitics.h"

#include <algorithm>
#include <array>

#include "gauze/base/ascii.h"

namespace gauze::text {
namespace {

constexpr std::array<std::string_view, 7> kTails = {"s", "re", "ve", "ll", "d", "m", "t"};

bool is_tail(std::string_view text) {
  return std::any_of(kTails.begin(), kTails.end(), [text](std::string_view tail) {
    return std::equal(text.begin(), text.end(), tail.begin(), tail.end(),
                      [](char a, char b) { return ascii_lower(a) == b; });
  });
}

/// The place of the last apostrophe of either kind, and where it ends; npos without one.
struct Apostrophe {
  std::size_t begin = std::string_view::npos;
  std::size_t end = 0;
};
Apostrophe last_apostrophe(std::string_view word) {
  const std::size_t straight = word.rfind('\'');
  const std::size_t curly = word.rfind(kCurlyApostrophe);
  if (curly != std::string_view::npos && (straight == std::string_view::npos || curly > straight))
    return {curly, curly + kCurlyApostrophe.size()};
  return {straight, straight + 1};
}

}  // namespace

std::optional<std::size_t> find_clitic(std::string_view word) {
  const Apostrophe apostrophe = last_apostrophe(word);
  if (apostrophe.begin == std::string_view::npos || !is_tail(word.substr(apostrophe.end))) return std::nullopt;
  const bool negates =
      apostrophe.begin > 0 && ascii_lower(word[apostrophe.begin - 1]) == 'n' && ascii_lower(word.back()) == 't';
  return apostrophe.begin - (negates ? 1 : 0);
}

std::string straight_apostrophes(std::string word) {
  for (std::size_t at = word.find(kCurlyApostrophe); at != std::string::npos;
       at = word.find(kCurlyApostrophe, at + 1))
    word.replace(at, kCurlyApostrophe.size(), "'");
  return word;
}

}  // namespace gauze::text
