#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gauze/schema/cleaning/cleaning_rules.h"
#include "gauze/table/decimal_sign.h"
#include "gauze/table/dictionary.h"

namespace gauze::schema {

/// What the public rules of a column make of its cells, after texts that mean missing and before everything else: first one spelling
/// per value, then the bounds.
///
/// Guarantee      : a total function of the text of one cell and of the policy alone: whatever other rows hold, and however many
///                  there are, the same text becomes the same text. A release of what it returns has the cost of a release of the
///                  table itself (docs/proofs/release-grid.md). Cleaning twice changes nothing more.
/// Not covered    : where the rules came from; `provenance: cleaning` of a policy says it.
/// Thread safety  : const members may be called concurrently.
class CellCleaning {
 public:
  struct Rules {
    std::vector<SameValues> same = {};
    std::optional<ValidBounds> valid = {};
    std::optional<DateOrder> order = {};  ///< how 03/04/2024 is read; without it such a date lies outside
    table::DecimalSign decimal = table::DecimalSign::point;
    bool keeps_texts =
        false;  ///< a cell that is no number, or no date, stays: in finished tables it may be an interval
  };
  explicit CellCleaning(Rules rules);

  /// What a cell becomes that is not missing and has no blanks around it; empty: missing. Lives as long as the text and this.
  [[nodiscard]] std::string_view clean(std::string_view text) const;
  /// Whether cells outside the bounds become the value `other`.
  [[nodiscard]] bool makes_other() const;

 private:
  [[nodiscard]] std::string_view within(std::string_view text, const NumberBounds& bounds) const;
  [[nodiscard]] std::string_view within(std::string_view text, const DateRange& range) const;
  [[nodiscard]] std::string_view outside(std::string_view clamped) const;
  [[nodiscard]] std::string_view unreadable(std::string_view text) const;

  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  Rules rules_;
  std::unordered_map<std::string, std::string, TextHash, std::equal_to<>> name_of_;
  std::string lowest_;  // the bounds as cells
  std::string highest_;
};

/// The tuples as they are after cleaning: a column with null stays as it is. Equal tuples become one, dictionaries and codes are in
/// order, `outside` of a dictionary is the code of what its bounds made `other`.
[[nodiscard]] table::TupleCounts clean(const table::TupleCounts& tuples,
                                       std::span<const std::shared_ptr<const CellCleaning>> columns);

}  // namespace gauze::schema
