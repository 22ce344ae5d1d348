#pragma once

#include <string_view>
#include <vector>

#include "gauze/anonymize/search/recoding.h"
#include "gauze/base/progress.h"
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

/// How the rows are written whose quasi-identifiers are all `*`: suppressed ones, and those of a class of which nothing is left.
struct StarRows {
  std::vector<std::size_t> blanked = {};  ///< columns, besides the quasi-identifiers, that are `*` in suppressed rows
  bool blank_classes = false;  ///< a class of nothing but `*` is written as suppressed rows are, all columns `*`
};

/// Whether nothing is left of the quasi-identifiers in a class.
[[nodiscard]] bool is_all_stars(const Recoding& recoding, const Recoding::Class& one);

/// To a reader, rows of nothing but `*` are in no class, and all other rows whose quasi-identifiers are all `*` are one. So
/// either at least k of them show something, or none does: cells that were `*` in the input are counted, too. Columns in
/// `dropped` are not written at all; those in `pseudonymous` always show something in rows that are not suppressed.
[[nodiscard]] Result<StarRows> star_rows(table::Source& table, const schema::Policy& policy, const Recoding& recoding,
                                         SuppressedRows suppressed, const std::vector<std::size_t>& dropped,
                                         const std::vector<std::size_t>& pseudonymous, Progress& progress);

}  // namespace gauze::anonymize
