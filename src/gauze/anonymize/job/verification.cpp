#include "gauze/anonymize/job/verification.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "gauze/anonymize/classes/criteria_set.h"
#include "gauze/anonymize/classes/node_evaluation.h"
#include "gauze/anonymize/job/row_recoding.h"
#include "gauze/schema/policy/criterion_text.h"

namespace gauze::anonymize {

using namespace schema;  // the vocabulary of this file

namespace {

using table::Dictionary;
using table::TupleCounts;

/// A hierarchy with level 0 alone: classes are rows with equal texts.
Result<std::shared_ptr<const Hierarchy>> ground_only(const std::string& name, const Dictionary& dictionary) {
  std::vector<std::vector<std::string>> rows;
  for (const std::string& value : dictionary.values) rows.push_back({value});
  if (rows.empty()) rows.push_back({""});  // a file without rows
  GAUZE_TRY(Hierarchy made, Hierarchy::make(name, std::move(rows)));
  return std::make_shared<const Hierarchy>(std::move(made));
}

struct Reading {
  Records records;  // without suppressed rows; shares are over all rows
  std::uint64_t suppressed = 0;
  TupleCounts tuples;
};

Result<Reading> read(table::Source& table, const VerificationRequest& request,
                     const std::vector<std::string>& sensitive, Progress& progress) {
  std::vector<std::size_t> columns;
  for (const auto* names : {&request.quasi, &sensitive})
    for (const std::string& name : *names) {
      GAUZE_TRY(const std::size_t column, table.column(name));
      columns.push_back(column);
    }
  Reading reading;
  GAUZE_TRY(reading.tuples, table.group(columns, progress));
  const TupleCounts& tuples = reading.tuples;
  const std::size_t width = request.quasi.size();
  Records& records = reading.records;
  records.ground.resize(width);
  records.values.resize(sensitive.size());
  std::vector<std::optional<std::uint32_t>> star(width);
  for (std::size_t quasi = 0; quasi < width; ++quasi) {
    const Dictionary& dictionary = tuples.dictionaries[quasi];
    GAUZE_TRY(const auto hierarchy, ground_only(request.quasi[quasi], dictionary));
    records.quasi.push_back(
        {.name = request.quasi[quasi], .hierarchy = hierarchy, .weight = 1, .missing = dictionary.missing});
    const auto found = std::find(dictionary.values.begin(), dictionary.values.end(), kSuppressedText);
    if (found != dictionary.values.end()) star[quasi] = static_cast<std::uint32_t>(found - dictionary.values.begin());
  }
  for (std::size_t column = 0; column < sensitive.size(); ++column) {
    const Dictionary& dictionary = tuples.dictionaries[width + column];
    SensitiveColumn made;
    made.name = sensitive[column];
    made.totals.assign(dictionary.values.size(), 0);
    made.order = natural_order(dictionary);
    for (const auto& [name, spec] : request.hierarchies) {
      if (name != made.name) continue;
      GAUZE_TRY(const Hierarchy hierarchy, materialise(spec, name, dictionary));
      GAUZE_TRY(made.parents, value_tree(hierarchy, dictionary));
    }
    for (std::size_t tuple = 0; tuple < tuples.size(); ++tuple)
      made.totals[tuples.codes[width + column][tuple]] += tuples.counts[tuple];
    for (const std::uint64_t count : made.totals) made.records += count;
    records.sensitive.push_back(std::move(made));
  }
  for (std::size_t tuple = 0; tuple < tuples.size(); ++tuple) {
    bool stars = request.stars_are_suppressed && width > 0;
    for (std::size_t quasi = 0; quasi < width && stars; ++quasi) stars = tuples.codes[quasi][tuple] == star[quasi];
    records.total += tuples.counts[tuple];
    if (stars) {
      reading.suppressed += tuples.counts[tuple];
      continue;
    }
    if (tuples.counts[tuple] > UINT32_MAX)
      return make_error(ErrorCode::unsupported, "classes of more than {} rows cannot be checked", UINT32_MAX);
    for (std::size_t quasi = 0; quasi < width; ++quasi) records.ground[quasi].push_back(tuples.codes[quasi][tuple]);
    for (std::size_t column = 0; column < sensitive.size(); ++column)
      records.values[column].push_back(tuples.codes[width + column][tuple]);
    records.counts.push_back(static_cast<std::uint32_t>(tuples.counts[tuple]));
  }
  return reading;
}

/// The classes with the values of a sensitive column in each.
class ClassesByValue {
 public:
  ClassesByValue(const Records& records, const ClassGrouping::Scratch& groups) : records_(records), groups_(groups) {
    members_.resize(groups.slots);
    for (std::uint32_t tuple = 0; tuple < records.size(); ++tuple) members_[groups.slot[tuple]].push_back(tuple);
  }
  /// visit(values, size of the class) for every class.
  template <class Visit>
  void for_each(std::size_t column, Visit visit) const {
    std::vector<std::uint64_t> counts(records_.sensitive[column].totals.size(), 0);
    for (std::size_t slot = 0; slot < members_.size(); ++slot) {
      if (members_[slot].empty()) continue;
      std::vector<ValueCount> values;
      for (const std::uint32_t tuple : members_[slot]) {
        std::uint64_t& count = counts[records_.values[column][tuple]];
        if (count == 0) values.push_back({records_.values[column][tuple], 0});
        count += records_.counts[tuple];
      }
      for (ValueCount& value : values) value.count = std::exchange(counts[value.value], 0);
      visit(values, groups_.size[slot]);
    }
  }
  [[nodiscard]] const std::vector<std::vector<std::uint32_t>>& members() const { return members_; }

 private:
  const Records& records_;
  const ClassGrouping::Scratch& groups_;
  std::vector<std::vector<std::uint32_t>> members_;
};

template <class Rule>
Result<double> worst(const Rule& rule, std::size_t column, const Records& records, const ClassesByValue& classes) {
  GAUZE_TRY(const auto criterion, make_criterion(rule, records.sensitive[column]));
  const ReferenceDistribution reference(records.sensitive[column]);
  double figure = criterion->more_is_better() ? HUGE_VAL : 0;
  classes.for_each(column, [&](const std::vector<ValueCount>& values, std::uint64_t size) {
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

/// Whether every class satisfies one criterion alone, and how many do not.
Result<Verification::Requirement> require(std::string text, const Criteria& alone, const Records& records) {
  GAUZE_TRY(const CriteriaSet set, CriteriaSet::make(alone, records, ReferenceRecords::all));
  const NodeEvaluation evaluation(records, set, records.total, false);
  NodeEvaluation::Scratch scratch;
  evaluation.judge(Levels(records.quasi.size(), 0), scratch);
  Verification::Requirement requirement;
  requirement.text = std::move(text);
  for (std::size_t slot = 0; slot < scratch.groups.slots; ++slot) {
    if (scratch.groups.size[slot] == 0 || scratch.kept[slot] != 0) continue;
    ++requirement.failing_classes;
    requirement.failing_records += scratch.groups.size[slot];
  }
  requirement.holds = requirement.failing_classes == 0;
  return requirement;
}

Result<std::vector<Verification::Requirement>> requirements(const VerificationRequest& request,
                                                            const Records& records) {
  std::vector<Verification::Requirement> list;
  auto add = [&](std::string text, auto change) -> Result<void> {
    Criteria alone;
    alone.missing_matches_everything = request.criteria.missing_matches_everything;
    change(alone);
    GAUZE_TRY(Verification::Requirement requirement, require(std::move(text), alone, records));
    list.push_back(std::move(requirement));
    return {};
  };
  const Criteria& asked = request.criteria;
  if (request.k_is_asked)
    GAUZE_TRY_VOID(add(fmt::format("k = {}", asked.k), [&](Criteria& alone) { alone.k = asked.k; }));
  for (const LDiversity& rule : asked.l_diversity)
    GAUZE_TRY_VOID(add(format_criterion(rule), [&](Criteria& alone) { alone.l_diversity = {rule}; }));
  for (const TCloseness& rule : asked.t_closeness)
    GAUZE_TRY_VOID(add(format_criterion(rule), [&](Criteria& alone) { alone.t_closeness = {rule}; }));
  for (const DeltaDisclosure& rule : asked.delta_disclosure)
    GAUZE_TRY_VOID(add(format_criterion(rule), [&](Criteria& alone) { alone.delta_disclosure = {rule}; }));
  for (const BetaLikeness& rule : asked.beta_likeness)
    GAUZE_TRY_VOID(add(format_criterion(rule), [&](Criteria& alone) { alone.beta_likeness = {rule}; }));
  return list;
}

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
  if (request.quasi.empty()) return invalid_parameter("no quasi-identifier is named: give --quasi");
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
  verification.rows = records.total;
  verification.suppressed = reading.suppressed;
  const ClassGrouping grouping(records);
  ClassGrouping::Scratch groups;
  grouping.group(Levels(records.quasi.size(), 0), groups);
  std::vector<ClassSize> sizes;
  for (std::size_t slot = 0; slot < groups.slots; ++slot)
    sizes.push_back({.records = groups.size[slot], .population = 0});
  verification.risk = assess_risk(sizes, Rational(1, 5));
  const ClassesByValue classes(records, groups);
  for (std::size_t column = 0; column < sensitive.size() && records.size() > 0; ++column) {
    GAUZE_TRY(Verification::Sensitive described, describe(column, records, classes));
    verification.sensitive.push_back(std::move(described));
    const Dictionary& dictionary = reading.tuples.dictionaries[records.quasi.size() + column];
    std::vector<GroupMember> members;
    for (std::size_t tuple = 0; tuple < records.size(); ++tuple)
      members.push_back({records.values[column][tuple], groups.size[groups.slot[tuple]], records.counts[tuple]});
    verification.risk.by_group[sensitive[column]] =
        assess_groups(dictionary.values, members, verification.risk.threshold);
  }
  GAUZE_TRY(verification.requirements, requirements(request, records));
  return verification;
}

}  // namespace gauze::anonymize
