#include <nlohmann/json.hpp>
#include <vector>

#include "gauze/base/utf8.h"
#include "gauze/text/documents/internal/document_form.h"
#include "gauze/text/documents/internal/line_reader.h"

namespace gauze::text::internal {
namespace {

using OrderedJson = nlohmann::ordered_json;

class JsonForm final : public DocumentForm {
 public:
  JsonForm(Source source, std::string name, std::string key)
      : lines_(std::move(source), std::move(name)), key_(std::move(key)) {}

  Result<bool> next(std::string& document) override {
    Record record;
    do {
      TextLine line;
      GAUZE_TRY(const bool found, lines_.next(line));
      if (!found) return false;
      record = {OrderedJson(), std::move(line.end)};
      if (trimmed(line.text).empty()) continue;
      record.object = OrderedJson::parse(line.text, nullptr, false);
      if (record.object.is_discarded() || !record.object.is_object())
        return make_error(ErrorCode::bad_data, "{}: line {} is no JSON object", lines_.name(), lines_.number());
    } while (record.object.is_null());
    const auto value = record.object.find(key_);
    if (value == record.object.end())
      return make_error(ErrorCode::unknown_column, "{}: there is an object without the key {}", lines_.name(), key_);
    if (!value->is_string() && !value->is_null())
      return make_error(ErrorCode::bad_data, "{}: {} in line {} is no text", lines_.name(), key_, lines_.number());
    document = value->is_null() ? std::string() : value->get<std::string>();
    records_.push_back(std::move(record));
    return true;
  }
  void begin_batch() override { records_.clear(); }
  void append(std::string& text, std::size_t place, const std::string& document) override {
    Record& record = records_[place];
    OrderedJson& value = record.object[key_];
    if (!value.is_null()) value = document;
    text += record.object.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
    text += record.end;
  }

 private:
  struct Record {
    OrderedJson object;
    std::string end;
  };
  LineReader lines_;
  std::string key_;
  std::vector<Record> records_;
};

}  // namespace

std::unique_ptr<DocumentForm> make_json_form(Source source, std::string name, std::string key) {
  return std::make_unique<JsonForm>(std::move(source), std::move(name), std::move(key));
}

}  // namespace gauze::text::internal
