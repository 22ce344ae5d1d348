#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/schema/hierarchies/hierarchy.h"
#include "gauze/schema/hierarchies/hierarchy_spec.h"
#include "gauze/schema/policy/policy.h"
#include "gauze/table/dictionary.h"

namespace gauze::schema {

/// The code of a value outside the declared domain.
inline constexpr std::uint32_t kOutside = 0xffffffff;

/// The values a column can take at each level, known before any data is read.
///
/// A column of a release has its domain from the policy: a csv, intervals or groups hierarchy, dates with a range, or a
/// list of values (then with one value "other" besides). A hierarchy file that was made from data is refused. Where public bounds
/// turn what lies outside them into `other`, that is one more value at every level below a top of one value, whether it occurs or not.
class DomainColumn {
 public:
  /// `not_private` for a hierarchy that follows from data, `invalid_parameter` for a column without a public domain.
  /// `null_tokens` are the policy's own ways to write "missing": which of them occur must not matter. `decimal` is the
  /// policy's, too: numbers are read, and intervals written, with it.
  [[nodiscard]] static Result<DomainColumn> make(const PolicyColumn& column,
                                                 std::vector<std::string> null_tokens = {},
                                                 table::DecimalSign decimal = table::DecimalSign::point);
  /// The values that occur, for the mode that names a class only where its noisy count allows it (`stability`).
  [[nodiscard]] static DomainColumn observed(const std::string& name, const table::Dictionary& values);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] int height() const { return static_cast<int>(levels_.size()) - 1; }
  /// The lowest level that has a list of values: 1 for intervals and dates, whose ground values can be written in many ways.
  [[nodiscard]] int lowest() const { return lowest_; }
  [[nodiscard]] std::uint32_t size(int level) const { return static_cast<std::uint32_t>(at(level).texts.size()); }
  [[nodiscard]] const std::string& text(int level, std::uint32_t code) const { return at(level).texts[code]; }
  /// The share of the ground domain that a value of a level stands for: of the listed values, of the range of numbers, of
  /// the days.
  [[nodiscard]] const Rational& share(int level, std::uint32_t code) const { return at(level).shares[code]; }

  /// The code, at a level, of every value of a dictionary; kOutside for what the domain does not have. "Missing" is a
  /// value where the domain lists one of its tokens, else it is outside.
  [[nodiscard]] std::vector<std::uint32_t> encode(const table::Dictionary& values, int level) const;

 private:
  struct Level {
    std::vector<std::string> texts;
    std::vector<Rational> shares;
    std::unordered_map<std::string, std::uint32_t> codes;
  };
  DomainColumn() = default;
  [[nodiscard]] static Result<DomainColumn> from_file(const CsvSpec& spec, const std::string& name);
  [[nodiscard]] static Result<DomainColumn> from_groups(const GroupsSpec& spec, const std::string& name);
  [[nodiscard]] static Result<DomainColumn> from_intervals(const IntervalsSpec& spec, const std::string& name,
                                                           table::DecimalSign decimal);
  [[nodiscard]] static Result<DomainColumn> from_dates(const DatesSpec& spec, const std::string& name);
  [[nodiscard]] static DomainColumn from_values(const std::vector<std::string>& values, const std::string& name);
  void add_level(std::vector<std::string> texts, std::vector<Rational> shares);
  /// A level `*` on top, unless the last one has a single value.
  void add_top();
  /// One more value `other` at every level below a top of one value, unless the domain lists it; refuses a group of that name.
  [[nodiscard]] Result<void> add_other();
  [[nodiscard]] const Level& at(int level) const { return levels_[static_cast<std::size_t>(level)]; }
  /// Its code at the level, or kOutside.
  [[nodiscard]] std::uint32_t place(const std::string& value, int level, std::vector<std::string>& scratch) const;

  std::string name_;
  std::vector<Level> levels_;
  int lowest_ = 0;
  std::vector<std::string> null_tokens_;
  bool others_ = false;                      // values not listed are "other"
  bool keeps_other_ = false;                 // `other` is a value that stays itself
  std::shared_ptr<const Hierarchy> list_;    // from a file
  std::shared_ptr<const Generaliser> rule_;  // from intervals, groups or dates
};

}  // namespace gauze::schema
