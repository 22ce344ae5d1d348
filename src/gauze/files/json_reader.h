#pragma once

#include <cstddef>
#include <string_view>

#include "gauze/base/error.h"
#include "gauze/files/json.h"

namespace gauze {

/// Reads one JSON document into the form it is written from: keys keep their order, fractions keep their digits.
///
/// Total: any bytes give a document or a `bad_data` error, which does not quote them. Refused besides what is not
/// JSON: duplicate keys, nesting deeper than 64, numbers beyond the range of doubles, objects of more than a
/// thousand keys, more than four million values.
[[nodiscard]] Result<Json> read_json(std::string_view text);

/// What a JSON value is.
enum class JsonKind { null, boolean, number, string, array, object };
[[nodiscard]] JsonKind kind_of(const Json& value);
/// The kind with its article, for messages: "a number".
[[nodiscard]] std::string_view to_string(JsonKind kind);

}  // namespace gauze
