#include "gauze/report/report.h"

#include "gauze/base/error.h"
#include "gauze/report/internal/report_page.h"

namespace gauze {
namespace {

constexpr std::string_view kOpening = R"(<script type="application/json" id="gauze-document">)";
constexpr std::string_view kNothing = "null";
constexpr std::string_view kLineSeparator = "\xE2\x80\xA8";       // U+2028
constexpr std::string_view kParagraphSeparator = "\xE2\x80\xA9";  // U+2029

/// JSON in which nothing can be taken for markup. These characters occur in texts only, where an escape means the same.
void append_escaped(std::string_view json, std::string& out) {
  for (std::size_t i = 0; i < json.size(); ++i) {
    const std::string_view rest = json.substr(i);
    if (rest[0] == '<') {
      out += "\\u003c";
    } else if (rest[0] == '>') {
      out += "\\u003e";
    } else if (rest[0] == '&') {
      out += "\\u0026";
    } else if (rest.starts_with(kLineSeparator) || rest.starts_with(kParagraphSeparator)) {
      out += rest.starts_with(kLineSeparator) ? "\\u2028" : "\\u2029";
      i += kLineSeparator.size() - 1;
    } else {
      out += rest[0];
    }
  }
}

}  // namespace

std::string render_report(std::string_view document_json) {
  const std::string_view page = internal::report_page();
  const auto opening = page.find(kOpening);
  GAUZE_CHECK(opening != std::string_view::npos);
  const auto place = opening + kOpening.size();
  GAUZE_CHECK(page.substr(place).starts_with(kNothing));
  std::string out;
  out.reserve(page.size() + document_json.size() + document_json.size() / 8);
  out += page.substr(0, place);
  append_escaped(document_json, out);
  out += page.substr(place + kNothing.size());
  return out;
}

}  // namespace gauze
