#include "gauze/text/vectors/word_list.h"

#include <algorithm>

#include "gauze/base/utf8.h"

namespace gauze::text {

Result<std::vector<std::string_view>> words_of_list(std::string_view list, const std::string& name) {
  if (find_invalid_utf8(list)) return make_error(ErrorCode::bad_data, "{} is not UTF-8", name);
  if (list.starts_with("\xEF\xBB\xBF")) list.remove_prefix(3);
  std::vector<std::string_view> words;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find('\n'), list.size());
    const std::string_view word = trimmed(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
    if (!word.empty()) words.push_back(word);
  }
  return words;
}

Result<std::vector<bool>> marked_words(std::string_view list, const std::string& name, const WordVectors& vectors) {
  GAUZE_TRY(const std::vector<std::string_view> words, words_of_list(list, name));
  std::vector<bool> marked(vectors.size());
  bool any = false;
  for (const std::string_view word : words) {
    const auto place = vectors.find(word);
    if (!place) continue;
    marked[*place] = true;
    any = true;
  }
  if (!any) return make_error(ErrorCode::bad_data, "{} has no word of the vectors", name);
  return marked;
}

}  // namespace gauze::text
