#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gauze/base/rational.h"
#include "gauze/schema/policy/policy.h"
#include "gauze/table/dictionary.h"

namespace gauze::assess {

/// The generalisation loss of the thesis (its section 3.3.2) of one column, 0 to 1.
///
/// Numbers    : the mean over the records of |value - middle of its interval|, an interval being cut to the range of the data, over
///              that range. An interval that no rule names (from a file) reaches from its least to its largest value in the data.
/// Categories : (old - new) / (old - 1), of the different values that occur: 0 where none was lost, 1 where one is left, as the
///              thesis describes its two ends; with them 1 - new / old does not go together.
/// Missing cells and cells outside the domain have no part in it.
///
/// `codes`: of each value of the dictionary what it becomes at the level (schema::kOutside: outside); `rows`: of each value.
[[nodiscard]] double published_loss(const schema::PolicyColumn& column, const table::Dictionary& values,
                                    std::span<const std::uint32_t> codes, std::span<const std::uint64_t> rows,
                                    int level);

}  // namespace gauze::assess
