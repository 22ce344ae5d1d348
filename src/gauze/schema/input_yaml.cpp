#include "gauze/schema/input_yaml.h"

#include <algorithm>

#include "gauze/base/utf8.h"
#include "gauze/table/encoding.h"

namespace gauze::schema {

Result<table::ReadOptions> read_input(const YamlNode& node) {
  GAUZE_TRY_VOID(check_keys(node, {"delimiter", "quote", "header", "null", "names", "encoding", "decimal"}, "input"));
  table::ReadOptions options;
  if (const YamlNode* delimiter = node.find("delimiter")) {
    GAUZE_TRY(const std::string text, read_text(*delimiter, "delimiter"));
    if (character_count(text) != 1) return yaml_error(*delimiter, "delimiter must be one character, such as \";\"");
    options.delimiter = text;
  }
  if (const YamlNode* quote = node.find("quote")) {
    GAUZE_TRY(const std::string text, read_text(*quote, "quote"));
    if (text != "none" && (text.size() != 1 || static_cast<unsigned char>(text[0]) >= 0x80))
      return yaml_error(*quote, "quote must be one ASCII character, such as \"'\", or none");
    options.quote = text == "none" ? "" : text;
  }
  if (const YamlNode* header = node.find("header")) {
    GAUZE_TRY(options.header, read_bool(*header, "header"));
  }
  if (const YamlNode* tokens = node.find("null")) {
    GAUZE_TRY(options.null_tokens, read_texts(*tokens, "null"));
  }
  if (const YamlNode* names = node.find("names")) {
    GAUZE_TRY(options.names, read_texts(*names, "names"));
    std::vector<std::string> sorted = options.names;
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end()) return yaml_error(*names, "names has '{}' twice", *twice);
  }
  if (const YamlNode* encoding = node.find("encoding")) {
    GAUZE_TRY(options.encoding, read_text(*encoding, "encoding"));
    if (const auto known = table::parse_encoding(*options.encoding, ""); !known) {
      return yaml_error(*encoding, "{}", known.error().message);
    }
  }
  if (const YamlNode* decimal = node.find("decimal")) {
    GAUZE_TRY(options.decimal, read_word(*decimal, "decimal", table::kDecimalSignWords));
  }
  return options;
}

}  // namespace gauze::schema
