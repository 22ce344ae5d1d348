#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/base/joined.h"
#include "gauze/files/json.h"
#include "gauze/files/json_reader.h"
#include "gauze/label/internal/label_format.h"
#include "gauze/label/printable_text.h"

namespace gauze::internal {

/// Reads the members of one JSON object by name and type. Errors name the key ("cost.epsilon"), never the content;
/// keys that nobody asked for are an error too, so that a label cannot carry what the format does not know.
class LabelFields {
 public:
  /// The object must outlive the reader.
  LabelFields(const Json& object, std::string path) : object_(&object), path_(std::move(path)) {}

  [[nodiscard]] bool has(std::string_view key) const { return object_->find(key) != nullptr; }

  [[nodiscard]] Result<std::string> text(std::string_view key) { return scalar(key, JsonKind::string); }
  [[nodiscard]] Result<std::string> number(std::string_view key) { return scalar(key, JsonKind::number); }

  [[nodiscard]] Result<std::string> text_or(std::string_view key, std::string_view fallback) {
    if (!has(key)) return std::string(fallback);
    return text(key);
  }

  [[nodiscard]] Result<std::optional<std::string>> optional_text(std::string_view key) {
    if (!has(key)) return std::optional<std::string>();
    return text(key);
  }

  /// Absent figures are null; the key itself must be there.
  [[nodiscard]] Result<std::optional<std::string>> optional_number(std::string_view key) {
    if (const Json* value = object_->find(key); value != nullptr && value->is_null()) {
      asked_.emplace_back(key);
      return std::optional<std::string>();
    }
    return number(key);
  }

  [[nodiscard]] Result<std::optional<std::uint64_t>> optional_count(std::string_view key) {
    if (!has(key)) return std::optional<std::uint64_t>();
    GAUZE_TRY(const std::string digits, number(key));
    // 19 digits always fit.
    if (digits.size() > 19 || digits.find_first_not_of("0123456789") != std::string::npos) {
      return make_error(ErrorCode::bad_data, "'{}' in the label must be a whole number", name(key));
    }
    return std::optional<std::uint64_t>(std::stoull(digits));
  }

  [[nodiscard]] Result<bool> boolean(std::string_view key) {
    GAUZE_TRY(const Json* value, member(key, JsonKind::boolean));
    return value->dump() == "true";
  }

  [[nodiscard]] Result<std::vector<std::string>> texts(std::string_view key) {
    GAUZE_TRY(const Json* list, member(key, JsonKind::array));
    std::vector<std::string> values;
    for (const Json& element : *list->elements()) {
      if (kind_of(element) != JsonKind::string) {
        return make_error(ErrorCode::bad_data, "'{}' in the label must be a list of texts", name(key));
      }
      values.emplace_back(element.text());
    }
    return values;
  }

  [[nodiscard]] Result<LabelFields> object(std::string_view key) {
    GAUZE_TRY(const Json* value, member(key, JsonKind::object));
    return LabelFields(*value, name(key));
  }

  [[nodiscard]] Result<Json> raw_object(std::string_view key) {
    GAUZE_TRY(const Json* value, member(key, JsonKind::object));
    return *value;
  }

  template <class Value, std::size_t N>
  [[nodiscard]] Result<Value> one_of(std::string_view key, const Words<Value, N>& words) {
    GAUZE_TRY(const std::string word, text(key));
    if (const auto value = value_of(words, word)) return *value;
    return make_error(ErrorCode::bad_data, "'{}' in the label must be one of {}", name(key),
                      joined(all_words(words)));
  }

  [[nodiscard]] Result<void> expect_no_more() const {
    for (const auto& [key, value] : *object_->members()) {
      bool known = false;
      for (const auto& asked : asked_) known = known || asked == key;
      if (!known) {
        return make_error(ErrorCode::bad_data, "the label has a key that its format does not know: '{}'",
                          printable(name(key)).substr(0, 80));
      }
    }
    return {};
  }

 private:
  [[nodiscard]] std::string name(std::string_view key) const {
    return path_.empty() ? std::string(key) : path_ + "." + std::string(key);
  }

  [[nodiscard]] Result<const Json*> member(std::string_view key, JsonKind kind) {
    const Json* value = object_->find(key);
    if (value == nullptr) return make_error(ErrorCode::bad_data, "the label lacks '{}'", name(key));
    if (kind_of(*value) != kind) {
      return make_error(ErrorCode::bad_data, "'{}' in the label must be {}, but is {}", name(key), to_string(kind),
                        to_string(kind_of(*value)));
    }
    asked_.emplace_back(key);
    return value;
  }

  [[nodiscard]] Result<std::string> scalar(std::string_view key, JsonKind kind) {
    GAUZE_TRY(const Json* value, member(key, kind));
    return std::string(value->text());
  }

  const Json* object_;
  std::string path_;
  std::vector<std::string> asked_;
};

}  // namespace gauze::internal
