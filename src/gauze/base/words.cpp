#include "gauze/base/words.h"

#include "gauze/base/did_you_mean.h"

namespace gauze {

Error wrong_word(std::string_view what, const std::vector<std::string>& words, std::string_view given) {
  std::string list;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) list += i + 1 == words.size() ? " or " : ", ";
    list += words[i];
  }
  return {ErrorCode::invalid_parameter, fmt::format("{} must be {}{}", what, list, did_you_mean(given, words))};
}

}  // namespace gauze
