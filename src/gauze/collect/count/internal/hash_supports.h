#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace gauze::collect::internal {

/// A report of local hashing: value v is supported when (a + b v + c v^2) mod P is below the width. a, b, c are below P, the
/// width is at most P.
struct HashedReport {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::uint32_t c = 0;
  std::uint32_t width = 0;
};

/// cells[v] grows by the number of reports that support v.
void add_supports(std::span<const HashedReport> reports, std::span<std::int64_t> cells);

}  // namespace gauze::collect::internal
