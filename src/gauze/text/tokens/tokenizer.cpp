#include "gauze/text/tokens/tokenizer.h"

#include <unicode/brkiter.h>
#include <unicode/utext.h>

#include "gauze/text/tokens/clitics.h"
#include "gauze/text/tokens/internal/chinese_numerals.h"
#include "gauze/text/tokens/internal/code_points.h"
#include "gauze/text/tokens/internal/layout_runs.h"
#include "gauze/text/tokens/internal/sensitive_stretches.h"

namespace gauze::text {

namespace {

bool begins_with_han(std::string_view text, const Token& token) {
  return token.kind == TokenKind::word && internal::is_han(internal::character_at(text, token.begin).code);
}

/// ICU calls a word with digits at its end a number, too: Zorro7.
bool has_letter(std::string_view text, std::size_t begin, std::size_t end) {
  while (begin < end) {
    const internal::Character c = internal::character_at(text, begin);
    if (u_isalpha(c.code) != 0) return true;
    begin = c.end;
  }
  return false;
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
  const std::size_t first = tokens.size();
  std::size_t from = 0;
  const auto next = [&] { return state_->words->next(); };
  for (std::int32_t stop = next(); stop != icu::BreakIterator::DONE; stop = next()) {
    const auto to = static_cast<std::size_t>(stop);
    const std::int32_t rule = state_->words->getRuleStatus();
    const bool is_number = rule >= UBRK_WORD_NUMBER && rule < UBRK_WORD_NUMBER_LIMIT;
    if (is_number && !has_letter(text, begin + from, begin + to))
      tokens.push_back({begin + from, begin + to, TokenKind::number});
    else if (is_number || (rule >= UBRK_WORD_LETTER && rule < UBRK_WORD_IDEO_LIMIT))
      add_word(text, begin + from, begin + to, tokens);
    else
      internal::add_layout_runs(text, begin + from, begin + to, tokens);
    from = to;
  }
  utext_close(&bytes);
  if (dictionary_ != nullptr) divide_chinese(text, first, tokens);
}

void Tokenizer::add_word(std::string_view text, std::size_t begin, std::size_t end,
                         std::vector<Token>& tokens) const {
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
  tokens.push_back({begin, end, TokenKind::word});
}

void Tokenizer::divide_chinese(std::string_view text, std::size_t first, std::vector<Token>& tokens) const {
  const std::vector<Token> before(tokens.begin() + static_cast<std::ptrdiff_t>(first), tokens.end());
  tokens.resize(first);
  std::vector<std::size_t> ends;
  for (std::size_t i = 0; i < before.size();) {
    if (!begins_with_han(text, before[i])) {
      tokens.push_back(before[i++]);
      continue;
    }
    std::size_t from = before[i].begin;
    const std::size_t run = from;
    while (i < before.size() && begins_with_han(text, before[i])) ++i;
    dictionary_->divide(text.substr(run, before[i - 1].end - run), ends);
    for (const std::size_t end : ends) {
      tokens.push_back({from, run + end, TokenKind::word});
      from = run + end;
    }
  }
}

}  // namespace gauze::text
