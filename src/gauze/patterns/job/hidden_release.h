#pragma once

#include <optional>

#include "gauze/base/progress.h"
#include "gauze/files/json.h"
#include "gauze/label/label.h"
#include "gauze/patterns/audit/hiding_metrics.h"
#include "gauze/patterns/baskets/basket_release.h"
#include "gauze/patterns/hiding/hide.h"

namespace gauze::patterns {

/// What is wanted of a release.
struct HidingRequest {
  HidingOptions options;
  RowOrder order = RowOrder::kept;
  bool even_below_level = false;  ///< release what there is when the level is not reached; its label says so
};

/// What may leave, with its label, and what stays with the owner: the key to the original, and what hiding cost.
struct HiddenRelease {
  BasketRelease file;
  PrivacyLabel label;  ///< not bound to a file yet
  HidingMetrics metrics;
};

/// Patterns that were hidden, and the verdict on the file as it would be published.
struct HiddenBaskets {
  HidingOptions options;
  HidingResult result;                        ///< its verdict is that of the written bytes, which were read again
  bool reads_back_by_itself = true;           ///< false: readers must be told the format (baskets/basket_release.h)
  double hiding_seconds = 0;                  ///< processor time of hiding alone
  std::optional<HiddenRelease> release = {};  ///< nothing when the level was not reached, unless that was asked for

  [[nodiscard]] bool reached() const { return result.level >= options.level; }
  /// Nothing was changed: every listed pattern was below its threshold from the start.
  [[nodiscard]] bool nothing_to_hide() const { return reached() && result.edits.empty(); }
};

/// Hides the patterns, writes the file, reads it again as its readers will, and judges what they see.
///
/// Guarantee   : a release is there only if every listed pattern reaches the level in its very bytes, or if
///               `even_below_level` was given; its label promises what was found there, not what was asked for.
/// Not covered : differential privacy; readers with a lower threshold (docs/guide/patterns.md).
/// Errors      : those of hide() and write_release(); `internal` when the bytes do not read back as they were meant.
[[nodiscard]] Result<HiddenBaskets> hide_in_file(const BasketFile& file, const SensitiveList& sensitive,
                                                 const HidingRequest& request, Progress& progress);

/// All that its owner may know: docs/formats/json-output.md, without seconds and label, and what hiding cost only where there is
/// a release. `database`: that of the file.
[[nodiscard]] Json to_json(const Database& database, const HiddenBaskets& hidden);

}  // namespace gauze::patterns
