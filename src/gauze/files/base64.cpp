#include "gauze/files/base64.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace gauze {
namespace {

constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr unsigned char kNone = 0xff;

constexpr std::array<unsigned char, 256> values_of_letters() {
  std::array<unsigned char, 256> values = {};
  values.fill(kNone);
  for (std::size_t i = 0; i < kLetters.size(); ++i)
    values[static_cast<unsigned char>(kLetters[i])] = static_cast<unsigned char>(i);
  return values;
}
constexpr std::array<unsigned char, 256> kValues = values_of_letters();

}  // namespace

std::string to_base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t word = 0;
    for (std::size_t j = 0; j < 3; ++j)
      word = word << 8 | (j < count ? static_cast<unsigned char>(bytes[i + j]) : 0U);
    for (std::size_t j = 0; j < 4; ++j) text += j <= count ? kLetters[word >> (18 - 6 * j) & 63] : '=';
  }
  return text;
}

std::optional<std::string> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  for (std::size_t i = 0; i < text.size(); i += 4) {
    const bool last = i + 4 == text.size();
    std::size_t letters = 4;
    while (last && letters > 2 && text[i + letters - 1] == '=') --letters;
    std::uint32_t word = 0;
    for (std::size_t j = 0; j < 4; ++j) {
      const unsigned char value = j < letters ? kValues[static_cast<unsigned char>(text[i + j])] : 0;
      if (value == kNone) return std::nullopt;
      word = word << 6 | value;
    }
    if ((letters < 4 && (word & 0xff) != 0) || (letters < 3 && (word & 0xff00) != 0)) return std::nullopt;
    for (std::size_t j = 0; j + 1 < letters; ++j) bytes += static_cast<char>(word >> (16 - 8 * j) & 0xff);
  }
  return bytes;
}

std::string to_base64url(std::string_view bytes) {
  std::string text = to_base64(bytes);
  text.resize(text.find_last_not_of('=') + 1);
  std::replace(text.begin(), text.end(), '+', '-');
  std::replace(text.begin(), text.end(), '/', '_');
  return text;
}

std::optional<std::string> from_base64url(std::string_view text) {
  if (text.find_first_of("+/=") != std::string_view::npos || text.size() % 4 == 1) return std::nullopt;
  std::string usual(text);
  std::replace(usual.begin(), usual.end(), '-', '+');
  std::replace(usual.begin(), usual.end(), '_', '/');
  usual.append((4 - usual.size() % 4) % 4, '=');
  return from_base64(usual);
}

}  // namespace gauze
