#include "gauze/text/utility/tokenized_documents.h"

#include <algorithm>
#include <optional>

#include "gauze/base/parallel.h"
#include "gauze/base/utf8.h"
#include "gauze/text/sanitize/document_plan.h"
#include "gauze/text/sanitize/similar_spelling.h"
#include "gauze/text/sanitize/word_lookup.h"

namespace gauze::text {
namespace {

constexpr std::size_t kDocumentsAtOnce = 256;
constexpr std::size_t kStretchesAtOnce = 32;   // between two looks at whether to stop: seconds at most
constexpr std::size_t kWordsOfAStream = 1024;  // of short documents, which are looked up together

/// One document: the tokens of its clean form, and of its sanitised form those that are drawn and those that are not.
struct Tokens {
  std::vector<std::uint32_t> clean;
  std::vector<std::uint32_t> drawn;
  std::vector<std::uint32_t> fixed;
  std::uint64_t masked = 0;
  std::uint64_t kept = 0;
};

void add_piece(Tokens& result, const DocumentPlan& plan, std::string_view text, const WordVectors& vectors) {
  const auto other = static_cast<std::uint32_t>(vectors.size());
  std::size_t next = 0;
  for (const DocumentPlan::Step& step : plan.steps) {
    if (step.fate == TokenFate::layout) continue;
    if (step.fate == TokenFate::replace) {
      const std::uint32_t word = plan.words[next++];
      result.clean.push_back(step.unknown ? other : word);
      result.drawn.push_back(word);
      continue;
    }
    std::uint32_t token = other;  // stop words are words all the same
    if (step.stop_word) token = find_word(vectors, text.substr(step.begin, step.end - step.begin)).value_or(other);
    result.clean.push_back(token);
    if (step.fate == TokenFate::keep) {
      result.fixed.push_back(token);
      ++result.kept;
      continue;
    }
    if (step.fate == TokenFate::mask) result.fixed.push_back(other);
    ++result.masked;
  }
}

void append(DocumentBags& bags, const std::vector<std::uint32_t>& tokens) {
  bags.tokens.insert(bags.tokens.end(), tokens.begin(), tokens.end());
  bags.end_document();
}

}  // namespace

Result<TokenizedDocuments> TokenizedDocuments::make(const WordVectors& vectors,
                                                    const SegmentationDictionary* dictionary,
                                                    const SanitizePolicy& policy,
                                                    std::span<const std::string> documents, std::string_view name) {
  for (std::size_t i = 0; i < documents.size(); ++i)
    if (find_invalid_utf8(documents[i]))
      return make_error(ErrorCode::bad_data, "{}: document {} is not UTF-8", name, i + 1);
  std::optional<SimilarSpelling> spelling;
  if (policy.unknown == TokenPolicy::replace) spelling.emplace(vectors);
  std::vector<Tokens> all(documents.size());
  parallel_for(documents.size(), kDocumentsAtOnce, [&](std::size_t begin, std::size_t end) {
    DocumentPlanner planner(vectors, dictionary, policy, spelling ? &*spelling : nullptr);
    for (std::size_t i = begin; i < end; ++i)
      for (const std::string_view piece : planner.pieces(documents[i]))
        add_piece(all[i], planner.plan(piece), piece, vectors);
  });
  TokenizedDocuments result;
  for (const Tokens& one : all) {
    append(result.clean_, one.clean);
    append(result.drawn_, one.drawn);
    append(result.fixed_, one.fixed);
    result.masked_ += one.masked;
    result.kept_ += one.kept;
  }
  return result;
}

Result<TokenizedDocuments::Sanitized> TokenizedDocuments::sanitized(WordReplacer& replacer, std::uint64_t seed,
                                                                    const Progress& progress) const {
  std::vector<DocumentWords> stretches;
  for (std::size_t i = 0; i < size(); ++i) {
    if (stretches.empty() || stretches.back().words.size() >= kWordsOfAStream)
      stretches.push_back({.stream = stretches.size(), .words = {}, .replacements = {}});
    const auto words = drawn_[i];
    stretches.back().words.insert(stretches.back().words.end(), words.begin(), words.end());
  }
  for (std::size_t begin = 0; begin < stretches.size(); begin += kStretchesAtOnce) {
    GAUZE_TRY_VOID(progress.check());
    const std::size_t count = std::min(kStretchesAtOnce, stretches.size() - begin);
    GAUZE_TRY_VOID(replacer.simulate(std::span(stretches).subspan(begin, count), seed));
  }
  std::vector<std::uint32_t> drawn;
  drawn.reserve(drawn_.tokens.size());
  for (const DocumentWords& one : stretches)
    drawn.insert(drawn.end(), one.replacements.begin(), one.replacements.end());
  GAUZE_CHECK(drawn.size() == drawn_.tokens.size());
  Sanitized result;
  result.bags.tokens.reserve(drawn.size() + fixed_.tokens.size());
  for (std::size_t i = 0; i < size(); ++i) {
    for (std::size_t k = drawn_.starts[i]; k < drawn_.starts[i + 1]; ++k) {
      result.bags.tokens.push_back(drawn[k]);
      result.unchanged += drawn[k] == drawn_.tokens[k] ? 1 : 0;
    }
    const auto fixed = fixed_[i];
    result.bags.tokens.insert(result.bags.tokens.end(), fixed.begin(), fixed.end());
    result.bags.end_document();
  }
  return result;
}

}  // namespace gauze::text
