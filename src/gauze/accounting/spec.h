#pragma once

#include <string_view>
#include <vector>

#include "gauze/accounting/event.h"

namespace gauze {

/// A composition read from a file: events one after the other, and groups of which parts of the data see different ones.
/// docs/formats/account-spec.md
struct CompositionSpec {
  /// What one unit can be exposed to: with add / remove neighbours one part of every parallel group, with replace-one
  /// neighbours two. The cost is that of the worst of these lists.
  std::vector<std::vector<PrivacyEvent>> alternatives;
};

/// Reads the YAML. Strict: unknown and duplicate keys, wrong types and events that check() refuses are errors with the line.
/// At most 1,000 alternatives. Total: any bytes give a composition or an error.
[[nodiscard]] Result<CompositionSpec> parse_composition_spec(std::string_view text);

}  // namespace gauze
