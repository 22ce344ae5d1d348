#include "gauze/text/vectors/internal/vector_line.h"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>

namespace gauze::text::internal {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }

std::string_view without_trailing_blanks(std::string_view text) {
  while (!text.empty() && (is_blank(text.back()) || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

/// Cuts the last field off a line without trailing blanks.
std::string_view take_last_field(std::string_view& line) {
  std::size_t begin = line.size();
  while (begin > 0 && !is_blank(line[begin - 1])) --begin;
  const std::string_view field = line.substr(begin);
  line = without_trailing_blanks(line.substr(0, begin));
  return field;
}

enum class Number { good, not_finite, none };
Number parse_number(std::string_view field, float& value) {
  if (field.starts_with('+')) field.remove_prefix(1);
  double wide = 0;  // a float overflows where a double does not, and a denormal float is no error
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), wide);
  if (end != field.data() + field.size() || field.empty()) return Number::none;
  if (error == std::errc::result_out_of_range) {
    wide = std::strtod(std::string(field).c_str(), nullptr);  // unlike from_chars it tells too large from too small
  } else if (error != std::errc()) {
    return Number::none;
  }
  value = static_cast<float>(wide);
  return std::isfinite(value) ? Number::good : Number::not_finite;
}

std::optional<std::uint64_t> parse_count(std::string_view field) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error != std::errc() || end != field.data() + field.size() || value == 0) return std::nullopt;
  return value;
}

}  // namespace

std::optional<VectorHeader> parse_header(std::string_view line) {
  line = without_trailing_blanks(line);
  const std::string_view second = take_last_field(line);
  const auto dimensions = parse_count(second);
  const auto count = parse_count(line);
  if (!dimensions || !count) return std::nullopt;
  return VectorHeader{*count, *dimensions};
}

std::size_t trailing_numbers(std::string_view line) {
  line = without_trailing_blanks(line);
  std::size_t numbers = 0;
  while (!line.empty()) {
    float value = 0;
    const std::string_view field = take_last_field(line);
    if (line.empty() || parse_number(field, value) == Number::none) break;
    ++numbers;
  }
  return numbers;
}

ParsedLine parse_vector_line(std::string_view line, std::span<float> values) {
  line = without_trailing_blanks(line);
  for (std::size_t i = values.size(); i-- > 0;) {
    if (line.empty()) return {{}, LineFault::too_few};
    const std::string_view field = take_last_field(line);
    switch (parse_number(field, values[i])) {
      case Number::good:
        break;
      case Number::not_finite:
        return {{}, LineFault::not_finite};
      case Number::none:
        return {{},
                line.find_first_of(" \t") == std::string_view::npos ? LineFault::too_few : LineFault::not_a_number};
    }
  }
  if (line.empty()) return {{}, values.empty() ? LineFault::no_word : LineFault::too_few};
  if (line.find_first_of(" \t") != std::string_view::npos) {
    std::string_view word = line;
    float surplus = 0;
    if (parse_number(take_last_field(word), surplus) != Number::none && !word.empty())
      return {{}, LineFault::too_many};
  }
  while (is_blank(line.front())) line.remove_prefix(1);
  return {line, LineFault::none};
}

}  // namespace gauze::text::internal
