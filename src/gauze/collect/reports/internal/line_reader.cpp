#include "gauze/collect/reports/internal/line_reader.h"

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

bool take_prefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

/// The layout that encoders write, without a parser: nearly every line.
std::optional<bool> parse_usual(std::string_view line, ReportLine& out) {
  if (!take_prefix(line, R"({"task":")") || line.size() < 64) return std::nullopt;
  const std::string_view hash = line.substr(0, 64);
  line.remove_prefix(64);
  if (!take_prefix(line, R"(","period":)")) return std::nullopt;
  const std::size_t comma = line.find(',');
  if (comma == std::string_view::npos) return std::nullopt;
  const std::string_view period = line.substr(0, comma);
  line.remove_prefix(comma);
  if (!take_prefix(line, R"(,"payload":")") || !line.ends_with(R"("})")) return std::nullopt;
  line.remove_suffix(2);
  if (!read_hash(hash, out.task) || !read_period(period, out.period) || !read_base64(line, out.payload))
    return std::nullopt;
  return true;
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
