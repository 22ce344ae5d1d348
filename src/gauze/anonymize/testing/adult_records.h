#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gauze/anonymize/classes/records.h"

namespace gauze::anonymize::testing {

/// The Adult set as ARX ships it, with its hierarchies: all nine columns quasi-identifiers, but for those named as
/// sensitive. With a factor above 1, all rows that many times, and half of age, occupation and native-country permuted
/// (as bench/generate_adult.mjs does): many more distinct tuples. Nothing when the data is not there.
[[nodiscard]] std::optional<Records> adult_records(int factor = 1, const std::vector<std::string>& sensitive = {});

}  // namespace gauze::anonymize::testing
