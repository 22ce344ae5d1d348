#include "gauze/text/tokens/document_pieces.h"

#include <algorithm>

#include "gauze/text/tokens/internal/chinese_numerals.h"
#include "gauze/text/tokens/internal/code_points.h"
#include "gauze/text/tokens/internal/sensitive_stretches.h"

namespace gauze::text {
namespace {

using internal::character_at;
using internal::character_before;

/// How many times longer than asked a piece may be for the sake of anything but an address or a telephone number.
constexpr std::size_t kLongest = 16;

/// How good a place is for a piece to end, the best last.
enum class Cut { none, characters, letters, unspaced_letters, clause, gap, words };

bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

/// Not U+202F, which joins to ICU.
bool is_blank(UChar32 c) { return u_isUWhiteSpace(c) != 0 && c != 0x202F; }

/// Punctuation that is in no address: what ends here ends an address, too.
bool is_wide_mark(UChar32 c) {
  constexpr std::u32string_view kMarks = U"，。、；！？：（）…“”「」『』《》【】—";
  return kMarks.find(static_cast<char32_t>(c)) != std::u32string_view::npos;
}
/// Punctuation that is in no word; in web addresses it is.
bool is_narrow_mark(UChar32 c) { return c == ',' || c == ';' || c == '!' || c == '?'; }

bool is_at(UChar32 c) { return internal::half_width(c) == '@'; }
bool is_spaced(UChar32 c) { return internal::is_spaced_letter(c) || u_isdigit(c) != 0; }

/// Whether a number in Chinese characters goes on over this place.
bool parts_numerals(std::string_view text, std::size_t place) {
  return place >= 3 && internal::is_chinese_numeral(text, place - 3) && internal::is_chinese_numeral(text, place);
}

/// A place between two characters one of which is no letter.
Cut cut_beside(std::string_view text, const internal::Character& mark, UChar32 next) {
  const UChar32 before = mark.begin > 0 ? character_before(text, mark.begin).code : ' ';
  const bool between_letters = u_isalpha(before) != 0 && u_isalpha(next) != 0;
  if (is_blank(mark.code) && between_letters) return Cut::words;
  if (internal::is_invisible(next) || internal::may_part_digits(text, mark.end)) return Cut::none;
  constexpr UChar32 kZeroWidthSpace = 0x200B;
  if (is_blank(mark.code) || (mark.code == kZeroWidthSpace && between_letters)) return Cut::gap;
  // Between letters or digits of European scripts ICU takes some of them for a part of the word.
  if (is_wide_mark(mark.code) && !(is_spaced(before) && is_spaced(next))) return Cut::gap;
  if (is_narrow_mark(mark.code) && u_isalpha(next) != 0) return Cut::clause;
  // Without their neighbours these would be a number or a handle.
  const bool belongs = (is_spaced(mark.code) && is_spaced(next)) || is_at(mark.code) || is_at(next);
  return belongs ? Cut::none : Cut::characters;
}

Cut cut_at(std::string_view text, std::size_t place) {
  if (parts_numerals(text, place)) return Cut::none;
  const internal::Character before = character_before(text, place);
  const UChar32 next = character_at(text, place).code;
  if (u_isalpha(before.code) == 0 || u_isalpha(next) == 0) return cut_beside(text, before, next);
  const bool unspaced = internal::is_unspaced_letter(before.code) && internal::is_unspaced_letter(next);
  return unspaced ? Cut::unspaced_letters : Cut::letters;
}

/// Addresses and telephone numbers of the whole text, looked for when a place is in question that might be in one.
class Stretches {
 public:
  explicit Stretches(std::string_view text) : text_(text) {}

  /// The end of the one that a place is in, or at the beginning of; 0 without one.
  std::size_t end_of(std::size_t place) {
    if (!looked_) found_ = internal::sensitive_stretches(text_);
    looked_ = true;
    const auto after = std::upper_bound(found_.begin(), found_.end(), place,
                                        [](std::size_t at, const Token& token) { return at < token.begin; });
    return after == found_.begin() || std::prev(after)->end <= place ? 0 : std::prev(after)->end;
  }

 private:
  std::string_view text_;
  bool looked_ = false;
  std::vector<Token> found_;
};

/// The first place from here on where a piece may end at all; `limit` is where it ends if only numerals or invisible
/// characters are in the way.
std::size_t next_end(std::string_view text, std::size_t end, std::size_t limit, Stretches& stretches) {
  while (end < text.size()) {
    if (const std::size_t whole = stretches.end_of(end); whole != 0)
      end = whole;
    else if (begins_character(text[end]) && (end >= limit || cut_at(text, end) != Cut::none))
      return end;
    else
      ++end;
  }
  return text.size();
}

/// Where the piece that begins at a place ends; there are more than `longest` bytes left.
std::size_t piece_end(std::string_view text, std::size_t begin, std::size_t longest, Stretches& stretches) {
  Cut best = Cut::none;
  std::size_t best_end = 0;
  for (std::size_t end = begin + longest; end > begin + longest / 2 && best != Cut::words; --end) {
    if (!begins_character(text[end])) continue;
    const Cut cut = cut_at(text, end);
    const bool is_sure = cut >= Cut::gap || cut == Cut::unspaced_letters;
    if (cut <= best || (!is_sure && stretches.end_of(end) != 0)) continue;
    best = cut;
    best_end = end;
  }
  return best != Cut::none ? best_end : next_end(text, begin + longest, begin + kLongest * longest, stretches);
}

}  // namespace

std::vector<std::string_view> document_pieces(std::string_view text, std::size_t longest) {
  std::vector<std::string_view> pieces;
  Stretches stretches(text);
  std::size_t begin = 0;
  while (text.size() - begin > longest) {
    const std::size_t end = piece_end(text, begin, longest, stretches);
    pieces.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  if (begin < text.size() || text.empty()) pieces.push_back(text.substr(begin));
  return pieces;
}

}  // namespace gauze::text
