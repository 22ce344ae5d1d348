#include "gauze/text/tokens/document_pieces.h"

#include <algorithm>
#include <optional>

#include "gauze/text/tokens/internal/chinese_numerals.h"
#include "gauze/text/tokens/internal/code_points.h"
#include "gauze/text/tokens/internal/sensitive_stretches.h"

namespace gauze::text {
namespace {

using internal::character_at;
using internal::character_before;

/// How many times longer than asked a piece may be for the sake of anything but an address or a telephone number.
constexpr std::size_t kLongest = 16;

/// How far beyond a place words are divided to find out whether one ends there: the division of Chinese depends on what
/// follows, but on no more than this.
constexpr std::size_t kContext = 4096;

/// How good a place is for a piece to end, the best last. Between characters and letters words may go on.
enum class Cut { none, characters, letters, clause, gap, words };

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
  return Cut::letters;
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

/// Where words end, by the rules that divide the pieces.
class WordEnds {
 public:
  WordEnds(std::string_view text, const PieceOptions& options) : text_(text), options_(options) {}

  /// The last place behind `after` and up to `end` where a word ends and a piece may; the first one behind `end` where there is
  /// none. 0 when the text is at its end before, or `limit` is.
  std::size_t find(std::size_t begin, std::size_t after, std::size_t end, std::size_t limit, Stretches& stretches) {
    if (!tokenizer_) tokenizer_.emplace(options_.dictionary, options_.language);
    // A look at a little more than asked, as a rule.
    for (const std::size_t seen : {end, limit}) {
      const std::size_t until = whole_characters(std::min(text_.size(), seen + kContext));
      tokenizer_->split(text_.substr(begin, until - begin), tokens_);
      std::size_t best = 0;
      for (const Token& token : tokens_) {
        const std::size_t place = begin + token.end;
        if (place >= text_.size() || place > seen || (place > end && best != 0)) break;
        if (place > after && cut_at(text_, place) != Cut::none && stretches.end_of(place) == 0) best = place;
      }
      if (best != 0) return best;
    }
    return 0;
  }

 private:
  [[nodiscard]] std::size_t whole_characters(std::size_t end) const {
    while (end < text_.size() && !begins_character(text_[end])) --end;
    return end;
  }

  std::string_view text_;
  const PieceOptions& options_;
  std::optional<Tokenizer> tokenizer_;
  std::vector<Token> tokens_;
};

/// The first place from here on that is in no address and no telephone number.
std::size_t next_end(std::string_view text, std::size_t end, Stretches& stretches) {
  while (end < text.size()) {
    if (const std::size_t whole = stretches.end_of(end); whole != 0)
      end = whole;
    else if (begins_character(text[end]))
      return end;
    else
      ++end;
  }
  return text.size();
}

/// Where the piece that begins at a place ends; there are more than `longest` bytes left.
std::size_t piece_end(std::string_view text, std::size_t begin, std::size_t longest, Stretches& stretches,
                      WordEnds& words) {
  Cut best = Cut::none;
  std::size_t best_end = 0;
  for (std::size_t end = begin + longest; end > begin + longest / 2 && best != Cut::words; --end) {
    if (!begins_character(text[end])) continue;
    const Cut cut = cut_at(text, end);
    if (cut < Cut::clause || cut <= best || (cut < Cut::gap && stretches.end_of(end) != 0)) continue;
    best = cut;
    best_end = end;
  }
  if (best != Cut::none) return best_end;
  const std::size_t limit = std::min(text.size(), begin + kLongest * longest);
  const std::size_t end = words.find(begin, begin + longest / 2, begin + longest, limit, stretches);
  return end != 0 ? end : next_end(text, limit, stretches);
}

}  // namespace

std::vector<std::string_view> document_pieces(std::string_view text, const PieceOptions& options) {
  std::vector<std::string_view> pieces;
  Stretches stretches(text);
  WordEnds words(text, options);
  std::size_t begin = 0;
  while (text.size() - begin > options.longest) {
    const std::size_t end = piece_end(text, begin, options.longest, stretches, words);
    pieces.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  if (begin < text.size() || text.empty()) pieces.push_back(text.substr(begin));
  return pieces;
}

}  // namespace gauze::text
