#pragma once

#include <string_view>
#include <vector>

#include "gauze/anonymize/search/recoding.h"
#include "gauze/base/words.h"
#include "gauze/schema/policy/policy.h"
#include "gauze/table/source.h"

namespace gauze::anonymize {

/// The text of a cell that is suppressed.
inline constexpr std::string_view kSuppressedText = "*";

/// What becomes of rows that fit no class.
///
/// blank : every column but the insensitive ones becomes `*`; with fewer than k such rows the insensitive ones too.
/// drop  : they are left out.
/// keep  : only the quasi-identifiers become `*`. The other columns then tell about the few people who fit no class.
enum class SuppressedRows { blank, drop, keep };
inline constexpr Words<SuppressedRows, 3> kSuppressedRowsWords = {
    {{SuppressedRows::blank, "blank"}, {SuppressedRows::drop, "drop"}, {SuppressedRows::keep, "keep"}}};

/// The columns, besides the quasi-identifiers, that become `*` in the suppressed rows of this result; those in `dropped`
/// are not written at all.
[[nodiscard]] std::vector<std::size_t> blanked_columns(const table::Source& table, const schema::Policy& policy,
                                                       const Recoding& recoding, SuppressedRows suppressed,
                                                       const std::vector<std::size_t>& dropped);

}  // namespace gauze::anonymize
