// Any bytes give patterns of known items, rising and none twice, each once and with a threshold that is one, or an error that
// names the line or the items, or says that there is nothing in the list or which encoding it is not.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>

#include "gauze/patterns/hiding/sensitive_patterns.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gauze::patterns;
  Database database;
  database.names = {"a", "b", "c", "whole milk", "x, y", "q\"t", "1", "07", "=>", "牛奶"};
  const auto list = parse_sensitive({reinterpret_cast<const char*>(data), size}, database);
  if (!list) {
    const std::string& message = list.error().message;
    if (message.find("line ") == std::string::npos && message.find("names none") == std::string::npos &&
        message.find("encoding") == std::string::npos && message.find("no transaction has") == std::string::npos)
      std::abort();
    return 0;
  }
  for (const SensitivePattern& one : list->patterns) {
    if (one.items.empty() || one.items.back() >= database.names.size()) std::abort();
    if (std::adjacent_find(one.items.begin(), one.items.end(), std::greater_equal<>()) != one.items.end())
      std::abort();
    if (!std::includes(one.items.begin(), one.items.end(), one.left.begin(), one.left.end())) std::abort();
    if (one.min_support && (!(*one.min_support > 0) || !(*one.min_support <= 1))) std::abort();
    if (one.line == 0 || one.text.empty()) std::abort();
  }
  return 0;
}
