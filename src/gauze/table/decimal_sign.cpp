#include "gauze/table/decimal_sign.h"

#include <algorithm>
#include <string>

#include "gauze/base/ascii.h"

namespace gauze::table {
namespace {

constexpr std::size_t kGroup = 3;  // digits

/// The part of a number before its decimal sign, its groups and what follows them.
struct Whole {
  std::string_view digits;  ///< with the signs between groups
  std::string_view rest;
};

Whole whole_part(std::string_view text, char group) {
  const auto end = std::find_if(text.begin(), text.end(), [&](char c) { return !is_digit(c) && c != group; });
  const auto length = static_cast<std::size_t>(end - text.begin());
  return {text.substr(0, length), text.substr(length)};
}

/// One to three digits, then groups of three; not a group of zeros in front.
bool is_grouped(std::string_view digits, char group) {
  const std::size_t first = digits.find(group);
  if (first == 0 || first > kGroup || digits.front() == '0') return false;
  for (std::size_t at = first; at < digits.size(); at += kGroup + 1)
    if (digits[at] != group || digits.size() - at < kGroup + 1 ||
        digits.substr(at + 1, kGroup).find(group) != std::string_view::npos)
      return false;
  return true;
}

std::string_view without_sign(std::string_view text) {
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  return text;
}

/// Whether it is a number with a decimal sign whose place tells which sign that is: 1,5 or 1.234,567, not 1,234.
bool is_certain(std::string_view cell, DecimalSign sign) {
  const char decimal = sign == DecimalSign::point ? '.' : ',';
  const std::size_t at = cell.rfind(decimal);
  if (at == std::string_view::npos || !parse_number(cell, sign)) return false;
  const DecimalSign other = sign == DecimalSign::point ? DecimalSign::comma : DecimalSign::point;
  return !parse_number(cell, other);
}

}  // namespace

std::optional<std::string_view> with_point(std::string_view text, DecimalSign sign, std::string& room) {
  const char decimal = sign == DecimalSign::point ? '.' : ',';
  const char group = sign == DecimalSign::point ? ',' : '.';
  if (text.find(group) == std::string_view::npos && (decimal == '.' || text.find(decimal) == std::string_view::npos))
    return text;
  const std::string_view number = without_sign(text);
  const Whole whole = whole_part(number, group);
  if (whole.digits.find(group) != std::string_view::npos && !is_grouped(whole.digits, group)) return std::nullopt;
  if (whole.rest.find(group) != std::string_view::npos) return std::nullopt;
  room.assign(text.substr(0, text.size() - number.size()));
  for (const char c : whole.digits)
    if (c != group) room += c;
  room += whole.rest;
  const std::size_t at = room.find(decimal);
  if (at != std::string::npos) room[at] = '.';
  return room;  // a second decimal sign stays what it is, and no number has one
}

std::optional<Rational> parse_number(std::string_view text, DecimalSign sign) {
  std::string room;
  const auto plain = with_point(text, sign, room);
  if (!plain) return std::nullopt;
  auto number = Rational::parse(*plain);
  return number ? std::optional(*std::move(number)) : std::nullopt;
}

std::string with_sign(std::string decimal, DecimalSign sign) {
  if (sign == DecimalSign::comma) std::replace(decimal.begin(), decimal.end(), '.', ',');
  return decimal;
}

void DecimalEvidence::see(std::string_view cell) {
  if (cell.find_first_of(",.") == std::string_view::npos) return;
  if (is_certain(cell, DecimalSign::comma))
    ++commas_;
  else if (is_certain(cell, DecimalSign::point))
    ++points_;
  else
    either_ = either_ || parse_number(cell, DecimalSign::comma).has_value();
}

DecimalSign DecimalEvidence::sign(DecimalSign usual) const {
  if (commas_ == points_) return either_ && commas_ == 0 ? usual : DecimalSign::point;
  return commas_ > points_ ? DecimalSign::comma : DecimalSign::point;
}

}  // namespace gauze::table
