#include "gauze/text/statistics/own_words.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "gauze/base/utf8.h"
#include "gauze/text/sanitize/document_plan.h"

namespace gauze::text {

std::uint64_t TextWords::known_tokens() const {
  return std::accumulate(known.begin(), known.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const WordCount& one) { return sum + one.count; });
}

Result<TextWords> words_of_text(const WordVectors& vectors, const SegmentationDictionary* dictionary,
                                Language language, std::span<const std::string> documents) {
  const SanitizePolicy policy{.language = language};
  DocumentPlanner planner(vectors, dictionary, policy);
  std::map<std::uint32_t, std::uint64_t> counts;
  TextWords words;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    if (find_invalid_utf8(documents[i])) return make_error(ErrorCode::bad_data, "document {} is not UTF-8", i + 1);
    for (const std::string_view piece : planner.pieces(documents[i])) {
      const DocumentPlan plan = planner.plan(piece);
      for (const std::uint32_t word : plan.words) ++counts[word];
      for (const DocumentPlan::Step& step : plan.steps) words.unknown += step.unknown ? 1U : 0U;
    }
  }
  for (const auto& [word, count] : counts) words.known.push_back({word, count});
  return words;
}

std::vector<OwnWord> likeliest_to_stay(std::span<const WordCount> words,
                                       const std::function<double(std::uint32_t word)>& stays, std::size_t most) {
  std::vector<OwnWord> all;
  for (const WordCount& one : words) all.push_back({one.word, one.count, stays(one.word)});
  std::stable_sort(all.begin(), all.end(), [](const OwnWord& a, const OwnWord& b) {
    return a.stays != b.stays ? a.stays > b.stays : a.count > b.count;
  });
  all.resize(std::min(all.size(), most));
  return all;
}

Json to_json(const std::vector<OwnWord>& words, const WordVectors& vectors) {
  Json list = Json::array();
  for (const OwnWord& one : words)
    list.push(Json::object({{"word", std::string(vectors.word(one.word))}, {"count", one.count}, {"N", one.stays}}));
  return list;
}

}  // namespace gauze::text
