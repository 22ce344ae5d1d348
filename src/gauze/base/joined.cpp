#include "gauze/base/joined.h"

namespace gauze {

std::string joined(const std::vector<std::string>& words, std::string_view separator) {
  std::string text;
  for (std::size_t w = 0; w < words.size(); ++w) {
    if (w > 0) text += separator;
    text += words[w];
  }
  return text;
}

std::string enumerated(const std::vector<std::string>& words) {
  if (words.size() < 2) return joined(words);
  return joined({words.begin(), words.end() - 1}) + " and " + words.back();
}

std::string counted(std::uint64_t count, std::string_view noun, std::string_view plural) {
  std::string text = std::to_string(count) + " ";
  if (count == 1) return text.append(noun);
  return plural.empty() ? text.append(noun) + "s" : text.append(plural);
}

}  // namespace gauze
