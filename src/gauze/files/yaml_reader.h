#pragma once
// YAML as a file for people to review needs it: everything that is read twice, unknown or of the wrong kind is an error
// with its line. yaml-cpp alone takes duplicate keys silently, stops at some bytes, and follows aliases without bound.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/base/rational.h"
#include "gauze/base/words.h"

namespace gauze {

struct YamlLimits {
  std::size_t bytes = std::size_t{1} << 20;
  std::size_t depth = 32;
  std::size_t nodes = 200'000;  ///< aliases count with all that they stand for
};

/// One value of a YAML document, with the line it stands on. All scalars are text as it was written: `1`, `yes` and
/// `0.10` mean what the reader of the key takes them for.
struct YamlNode {
  enum class Kind { null, scalar, list, map };
  struct Key {
    std::string text;
    std::size_t line = 0;
  };

  Kind kind = Kind::null;
  std::size_t line = 1;
  bool quoted = false;          ///< a scalar in quotes
  std::string text;             ///< of a scalar
  std::vector<Key> keys;        ///< of a map, in the order of the file; no two are equal
  std::vector<YamlNode> items;  ///< of a list; of a map the value of each key
  std::shared_ptr<const std::string> source;

  [[nodiscard]] bool is_scalar() const { return kind == Kind::scalar; }
  [[nodiscard]] bool is_list() const { return kind == Kind::list; }
  [[nodiscard]] bool is_map() const { return kind == Kind::map; }
  /// The value of a key of this map, or nothing.
  [[nodiscard]] const YamlNode* find(std::string_view key) const;
  /// "policy.yaml:12", or "line 12" when the text came without a name.
  [[nodiscard]] std::string place() const { return place_of_line(line); }
  [[nodiscard]] std::string place_of_line(std::size_t number) const;
};

/// Reads one document. Total: any bytes give a tree within the limits or `invalid_parameter` with the line. Refused are
/// text that is not UTF-8, control characters, a second document, tags, keys that are not text, duplicate keys, and
/// aliases that contain themselves. `name` begins the place in messages.
[[nodiscard]] Result<YamlNode> parse_yaml(std::string_view text, std::string_view name = "",
                                          const YamlLimits& limits = {});

/// An error about a node: place, then message.
template <class... Args>
[[nodiscard]] tl::unexpected<Error> yaml_error(const YamlNode& node, fmt::format_string<Args...> format,
                                               Args&&... args) {
  return invalid_parameter("{}: {}", node.place(), fmt::format(format, std::forward<Args>(args)...));
}

/// Refuses what is not a map, and keys that are not known, with the nearest known one. `what` begins the message:
/// "search", "the column 'age'".
[[nodiscard]] Result<void> check_keys(const YamlNode& node, const std::vector<std::string>& known,
                                      std::string_view what);

[[nodiscard]] Result<std::string> read_text(const YamlNode& node, std::string_view what);
/// A list of texts; a single text counts as a list of one.
[[nodiscard]] Result<std::vector<std::string>> read_texts(const YamlNode& node, std::string_view what);
[[nodiscard]] Result<bool> read_bool(const YamlNode& node, std::string_view what);
[[nodiscard]] Result<Rational> read_number(const YamlNode& node, std::string_view what);
[[nodiscard]] Result<std::uint64_t> read_count(const YamlNode& node, std::string_view what, std::uint64_t smallest,
                                               std::uint64_t largest);

/// An error that lists the words which could stand at the node.
[[nodiscard]] tl::unexpected<Error> wrong_word_at(const YamlNode& node, std::string_view what,
                                                  const std::vector<std::string>& words);
/// The value of one of the words.
template <class Value, std::size_t N>
[[nodiscard]] Result<Value> read_word(const YamlNode& node, std::string_view what, const Words<Value, N>& words) {
  const auto value = node.is_scalar() ? value_of(words, node.text) : std::nullopt;
  if (!value) return wrong_word_at(node, what, all_words(words));
  return *value;
}

/// The text as a YAML scalar that reads back to it: plain where that is safe, else in double quotes.
[[nodiscard]] std::string yaml_scalar(std::string_view text);

}  // namespace gauze
