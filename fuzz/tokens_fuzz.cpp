// Any text is divided into tokens without a gap, whole or in pieces; nothing but layout and words of the vocabulary is
// printed; no piece ends inside an address or a telephone number. The first line is a dictionary for Chinese, in the form of jieba with ; between its entries.
#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/base/utf8.h"
#include "gauze/text/sanitize/document_plan.h"
#include "gauze/text/tokens/document_pieces.h"
#include "gauze/text/tokens/internal/sensitive_stretches.h"

using namespace gauze;
using namespace gauze::text;

namespace {

/// No letter, digit, mark or symbol in it.
bool is_plain(std::string_view layout) {
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(layout.data());
  const auto size = static_cast<std::int32_t>(layout.size());
  constexpr std::uint32_t kContent =
      U_GC_L_MASK | U_GC_N_MASK | U_GC_M_MASK | U_GC_SO_MASK | U_GC_CO_MASK | U_GC_CN_MASK;
  for (std::int32_t i = 0; i < size;) {
    UChar32 c = 0;
    U8_NEXT(bytes, i, size, c);
    if (c < 0 || (U_GET_GC_MASK(c) & kContent) != 0) return false;
  }
  return true;
}

void check_pieces(std::string_view text) {
  const std::vector<Token> stretches = gauze::text::internal::sensitive_stretches(text);
  std::size_t place = 0;
  for (const Token& token : stretches) {
    if (token.begin < place || token.end <= token.begin || token.end > text.size()) std::abort();
    place = token.end;
  }
  std::size_t border = 0;
  for (const std::string_view piece : document_pieces(text, {.longest = 24})) {
    border += piece.size();
    for (const Token& token : stretches)
      if (token.begin < border && border < token.end) std::abort();
  }
}

/// Steps without a gap, layout without content, and output that is text.
void check(std::string_view text, const SegmentationDictionary* dictionary, const SanitizePolicy& policy) {
  static const WordVectors vectors = [] {
    const std::vector<std::string> words = {"the", "of", "café", "中文", "'s", "do", "n't"};
    const std::vector<float> values = {1, 2, 3, 4, 5, 6, 7};
    return WordVectors::make(words, values).value();
  }();
  static const SimilarSpelling spelling(vectors);
  DocumentPlanner planner(vectors, dictionary, policy, &spelling);
  std::size_t place = 0;
  for (const std::string_view piece : document_pieces(text, {.longest = 24})) {
    const DocumentPlan plan = planner.plan(piece);
    std::size_t next = 0;
    for (const DocumentPlan::Step& step : plan.steps) {
      if (step.begin != next || step.end <= step.begin) std::abort();
      next = step.end;
      if (step.fate == TokenFate::layout && !is_plain(piece.substr(step.begin, step.end - step.begin))) std::abort();
    }
    if (next != piece.size()) std::abort();
    const std::vector<std::uint32_t> replacements(plan.words.size(), 0);
    const std::string printed = carry_out(plan, piece, vectors, replacements);
    if (find_invalid_utf8(printed)) std::abort();
    place += piece.size();
  }
  if (place != text.size()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (find_invalid_utf8(bytes)) return 0;
  const std::size_t end = std::min(bytes.find('\n'), bytes.size());
  std::string lines(bytes.substr(0, end));
  std::replace(lines.begin(), lines.end(), ';', '\n');
  std::optional<SegmentationDictionary> dictionary;
  if (auto parsed = SegmentationDictionary::parse(lines)) dictionary.emplace(*std::move(parsed));
  const std::string_view text = bytes.substr(std::min(end + 1, bytes.size()));
  check_pieces(text);
  for (const Language language : {Language::automatic, Language::english, Language::chinese}) {
    check(text, dictionary ? &*dictionary : nullptr, {.language = language});
    check(text, dictionary ? &*dictionary : nullptr, {.language = language, .unknown = TokenPolicy::replace});
  }
  return 0;
}
