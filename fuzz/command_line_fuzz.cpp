// Any arguments, split at zero bytes and line breaks, give a command or a usage error that can be printed and that
// quotes no digits: those may be data that slipped out of its place.
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "gauze/cli/core/command_line_parser.h"
#include "gauze/cli/core/commands.h"
#include "gauze/label/printable_text.h"

namespace {

std::vector<std::string> split(const std::uint8_t* data, std::size_t size) {
  std::vector<std::string> words(1);
  for (std::size_t i = 0; i < size; ++i) {
    if (data[i] == 0 || data[i] == '\n') {
      words.emplace_back();
    } else {
      words.back() += static_cast<char>(data[i]);
    }
  }
  return words;
}

/// Numbers of three digits or more: no message of the parser has one of its own.
bool quotes_a_number(const std::string& message, const std::string& word) {
  const bool is_number = word.size() >= 3 && word.find_first_not_of("0123456789.,-") == std::string::npos &&
                         std::count_if(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; }) >= 3;
  const auto joins = [&](std::size_t at) {
    return at < message.size() && (std::isalnum(static_cast<unsigned char>(message[at])) != 0 || message[at] == '.');
  };
  // Digits inside a longer word ("sjow131") were not quoted as a number.
  const auto at = is_number ? message.find(word) : std::string::npos;
  return at != std::string::npos && !joins(at - 1) && !joins(at + word.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const gauze::cli::Registry registry = gauze::cli::make_registry();
  const std::vector<std::string> words = split(data, size);
  static_cast<void>(gauze::cli::wants_json(words));
  const auto line = gauze::cli::parse_command_line(registry, words);
  if (line) {
    if (line->command == nullptr) std::abort();
    return 0;
  }
  const std::string& message = line.error().message;
  if (line.error().code != gauze::ErrorCode::usage || !gauze::is_printable(message)) std::abort();
  for (const auto& word : words) {
    if (quotes_a_number(message, word)) std::abort();
  }
  return 0;
}
