#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "gauze/base/utf8.h"
#include "gauze/text/documents/internal/document_form.h"
#include "gauze/text/documents/internal/json_outline.h"
#include "gauze/text/documents/internal/line_reader.h"

namespace gauze::text::internal {
namespace {

using nlohmann::json;

constexpr std::string_view kBlanks = " \t\r";

bool is_text(std::string_view string, std::string_view text) {
  const json value = json::parse(string, nullptr, false);
  return value.is_string() && value.get_ref<const std::string&>() == text;
}

struct Stretch {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// The value behind a colon, if it is a string or null; the beginning of any other one.
Stretch value_after(std::string_view text, std::size_t colon) {
  const std::size_t begin = text.find_first_not_of(kBlanks, colon + 1);
  if (text[begin] == '"') return {begin, json_string_end(text, begin)};
  return {begin, std::min(text.find_first_of(" \t\r,}", begin), text.size())};
}

/// Where the values of a key of the object stand (one, unless it is there twice); the text is a valid JSON object.
std::vector<Stretch> find_values(std::string_view text, std::string_view key) {
  int depth = 0;
  bool at_key = false;     // a string here is a key of the outermost object
  bool is_wanted = false;  // the value that begins next is the one
  std::vector<Stretch> found;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '"') {
      const std::size_t end = json_string_end(text, i);
      if (depth == 1 && at_key) {
        is_wanted = is_text(text.substr(i, end - i), key);
        at_key = false;
      }
      i = end;
      continue;
    }
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    if (depth == 1 && (c == ',' || c == '{')) at_key = true;
    if (depth == 1 && c == ':' && is_wanted) {
      found.push_back(value_after(text, i));
      is_wanted = false;
    }
    ++i;
  }
  return found;
}

class JsonForm final : public DocumentForm {
 public:
  JsonForm(Source source, SourceName name, std::string key)
      : lines_(std::move(source), std::move(name)), key_(std::move(key)) {}

  Result<bool> next(std::string& document) override {
    TextLine line;
    do {
      GAUZE_TRY(const bool found, lines_.next(line));
      if (!found) return false;
    } while (trimmed(line.text).empty());
    if (!is_json_object(line.text)) return refuse("is no JSON object");
    const std::vector<Stretch> places = find_values(line.text, key_);
    if (places.empty())
      return make_error(ErrorCode::unknown_column, "{}: there is an object without the key {}", lines_.name().name,
                        key_);
    if (places.size() > 1) return refuse("has the key " + key_ + " twice");
    const Stretch place = places.front();
    const json value = json::parse(line.text.substr(place.begin, place.end - place.begin), nullptr, false);
    if (!value.is_string() && !value.is_null())
      return refuse("holds neither a string nor null under the key " + key_);
    document = value.is_null() ? std::string() : value.get<std::string>();
    records_.push_back({std::move(line), place, value.is_null()});
    return true;
  }
  void begin_batch() override { records_.clear(); }
  /// All but the value stays as it was, to the byte.
  void append(std::string& text, std::size_t place, const std::string& document) override {
    const Record& record = records_[place];
    text.append(record.line.text, 0, record.value.begin);
    text += record.is_null ? "null" : json(document).dump(-1, ' ', false, json::error_handler_t::replace);
    text.append(record.line.text, record.value.end);
    text += record.line.end;
  }

 private:
  [[nodiscard]] tl::unexpected<Error> refuse(const std::string& what) const {
    return make_error(ErrorCode::bad_data, "{} {}", lines_.name().line(lines_.number()), what);
  }

  struct Record {
    TextLine line;
    Stretch value;
    bool is_null = false;
  };
  LineReader lines_;
  std::string key_;
  std::vector<Record> records_;
};

}  // namespace

std::unique_ptr<DocumentForm> make_json_form(Source source, SourceName name, std::string key) {
  return std::make_unique<JsonForm>(std::move(source), std::move(name), std::move(key));
}

}  // namespace gauze::text::internal
