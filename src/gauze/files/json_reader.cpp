#include "gauze/files/json_reader.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace gauze {
namespace {

constexpr std::size_t kMaxDepth = 64;
constexpr std::size_t kMaxValues = 4'000'000;
// Keys of an object are compared one by one, so that their number must stay small.
constexpr std::size_t kMaxKeys = 1000;

/// Builds a gauze::Json from the parser's events. Open containers lie on a stack, so that nothing here recurses.
class Builder : public nlohmann::json_sax<nlohmann::json> {
 public:
  bool null() override { return add(Json()); }
  bool boolean(bool value) override { return add(Json(value)); }
  bool number_integer(number_integer_t value) override { return add(Json(value)); }
  bool number_unsigned(number_unsigned_t value) override { return add(Json(value)); }
  bool number_float(number_float_t, const string_t& digits) override { return add(Json::number(digits)); }
  bool string(string_t& value) override { return add(Json(std::move(value))); }
  bool binary(binary_t&) override { return fail("it is not JSON text"); }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    Open& object = open_.back();
    if (object.value.find(name) != nullptr) return fail("a key occurs twice in one object");
    if (object.value.members()->size() == kMaxKeys) return fail("an object has more than a thousand keys");
    object.key = std::move(name);
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) override {
    // The library's message quotes the text, which may be data.
    if (error.id == 406) return fail("a number is beyond the range of doubles");
    failure_ = fmt::format("it is not well-formed JSON (at byte {})", position);
    return false;
  }

  [[nodiscard]] const std::string& failure() const { return failure_; }
  [[nodiscard]] Json take() { return std::move(root_); }

 private:
  struct Open {
    Json value;
    std::string key;  ///< of the member that comes next, in an object
  };

  bool fail(std::string_view reason) {
    failure_ = reason;
    return false;
  }

  bool add(Json value) {
    if (++values_ > kMaxValues) return fail("it holds more than four million values");
    if (open_.empty()) {
      root_ = std::move(value);
    } else if (Open& container = open_.back(); container.value.members() != nullptr) {
      container.value.set(container.key, std::move(value));
    } else {
      container.value.push(std::move(value));
    }
    return true;
  }

  bool open(Json container) {
    if (open_.size() == kMaxDepth) return fail("it is nested too deeply");
    open_.push_back({std::move(container), {}});
    return true;
  }

  bool close() {
    Json value = std::move(open_.back().value);
    open_.pop_back();
    return add(std::move(value));
  }

  std::vector<Open> open_;
  Json root_;
  std::string failure_;
  std::size_t values_ = 0;
};

}  // namespace

Result<Json> read_json(std::string_view text) {
  Builder builder;
  const bool complete = nlohmann::json::sax_parse(text, &builder);
  if (!complete) return make_error(ErrorCode::bad_data, "cannot read JSON: {}", builder.failure());
  return builder.take();
}

JsonKind kind_of(const Json& value) {
  if (value.is_null()) return JsonKind::null;
  if (value.members() != nullptr) return JsonKind::object;
  if (value.elements() != nullptr) return JsonKind::array;
  const std::string text = value.dump();
  if (text[0] == '"') return JsonKind::string;
  return text[0] == 't' || text[0] == 'f' ? JsonKind::boolean : JsonKind::number;
}

std::string_view to_string(JsonKind kind) {
  switch (kind) {
    case JsonKind::null:
      return "null";
    case JsonKind::boolean:
      return "true or false";
    case JsonKind::number:
      return "a number";
    case JsonKind::string:
      return "a text";
    case JsonKind::array:
      return "a list";
    case JsonKind::object:
      return "an object";
  }
  return "null";
}

}  // namespace gauze
