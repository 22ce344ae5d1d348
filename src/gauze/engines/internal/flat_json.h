#pragma once

#include <string>
#include <string_view>

namespace gauze::engines {

/// One member of a JSON object, as far as a table of single values is concerned.
struct FlatJsonMember {
  enum class Kind { text, number, boolean, null, array, object };
  std::string_view key;
  Kind kind = Kind::null;
  std::string_view value;  ///< of text without quotes and escapes, of numbers the digits as written; else empty
  bool is_true = false;
  bool readable = true;  ///< false: key or text have bytes or escapes that are no characters

  [[nodiscard]] bool is_single() const { return kind != Kind::array && kind != Kind::object; }
  /// The cell of a table: "true", "false", nothing for null, arrays and objects.
  [[nodiscard]] std::string_view cell() const;
};

/// Takes a line that holds one JSON object apart, member by member: numbers of any size, values of any depth (which are
/// passed over), linear time. Control characters inside strings are taken as they are.
class FlatJsonParser {
 public:
  /// Calls take(member) for each member; the views are valid during the call. False when the line is no JSON object; what
  /// was taken before that then means nothing.
  template <class Take>
  [[nodiscard]] bool parse(std::string_view line, const Take& take) {
    rest_ = line;
    if (!begin_object()) return false;
    if (!at('}')) {
      do {
        FlatJsonMember member;
        if (!read_member(member)) return false;
        take(static_cast<const FlatJsonMember&>(member));
      } while (take_mark(','));
    }
    return end_object();
  }

 private:
  [[nodiscard]] bool begin_object() { return take_mark('{'); }
  [[nodiscard]] bool end_object();
  [[nodiscard]] bool read_member(FlatJsonMember& member);
  [[nodiscard]] bool read_value(FlatJsonMember& member);
  /// A string behind its opening quote; `readable` becomes false at what is no character.
  [[nodiscard]] bool read_string(std::string& text, bool& readable);
  [[nodiscard]] bool read_escape(std::string& text);
  [[nodiscard]] bool read_code_unit(unsigned& unit);
  [[nodiscard]] bool read_number(std::string_view& digits);
  [[nodiscard]] bool pass_nested();
  [[nodiscard]] bool take_word(std::string_view word);
  [[nodiscard]] std::size_t take_digits();
  void skip_blanks();
  /// Whether the next character that is no blank is this one; take_mark() takes it, too.
  [[nodiscard]] bool at(char mark);
  [[nodiscard]] bool take_mark(char mark);

  std::string_view rest_;
  std::string key_;
  std::string text_;
  std::string open_;  // brackets that a nested value has open
};

}  // namespace gauze::engines
