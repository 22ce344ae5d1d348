#include "gauze/anonymize/job/verification.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "gauze/anonymize/classes/criteria_set.h"
#include "gauze/anonymize/classes/node_evaluation.h"
#include "gauze/anonymize/job/row_recoding.h"
#include "gauze/base/utf8.h"
#include "gauze/schema/policy/criterion_text.h"

namespace gauze::anonymize {

using namespace schema;  // the vocabulary of this file

namespace {

using table::Dictionary;
using table::TupleCounts;

/// A hierarchy with level 0 alone: classes are rows with equal cells.
Result<std::shared_ptr<const Hierarchy>> ground_only(const std::string& name, const Dictionary& dictionary) {
  std::vector<std::vector<std::string>> rows;
  for (std::size_t code = 0; code < std::max<std::size_t>(dictionary.values.size(), 1); ++code)
    rows.push_back({std::to_string(code)});
  GAUZE_TRY(Hierarchy made, Hierarchy::make(name, std::move(rows)));
  return std::make_shared<const Hierarchy>(std::move(made));
}

struct Reading {
  Records records;  // without rows of nothing but `*`; shares are over visible cells
  std::uint64_t rows = 0;
  std::uint64_t suppressed = 0;
  std::uint64_t blank = 0;
  std::vector<Dictionary> visible;    // by sensitive column
  std::optional<std::uint32_t> star;  // a tuple of the class of suppressed rows
};

/// The code of a sensitive cell that is `*`.
constexpr std::uint32_t kHidden = UINT32_MAX;

std::optional<std::uint32_t> code_of_star(const Dictionary& dictionary) {
  const auto found = std::find(dictionary.values.begin(), dictionary.values.end(), kSuppressedText);
  if (found == dictionary.values.end()) return std::nullopt;
  const auto code = static_cast<std::uint32_t>(found - dictionary.values.begin());
  return code == dictionary.missing ? std::nullopt : std::optional(code);
}

/// A quasi-identifier by its letters, but for cells that say nothing: with blanks around it, `*` is `*`.
struct WrittenCells {
  std::optional<std::uint32_t> star;
  std::optional<std::uint32_t> missing;  ///< where missing matches everything, all ways to write it are one
};

WrittenCells unite_spellings(const Dictionary& dictionary, const table::MissingTokens& tokens, bool missing_matches,
                             std::vector<std::uint32_t>& codes) {
  WrittenCells cells;
  std::vector<std::uint32_t> code_of;
  for (std::uint32_t code = 0; code < dictionary.values.size(); ++code) {
    const std::string_view text = trimmed(dictionary.values[code]);
    const bool missing = tokens.contains(text);
    code_of.push_back(code);
    if (!missing && text == kSuppressedText) {
      if (!cells.star) cells.star = code;
      code_of.back() = *cells.star;
    } else if (missing && missing_matches) {
      if (!cells.missing) cells.missing = code;
      code_of.back() = *cells.missing;
    }
  }
  for (std::uint32_t& code : codes) code = code_of[code];
  return cells;
}

/// Rows in which every column is `*`.
Result<std::uint64_t> count_blank(table::Source& table, Progress& progress) {
  table::Grouping grouping;
  for (std::size_t column = 0; column < table.columns().size(); ++column)
    grouping.filters.push_back({.column = column, .texts = {std::string(kSuppressedText)}});
  GAUZE_TRY(const TupleCounts found, table.group(grouping, progress));
  std::uint64_t rows = 0;
  for (const std::uint64_t count : found.counts) rows += count;
  return rows;
}

/// The values of a column but `*`, and what becomes of the codes.
struct VisibleValues {
  Dictionary dictionary;
  std::vector<std::uint32_t> code;  // by code of the whole column
};

VisibleValues visible_values(const Dictionary& dictionary) {
  const auto star = code_of_star(dictionary);
  VisibleValues visible;
  visible.dictionary.decimal = dictionary.decimal;
  for (std::uint32_t code = 0; code < dictionary.values.size(); ++code) {
    if (code == star) {
      visible.code.push_back(kHidden);
      continue;
    }
    const auto next = static_cast<std::uint32_t>(visible.dictionary.values.size());
    if (code == dictionary.missing) visible.dictionary.missing = next;
    if (code == dictionary.outside) visible.dictionary.outside = next;
    visible.code.push_back(next);
    visible.dictionary.values.push_back(dictionary.values[code]);
  }
  return visible;
}

/// A sensitive column with its shares over the rows in which it is visible.
Result<SensitiveColumn> describe_values(const std::string& name, const Dictionary& visible,
                                        const std::vector<std::uint32_t>& codes,
                                        const std::vector<std::uint64_t>& counts,
                                        const VerificationRequest& request) {
  SensitiveColumn made;
  made.name = name;
  made.totals.assign(visible.values.size(), 0);
  made.order = natural_order(visible);
  made.missing = visible.missing;
  for (const auto& [column, spec] : request.hierarchies) {
    if (column != name) continue;
    GAUZE_TRY(const Hierarchy hierarchy, materialise(spec, name, visible));
    GAUZE_TRY(made.parents, value_tree(hierarchy, visible));
  }
  for (std::size_t tuple = 0; tuple < codes.size(); ++tuple) {
    if (codes[tuple] == kHidden) continue;
    made.totals[codes[tuple]] += counts[tuple];
    made.records += counts[tuple];
  }
  return made;
}

Result<Reading> read(table::Source& table, const VerificationRequest& request,
                     const std::vector<std::string>& sensitive, Progress& progress) {
  // A reader tells rows apart by the letters of their quasi-identifiers; a sensitive value is the same however it is written.
  table::Grouping grouping;
  for (const auto* names : {&request.quasi, &sensitive})
    for (const std::string& name : *names) {
      GAUZE_TRY(const std::size_t column, table.column(name));
      grouping.keys.push_back({.column = column, .recoding = {}, .as_written = names == &request.quasi});
    }
  Reading reading;
  GAUZE_TRY(TupleCounts tuples, table.group(grouping, progress));
  const std::size_t width = request.quasi.size();
  Records& records = reading.records;
  records.ground.resize(width);
  records.values.resize(sensitive.size());
  std::vector<std::optional<std::uint32_t>> star(width);
  for (std::size_t quasi = 0; quasi < width; ++quasi) {
    const Dictionary& dictionary = tuples.dictionaries[quasi];
    GAUZE_TRY(const auto hierarchy, ground_only(request.quasi[quasi], dictionary));
    const WrittenCells cells = unite_spellings(dictionary, table.missing(),
                                               request.criteria.missing_matches_everything, tuples.codes[quasi]);
    records.quasi.push_back(
        {.name = request.quasi[quasi], .hierarchy = hierarchy, .weight = 1, .missing = cells.missing});
    star[quasi] = cells.star;
  }
  for (std::size_t column = 0; column < sensitive.size(); ++column) {
    VisibleValues visible = visible_values(tuples.dictionaries[width + column]);
    std::vector<std::uint32_t>& codes = tuples.codes[width + column];
    for (std::uint32_t& code : codes) code = visible.code[code];
    GAUZE_TRY(SensitiveColumn made,
              describe_values(sensitive[column], visible.dictionary, codes, tuples.counts, request));
    records.sensitive.push_back(std::move(made));
    reading.visible.push_back(std::move(visible.dictionary));
  }
  const bool stars = std::all_of(star.begin(), star.end(), [](const auto& code) { return code.has_value(); });
  if (stars) {
    GAUZE_TRY(reading.blank, count_blank(table, progress));
  }
  std::uint64_t blank = reading.blank;
  for (std::size_t tuple = 0; tuple < tuples.size(); ++tuple) {
    bool suppressed = stars;
    for (std::size_t quasi = 0; quasi < width && suppressed; ++quasi)
      suppressed = tuples.codes[quasi][tuple] == star[quasi];
    bool hidden = suppressed;
    for (std::size_t column = 0; column < sensitive.size() && hidden; ++column)
      hidden = tuples.codes[width + column][tuple] == kHidden;
    reading.rows += tuples.counts[tuple];
    if (suppressed) reading.suppressed += tuples.counts[tuple];
    const std::uint64_t left_out = hidden ? std::min(blank, tuples.counts[tuple]) : 0;
    blank -= left_out;
    const std::uint64_t count = tuples.counts[tuple] - left_out;
    if (count == 0) continue;
    if (count > UINT32_MAX)
      return make_error(ErrorCode::unsupported, "classes of more than {} rows cannot be checked", UINT32_MAX);
    if (suppressed && !reading.star) reading.star = static_cast<std::uint32_t>(records.counts.size());
    for (std::size_t quasi = 0; quasi < width; ++quasi) records.ground[quasi].push_back(tuples.codes[quasi][tuple]);
    for (std::size_t column = 0; column < sensitive.size(); ++column)
      records.values[column].push_back(tuples.codes[width + column][tuple]);
    records.counts.push_back(static_cast<std::uint32_t>(count));
    records.total += count;
  }
  return reading;
}

/// How many rows look like those of each class, and how many are in it.
struct Alike {
  std::vector<std::uint32_t> matching;
  std::vector<std::uint32_t> size;
};

Result<Alike> count_alike(const Records& records, const Criteria& asked) {
  Criteria alone;
  alone.missing_matches_everything = asked.missing_matches_everything;
  GAUZE_TRY(const CriteriaSet set, CriteriaSet::make(alone, records));
  const NodeEvaluation evaluation(records, set, records.total, false);
  NodeEvaluation::Scratch scratch;
  evaluation.judge(Levels(records.quasi.size(), 0), scratch);
  scratch.groups.size.resize(scratch.groups.slots);
  scratch.matching.resize(scratch.matching.empty() ? 0 : scratch.groups.slots);
  return Alike{.matching = scratch.matching.empty() ? scratch.groups.size : scratch.matching,
               .size = scratch.groups.size};
}

/// The classes with the values of a sensitive column in each.
class ClassesByValue {
 public:
  ClassesByValue(const Records& records, const ClassGrouping::Scratch& groups) : records_(records) {
    members_.resize(groups.slots);
    for (std::uint32_t tuple = 0; tuple < records.size(); ++tuple) members_[groups.slot[tuple]].push_back(tuple);
  }
  /// visit(slot, values, records that show one) for every class with visible values.
  template <class Visit>
  void for_each(std::size_t column, Visit visit) const {
    std::vector<std::uint64_t> counts(records_.sensitive[column].totals.size(), 0);
    for (std::size_t slot = 0; slot < members_.size(); ++slot) {
      std::vector<ValueCount> values;
      std::uint64_t records = 0;
      for (const std::uint32_t tuple : members_[slot]) {
        const std::uint32_t value = records_.values[column][tuple];
        if (value == kHidden) continue;
        if (counts[value] == 0) values.push_back({value, 0});
        counts[value] += records_.counts[tuple];
        records += records_.counts[tuple];
      }
      for (ValueCount& value : values) value.count = std::exchange(counts[value.value], 0);
      if (records > 0) visit(slot, values, records);
    }
  }

 private:
  const Records& records_;
  std::vector<std::vector<std::uint32_t>> members_;
};

template <class Rule>
Result<double> worst(const Rule& rule, std::size_t column, const Records& records, const ClassesByValue& classes) {
  GAUZE_TRY(const auto criterion, make_criterion(rule, records.sensitive[column]));
  const ReferenceDistribution reference(records.sensitive[column]);
  double figure = criterion->more_is_better() ? HUGE_VAL : 0;
  classes.for_each(column, [&](std::size_t, const std::vector<ValueCount>& values, std::uint64_t size) {
    const double one = criterion->measure(values, size, reference);
    figure = criterion->more_is_better() ? std::min(figure, one) : std::max(figure, one);
  });
  return figure;
}

Result<Verification::Sensitive> describe(std::size_t column, const Records& records, const ClassesByValue& classes) {
  const std::string& name = records.sensitive[column].name;
  Verification::Sensitive found;
  found.column = name;
  GAUZE_TRY(found.l_distinct, worst(LDiversity{name, DiversityKind::distinct, 1, 0}, column, records, classes));
  GAUZE_TRY(found.l_entropy, worst(LDiversity{name, DiversityKind::entropy, 1, 0}, column, records, classes));
  GAUZE_TRY(found.t_equal, worst(TCloseness{name, Distance::equal, 1}, column, records, classes));
  GAUZE_TRY(found.t_ordered, worst(TCloseness{name, Distance::ordered, 1}, column, records, classes));
  if (!records.sensitive[column].parents.empty()) {
    GAUZE_TRY(found.t_hierarchical, worst(TCloseness{name, Distance::hierarchical, 1}, column, records, classes));
  }
  GAUZE_TRY(found.delta_disclosure, worst(DeltaDisclosure{name, 1}, column, records, classes));
  GAUZE_TRY(found.beta_likeness, worst(BetaLikeness{name, false, 1}, column, records, classes));
  return found;
}

/// The classes of a file, and which of them satisfy what is asked for.
class Requirements {
 public:
  Requirements(const Reading& reading, const ClassGrouping::Scratch& groups, const ClassesByValue& classes)
      : records_(reading.records), groups_(groups), classes_(classes) {
    if (reading.star) star_ = groups.slot[*reading.star];
  }

  void add_size(std::uint64_t k, const Alike& alike) {
    Verification::Requirement& requirement = begin(fmt::format("k = {}", k));
    for (std::size_t slot = 0; slot < alike.size.size(); ++slot)
      if (alike.size[slot] > 0 && alike.matching[slot] < k) fail(requirement, slot, alike.size[slot]);
  }
  template <class Rule>
  Result<void> add_rules(const std::vector<Rule>& rules) {
    for (const Rule& rule : rules) {
      const auto column = std::find_if(records_.sensitive.begin(), records_.sensitive.end(),
                                       [&](const SensitiveColumn& one) { return one.name == rule.column; });
      GAUZE_TRY(const auto criterion, make_criterion(rule, *column));
      const ReferenceDistribution reference(*column);
      Verification::Requirement& requirement = begin(format_criterion(rule));
      classes_.for_each(static_cast<std::size_t>(column - records_.sensitive.begin()),
                        [&](std::size_t slot, const std::vector<ValueCount>& values, std::uint64_t records) {
                          if (!criterion->holds(values, records, reference))
                            fail(requirement, slot, groups_.size[slot]);
                        });
    }
    return {};
  }
  [[nodiscard]] std::vector<Verification::Requirement> take() { return std::move(list_); }
  /// Whether the class of suppressed rows satisfies them all.
  [[nodiscard]] bool star_satisfies() const { return star_satisfies_; }

 private:
  Verification::Requirement& begin(std::string text) {
    return list_.emplace_back(Verification::Requirement{.text = std::move(text), .holds = true});
  }
  void fail(Verification::Requirement& requirement, std::size_t slot, std::uint64_t rows) {
    requirement.holds = false;
    ++requirement.failing_classes;
    requirement.failing_records += rows;
    if (slot == star_) star_satisfies_ = false;
  }

  const Records& records_;
  const ClassGrouping::Scratch& groups_;
  const ClassesByValue& classes_;
  std::optional<std::size_t> star_;
  bool star_satisfies_ = true;
  std::vector<Verification::Requirement> list_;
};

std::vector<std::string> sensitive_names(const VerificationRequest& request) {
  std::vector<std::string> names = request.sensitive;
  for (const LDiversity& rule : request.criteria.l_diversity) names.push_back(rule.column);
  for (const TCloseness& rule : request.criteria.t_closeness) names.push_back(rule.column);
  for (const DeltaDisclosure& rule : request.criteria.delta_disclosure) names.push_back(rule.column);
  for (const BetaLikeness& rule : request.criteria.beta_likeness) names.push_back(rule.column);
  std::vector<std::string> once;
  for (std::string& name : names)
    if (std::find(once.begin(), once.end(), name) == once.end()) once.push_back(std::move(name));
  return once;
}

}  // namespace

bool Verification::satisfied() const {
  return std::all_of(requirements.begin(), requirements.end(), [](const Requirement& one) { return one.holds; });
}

Result<Verification> verify(table::Source& table, const VerificationRequest& request, Progress& progress) {
  if (request.quasi.empty()) return asking_for("quasi", invalid_parameter("no quasi-identifier is named"));
  if (request.criteria.k_map || request.criteria.delta_presence)
    return invalid_parameter(
        "k-map and delta-presence compare with a population before generalisation: they cannot be checked on a finished file");
  const std::vector<std::string> sensitive = sensitive_names(request);
  for (const std::string& name : sensitive)
    if (std::find(request.quasi.begin(), request.quasi.end(), name) != request.quasi.end())
      return invalid_parameter("{} cannot be a quasi-identifier and sensitive at once", name);
  GAUZE_TRY(const Reading reading, read(table, request, sensitive, progress));
  const Records& records = reading.records;

  Verification verification;
  verification.rows = reading.rows;
  verification.suppressed = reading.suppressed;
  verification.suppressed_class.rows = reading.suppressed - reading.blank;
  verification.suppressed_class.blank = reading.blank;
  const ClassGrouping grouping(records);
  ClassGrouping::Scratch groups;
  grouping.group(Levels(records.quasi.size(), 0), groups);
  std::vector<ClassSize> sizes;
  std::vector<ClassSize> unsuppressed;
  for (std::size_t slot = 0; slot < groups.slots; ++slot) {
    sizes.push_back({.records = groups.size[slot], .population = 0});
    if (!reading.star || slot != groups.slot[*reading.star]) unsuppressed.push_back(sizes.back());
  }
  GAUZE_TRY(const Alike alike, count_alike(records, request.criteria));
  for (std::size_t slot = 0; slot < alike.size.size(); ++slot) {
    if (alike.size[slot] == 0) continue;
    const std::uint64_t matching = alike.matching[slot];
    verification.k = verification.k == 0 ? matching : std::min(verification.k, matching);
    verification.alone += matching == 1 ? 1 : 0;
  }
  verification.risk = assess_risk(sizes, Rational(1, 5));
  verification.risk_unsuppressed = assess_risk(unsuppressed, Rational(1, 5));
  const ClassesByValue classes(records, groups);
  for (std::size_t column = 0; column < sensitive.size() && records.size() > 0; ++column) {
    GAUZE_TRY(Verification::Sensitive described, describe(column, records, classes));
    verification.sensitive.push_back(std::move(described));
    std::vector<GroupMember> members;
    for (std::size_t tuple = 0; tuple < records.size(); ++tuple)
      if (records.values[column][tuple] != kHidden)
        members.push_back({records.values[column][tuple], groups.size[groups.slot[tuple]], records.counts[tuple]});
    verification.risk.by_group[sensitive[column]] =
        assess_groups(reading.visible[column].values, members, verification.risk.threshold);
  }
  Requirements requirements(reading, groups, classes);
  if (request.k_is_asked) requirements.add_size(request.criteria.k, alike);
  GAUZE_TRY_VOID(requirements.add_rules(request.criteria.l_diversity));
  GAUZE_TRY_VOID(requirements.add_rules(request.criteria.t_closeness));
  GAUZE_TRY_VOID(requirements.add_rules(request.criteria.delta_disclosure));
  GAUZE_TRY_VOID(requirements.add_rules(request.criteria.beta_likeness));
  verification.suppressed_class.satisfied = requirements.star_satisfies();
  verification.requirements = requirements.take();
  return verification;
}

}  // namespace gauze::anonymize
