#pragma once

#include <memory>
#include <string_view>

#include "gauze/base/error.h"
#include "gauze/query/sql/syntax.h"

namespace gauze::query {

/// What a question may be made of.
inline constexpr std::size_t kLongestSql = std::size_t{64} << 10;
inline constexpr std::size_t kMostTokens = 5'000;
inline constexpr std::size_t kDeepestNesting = 200;

/// Reads one SELECT as PostgreSQL's own parser does.
///
/// Total: any bytes give a statement or an error. Faults of syntax are `invalid_parameter`; clauses that no question may have
/// (FOR UPDATE, INTERSECT, recursive WITH, LATERAL, grouping sets, anything but SELECT) are `unsupported`. Both point into the text.
[[nodiscard]] Result<std::unique_ptr<Select>> parse_sql(std::string_view sql);

/// An error that points into the text.
[[nodiscard]] tl::unexpected<Error> refused_at(ErrorCode code, TextSpan span, std::string message,
                                               std::string hint = {});

/// Where an offset lies in a text: line and column in characters, from 1.
struct TextPlace {
  std::size_t line = 1;
  std::size_t column = 1;
};
[[nodiscard]] TextPlace place_of(std::string_view text, std::size_t offset);

}  // namespace gauze::query
