// Any bytes that a program prints are lines, the same in whatever pieces they come: numbers or a text each, and no more of them kept
// than were asked for. The first two bytes say how many are asked for, and where the pieces end.
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "gauze/audit/programs/program_lines.h"

namespace {

using gauze::audit::ProgramLine;
using gauze::audit::ProgramLines;

bool are_equal(const ProgramLine& a, const ProgramLine& b) {
  if (a.text != b.text || a.bytes != b.bytes || a.numbers.size() != b.numbers.size()) return false;
  for (std::size_t i = 0; i < a.numbers.size(); ++i)
    if (std::bit_cast<std::uint64_t>(a.numbers[i]) != std::bit_cast<std::uint64_t>(b.numbers[i])) return false;
  return true;
}

void check(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::uint64_t expected = data[0];
  const std::size_t piece = data[1] + 1U;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 2, size - 2);
  ProgramLines whole(expected);
  if (!whole.add(bytes)) return 0;
  whole.finish();
  check(whole.lines().size() <= expected && whole.lines().size() <= whole.count());
  for (const ProgramLine& line : whole.lines()) {
    check(line.text.has_value() == line.numbers.empty());
    check(line.numbers.size() <= ProgramLine::kMostNumbers + 1 && line.numbers.size() <= whole.dimensions());
  }
  ProgramLines pieces(expected);
  for (std::size_t place = 0; place < bytes.size(); place += piece) check(pieces.add(bytes.substr(place, piece)));
  pieces.finish();
  check(pieces.count() == whole.count() && pieces.lines().size() == whole.lines().size());
  for (std::size_t i = 0; i < whole.lines().size(); ++i) check(are_equal(pieces.lines()[i], whole.lines()[i]));
  return 0;
}
