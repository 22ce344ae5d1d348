#include "gauze/text/sanitize/document_plan.h"

#include "gauze/text/sanitize/word_lookup.h"
#include "gauze/text/tokens/clitics.h"
#include "gauze/text/tokens/word_shape.h"

namespace gauze::text {
namespace {

TokenFate fate_of(TokenPolicy policy) {
  switch (policy) {
    case TokenPolicy::drop:
      return TokenFate::drop;
    case TokenPolicy::keep:
      return TokenFate::keep;
    case TokenPolicy::mask:
    case TokenPolicy::replace:  // nothing to replace it by
      break;
  }
  return TokenFate::mask;
}

}  // namespace

bool DocumentPlanner::is_stop_word(std::string_view word) const {
  return policy_.stop_words != TokenPolicy::replace && policy_.stop_word_list.contains(list_form(word));
}

void DocumentPlanner::add_word(DocumentPlan::Step step, std::string_view text, std::optional<std::uint32_t> number,
                               DocumentPlan& plan) const {
  const std::string_view word = text.substr(step.begin, step.end - step.begin);
  step.stop_word = step.stop_word || is_stop_word(word);
  if (step.stop_word) {
    step.fate = fate_of(policy_.stop_words);
    plan.steps.push_back(step);
    return;
  }
  step.unknown = !number;
  if (!number && policy_.unknown == TokenPolicy::replace && spelling_ != nullptr)
    number = spelling_->nearest(list_form(word));
  step.fate = number ? TokenFate::replace : fate_of(policy_.unknown);
  if (number) plan.words.push_back(*number);
  plan.steps.push_back(step);
}

void DocumentPlanner::divide_word(std::string_view text, const Token& token, DocumentPlan& plan) const {
  const std::string_view word = text.substr(token.begin, token.end - token.begin);
  bool simplified = false;
  const auto number = find_word(vectors_, word, &simplified);
  const bool may_divide = !number && policy_.language != Language::chinese;
  const std::size_t place = may_divide ? find_clitic(word).value_or(0) : 0;
  const auto stem = place > 0 ? find_word(vectors_, word.substr(0, place)) : std::nullopt;
  if (!stem) return add_word({.begin = token.begin, .end = token.end, .simplified = simplified}, text, number, plan);
  const bool stop_word = is_stop_word(word);  // lists of stop words have "don't" as well as "do"
  add_word({.begin = token.begin, .end = token.begin + place, .stop_word = stop_word}, text, stem, plan);
  add_word({.begin = token.begin + place, .end = token.end, .stop_word = stop_word, .clitic = true}, text,
           find_word(vectors_, word.substr(place)), plan);
}

DocumentPlan DocumentPlanner::plan(std::string_view text) {
  DocumentPlan plan;
  tokenizer_.split(text, tokens_);
  plan.steps.reserve(tokens_.size());
  for (const Token& token : tokens_) {
    if (token.kind == TokenKind::word) {
      divide_word(text, token, plan);
      continue;
    }
    DocumentPlan::Step step{.begin = token.begin, .end = token.end};
    const std::string_view piece = text.substr(token.begin, token.end - token.begin);
    switch (token.kind) {
      case TokenKind::layout:
      case TokenKind::word:
        break;
      case TokenKind::number:
        step.fate = fate_of(policy_.numbers);
        if (policy_.numbers != TokenPolicy::replace) break;
        if (const auto number = vectors_.find(lookup_form(piece))) {
          plan.words.push_back(*number);
          step.fate = TokenFate::replace;
        }
        break;
      case TokenKind::address:
      case TokenKind::phone:
        step.fate = fate_of(policy_.addresses);
        break;
      case TokenKind::symbol:
        step.fate = fate_of(policy_.symbols);
        break;
    }
    plan.steps.push_back(step);
  }
  return plan;
}

std::string carry_out(const DocumentPlan& plan, std::string_view text, const WordVectors& vectors,
                      std::span<const std::uint32_t> replacements) {
  GAUZE_CHECK(replacements.size() == plan.words.size());
  std::string result;
  result.reserve(text.size() + text.size() / 4);
  std::size_t next = 0;
  for (const DocumentPlan::Step& step : plan.steps) {
    const std::string_view piece = text.substr(step.begin, step.end - step.begin);
    switch (step.fate) {
      case TokenFate::layout:
      case TokenFate::keep:
        result += piece;
        break;
      case TokenFate::replace: {
        const std::string_view word = vectors.word(replacements[next++]);
        if (step.clitic && !is_clitic(word)) result += ' ';
        result += in_the_case_of(piece, word);
        break;
      }
      case TokenFate::mask:
        result += kMask;
        break;
      case TokenFate::drop:
        break;
    }
  }
  return result;
}

}  // namespace gauze::text
