#include "gauze/text/tokens/tokenizer.h"

#include <unicode/brkiter.h>
#include <unicode/uchar.h>
#include <unicode/uscript.h>
#include <unicode/utext.h>
#include <unicode/utf8.h>

#include "gauze/text/tokens/clitics.h"
#include "gauze/text/tokens/internal/chinese_numerals.h"
#include "gauze/text/tokens/internal/layout_runs.h"
#include "gauze/text/tokens/internal/sensitive_stretches.h"

namespace gauze::text {
namespace {

UChar32 character_at(std::string_view text, std::size_t place) {
  UChar32 c = 0;
  U8_GET(reinterpret_cast<const std::uint8_t*>(text.data()), 0, static_cast<std::int32_t>(place),
         static_cast<std::int32_t>(text.size()), c);
  return c;
}

bool is_han(UChar32 c) {
  UErrorCode status = U_ZERO_ERROR;
  return uscript_getScript(c, &status) == USCRIPT_HAN;
}

/// The end of the run of Chinese characters that begins here.
std::size_t han_end(std::string_view text, std::size_t place, std::size_t end) {
  auto i = static_cast<std::int32_t>(place);
  while (static_cast<std::size_t>(i) < end) {
    const std::int32_t before = i;
    UChar32 c = 0;
    U8_NEXT(reinterpret_cast<const std::uint8_t*>(text.data()), i, static_cast<std::int32_t>(end), c);
    if (c < 0 || !is_han(c)) return static_cast<std::size_t>(before);
  }
  return static_cast<std::size_t>(i);
}

}  // namespace

struct Tokenizer::State {
  std::unique_ptr<icu::BreakIterator> words;
};

Tokenizer::Tokenizer(const SegmentationDictionary* dictionary, Language language)
    : state_(std::make_unique<State>()), dictionary_(dictionary), language_(language) {
  UErrorCode status = U_ZERO_ERROR;
  state_->words.reset(icu::BreakIterator::createWordInstance(icu::Locale::getRoot(), status));
  GAUZE_CHECK(U_SUCCESS(status));
}
Tokenizer::Tokenizer(Tokenizer&&) noexcept = default;
Tokenizer::~Tokenizer() = default;

void Tokenizer::split(std::string_view text, std::vector<Token>& tokens) {
  tokens.clear();
  std::size_t done = 0;
  for (const Token& one : internal::sensitive_stretches(text)) {
    split_plain(text, done, one.begin, tokens);
    tokens.push_back(one);
    done = one.end;
  }
  split_plain(text, done, text.size(), tokens);
  if (language_ != Language::english) internal::join_chinese_numerals(text, tokens);
}

void Tokenizer::split_plain(std::string_view text, std::size_t begin, std::size_t end, std::vector<Token>& tokens) {
  if (begin == end) return;
  const std::string_view part = text.substr(begin, end - begin);
  UErrorCode status = U_ZERO_ERROR;
  UText bytes = UTEXT_INITIALIZER;
  utext_openUTF8(&bytes, part.data(), static_cast<std::int64_t>(part.size()), &status);
  state_->words->setText(&bytes, status);
  GAUZE_CHECK(U_SUCCESS(status));
  std::size_t from = 0;
  const auto next = [&] { return state_->words->next(); };
  for (std::int32_t stop = next(); stop != icu::BreakIterator::DONE; stop = next()) {
    const auto to = static_cast<std::size_t>(stop);
    const std::int32_t rule = state_->words->getRuleStatus();
    if (rule >= UBRK_WORD_NUMBER && rule < UBRK_WORD_NUMBER_LIMIT)
      tokens.push_back({begin + from, begin + to, TokenKind::number});
    else if (rule >= UBRK_WORD_LETTER && rule < UBRK_WORD_IDEO_LIMIT)
      add_word(text, begin + from, begin + to, tokens);
    else
      internal::add_layout_runs(text, begin + from, begin + to, tokens);
    from = to;
  }
  utext_close(&bytes);
}

void Tokenizer::add_word(std::string_view text, std::size_t begin, std::size_t end, std::vector<Token>& tokens) {
  if (text.substr(begin, end - begin) == "@") {  // a letter to ICU
    tokens.push_back({begin, end, TokenKind::layout});
    return;
  }
  // ' and s: one word that English vectors know.
  if (language_ != Language::chinese && !tokens.empty() && tokens.back().end == begin &&
      is_apostrophe(text.substr(tokens.back().begin, begin - tokens.back().begin)) &&
      is_clitic(text.substr(tokens.back().begin, end - tokens.back().begin))) {
    tokens.back() = {tokens.back().begin, end, TokenKind::word};
    return;
  }
  if (dictionary_ == nullptr || !is_han(character_at(text, begin))) {
    tokens.push_back({begin, end, TokenKind::word});
    return;
  }
  // ICU has divided the run already: the whole of it is divided anew, once its last piece is there.
  std::size_t run = begin;
  while (!tokens.empty() && tokens.back().kind == TokenKind::word && tokens.back().end == run &&
         is_han(character_at(text, tokens.back().begin))) {
    run = tokens.back().begin;
    tokens.pop_back();
  }
  if (han_end(text, begin, text.size()) > end) {
    tokens.push_back({run, end, TokenKind::word});
    return;
  }
  std::vector<std::size_t> ends;
  dictionary_->divide(text.substr(run, end - run), ends);
  std::size_t from = 0;
  for (const std::size_t to : ends) {
    tokens.push_back({run + from, run + to, TokenKind::word});
    from = to;
  }
}

}  // namespace gauze::text
