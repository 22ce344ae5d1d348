#include "gauze/anonymize/inspect/identifier_values.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

#include "gauze/anonymize/inspect/person_names.h"
#include "gauze/anonymize/job/suppressed_rows.h"
#include "gauze/base/ascii.h"
#include "gauze/schema/hierarchies/kinds/dates.h"

namespace gauze::anonymize {
namespace {

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_hexadecimal(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

/// A whole number that a program wrote as a decimal one (13812345678.0 or ,0), without its zeros; others as they are.
std::string_view without_zero_decimals(std::string_view value) {
  const std::size_t point = value.find_first_of(".,");
  if (point == 0 || point == std::string_view::npos || point + 1 == value.size()) return value;
  if (value.find_first_not_of("0123456789") != point) return value;
  return value.find_first_not_of('0', point + 1) == std::string_view::npos ? value.substr(0, point) : value;
}

/// A whole number that a spreadsheet wrote with an exponent (1.38E+10), digit by digit; others as they are. `room` holds what is new.
std::string_view without_exponent(std::string_view value, std::string& room) {
  const std::size_t mark = value.find_first_of("eE");
  if (mark == 0 || mark == std::string_view::npos) return value;
  const std::string_view mantissa = value.substr(0, mark);
  std::string_view exponent = value.substr(mark + 1);
  if (exponent.starts_with('+')) exponent.remove_prefix(1);
  constexpr int kMostDigits = 18;
  int power = 0;
  const auto end = std::from_chars(exponent.data(), exponent.data() + exponent.size(), power);
  if (exponent.empty() || end.ptr != exponent.data() + exponent.size() || power < 0 || power > kMostDigits)
    return value;
  if (mantissa.find_first_not_of("0123456789.,") != std::string_view::npos) return value;
  const std::size_t point = std::min(mantissa.find_first_of(".,"), mantissa.size());
  room = mantissa.substr(0, point);
  std::string_view behind = point < mantissa.size() ? mantissa.substr(point + 1) : std::string_view();
  while (behind.ends_with('0')) behind.remove_suffix(1);
  if (behind.size() > static_cast<std::size_t>(power) || behind.find_first_of(".,") != std::string_view::npos)
    return value;
  room += behind;
  room.append(static_cast<std::size_t>(power) - behind.size(), '0');
  return room;
}

/// What is behind `mailto:` or `tel:`, or between the angles of `Bob <bob@example.org>`.
std::string_view bare_address(std::string_view value) {
  for (const std::string_view scheme : {"mailto:", "tel:", "sms:", "callto:"}) {
    const auto same = [](char a, char b) { return ascii_lower(a) == b; };
    if (value.size() > scheme.size() &&
        std::equal(scheme.begin(), scheme.end(), value.begin(), [&](char b, char a) { return same(a, b); }))
      value.remove_prefix(scheme.size());
  }
  const std::size_t open = value.rfind('<');
  if (open != std::string_view::npos && value.ends_with('>')) return value.substr(open + 1, value.size() - open - 2);
  return value;
}

/// The value without the signs that numbers are grouped by.
std::string without_groups(std::string_view value) {
  std::string digits;
  for (const char c : value)
    if (c != ' ' && c != '-' && c != '.' && c != '/' && c != '(' && c != ')') digits += c;
  return digits;
}

bool all_digits(std::string_view text) { return !text.empty() && std::all_of(text.begin(), text.end(), is_digit); }

bool is_email(std::string_view value) {
  const std::size_t at = value.find('@');
  if (at == 0 || at == std::string_view::npos || value.find('@', at + 1) != std::string_view::npos) return false;
  const std::size_t dot = value.rfind('.');
  return dot != std::string_view::npos && dot > at + 1 && dot + 2 < value.size() &&
         value.find(' ') == std::string_view::npos;
}

/// GB 11643: 17 digits, of which six to fourteen are a date of birth, and a check digit modulo 11.
bool is_identity_card(std::string_view value) {
  if (value.size() != 18 || !all_digits(value.substr(0, 17))) return false;
  constexpr std::array kWeights = {7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2};
  constexpr std::string_view kCheck = "10X98765432";
  int sum = 0;
  for (std::size_t i = 0; i < kWeights.size(); ++i) sum += kWeights[i] * (value[i] - '0');
  const int month = (value[10] - '0') * 10 + (value[11] - '0');
  const int day = (value[12] - '0') * 10 + (value[13] - '0');
  const char last = value[17] == 'x' ? 'X' : value[17];
  return month >= 1 && month <= 12 && day >= 1 && day <= 31 && last == kCheck[static_cast<std::size_t>(sum % 11)];
}

/// 212-555-0123, 212.555.0123, 1-212-555-0123.
bool is_american_telephone(std::string_view value, std::string_view digits) {
  if (digits.size() == 11 && digits[0] == '1' && value.size() > 2) {
    value.remove_prefix(2);
    digits.remove_prefix(1);
  }
  const auto separates = [](char c) { return c == '-' || c == '.' || c == ' '; };
  return digits.size() == 10 && value.size() == 12 && separates(value[3]) && value[7] == value[3] &&
         digits[0] >= '2' && digits[3] >= '2';
}

bool is_telephone(std::string_view value) {
  using schema::DateOrder;
  if (schema::parse_date(value, DateOrder::day_first) || schema::parse_date(value, DateOrder::month_first))
    return false;
  const bool international = value.starts_with('+') || value.starts_with("00");
  const std::string digits = without_groups(value.starts_with('+') ? value.substr(1) : value);
  if (!all_digits(digits)) return false;
  if (international) return digits.size() >= 9 && digits.size() <= 17;
  if (digits.size() == 11 && digits[0] == '1' && digits[1] >= '3') return true;  // a Chinese mobile
  if (is_american_telephone(value, digits)) return true;
  // A trunk prefix and groups: 030 1234567, 0131 496 0123, (212) 555-0123.
  const bool grouped = value.find_first_of(" -/()") != std::string_view::npos;
  return grouped && (value[0] == '0' || value[0] == '(') && digits.size() >= 7 && digits.size() <= 12;
}

bool passes_luhn(std::string_view digits) {
  int sum = 0;
  bool twice = false;
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit, twice = !twice) {
    const int value = (*digit - '0') * (twice ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 == 0;
}

bool is_payment_card(std::string_view value) {
  const std::string digits = without_groups(value);
  return digits.size() >= 15 && digits.size() <= 19 && all_digits(digits) && digits[0] >= '3' && digits[0] <= '6' &&
         passes_luhn(digits);
}

bool is_iban(std::string_view value) {
  const std::string text = without_groups(value);
  if (text.size() < 15 || text.size() > 34 || !is_upper(text[0]) || !is_upper(text[1]) || !is_digit(text[2]) ||
      !is_digit(text[3]))
    return false;
  int rest = 0;
  for (const char c : text.substr(4) + text.substr(0, 4)) {
    if (!is_digit(c) && !is_upper(c)) return false;
    rest = is_digit(c) ? (rest * 10 + (c - '0')) % 97 : (rest * 100 + (c - 'A' + 10)) % 97;
  }
  return rest == 1;
}

/// 123-45-6789, as the United States write it.
bool is_social_security(std::string_view value) {
  return value.size() == 11 && value[3] == '-' && value[6] == '-' && all_digits(value.substr(0, 3)) &&
         all_digits(value.substr(4, 2)) && all_digits(value.substr(7));
}

bool is_uuid(std::string_view value) {
  if (value.size() != 36) return false;
  for (std::size_t i = 0; i < value.size(); ++i)
    if (i == 8 || i == 13 || i == 18 || i == 23 ? value[i] != '-' : !is_hexadecimal(value[i])) return false;
  return true;
}

bool is_ip_address(std::string_view value) {
  constexpr std::size_t kLongest = 45;
  if (value.size() < 2 || value.size() > kLongest) return false;
  const std::string text(value);
  std::array<unsigned char, sizeof(in6_addr)> address{};
  return inet_pton(AF_INET, text.c_str(), address.data()) == 1 ||
         inet_pton(AF_INET6, text.c_str(), address.data()) == 1;
}

}  // namespace

std::string_view to_string(IdentifierKind kind) {
  switch (kind) {
    case IdentifierKind::email:
      return "e-mail addresses";
    case IdentifierKind::identity_card:
      return "numbers of identity cards";
    case IdentifierKind::telephone:
      return "telephone numbers";
    case IdentifierKind::payment_card:
      return "numbers of payment cards";
    case IdentifierKind::iban:
      return "numbers of bank accounts";
    case IdentifierKind::social_security:
      return "social security numbers";
    case IdentifierKind::uuid:
      return "unique identifiers";
    case IdentifierKind::ip_address:
      return "IP addresses";
    case IdentifierKind::person_name:
      return "names of people";
  }
  return "";
}

std::optional<IdentifierKind> identifier_kind(std::string_view value) {
  std::string room;
  value = without_exponent(without_zero_decimals(bare_address(value)), room);
  if (is_ip_address(value)) return IdentifierKind::ip_address;
  if (is_email(value)) return IdentifierKind::email;
  if (is_identity_card(value)) return IdentifierKind::identity_card;
  if (is_uuid(value)) return IdentifierKind::uuid;
  if (is_social_security(value)) return IdentifierKind::social_security;
  if (is_payment_card(value)) return IdentifierKind::payment_card;
  if (is_iban(value)) return IdentifierKind::iban;
  if (is_telephone(value)) return IdentifierKind::telephone;
  return std::nullopt;
}

void IdentifierEvidence::see(std::string_view value, std::uint64_t rows) {
  if (value == kSuppressedText) {
    stars_ += rows;
    return;
  }
  present_ += rows;
  type_.see(value);
  auto kind = identifier_kind(value);
  if (const NameForm form = kind ? NameForm::none : name_form(value); form != NameForm::none) {
    kind = IdentifierKind::person_name;
    known_names_ += form == NameForm::known ? rows : 0;
    chinese_names_ += form == NameForm::chinese ? rows : 0;
  }
  if (kind) rows_[static_cast<std::size_t>(*kind)] += rows;
  value = without_zero_decimals(value);
  constexpr std::size_t kLongNumber = 16;
  constexpr std::size_t kMostDigits = 18;
  const bool digits = all_digits(value);
  whole_numbers_ = whole_numbers_ && digits && value.size() <= kMostDigits;
  long_numbers_ = long_numbers_ && digits && value.size() >= kLongNumber;
  shortest_ = std::min(shortest_, value.size());
  longest_ = std::max(longest_, value.size());
  if (!whole_numbers_) return;
  std::uint64_t number = 0;
  std::from_chars(value.data(), value.data() + value.size(), number);
  least_ = std::min(least_, number);
  largest_ = std::max(largest_, number);
}

std::optional<IdentifierKind> IdentifierEvidence::kind(std::uint64_t distinct) const {
  for (std::size_t i = 0; i < kKinds; ++i) {
    const auto kind = static_cast<IdentifierKind>(i);
    const bool certain = kind == IdentifierKind::email || kind == IdentifierKind::identity_card;
    if (rows_[i] == 0 || rows_[i] * (certain ? 10 : 2) < present_) continue;
    if (kind == IdentifierKind::person_name && !holds_names(distinct)) continue;
    return kind;
  }
  return std::nullopt;
}

bool IdentifierEvidence::holds_names(std::uint64_t distinct) const {
  const auto mostly = [&](std::uint64_t rows) { return rows * 5 >= present_ * 4; };
  // A person may have many rows, but not as many as a group has.
  const bool groups = distinct * 50 < present_;
  if (known_names_ * 2 >= present_ && distinct >= 2 && !groups) return true;
  if (mostly(chinese_names_) && distinct >= 3 && !groups) return true;
  // Words with capitals alone are names only where they are many and hardly repeat.
  constexpr std::uint64_t kFewNames = 20;
  constexpr std::uint64_t kFewest = 6;
  const bool differ = present_ > kFewNames ? distinct > kFewNames && distinct * 2 >= present_
                                           : distinct >= kFewest && distinct == present_;
  return differ && mostly(rows_[static_cast<std::size_t>(IdentifierKind::person_name)]);
}

bool IdentifierEvidence::numbers_records(std::uint64_t distinct) const {
  if (present_ == 0 || distinct * 100 < present_ * 99) return false;
  if (long_numbers_) return true;
  if (!whole_numbers_) return false;
  // Amounts of so many digits are seldom all different; those of fewer digits often are by chance.
  constexpr std::size_t kLongCode = 8;
  constexpr std::size_t kCode = 6;
  if (shortest_ == longest_ && (longest_ >= kLongCode || (longest_ >= kCode && distinct == present_))) return true;
  return largest_ - least_ < 3 * distinct;
}

Result<std::vector<IdentifierEvidence>> gather_evidence(table::Source& table, std::span<const std::size_t> columns,
                                                        const std::vector<table::ColumnSummary>& summaries,
                                                        Progress& progress) {
  std::vector<IdentifierEvidence> evidence;
  for (const std::size_t column : columns) evidence.emplace_back(table.decimal(column));
  std::vector<std::size_t> scanned;  // places in `columns`
  std::vector<std::size_t> scan;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto& dictionary = summaries[i].dictionary;
    if (!dictionary) {
      scanned.push_back(i);
      scan.push_back(columns[i]);
      continue;
    }
    for (std::size_t code = 0; code < dictionary->values.size(); ++code)
      if (code != dictionary->missing) evidence[i].see(dictionary->values[code], summaries[i].counts[code]);
  }
  if (scan.empty()) return evidence;
  GAUZE_TRY(const std::uint64_t rows, table.row_count());
  progress.begin("looking for identifiers", rows);
  GAUZE_TRY(const auto stream, table.scan(scan, table::Cells::text, progress));
  for (;;) {
    GAUZE_TRY(const auto batch, stream->next());
    if (!batch) break;
    for (std::size_t i = 0; i < scanned.size(); ++i)
      for (std::size_t row = 0; row < batch->rows; ++row) {
        const std::string_view text = batch->columns[i].texts[row];
        if (!table.missing().contains(text)) evidence[scanned[i]].see(text, 1);
      }
    progress.advance(batch->rows);
    GAUZE_TRY_VOID(progress.check());
  }
  return evidence;
}

}  // namespace gauze::anonymize
