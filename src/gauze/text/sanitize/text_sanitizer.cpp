#include "gauze/text/sanitize/text_sanitizer.h"

#include <algorithm>

#include "gauze/base/parallel.h"
#include "gauze/base/utf8.h"
#include "gauze/text/tokens/document_pieces.h"

namespace gauze::text {
namespace {

constexpr std::size_t kWaveBytes = std::size_t{4} << 20;  // of text whose words are held at the same time
constexpr int kPieceBits = 24;                            // of a stream's number: pieces of one document

void add(SanitizeCounts& sum, const SanitizeCounts& more) {
  sum.documents += more.documents;
  sum.tokens += more.tokens;
  sum.replaced += more.replaced;
  sum.unchanged += more.unchanged;
  sum.kept += more.kept;
  sum.unknown += more.unknown;
  sum.masked += more.masked;
  sum.simplified += more.simplified;
}

SanitizeCounts counts_of(const DocumentPlan& plan, std::span<const std::uint32_t> replacements) {
  SanitizeCounts counts;
  std::size_t next = 0;
  for (const DocumentPlan::Step& step : plan.steps) {
    counts.tokens += step.fate == TokenFate::layout ? 0 : 1;
    counts.unknown += step.unknown ? 1 : 0;
    counts.simplified += step.simplified && step.fate == TokenFate::replace ? 1 : 0;
    counts.replaced += step.fate == TokenFate::replace ? 1 : 0;
    const bool hidden = step.fate == TokenFate::mask || step.fate == TokenFate::drop;
    counts.masked += hidden ? 1 : 0;
    counts.kept += step.fate == TokenFate::keep ? 1 : 0;
    if (step.fate != TokenFate::replace) continue;
    // A word that was taken for one spelt alike, or in other characters, is another word even when that one is drawn.
    counts.unchanged += replacements[next] == plan.words[next] && !step.unknown && !step.simplified ? 1 : 0;
    ++next;
  }
  return counts;
}

}  // namespace

/// A stretch of a document that is divided, drawn and written at once.
struct TextSanitizer::Piece {
  std::string_view text;
  std::uint64_t stream = 0;  ///< of random numbers, when they are to repeat
  std::string result = {};
};

TextSanitizer::TextSanitizer(const WordVectors& vectors, WordReplacer& replacer,
                             const SegmentationDictionary* dictionary, SanitizePolicy policy)
    : vectors_(vectors), replacer_(replacer), dictionary_(dictionary), policy_(std::move(policy)) {
  if (policy_.unknown == TokenPolicy::replace) spelling_.emplace(vectors_);
}

Result<void> TextSanitizer::run_pieces(std::span<Piece> pieces, std::optional<std::uint64_t> seed) {
  const std::size_t at_once = pieces.size() / 64 + 1;  // stretches of 64 KB or so
  std::vector<DocumentPlan> plans(pieces.size());
  std::vector<DocumentWords> words(pieces.size());
  parallel_for(pieces.size(), at_once, [&](std::size_t begin, std::size_t end) {
    DocumentPlanner planner(vectors_, dictionary_, policy_, spelling_ ? &*spelling_ : nullptr);
    for (std::size_t i = begin; i < end; ++i) {
      plans[i] = planner.plan(pieces[i].text);
      words[i].stream = pieces[i].stream;
      words[i].words = plans[i].words;
    }
  });
  GAUZE_TRY_VOID(seed ? replacer_.simulate(words, *seed) : replacer_.release(words));
  std::vector<SanitizeCounts> counts(pieces.size());
  parallel_for(pieces.size(), at_once, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      pieces[i].result = carry_out(plans[i], pieces[i].text, vectors_, words[i].replacements);
      counts[i] = counts_of(plans[i], words[i].replacements);
    }
  });
  for (const SanitizeCounts& one : counts) add(counts_, one);
  return {};
}

Result<void> TextSanitizer::run(std::span<std::string> documents, std::optional<std::uint64_t> seed) {
  for (std::size_t i = 0; i < documents.size(); ++i)
    if (find_invalid_utf8(documents[i]))
      return make_error(ErrorCode::bad_data, "document {} is not UTF-8", counts_.documents + i + 1);
  std::vector<Piece> wave;
  std::vector<std::size_t> belongs_to;  // the document of each piece of the wave
  std::vector<std::string> results(documents.size());
  std::size_t bytes = 0;
  const auto finish_wave = [&]() -> Result<void> {
    GAUZE_TRY_VOID(run_pieces(wave, seed));
    for (std::size_t i = 0; i < wave.size(); ++i) results[belongs_to[i]] += wave[i].result;
    wave.clear();
    belongs_to.clear();
    bytes = 0;
    return {};
  };
  for (std::size_t i = 0; i < documents.size(); ++i) {
    std::uint64_t number = 0;
    for (const std::string_view text :
         document_pieces(documents[i], {.dictionary = dictionary_, .language = policy_.language})) {
      wave.push_back({.text = text, .stream = (counts_.documents + i) << kPieceBits | number++});
      belongs_to.push_back(i);
      bytes += text.size();
      if (bytes > kWaveBytes) GAUZE_TRY_VOID(finish_wave());
    }
  }
  GAUZE_TRY_VOID(finish_wave());
  for (std::size_t i = 0; i < documents.size(); ++i) documents[i] = std::move(results[i]);
  counts_.documents += documents.size();
  return {};
}

}  // namespace gauze::text
