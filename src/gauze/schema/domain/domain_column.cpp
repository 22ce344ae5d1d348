#include "gauze/schema/domain/domain_column.h"

#include <algorithm>

#include "gauze/schema/hierarchies/hierarchy_file.h"
#include "gauze/table/missing_tokens.h"

namespace gauze::schema {

void DomainColumn::add_level(std::vector<std::string> texts, std::vector<Rational> shares) {
  Level level;
  for (std::uint32_t code = 0; code < texts.size(); ++code) level.codes.emplace(texts[code], code);
  level.texts = std::move(texts);
  level.shares = std::move(shares);
  levels_.push_back(std::move(level));
}

void DomainColumn::add_top() {
  if (levels_.back().texts.size() > 1) add_level({std::string(kEverything)}, {Rational(1)});
}

Result<void> DomainColumn::add_other() {
  const std::string other(kOtherValue);
  const bool listed = list_ ? list_->find(other).has_value() : at(0).codes.contains(other);
  if (others_ || listed) return {};
  for (int level = lowest_; level <= height(); ++level)
    if (at(level).codes.contains(other))
      return invalid_parameter(
          "the hierarchy of {} has a group called '{}', which is what values outside its bounds become: give the group "
          "another name, or list '{}' in a group",
          name_, other, other);
  const bool one_top = height() > lowest_ && at(height()).texts.size() == 1;
  // It stands for itself, as each of the listed values does, which are one more now; among all numbers or days for nothing.
  const bool is_list = lowest_ == 0;
  const auto ground = static_cast<std::int64_t>(at(0).texts.size());
  for (int level = lowest_; level <= height() - (one_top ? 1 : 0); ++level) {
    Level& to = levels_[static_cast<std::size_t>(level)];
    if (is_list)
      for (Rational& share : to.shares) share = share * Rational(ground, ground + 1);
    to.codes.emplace(other, static_cast<std::uint32_t>(to.texts.size()));
    to.texts.push_back(other);
    to.shares.push_back(is_list ? Rational(1, ground + 1) : Rational(0));
  }
  keeps_other_ = true;
  return {};
}

Result<DomainColumn> DomainColumn::from_file(const CsvSpec& spec, const std::string& name) {
  GAUZE_TRY(HierarchyFile file, read_hierarchy_file(spec.path, name, spec.delimiter));
  if (file.made_from_data)
    return make_error(ErrorCode::not_private,
                      "the hierarchy of {} was made from data: a release needs one that is public", name);
  DomainColumn column;
  const auto rows = static_cast<std::int64_t>(file.hierarchy.size());
  for (int level = 0; level < file.hierarchy.levels(); ++level) {
    std::vector<std::string> texts;
    std::vector<Rational> shares;
    for (std::uint32_t code = 0; code < file.hierarchy.value_count(level); ++code) {
      texts.push_back(file.hierarchy.text(level, code));
      shares.emplace_back(static_cast<std::int64_t>(file.hierarchy.rows_under(level, code)), rows);
    }
    column.add_level(std::move(texts), std::move(shares));
  }
  column.list_ = std::make_shared<const Hierarchy>(std::move(file.hierarchy));
  return column;
}

Result<DomainColumn> DomainColumn::from_groups(const GroupsSpec& spec, const std::string& name) {
  GAUZE_TRY(std::unique_ptr<Generaliser> rule, make_generaliser(HierarchySpec(spec), {}));
  DomainColumn column;
  GAUZE_TRY(std::vector<std::string> ground, domain(HierarchySpec(spec), name, 0));
  const auto total = static_cast<std::int64_t>(ground.size());
  std::vector<Rational> shares(ground.size(), Rational(1, total));
  std::unordered_map<std::string, std::int64_t> members;  // ground values under each group of the level below
  for (const std::string& value : ground) members[value] = 1;
  column.add_level(std::move(ground), std::move(shares));
  for (const auto& groups : spec.levels) {
    std::vector<std::string> texts;
    std::vector<Rational> level_shares;
    std::unordered_map<std::string, std::int64_t> here;
    for (const GroupsSpec::Group& group : groups) {
      std::int64_t size = 0;
      for (const std::string& member : group.members) size += members[member];
      here[group.name] = size;
      texts.push_back(group.name);
      level_shares.emplace_back(size, total);
    }
    members = std::move(here);
    column.add_level(std::move(texts), std::move(level_shares));
  }
  column.add_top();
  column.rule_ = std::move(rule);
  return column;
}

Result<DomainColumn> DomainColumn::from_intervals(const IntervalsSpec& spec, const std::string& name,
                                                  table::DecimalSign decimal) {
  GAUZE_TRY(std::unique_ptr<Generaliser> rule, make_generaliser(HierarchySpec(spec), {}, decimal));
  DomainColumn column;
  column.name_ = name;
  column.lowest_ = 1;
  column.add_level({}, {});
  for (const std::vector<Rational>& bounds : spec.bounds) {
    std::vector<Rational> shares;
    for (std::size_t i = 0; i + 1 < bounds.size(); ++i)
      shares.push_back((bounds[i + 1] - bounds[i]) / (bounds.back() - bounds.front()));
    column.add_level(interval_labels(bounds, decimal), std::move(shares));
  }
  column.add_top();
  column.rule_ = std::move(rule);
  return column;
}

Result<DomainColumn> DomainColumn::from_dates(const DatesSpec& spec, const std::string& name) {
  if (!spec.range)
    return invalid_parameter(
        "the dates of {} have no public domain: give them their first and last day, "
        "`dates: {{from: 1920-01-01, to: 2024-12-31}}` (a domain is never read from the data)",
        name);
  GAUZE_TRY(std::unique_ptr<Generaliser> rule, make_generaliser(HierarchySpec(spec), {}));
  DomainColumn column;
  column.lowest_ = 1;
  column.add_level({}, {});
  for (const DatesSpec::Unit unit : spec.levels) {
    std::vector<std::string> texts;
    std::vector<Rational> days;
    Rational all = 0;
    for (DateSpan& span : date_spans(*spec.range, unit)) {
      texts.push_back(std::move(span.text));
      days.emplace_back(span.days);
      all += days.back();
    }
    for (Rational& share : days) share /= all;
    column.add_level(std::move(texts), std::move(days));
  }
  column.add_top();
  column.rule_ = std::move(rule);
  return column;
}

DomainColumn DomainColumn::from_values(const std::vector<std::string>& values, const std::string& name) {
  DomainColumn column;
  column.name_ = name;
  std::vector<std::string> texts = values;
  if (std::find(texts.begin(), texts.end(), kOtherValue) == texts.end()) texts.emplace_back(kOtherValue);
  std::vector<Rational> shares(texts.size(), Rational(1, static_cast<std::int64_t>(texts.size())));
  column.others_ = true;
  column.add_level(std::move(texts), std::move(shares));
  column.add_top();
  return column;
}

DomainColumn DomainColumn::observed(const std::string& name, const table::Dictionary& values) {
  DomainColumn column;
  column.name_ = name;
  // "Missing" has one name, whichever spellings occur, and a level `*` is there whatever the number of values: one record
  // more must change nothing but counts.
  std::vector<std::string> texts;
  if (values.missing) texts.emplace_back("?");
  for (std::uint32_t code = 0; code < values.values.size(); ++code)
    if (code != values.missing) texts.push_back(values.values[code]);
  std::vector<Rational> shares(texts.size(),
                               texts.empty() ? Rational(1) : Rational(1, static_cast<std::int64_t>(texts.size())));
  column.add_level(std::move(texts), std::move(shares));
  column.add_level({std::string(kEverything)}, {Rational(1)});
  return column;
}

Result<DomainColumn> DomainColumn::make(const PolicyColumn& column, std::vector<std::string> null_tokens,
                                        table::DecimalSign decimal) {
  const auto built = [&]() -> Result<DomainColumn> {
    if (column.hierarchy) {
      const HierarchySpec& spec = *column.hierarchy;
      if (const auto* csv = std::get_if<CsvSpec>(&spec)) return from_file(*csv, column.name);
      if (const auto* groups = std::get_if<GroupsSpec>(&spec)) return from_groups(*groups, column.name);
      if (const auto* intervals = std::get_if<IntervalsSpec>(&spec))
        return from_intervals(*intervals, column.name, decimal);
      if (const auto* widths = std::get_if<WidthsSpec>(&spec)) {
        GAUZE_TRY(const IntervalsSpec bounds, bounds_of(*widths));
        return from_intervals(bounds, column.name, decimal);
      }
      if (const auto* dates = std::get_if<DatesSpec>(&spec)) return from_dates(*dates, column.name);
    }
    if (!column.values.empty()) return from_values(column.values, column.name);
    return invalid_parameter(
        "the column {} has no public domain: give it `values`, or a csv, intervals, groups or dates hierarchy (a domain "
        "is never read from the data)",
        column.name);
  };
  GAUZE_TRY(DomainColumn result, built());
  result.name_ = column.name;
  result.null_tokens_ = std::move(null_tokens);
  if (column.valid && column.valid->outside == OutsideCells::other) GAUZE_TRY_VOID(result.add_other());
  return result;
}

std::uint32_t DomainColumn::place(const std::string& value, int level, std::vector<std::string>& scratch) const {
  if (keeps_other_ && value == kOtherValue) {
    const auto found = at(level).codes.find(value);
    if (found != at(level).codes.end()) return found->second;
    return level < lowest_ ? kOutside : 0;  // a level below the lists, or the one value on top
  }
  if (list_) {
    const auto row = list_->find(value);
    return row ? list_->code(level, *row) : kOutside;
  }
  if (rule_) {
    if (!rule_->generalise(value, scratch)) return kOutside;
    if (level == 0) {
      const auto found = at(0).codes.find(value);
      return found == at(0).codes.end() ? kOutside : found->second;
    }
    const auto listed = static_cast<std::size_t>(level) - 1;
    if (listed >= scratch.size()) return 0;  // the level `*`
    return at(level).codes.at(scratch[listed]);
  }
  if (level > 0) return 0;
  const auto found = at(0).codes.find(value);
  if (found != at(0).codes.end()) return found->second;
  return others_ ? at(0).codes.at(std::string(kOtherValue)) : kOutside;
}

std::vector<std::uint32_t> DomainColumn::encode(const table::Dictionary& values, int level) const {
  std::vector<std::uint32_t> codes;
  codes.reserve(values.values.size());
  std::vector<std::string> scratch;
  for (std::uint32_t code = 0; code < values.values.size(); ++code) {
    if (code != values.missing) {
      codes.push_back(place(values.values[code], level, scratch));
      continue;
    }
    // All spellings of "missing" are one value: which of them the file has must not matter.
    const std::vector<std::string> tokens = table::MissingTokens(null_tokens_).all();
    std::uint32_t found = kOutside;
    for (const std::string& token : tokens) {
      const bool listed = others_ ? at(0).codes.contains(token) : !rule_ || rule_->lists_values();
      if (listed && found == kOutside) found = place(token, level, scratch);
    }
    if (found == kOutside && others_) found = level > 0 ? 0 : at(0).codes.at(std::string(kOtherValue));
    codes.push_back(found);
  }
  return codes;
}

}  // namespace gauze::schema
