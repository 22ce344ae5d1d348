#pragma once
// What a policy says about spellings and bounds, as data: public, and decided before anything else is done to a cell.

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/base/rational.h"
#include "gauze/base/words.h"
#include "gauze/schema/hierarchies/kinds/dates.h"

namespace gauze::schema {

/// What a value counts as that is none of those that were declared.
inline constexpr std::string_view kOtherValue = "other";

/// One name for several spellings: cells that are one of them, without the blanks around it, count as the name.
struct SameValues {
  std::string name = {};
  std::vector<std::string> spellings = {};  ///< at least one
  friend bool operator==(const SameValues&, const SameValues&) = default;
};

/// What becomes of a cell that lies outside the bounds.
enum class OutsideCells {
  other,    ///< the value `other`, which stays itself at every level of a hierarchy below its top
  clamp,    ///< the nearer bound; missing where the cell is no number, or no date
  missing,  ///< missing
};
inline constexpr Words<OutsideCells, 3> kOutsideCellsWords = {
    {{OutsideCells::other, "other"}, {OutsideCells::clamp, "clamp"}, {OutsideCells::missing, "missing"}}};

struct NumberBounds {
  Rational low = 0;
  Rational high = 0;
  friend bool operator==(const NumberBounds&, const NumberBounds&) = default;
};

/// Public bounds of a column of numbers or dates, both ends in them. A cell that is no number, or no date, lies outside.
struct ValidBounds {
  std::variant<NumberBounds, DateRange> range = {};
  OutsideCells outside = OutsideCells::other;
  friend bool operator==(const ValidBounds&, const ValidBounds&) = default;
};

/// The rules of `same`, entry by entry, so that whoever reads a file can say on which line one is broken: no text is listed twice,
/// no name is listed under another one, no entry is empty or one of the texts that mean missing (those never get there).
class SameRules {
 public:
  /// `null_tokens`: what means missing besides the usual texts.
  explicit SameRules(std::span<const std::string> null_tokens = {});
  [[nodiscard]] Result<void> add_name(const std::string& name);
  [[nodiscard]] Result<void> add_spelling(const std::string& name, const std::string& spelling);

 private:
  [[nodiscard]] Result<void> check_text(const std::string& text) const;
  std::set<std::string> missing_;
  std::set<std::string> names_;
  std::unordered_map<std::string, std::string> name_of_;  // by spelling
};

[[nodiscard]] Result<void> check(std::span<const SameValues> same, std::span<const std::string> null_tokens = {});
/// Refuses bounds that are reversed.
[[nodiscard]] Result<void> check(const ValidBounds& bounds);

/// The name under which a text is listed as another spelling; null where it is not.
[[nodiscard]] const std::string* name_of(std::span<const SameValues> same, std::string_view text);

}  // namespace gauze::schema
