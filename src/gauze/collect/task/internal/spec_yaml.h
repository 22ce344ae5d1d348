#pragma once
// Parts of specifications in YAML that both kinds of tasks have.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/collect/task/number_field.h"
#include "gauze/collect/task/task_terms.h"
#include "gauze/collect/task/value_list.h"
#include "gauze/files/yaml_keys.h"

namespace gauze::collect::internal {

/// A million values take a file of some ten megabytes.
inline constexpr YamlLimits kSpecLimits = {.bytes = std::size_t{256} << 20, .depth = 32, .nodes = 20'000'000};

[[nodiscard]] Result<std::string> read_sentence(const YamlNode& node, std::string_view what);
[[nodiscard]] Result<std::uint64_t> read_nano(const YamlNode& node, std::string_view what);
[[nodiscard]] Result<std::int64_t> read_duration(const YamlNode& node, std::string_view what);
[[nodiscard]] Result<std::uint32_t> read_reports(const YamlNode& node, std::string_view what);

/// `name`, `users` and all that an organisation says about itself and its collection.
[[nodiscard]] std::vector<YamlKey> keys_of_terms(TaskTerms& terms);

/// A field as it is written, before it is known whether it makes sense.
struct WrittenField {
  std::string type;
  std::vector<std::string> values;
  bool other = false;
  std::optional<Rational> low;
  std::optional<Rational> high;
  std::uint64_t places = 0;

  [[nodiscard]] bool is_category() const { return type == "category"; }
};
/// `what` begins the messages: "field", "the field 'age'".
[[nodiscard]] Result<WrittenField> read_field(const YamlNode& node, std::string_view what);
/// The values of a category, `other` included; the bounds of a number.
[[nodiscard]] Result<ValueList> values_of(const YamlNode& node, std::string_view what, WrittenField field);
[[nodiscard]] Result<NumberField> number_of(const YamlNode& node, std::string_view what, const WrittenField& field,
                                            bool squares);

}  // namespace gauze::collect::internal
