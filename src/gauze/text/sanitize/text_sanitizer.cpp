#include "gauze/text/sanitize/text_sanitizer.h"

#include <algorithm>

#include "gauze/base/parallel.h"
#include "gauze/base/utf8.h"
#include "gauze/text/tokens/word_shape.h"

namespace gauze::text {
namespace {

constexpr std::size_t kDocumentsAtOnce = 64;

void add(SanitizeCounts& sum, const SanitizeCounts& more) {
  sum.documents += more.documents;
  sum.tokens += more.tokens;
  sum.replaced += more.replaced;
  sum.unchanged += more.unchanged;
  sum.kept += more.kept;
  sum.unknown += more.unknown;
  sum.masked += more.masked;
}

}  // namespace

/// What becomes of each token of a document.
struct TextSanitizer::Plan {
  enum class Fate : std::uint8_t { layout, replace, mask, drop, keep };
  struct Step {
    std::size_t begin = 0;
    std::size_t end = 0;
    Fate fate = Fate::layout;
    bool unknown = false;
  };
  std::vector<Step> steps;
  DocumentWords words;
};

std::optional<std::uint32_t> TextSanitizer::number_of(std::string_view word) const {
  const std::string form = lookup_form(word);
  if (const auto found = vectors_.find(form)) return found;
  return vectors_.find(small_letters(form));
}

TextSanitizer::Plan TextSanitizer::plan_for(Tokenizer& tokenizer, std::string_view text) const {
  const auto fate_of = [](TokenPolicy policy) {
    return policy == TokenPolicy::mask   ? Plan::Fate::mask
           : policy == TokenPolicy::drop ? Plan::Fate::drop
                                         : Plan::Fate::keep;
  };
  Plan plan;
  std::vector<Token> tokens;
  tokenizer.split(text, tokens);
  for (const Token& token : tokens) {
    Plan::Step step{token.begin, token.end, Plan::Fate::layout, false};
    const std::string_view piece = text.substr(token.begin, token.end - token.begin);
    if (token.kind == TokenKind::number) step.fate = fate_of(policy_.numbers);
    if (token.kind == TokenKind::address || token.kind == TokenKind::phone) step.fate = fate_of(policy_.addresses);
    if (token.kind == TokenKind::word) {
      if (!policy_.kept_words.empty() && policy_.kept_words.contains(small_letters(lookup_form(piece)))) {
        step.fate = Plan::Fate::keep;
      } else if (const auto number = number_of(piece)) {
        step.fate = Plan::Fate::replace;
        plan.words.words.push_back(*number);
      } else {
        step.fate = fate_of(policy_.unknown);
        step.unknown = true;
      }
    }
    plan.steps.push_back(step);
  }
  return plan;
}

std::string TextSanitizer::text_of(const Plan& plan, std::string_view text, SanitizeCounts& counts) const {
  std::string result;
  result.reserve(text.size() + text.size() / 4);
  std::size_t next = 0;
  for (const Plan::Step& step : plan.steps) {
    const std::string_view piece = text.substr(step.begin, step.end - step.begin);
    counts.tokens += step.fate == Plan::Fate::layout ? 0 : 1;
    counts.unknown += step.unknown ? 1 : 0;
    switch (step.fate) {
      case Plan::Fate::layout:
        result += piece;
        break;
      case Plan::Fate::replace:
        ++counts.replaced;
        counts.unchanged += plan.words.replacements[next] == plan.words.words[next] ? 1 : 0;
        result += in_the_case_of(piece, vectors_.word(plan.words.replacements[next++]));
        break;
      case Plan::Fate::mask:
        ++counts.masked;
        result += kMask;
        break;
      case Plan::Fate::drop:
        ++counts.masked;
        break;
      case Plan::Fate::keep:
        ++counts.kept;
        result += piece;
        break;
    }
  }
  return result;
}

Result<void> TextSanitizer::run(std::span<std::string> documents, std::optional<std::uint64_t> seed) {
  for (std::size_t i = 0; i < documents.size(); ++i)
    if (find_invalid_utf8(documents[i]))
      return make_error(ErrorCode::bad_data, "document {} is not UTF-8", counts_.documents + i + 1);
  std::vector<Plan> plans(documents.size());
  parallel_for(documents.size(), kDocumentsAtOnce, [&](std::size_t begin, std::size_t end) {
    Tokenizer tokenizer(dictionary_);
    for (std::size_t i = begin; i < end; ++i) plans[i] = plan_for(tokenizer, documents[i]);
  });
  std::vector<DocumentWords> words(documents.size());
  for (std::size_t i = 0; i < documents.size(); ++i) {
    words[i] = std::move(plans[i].words);
    words[i].number = counts_.documents + i;
  }
  GAUZE_TRY_VOID(seed ? replacer_.simulate(words, *seed) : replacer_.release(words));
  const std::size_t pieces = (documents.size() + kDocumentsAtOnce - 1) / kDocumentsAtOnce;
  std::vector<SanitizeCounts> counts(pieces);
  parallel_for(documents.size(), kDocumentsAtOnce, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      plans[i].words = std::move(words[i]);
      documents[i] = text_of(plans[i], documents[i], counts[begin / kDocumentsAtOnce]);
    }
  });
  for (const SanitizeCounts& one : counts) add(counts_, one);
  counts_.documents += documents.size();
  return {};
}

}  // namespace gauze::text
