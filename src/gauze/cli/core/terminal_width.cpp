#include "gauze/cli/core/terminal_width.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace gauze::cli {
namespace {

// The blocks of wide characters of Unicode's EastAsianWidth, joined where only rare characters lie between them.
constexpr std::array<std::pair<std::uint32_t, std::uint32_t>, 9> kWide = {{{0x1100, 0x115F},
                                                                           {0x2E80, 0xA4CF},
                                                                           {0xAC00, 0xD7A3},
                                                                           {0xF900, 0xFAFF},
                                                                           {0xFE30, 0xFE6F},
                                                                           {0xFF00, 0xFF60},
                                                                           {0xFFE0, 0xFFE6},
                                                                           {0x1F300, 0x1FAFF},
                                                                           {0x20000, 0x3FFFD}}};

bool is_wide(std::uint32_t character) {
  return std::any_of(kWide.begin(), kWide.end(),
                     [&](const auto& block) { return block.first <= character && character <= block.second; });
}

}  // namespace

int terminal_width(std::string_view text) {
  int width = 0;
  std::uint32_t character = 0;
  const auto count = [&] { width += is_wide(character) ? 2 : 1; };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<std::uint8_t>(text[i]);
    const bool continues = (byte & 0xC0U) == 0x80U;
    if (!continues && i > 0) count();
    if (continues)
      character = character << 6U | (byte & 0x3FU);
    else
      character = byte < 0x80U ? byte : byte < 0xE0U ? byte & 0x1FU : byte < 0xF0U ? byte & 0x0FU : byte & 0x07U;
  }
  if (!text.empty()) count();
  return width;
}

std::string padded(std::string text, int width) {
  text.append(static_cast<std::size_t>(std::max(width - terminal_width(text), 0)), ' ');
  return text;
}

}  // namespace gauze::cli
