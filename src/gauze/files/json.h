#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace gauze {

/// A JSON document to be written: keys keep their order, and a number may carry its exact digits.
///
/// Released values are exact decimals that a double cannot always hold, so numbers are kept as the text that will be
/// printed. Infinite and undefined figures become null, bytes that are not UTF-8 become U+FFFD. Reading JSON is not
/// this class's work.
class Json {
 public:
  using Member = std::pair<std::string, Json>;

  Json() = default;  ///< null
  Json(std::nullptr_t) {}
  Json(bool value) : value_(value) {}
  Json(double value);  ///< shortest decimal that reads back to the same double
  template <std::signed_integral T>
  Json(T value) : value_(Number{std::to_string(value)}) {}
  template <std::unsigned_integral T>
  requires(!std::same_as<T, bool>) Json(T value) : value_(Number{std::to_string(value)}) {}
  Json(std::string value) : value_(std::move(value)) {}
  Json(std::string_view value) : value_(std::string(value)) {}
  Json(const char* value) : value_(std::string(value)) {}

  /// A number by its digits, for example "0.1"; the caller vouches that they are a JSON number.
  [[nodiscard]] static Json number(std::string digits);
  [[nodiscard]] static Json array(std::vector<Json> elements = {});
  [[nodiscard]] static Json object(std::vector<Member> members = {});

  /// Adds a member to an object (a null becomes one), or replaces the one of that name. Returns *this.
  Json& set(std::string_view key, Json value);
  /// Adds an element to an array (a null becomes one).
  void push(Json value);

  /// The member of that name, or nullptr.
  [[nodiscard]] const Json* find(std::string_view key) const;
  [[nodiscard]] bool is_null() const { return std::holds_alternative<std::monostate>(value_); }
  /// The text of a string, or the digits of a number; empty for anything else.
  [[nodiscard]] std::string_view text() const;
  [[nodiscard]] const std::vector<Json>* elements() const { return std::get_if<std::vector<Json>>(&value_); }
  [[nodiscard]] const std::vector<Member>* members() const { return std::get_if<std::vector<Member>>(&value_); }

  /// The document as text. With indent 0 on one line, else indented by that many blanks a level.
  [[nodiscard]] std::string dump(int indent = 0) const;

 private:
  struct Number {
    std::string digits;
  };
  void append_to(std::string& out, int indent, int depth) const;

  std::variant<std::monostate, bool, Number, std::string, std::vector<Json>, std::vector<Member>> value_;
};

}  // namespace gauze
