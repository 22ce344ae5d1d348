#include "gauze/text/sanitize/document_plan.h"

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

TokenFate DocumentPlanner::fate_of_word(std::string_view word, DocumentPlan& plan, bool& unknown) const {
  const std::string form = lookup_form(word);
  const std::string small = small_letters(form);
  if (policy_.stop_words != TokenPolicy::replace && policy_.stop_word_list.contains(small))
    return fate_of(policy_.stop_words);
  auto number = vectors_.find(form);
  if (!number) number = vectors_.find(small);
  unknown = !number.has_value();
  if (!number && policy_.unknown == TokenPolicy::replace && spelling_ != nullptr) number = spelling_->nearest(small);
  if (!number) return fate_of(policy_.unknown);
  plan.words.push_back(*number);
  return TokenFate::replace;
}

DocumentPlan DocumentPlanner::plan(std::string_view text) {
  DocumentPlan plan;
  tokenizer_.split(text, tokens_);
  plan.steps.reserve(tokens_.size());
  for (const Token& token : tokens_) {
    DocumentPlan::Step step{token.begin, token.end, TokenFate::layout, false};
    const std::string_view piece = text.substr(token.begin, token.end - token.begin);
    switch (token.kind) {
      case TokenKind::layout:
        break;
      case TokenKind::word:
        step.fate = fate_of_word(piece, plan, step.unknown);
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
      case TokenFate::replace:
        result += in_the_case_of(piece, vectors.word(replacements[next++]));
        break;
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
