#pragma once

#include "gauze/anonymize/search/recoding.h"
#include "gauze/anonymize/search/search_options.h"
#include "gauze/base/progress.h"

namespace gauze::anonymize {

/// Cuts the space of the quasi-identifiers again and again at the median of the widest one, as long as both sides satisfy
/// the criteria (LeFevre, DeWitt, Ramakrishnan, ICDE 2006).
///
/// strict : records with the same values fall on the same side.
/// relaxed: records that have the median itself may be divided, so that both sides are as equal as possible.
///
/// Numbers and ISO dates come out as ranges of values, "missing" beside them; other columns as the least generalised value of their hierarchy, so cuts follow
/// the order of its tree. When not even all records together satisfy the criteria: `infeasible`.
[[nodiscard]] Result<Recoding> cut_by_mondrian(const Records& records, const CriteriaSet& criteria, bool relaxed,
                                               Progress& progress);

}  // namespace gauze::anonymize
