#include "gauze/base/utf8.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace gauze {
namespace {

std::uint8_t byte_at(std::string_view text, std::size_t place) { return static_cast<std::uint8_t>(text[place]); }

/// What may follow a leading byte (Unicode standard, table 3-7): the length, and the range of the second byte.
struct Sequence {
  std::size_t length = 0;
  std::uint8_t lowest_second = 0x80;
  std::uint8_t highest_second = 0xBF;
};

Sequence sequence_of(std::uint8_t first) {
  if (first < 0x80) return {.length = 1};
  if (first < 0xC2) return {};
  if (first < 0xE0) return {.length = 2};
  if (first == 0xE0) return {.length = 3, .lowest_second = 0xA0};
  if (first == 0xED) return {.length = 3, .highest_second = 0x9F};
  if (first < 0xF0) return {.length = 3};
  if (first == 0xF0) return {.length = 4, .lowest_second = 0x90};
  if (first < 0xF4) return {.length = 4};
  if (first == 0xF4) return {.length = 4, .highest_second = 0x8F};
  return {};
}

/// How many bytes a blank at the front of the text takes, 0 without one; at its end where `behind`.
std::size_t blank_length(std::string_view text, bool behind) {
  for (std::size_t place = 0; place < kBlanks.size();) {
    const std::size_t length = utf8_length(kBlanks.substr(place));
    const std::string_view blank = kBlanks.substr(place, length);
    if (behind ? text.ends_with(blank) : text.starts_with(blank)) return length;
    place += length;
  }
  return 0;
}

}  // namespace

std::string_view internal::trimmed_of_wide_blanks(std::string_view text) {
  while (const std::size_t length = blank_length(text, /*behind=*/false)) text.remove_prefix(length);
  while (const std::size_t length = blank_length(text, /*behind=*/true)) text.remove_suffix(length);
  return text;
}

std::size_t utf8_length(std::string_view text) {
  if (text.empty()) return 0;
  const Sequence sequence = sequence_of(byte_at(text, 0));
  if (sequence.length <= 1) return sequence.length;
  if (text.size() < sequence.length) return 0;
  const std::uint8_t second = byte_at(text, 1);
  if (second < sequence.lowest_second || second > sequence.highest_second) return 0;
  for (std::size_t i = 2; i < sequence.length; ++i) {
    if ((byte_at(text, i) & 0xC0U) != 0x80U) return 0;
  }
  return sequence.length;
}

std::optional<std::size_t> find_invalid_utf8(std::string_view text) {
  for (std::size_t place = 0; place < text.size();) {
    // Eight characters of ASCII at once: most files are nothing else.
    std::uint64_t eight = 0;
    if (place + sizeof eight <= text.size()) {
      std::memcpy(&eight, text.data() + place, sizeof eight);
      if ((eight & 0x8080808080808080U) == 0) {
        place += sizeof eight;
        continue;
      }
    }
    const std::size_t length = utf8_length(text.substr(place));
    if (length == 0) return place;
    place += length;
  }
  return std::nullopt;
}

std::size_t character_count(std::string_view text) {
  std::size_t count = 0;
  for (; !text.empty(); ++count) text.remove_prefix(std::max<std::size_t>(1, utf8_length(text)));
  return count;
}

std::size_t character_offset(std::string_view text, std::size_t count) {
  std::size_t place = 0;
  for (; count > 0 && place < text.size(); --count) {
    place += std::max<std::size_t>(1, utf8_length(text.substr(place)));
  }
  return place;
}

}  // namespace gauze
