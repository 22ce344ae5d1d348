#include "gauze/audit/programs/program_lines.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>

#include "gauze/files/sha256.h"

namespace gauze::audit {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// Whole numbers of so many digits are doubles; of more they may not be.
constexpr std::size_t kExactDigits = 15;

/// Decimal, or hexadecimal as %a prints it; "inf" and "nan" of any sign. What is out of a double's reach is 0 or infinite.
std::optional<double> field_value(std::string_view field) {
  bool is_negative = false;
  if (!field.empty() && (field[0] == '+' || field[0] == '-')) {
    is_negative = field[0] == '-';
    field.remove_prefix(1);
  }
  if (field.empty() || field[0] == '+' || field[0] == '-') return std::nullopt;
  auto format = std::chars_format::general;
  if (field.starts_with("0x") || field.starts_with("0X")) {
    format = std::chars_format::hex;
    field.remove_prefix(2);
  }
  // a whole number that a double would round keeps its digits as a text
  const bool is_whole = field.find_first_not_of("0123456789") == std::string_view::npos;
  if (is_whole && field.size() > kExactDigits) return std::nullopt;
  double value = 0;
  const char* end = field.data() + field.size();
  const auto [place, error] = std::from_chars(field.data(), end, value, format);
  if (place != end || error == std::errc::invalid_argument) return std::nullopt;
  if (error == std::errc::result_out_of_range) {
    const std::size_t exponent = field.find_first_of(format == std::chars_format::hex ? "pP" : "eE");
    const bool is_tiny = exponent == std::string_view::npos ? field[0] == '0' : field.substr(exponent + 1)[0] == '-';
    value = is_tiny ? 0 : HUGE_VAL;
  }
  return is_negative ? -value : value;
}

/// The fields; nothing where one of them is no number, or is empty.
std::optional<std::vector<double>> fields_of(std::string_view line) {
  std::vector<double> numbers;
  std::size_t place = 0;
  const auto skip_blanks = [&] {
    while (place < line.size() && is_blank(line[place])) ++place;
  };
  skip_blanks();
  if (place == line.size()) return std::nullopt;
  for (;;) {
    const std::size_t begin = place;
    while (place < line.size() && !is_blank(line[place]) && line[place] != ',') ++place;
    const auto number = field_value(line.substr(begin, place - begin));
    if (!number) return std::nullopt;
    numbers.push_back(*number);
    skip_blanks();
    if (place == line.size() || numbers.size() > ProgramLine::kMostNumbers) return numbers;
    if (line[place] != ',') continue;
    ++place;
    skip_blanks();
  }
}

}  // namespace

ProgramLine ProgramLine::read(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (auto numbers = fields_of(line)) return {.numbers = *std::move(numbers), .bytes = line.size()};
  return {.text = line.size() > kLongestText ? sha256_hex(line) : std::string(line), .bytes = line.size()};
}

bool ProgramLines::add(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    const std::string_view piece = bytes.substr(0, end);
    if (count_ < expected_)
      line_ += piece;
    else
      surplus_ += piece.size() + 1;
    if (line_.size() > kMostBytes || surplus_ > kMostBytes) return false;
    if (end == std::string_view::npos) {
      has_begun_ = true;
      return true;
    }
    end_line();
    bytes.remove_prefix(end + 1);
  }
  return true;
}

void ProgramLines::finish() {
  if (has_begun_) end_line();
}

void ProgramLines::end_line() {
  if (count_++ < expected_) {
    lines_.push_back(ProgramLine::read(line_));
    dimensions_ = std::max(dimensions_, lines_.back().numbers.size());
    line_.clear();
  }
  has_begun_ = false;
}

}  // namespace gauze::audit
