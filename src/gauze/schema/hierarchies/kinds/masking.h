#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/schema/hierarchies/kinds/generaliser.h"

namespace gauze::schema {

/// Characters (code points) at one side are replaced by `*`, more of them at each level: 81667, 8166*, 81***, `*`.
struct MaskSpec {
  enum class Side { left, right };
  Side side = Side::right;
  std::vector<std::uint32_t> steps;  ///< how many characters are masked at each level; rising, from 1 on
  friend bool operator==(const MaskSpec&, const MaskSpec&) = default;
};

/// Refuses steps that do not rise, no steps, and steps beyond 1,000.
[[nodiscard]] Result<void> check(const MaskSpec& spec);

/// Covers every text. All values are taken to be as long as the longest of `values`: a shorter one has masked characters
/// where the others go on, so that at step 1 both 123 and 1234 become 123*. What is masked as a whole becomes `*`.
/// A value longer than all of these has its surplus masked from the first step on. Refuses values beyond 1,000
/// characters.
[[nodiscard]] Result<std::unique_ptr<Generaliser>> make_generaliser(const MaskSpec& spec,
                                                                    std::span<const std::string> values);

}  // namespace gauze::schema
