#pragma once

#include "gauze/label/label.h"
#include "gauze/patterns/baskets/basket_release.h"
#include "gauze/patterns/hiding/hide.h"

namespace gauze::patterns {

/// The label of transactions with hidden patterns. It names what was done and what that holds against; never the patterns,
/// their number, their supports, the owner's threshold or the marks.
///
/// `result` is as judged on what will be published: the label promises the level that all patterns reach there, at most the
/// one that was asked for, and nothing below H1. What a seed takes away is taken away where it leaves (`publish`).
[[nodiscard]] PrivacyLabel make_label(const HidingOptions& options, const HidingResult& result, RowOrder order);

}  // namespace gauze::patterns
