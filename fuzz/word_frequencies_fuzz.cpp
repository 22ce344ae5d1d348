// Any bytes are a list of frequencies or an error; of any list the share that was asked for is marked.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/text/mechanisms/sensitive_words.h"

using namespace gauze;
using namespace gauze::text;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const WordVectors vectors = [] {
    const std::vector<std::string> words = {"the", "of", "caf\u00e9", "\u4e2d\u6587", "a b"};
    const std::vector<float> values = {1, 2, 3, 4, 5};
    return WordVectors::make(words, values).value();
  }();
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto counts = WordFrequencies::read(std::make_unique<TextSource>(bytes), "x", vectors);
  if (!counts) return 0;
  const auto sensitive = counts->least_frequent(Rational(3, 5));
  if (!sensitive || std::count(sensitive->begin(), sensitive->end(), true) != 3) std::abort();
  const double share = counts->expected_pass_through(*sensitive, Rational(3, 10));
  if (!(share >= 0 && share <= 1)) std::abort();
  return 0;
}
