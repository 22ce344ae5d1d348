#include "gauze/text/attacks/attacked_text.h"

#include <string_view>

#include "gauze/base/parallel.h"
#include "gauze/base/utf8.h"

namespace gauze::text {
namespace {

/// How anybody reads: every word and number that the vocabulary has is one, divided as the owner divides.
SanitizePolicy plain_policy(const SanitizePolicy& owner) {
  return {.language = owner.language, .numbers = TokenPolicy::replace};
}

Result<void> check_utf8(std::span<const std::string> documents, std::string_view which) {
  for (std::size_t i = 0; i < documents.size(); ++i)
    if (find_invalid_utf8(documents[i]))
      return make_error(ErrorCode::bad_data, "{} document {} is not UTF-8", which, i + 1);
  return {};
}

std::size_t masks_in(std::string_view layout) {
  std::size_t masks = 0;
  for (std::size_t at = layout.find(kMask); at != std::string_view::npos; at = layout.find(kMask, at + kMask.size()))
    ++masks;
  return masks;
}

/// Where the run of layout that begins at a step ends.
std::size_t end_of_layout(const DocumentPlan& plan, std::size_t step) {
  while (step < plan.steps.size() && plan.steps[step].fate == TokenFate::layout) ++step;
  return step;
}

/// Calls on_token(step) for every token that is not layout, on_mask() for every *** in the layout.
template <class OnToken, class OnMask>
void walk(const DocumentPlan& plan, std::string_view text, const OnToken& on_token, const OnMask& on_mask) {
  for (std::size_t i = 0; i < plan.steps.size();) {
    if (plan.steps[i].fate != TokenFate::layout) {
      on_token(i++);
      continue;
    }
    const std::size_t end = end_of_layout(plan, i);
    const std::size_t begin_byte = plan.steps[i].begin;
    for (std::size_t n = masks_in(text.substr(begin_byte, plan.steps[end - 1].end - begin_byte)); n > 0; --n)
      on_mask();
    i = end;
  }
}

TokenSight sight_of(TokenFate fate) {
  switch (fate) {
    case TokenFate::replace:
      return TokenSight::drawn;
    case TokenFate::keep:
      return TokenSight::kept;
    case TokenFate::drop:
      return TokenSight::absent;
    case TokenFate::mask:
    case TokenFate::layout:
      break;
  }
  return TokenSight::hidden;
}

}  // namespace

/// A clean document by the owner's policy.
struct AttackReader::CleanDocument {
  std::vector<AttackedToken> tokens;  ///< what is drawn is not seen yet
  std::vector<std::uint32_t> words;   ///< what the mechanism draws for, one for each drawn token
  std::vector<std::size_t>
      printed{};  ///< where each token that is printed stands in `tokens`; kLiteralMask: not there
  static constexpr std::size_t kLiteralMask = static_cast<std::size_t>(-1);
};

/// What one thread needs.
class AttackReader::Planners {
 public:
  explicit Planners(const AttackReader& reader)
      : owner_(reader.vectors_, reader.dictionary_, reader.policy_, reader.spelling_ ? &*reader.spelling_ : nullptr),
        plain_(plain_policy(reader.policy_)),
        anybody_(reader.vectors_, reader.dictionary_, plain_) {}

  CleanDocument clean(std::string_view text) {
    CleanDocument document;
    for (const std::string_view piece : owner_.pieces(text)) add_clean(piece, document);
    return document;
  }

  /// What is printed: the words that can be read, kNoWord for masks and other tokens.
  std::vector<std::uint32_t> read(std::string_view text) {
    std::vector<std::uint32_t> words;
    for (const std::string_view piece : anybody_.pieces(text)) {
      const DocumentPlan plan = anybody_.plan(piece);
      auto next = plan.words.begin();
      walk(
          plan, piece,
          [&](std::size_t i) { words.push_back(plan.steps[i].fate == TokenFate::replace ? *next++ : kNoWord); },
          [&] { words.push_back(kNoWord); });
    }
    return words;
  }

 private:
  void add_clean(std::string_view text, CleanDocument& document) {
    const DocumentPlan plan = owner_.plan(text);
    const DocumentPlan plain = anybody_.plan(text);  // the same steps
    auto next = plan.words.begin();
    auto next_plain = plain.words.begin();
    const auto on_token = [&](std::size_t i) {
      AttackedToken token{.sight = sight_of(plan.steps[i].fate)};
      if (plain.steps[i].fate == TokenFate::replace) token.original = *next_plain++;
      if (token.sight == TokenSight::kept) token.seen = token.original;
      if (token.sight == TokenSight::drawn) document.words.push_back(*next++);
      if (token.sight != TokenSight::absent) document.printed.push_back(document.tokens.size());
      document.tokens.push_back(token);
    };
    walk(plan, text, on_token, [&] { document.printed.push_back(CleanDocument::kLiteralMask); });
  }

  DocumentPlanner owner_;
  SanitizePolicy plain_;
  DocumentPlanner anybody_;
};

AttackReader::AttackReader(const WordVectors& vectors, const SegmentationDictionary* dictionary,
                           SanitizePolicy policy)
    : vectors_(vectors), dictionary_(dictionary), policy_(std::move(policy)) {
  if (policy_.unknown == TokenPolicy::replace) spelling_.emplace(vectors_);
}

Result<AttackedText> AttackReader::simulate(std::span<const std::string> clean, WordReplacer& replacer,
                                            std::uint64_t seed) const {
  GAUZE_TRY_VOID(check_utf8(clean, "clean"));
  AttackedText text;
  text.documents.resize(clean.size());
  std::vector<DocumentWords> drawn(clean.size());
  parallel_for(clean.size(), clean.size() / 64 + 1, [&](std::size_t begin, std::size_t end) {
    Planners planners(*this);
    for (std::size_t i = begin; i < end; ++i) {
      CleanDocument document = planners.clean(clean[i]);
      text.documents[i] = std::move(document.tokens);
      drawn[i].stream = i;
      drawn[i].words = std::move(document.words);
    }
  });
  GAUZE_TRY_VOID(replacer.simulate(drawn, seed));
  for (std::size_t i = 0; i < clean.size(); ++i) {
    auto next = drawn[i].replacements.begin();
    for (AttackedToken& token : text.documents[i])
      if (token.sight == TokenSight::drawn) token.seen = *next++;
  }
  return text;
}

Result<AttackedText> AttackReader::align(std::span<const std::string> clean,
                                         std::span<const std::string> sanitised) const {
  if (clean.size() != sanitised.size())
    return make_error(ErrorCode::bad_data, "the clean text has {} documents, the sanitised one {}", clean.size(),
                      sanitised.size());
  GAUZE_TRY_VOID(check_utf8(clean, "clean"));
  GAUZE_TRY_VOID(check_utf8(sanitised, "sanitised"));
  std::vector<std::optional<std::vector<AttackedToken>>> aligned(clean.size());
  parallel_for(clean.size(), clean.size() / 64 + 1, [&](std::size_t begin, std::size_t end) {
    Planners planners(*this);
    for (std::size_t i = begin; i < end; ++i) {
      CleanDocument document = planners.clean(clean[i]);
      const std::vector<std::uint32_t> seen = planners.read(sanitised[i]);
      if (seen.size() != document.printed.size()) continue;
      for (std::size_t t = 0; t < seen.size(); ++t) {
        if (document.printed[t] == CleanDocument::kLiteralMask) continue;
        AttackedToken& token = document.tokens[document.printed[t]];
        if (token.sight != TokenSight::drawn) continue;
        token.seen = seen[t];
        if (seen[t] == kNoWord) token.sight = TokenSight::hidden;
      }
      aligned[i] = std::move(document.tokens);
    }
  });
  AttackedText text;
  for (auto& document : aligned) {
    if (document) {
      text.documents.push_back(*std::move(document));
    } else {
      ++text.unaligned_documents;
    }
  }
  return text;
}

Result<std::vector<std::vector<std::uint32_t>>> AttackReader::words_of(std::span<const std::string> documents) const {
  GAUZE_TRY_VOID(check_utf8(documents, "public"));
  std::vector<std::vector<std::uint32_t>> words(documents.size());
  parallel_for(documents.size(), documents.size() / 64 + 1, [&](std::size_t begin, std::size_t end) {
    Planners planners(*this);
    for (std::size_t i = begin; i < end; ++i) {
      const CleanDocument document = planners.clean(documents[i]);
      auto next = document.words.begin();
      for (const AttackedToken& token : document.tokens)
        if (token.sight != TokenSight::absent)
          words[i].push_back(token.sight == TokenSight::drawn ? *next++ : token.seen);
    }
  });
  return words;
}

}  // namespace gauze::text
