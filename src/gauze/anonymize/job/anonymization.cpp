#include "gauze/anonymize/job/anonymization.h"

#include <algorithm>
#include <map>

#include "gauze/anonymize/classes/criteria_set.h"
#include "gauze/anonymize/search/local_search.h"
#include "gauze/anonymize/search/mondrian.h"
#include "gauze/anonymize/search/optimal_search.h"
#include "gauze/base/cpu_time.h"

namespace gauze::anonymize {

using namespace schema;  // the vocabulary of this file

namespace {

/// Some records of a tuple, and the size of the class they are in.
struct Placed {
  std::size_t tuple = 0;
  std::uint64_t records = 0;
  std::size_t in_class = 0;
};

/// Risk by group of every sensitive column, from where the records of each tuple are.
void add_groups(const TableRecords& table, const std::vector<Placed>& placed, const std::vector<ClassSize>& classes,
                ReidentificationRisk& risk) {
  const Records& records = table.records;
  for (std::size_t column = 0; column < records.sensitive.size(); ++column) {
    std::vector<GroupMember> members;
    members.reserve(placed.size());
    for (const Placed& one : placed)
      members.push_back({records.values[column][one.tuple], classes[one.in_class].records, one.records});
    const auto& dictionary = table.tuples.dictionaries[records.quasi.size() + column];
    risk.by_group[records.sensitive[column].name] = assess_groups(dictionary.values, members, risk.threshold);
  }
}

ReidentificationRisk risk_of_input(const TableRecords& table, const Rational& threshold) {
  const Records& records = table.records;
  const ClassGrouping grouping(records);
  ClassGrouping::Scratch scratch;
  grouping.group(Levels(records.quasi.size(), 0), scratch);
  std::vector<ClassSize> classes(scratch.slots);
  std::vector<Placed> placed;
  for (std::size_t tuple = 0; tuple < records.size(); ++tuple) {
    ClassSize& size = classes[scratch.slot[tuple]];
    size.records += records.counts[tuple];
    if (!records.population.empty()) size.population += records.population[tuple];
    if (records.counts[tuple] > 0) placed.push_back({tuple, records.counts[tuple], scratch.slot[tuple]});
  }
  ReidentificationRisk risk = assess_risk(classes, threshold);
  add_groups(table, placed, classes, risk);
  return risk;
}

ReidentificationRisk risk_of_output(const TableRecords& table, const Recoding& recoding, const Anonymization& result,
                                    const Rational& threshold) {
  const Records& records = table.records;
  std::vector<ClassSize> classes;
  for (const Recoding::Class& output : recoding.classes)
    classes.push_back({.records = output.records, .population = 0});
  std::vector<Placed> placed;
  for (std::size_t tuple = 0; tuple < records.size(); ++tuple) {
    if (recoding.class_of[tuple] == Recoding::kSuppressed) continue;
    if (recoding.splits.empty()) {
      if (records.counts[tuple] > 0) placed.push_back({tuple, records.counts[tuple], recoding.class_of[tuple]});
    } else {
      for (const Recoding::Share& share : recoding.splits[tuple])
        placed.push_back({tuple, share.records, share.output_class});
    }
  }
  if (!records.population.empty() && result.levels) {
    // People who look like a class are those of all tuples that generalise to it, with or without records.
    std::map<std::vector<std::uint32_t>, std::uint64_t> people;
    auto key = [&](std::size_t tuple) {
      std::vector<std::uint32_t> codes;
      for (std::size_t quasi = 0; quasi < records.quasi.size(); ++quasi)
        codes.push_back(records.quasi[quasi].hierarchy->code((*result.levels)[quasi], records.ground[quasi][tuple]));
      return codes;
    };
    for (std::size_t tuple = 0; tuple < records.size(); ++tuple) people[key(tuple)] += records.population[tuple];
    for (std::size_t tuple = 0; tuple < records.size(); ++tuple)
      if (recoding.class_of[tuple] != Recoding::kSuppressed)
        classes[recoding.class_of[tuple]].population = people[key(tuple)];
  }
  ReidentificationRisk risk = assess_risk(classes, threshold);
  add_groups(table, placed, classes, risk);
  return risk;
}

/// Quasi-identifiers with several values before and one text after.
std::vector<std::string> lost_columns(const TableRecords& table, const Recoding& recoding) {
  std::vector<std::string> lost;
  for (std::size_t quasi = 0; quasi < table.records.quasi.size() && !recoding.classes.empty(); ++quasi) {
    if (table.tuples.dictionaries[quasi].values.size() < 2) continue;
    const auto text = [&](const Recoding::Class& one) -> const std::string& {
      return recoding.values[quasi][one.cells[quasi]].text;
    };
    const bool same = std::all_of(recoding.classes.begin(), recoding.classes.end(), [&](const Recoding::Class& one) {
      return text(one) == text(recoding.classes.front());
    });
    if (same) lost.push_back(table.records.quasi[quasi].name);
  }
  return lost;
}

}  // namespace

Result<Anonymization> anonymize(const TableRecords& table, const Policy& policy, SuppressedRows suppressed,
                                Progress& progress) {
  const Records& records = table.records;
  const ReferenceRecords reference =
      suppressed == SuppressedRows::keep ? ReferenceRecords::all : ReferenceRecords::kept;
  GAUZE_TRY(const CriteriaSet criteria, CriteriaSet::make(policy.privacy, records, reference));
  if (policy.privacy.k > records.total)
    return make_error(ErrorCode::infeasible, "k is {}, but the table has {} rows", policy.privacy.k, records.total);
  SearchOptions options;
  options.metric = policy.search.metric;
  GAUZE_TRY(const std::int64_t limit,
            (policy.search.suppression * Rational(static_cast<std::int64_t>(records.total))).floor().to_int64());
  options.suppression_limit = static_cast<std::uint64_t>(limit);
  if (policy.search.time_limit_seconds)
    options.time_limit = std::chrono::duration<double>(policy.search.time_limit_seconds->to_double());

  Anonymization result;
  result.search = policy.search.kind;
  const double started = cpu_seconds();
  switch (policy.search.kind) {
    case SearchKind::optimal: {
      GAUZE_TRY(OptimalNode best, find_optimal_node(records, criteria, options, progress));
      result.search_seconds = cpu_seconds() - started;
      const NodeEvaluation evaluation(records, criteria, options.suppression_limit, false);
      result.recoding = recode_at(best.levels, evaluation);
      result.levels = std::move(best.levels);
      result.nodes_checked = best.nodes_checked;
      result.nodes_total = best.nodes_total;
      result.optimal = best.optimal;
      result.lower_bound = best.lower_bound;
      break;
    }
    case SearchKind::local: {
      GAUZE_TRY(LocalRecoding found, recode_locally(records, criteria, options, progress));
      result.search_seconds = cpu_seconds() - started;
      result.recoding = std::move(found.recoding);
      result.nodes_checked = found.nodes_checked;
      result.nodes_total = found.nodes_total;
      break;
    }
    case SearchKind::mondrian: {
      GAUZE_TRY(result.recoding, cut_by_mondrian(records, criteria, policy.search.relaxed, progress));
      result.search_seconds = cpu_seconds() - started;
      break;
    }
  }
  result.metrics = measure(result.recoding, records, result.levels ? &*result.levels : nullptr);
  result.value = result.metrics.of(options.metric);
  if (policy.search.kind != SearchKind::optimal) result.lower_bound = 0;
  result.lost = lost_columns(table, result.recoding);
  const Rational threshold(1, 5);
  result.input_risk = risk_of_input(table, threshold);
  result.output_risk = risk_of_output(table, result.recoding, result, threshold);
  return result;
}

}  // namespace gauze::anonymize
