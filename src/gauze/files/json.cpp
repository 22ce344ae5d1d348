#include "gauze/files/json.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "gauze/base/error.h"
#include "gauze/base/utf8.h"

namespace gauze {
namespace {

std::string escaped(char c) {
  switch (c) {
    case '"':
      return "\\\"";
    case '\\':
      return "\\\\";
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    default:
      return static_cast<unsigned char>(c) < 0x20 ? fmt::format("\\u{:04x}", static_cast<unsigned>(c))
                                                  : std::string(1, c);
  }
}

/// A JSON document is UTF-8, so that bytes which are not become U+FFFD.
void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0) {
      out += "\xEF\xBF\xBD";
    } else if (length == 1) {
      out += escaped(text.front());
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(1, length));
  }
  out += '"';
}

void append_line_break(std::string& out, int indent, int depth) {
  if (indent == 0) return;
  out += '\n';
  out.append(static_cast<std::size_t>(indent) * static_cast<std::size_t>(depth), ' ');
}

}  // namespace

Json::Json(double value) {
  if (std::isfinite(value)) value_ = Number{fmt::format("{}", value)};
}

Json Json::number(std::string digits) {
  Json json;
  json.value_ = Number{std::move(digits)};
  return json;
}

Json Json::array(std::vector<Json> elements) {
  Json json;
  json.value_ = std::move(elements);
  return json;
}

Json Json::object(std::vector<Member> members) {
  Json json;
  json.value_ = std::move(members);
  return json;
}

Json& Json::set(std::string_view key, Json value) {
  if (is_null()) value_ = std::vector<Member>{};
  auto* members = std::get_if<std::vector<Member>>(&value_);
  GAUZE_CHECK(members != nullptr);
  for (auto& member : *members) {
    if (member.first == key) {
      member.second = std::move(value);
      return *this;
    }
  }
  members->emplace_back(std::string(key), std::move(value));
  return *this;
}

void Json::push(Json value) {
  if (is_null()) value_ = std::vector<Json>{};
  auto* elements = std::get_if<std::vector<Json>>(&value_);
  GAUZE_CHECK(elements != nullptr);
  elements->push_back(std::move(value));
}

const Json* Json::find(std::string_view key) const {
  if (const auto* members = this->members()) {
    for (const auto& member : *members) {
      if (member.first == key) return &member.second;
    }
  }
  return nullptr;
}

std::string_view Json::text() const {
  if (const auto* string = std::get_if<std::string>(&value_)) return *string;
  if (const auto* number = std::get_if<Number>(&value_)) return number->digits;
  return {};
}

std::string Json::dump(int indent) const {
  std::string out;
  append_to(out, indent, 0);
  return out;
}

void Json::append_to(std::string& out, int indent, int depth) const {
  if (is_null()) {
    out += "null";
  } else if (const auto* boolean = std::get_if<bool>(&value_)) {
    out += *boolean ? "true" : "false";
  } else if (const auto* number = std::get_if<Number>(&value_)) {
    out += number->digits;
  } else if (const auto* string = std::get_if<std::string>(&value_)) {
    append_quoted(out, *string);
  } else if (const auto* elements = this->elements()) {
    out += '[';
    bool first = true;
    for (const Json& element : *elements) {
      if (!first) out += ',';
      // Scalars of an array stay on one line: a list of a million numbers is not a million lines.
      const bool nested = element.elements() != nullptr || element.members() != nullptr;
      if (nested) append_line_break(out, indent, depth + 1);
      if (!nested && !first && indent != 0) out += ' ';
      element.append_to(out, indent, depth + 1);
      first = false;
    }
    if (!elements->empty() && (elements->back().elements() || elements->back().members())) {
      append_line_break(out, indent, depth);
    }
    out += ']';
  } else if (const auto* members = this->members()) {
    out += '{';
    bool first = true;
    for (const auto& [key, value] : *members) {
      if (!first) out += ',';
      append_line_break(out, indent, depth + 1);
      append_quoted(out, key);
      out += indent == 0 ? ":" : ": ";
      value.append_to(out, indent, depth + 1);
      first = false;
    }
    if (!first) append_line_break(out, indent, depth);
    out += '}';
  }
}

}  // namespace gauze
