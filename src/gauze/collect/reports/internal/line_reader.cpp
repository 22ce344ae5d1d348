#include "gauze/collect/reports/internal/line_reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "gauze/files/json_reader.h"

namespace gauze::collect::internal {
namespace {

constexpr std::uint8_t kNone = 255;

constexpr std::array<std::uint8_t, 256> inverse_of(std::string_view letters) {
  std::array<std::uint8_t, 256> inverse{};
  inverse.fill(kNone);
  for (std::size_t i = 0; i < letters.size(); ++i)
    inverse[static_cast<unsigned char>(letters[i])] = static_cast<std::uint8_t>(i);
  return inverse;
}
constexpr auto kHex = inverse_of("0123456789abcdef");
constexpr auto kBase64 = inverse_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");

std::uint8_t digit(const std::array<std::uint8_t, 256>& inverse, char c) {
  return inverse[static_cast<unsigned char>(c)];
}

bool read_hash(std::string_view hex, TaskHash& out) {
  if (hex.size() != 2 * out.size()) return false;
  std::uint8_t wrong = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::uint8_t high = digit(kHex, hex[2 * i]);
    const std::uint8_t low = digit(kHex, hex[2 * i + 1]);
    wrong |= static_cast<std::uint8_t>((high | low) & 0x80U);
    out[i] = static_cast<unsigned char>(high << 4U | low);
  }
  return wrong == 0;
}

bool read_period(std::string_view digits, std::uint32_t& out) {
  if (digits.empty() || (digits.size() > 1 && digits[0] == '0')) return false;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
  return error == std::errc() && end == digits.data() + digits.size();
}

bool read_base64(std::string_view text, std::vector<unsigned char>& out) {
  out.clear();
  if (text.size() % 4 != 0) return false;
  std::size_t padding = 0;
  while (padding < 2 && !text.empty() && text.back() == '=') {
    text.remove_suffix(1);
    ++padding;
  }
  std::uint32_t bits = 0;
  unsigned held = 0;
  out.reserve(text.size() / 4 * 3 + 2);
  for (const char c : text) {
    const std::uint8_t value = digit(kBase64, c);
    if (value == kNone) return false;
    bits = bits << 6U | value;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    out.push_back(static_cast<unsigned char>(bits >> held));
  }
  // Two letters and two marks, three letters and one: what is left over is zero.
  return held == 2 * padding && (bits & ((1U << held) - 1)) == 0;
}

/// A line from its front on.
class Cursor {
 public:
  explicit Cursor(std::string_view rest) : rest_(rest) {}

  /// Whether the next letter behind blanks is this one; takes it.
  bool take(char letter) {
    skip_blanks();
    if (rest_.empty() || rest_.front() != letter) return false;
    rest_.remove_prefix(1);
    return true;
  }
  /// A text in quotes, as far as the next quote.
  std::optional<std::string_view> take_text() {
    if (!take('"')) return std::nullopt;
    const std::size_t end = rest_.find('"');
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return text;
  }
  std::string_view take_digits() {
    skip_blanks();
    std::size_t size = 0;
    while (size < rest_.size() && rest_[size] >= '0' && rest_[size] <= '9') ++size;
    const std::string_view digits = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return digits;
  }
  bool is_end() {
    skip_blanks();
    return rest_.empty();
  }

 private:
  void skip_blanks() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t')) rest_.remove_prefix(1);
  }
  std::string_view rest_;
};

bool read_member(Cursor& line, std::string_view key, ReportLine& out) {
  if (key == "period") return read_period(line.take_digits(), out.period);
  const auto text = line.take_text();
  if (!text) return false;
  if (key == "task") return read_hash(*text, out.task);
  return key == "payload" && read_base64(*text, out.payload);
}

/// Lines as encoders write them, without a parser of JSON: what is true here is a report there too. Neither hash nor base64 has
/// letters that JSON writes otherwise.
bool parse_usual(std::string_view text, ReportLine& out) {
  Cursor line(text);
  std::array<std::string_view, 3> keys;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (!line.take(i == 0 ? '{' : ',')) return false;
    const auto key = line.take_text();
    if (!key || std::find(keys.begin(), keys.end(), *key) != keys.end()) return false;
    keys[i] = *key;
    if (!line.take(':') || !read_member(line, *key, out)) return false;
  }
  return line.take('}') && line.is_end();
}

}  // namespace

bool parse_report_line(std::string_view line, ReportLine& out) {
  if (parse_usual(line, out)) return true;
  const auto document = read_json(line);  // which refuses duplicate keys
  if (!document || document->members() == nullptr || document->members()->size() != 3) return false;
  const Json* task = document->find("task");
  const Json* period = document->find("period");
  const Json* payload = document->find("payload");
  return task != nullptr && kind_of(*task) == JsonKind::string && read_hash(task->text(), out.task) &&
         period != nullptr && kind_of(*period) == JsonKind::number && read_period(period->text(), out.period) &&
         payload != nullptr && kind_of(*payload) == JsonKind::string && read_base64(payload->text(), out.payload);
}

void scan_lines(std::string_view text, const ReportTask& task, ScannedLines& out) {
  out.found.clear();
  out.payloads.clear();
  ReportLine report;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.size() > kMostLineBytes || !parse_report_line(line, report)) {
      ++out.found.rejected.malformed;
    } else if (report.task != task.hash) {
      ++out.found.rejected.unknown_task;
    } else if (report.payload.size() != task.report_bytes()) {
      ++out.found.rejected.parameter_mismatch;
    } else {
      out.payloads.insert(out.payloads.end(), report.payload.begin(), report.payload.end());
      auto& runs = out.found.runs;
      if (!runs.empty() && runs.back().period == report.period)
        ++runs.back().count;
      else
        runs.push_back({.count = 1, .period = report.period});
    }
  }
  // Only now do the payloads stay where they are.
  const unsigned char* place = out.payloads.data();
  for (Run& run : out.found.runs) {
    run.reports = place;
    place += std::size_t{run.count} * task.report_bytes();
  }
}

}  // namespace gauze::collect::internal
