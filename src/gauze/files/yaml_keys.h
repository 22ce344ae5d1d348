#pragma once
// A map of YAML, key by key, into the members of a struct.

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gauze/files/yaml_reader.h"

namespace gauze {

/// A key of a map and what reads it.
struct YamlKey {
  std::string name;
  std::function<Result<void>(const YamlNode&)> read;
};

/// Reads the keys that are there, in the order given here; all may be absent, and a null counts as absent. Others are refused.
[[nodiscard]] inline Result<void> read_keys(const YamlNode& node, std::string_view what,
                                            const std::vector<YamlKey>& keys) {
  std::vector<std::string> names;
  for (const YamlKey& key : keys) names.push_back(key.name);
  GAUZE_TRY_VOID(check_keys(node, names, what));
  for (const YamlKey& key : keys)
    if (const YamlNode* value = node.find(key.name); value != nullptr && value->kind != YamlNode::Kind::null)
      GAUZE_TRY_VOID(key.read(*value));
  return {};
}

/// A key whose value `read(node, name)` puts into a place, which must outlive it.
template <class Value, class Read>
[[nodiscard]] YamlKey key_into(std::string name, Value& place, Read read) {
  return {name, [&place, read, name](const YamlNode& node) -> Result<void> {
            GAUZE_TRY(place, read(node, name));
            return {};
          }};
}

}  // namespace gauze
