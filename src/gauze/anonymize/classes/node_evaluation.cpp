#include "gauze/anonymize/classes/node_evaluation.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

namespace gauze::anonymize {

namespace {

std::vector<std::size_t> columns_of(const CriteriaSet& criteria) {
  std::vector<std::size_t> columns;
  for (const CriteriaSet::OnColumn& entry : criteria.on_columns())
    if (std::find(columns.begin(), columns.end(), entry.column) == columns.end()) columns.push_back(entry.column);
  return columns;
}

}  // namespace

NodeEvaluation::NodeEvaluation(const Records& records, const CriteriaSet& criteria, std::uint64_t suppression_limit,
                               bool describes_classes)
    : records_(records),
      criteria_(criteria),
      layers_(records, columns_of(criteria)),
      limit_(suppression_limit),
      describes_classes_(describes_classes) {
  for (const std::size_t column : columns_of(criteria)) {
    columns_.push_back({column, ReferenceDistribution(records.sensitive[column]), {}});
    for (const CriteriaSet::OnColumn& entry : criteria.on_columns())
      if (entry.column == column) columns_.back().criteria.push_back(entry.criterion.get());
  }
  fewest_ = criteria.k();
  for (const Column& column : columns_) {
    // Records whose value nobody sees count for k alone.
    const SensitiveColumn& sensitive = records.sensitive[column.column];
    if (column.everyone.records() != sensitive.records || sensitive.records != records.total) continue;
    for (const ClassCriterion* criterion : column.criteria)
      fewest_ = std::max(fewest_, criterion->fewest_records(column.everyone));
  }
  if (criteria.missing_matches_everything())
    for (const QuasiIdentifier& quasi : records.quasi)
      missing_matters_ = missing_matters_ || quasi.missing.has_value();
  // Without suppression one failing class is enough, and it has a failing part at every node below.
  // Where missing matches everything, generalising it away takes matches with it.
  monotone_ =
      !missing_matters_ && (criteria.survives_any_merge() || (limit_ == 0 && criteria.closed_under_merging()));
}

NodeOutcome NodeEvaluation::evaluate(const Levels& levels, Scratch& scratch, const MayBeBest& may_be_best) const {
  NodeOutcome outcome;
  if (missing_matters_) {
    judge(levels, scratch);
    if (describes_classes_) describe_classes(scratch, outcome);
    outcome.feasible = scratch.suppressed <= limit_;
    if (outcome.feasible) outcome.suppressed = list_suppressed(/*lasting=*/false, layers_.whole(), scratch);
    return outcome;
  }
  const Layer& layer = layers_.below(levels, scratch.groups);
  layer.grouping.group(levels, scratch.groups);
  if (!describes_classes_ && count_below_fewest(scratch) > limit_) {
    outcome.prunes_below = true;
    return outcome;
  }
  judge_sizes(/*lasting_only=*/true, layer, scratch);
  if (describes_classes_) describe_classes(scratch, outcome);
  std::uint64_t lasting = scratch.suppressed;
  // A class of the population without records, or with less than k, has a part like that at every node below.
  if (lasting > limit_ || somebody_is_absent(scratch)) {
    outcome.prunes_below = true;
    outcome.lasting.records = lasting;
    return outcome;
  }
  if (may_be_best && lasting > 0 && !columns_.empty()) {
    const auto list = [&]() -> const SuppressedRecords& {
      return outcome.lasting = list_suppressed(/*lasting=*/true, layer, scratch);
    };
    if (!may_be_best(lasting, list)) return outcome;
  }
  if (criteria_.needs_population()) judge_sizes(/*lasting_only=*/false, layer, scratch);
  count_values(layer, scratch);
  lasting += judge_against_everyone(limit_ - lasting, scratch);
  outcome.lasting_further = lasting - outcome.lasting.records;
  if (lasting > limit_) {
    outcome.prunes_below = true;
    outcome.lasting.records = lasting;
    return outcome;
  }
  // Infeasible nodes tell little about those below that pruning does not; their list would cost more than it saves.
  // What fails by its values may recover, so the list that the sizes gave is this one.
  if (scratch.suppressed <= limit_ && outcome.lasting.by_ground.empty())
    outcome.lasting = list_suppressed(/*lasting=*/true, layer, scratch);
  outcome.lasting_further = lasting - outcome.lasting.records;
  std::uint64_t listed = UINT64_MAX;  // records of outcome.suppressed
  const auto list_all = [&]() -> const SuppressedRecords& {
    if (std::exchange(listed, scratch.suppressed) != scratch.suppressed)
      outcome.suppressed = list_suppressed(/*lasting=*/false, layer, scratch);
    return outcome.suppressed;
  };
  // What fails against all records is suppressed here, whatever else is.
  if (may_be_best && scratch.suppressed <= limit_ && !columns_.empty() &&
      !may_be_best(scratch.suppressed, list_all)) {
    outcome.suppressed = {};
    return outcome;
  }
  while (scratch.suppressed <= limit_ && judge_against_kept(limit_, scratch)) {
  }
  if (describes_classes_) describe_classes(scratch, outcome);
  outcome.feasible = scratch.suppressed <= limit_ && !somebody_is_absent(scratch);
  if (outcome.feasible)
    list_all();
  else
    outcome.prunes_below = monotone_;
  return outcome;
}

void NodeEvaluation::judge(const Levels& levels, Scratch& scratch) const {
  judge_each(levels, scratch);
  if (!missing_matters_) {
    while (judge_against_kept(UINT64_MAX, scratch)) {
    }
    return;
  }
  // Records that match a class through a missing value do so only while they are kept themselves.
  for (std::uint64_t before = UINT64_MAX, now = scratch.suppressed; now != before;) {
    before = now;
    match_missing(levels, scratch);
    judge_sizes(/*lasting_only=*/false, layers_.whole(), scratch);
    judge_against_kept(UINT64_MAX, scratch);
    now = scratch.suppressed;
  }
}

void NodeEvaluation::judge_each(const Levels& levels, Scratch& scratch) const {
  layers_.whole().grouping.group(levels, scratch.groups);
  scratch.kept.assign(scratch.groups.slots, 1);
  scratch.suppressed = 0;
  if (missing_matters_) match_missing(levels, scratch);
  judge_sizes(/*lasting_only=*/false, layers_.whole(), scratch);
  count_values(layers_.whole(), scratch);
  static_cast<void>(judge_against_everyone(UINT64_MAX, scratch));
}

void NodeEvaluation::judge_sizes(bool lasting_only, const Layer& layer, Scratch& scratch) const {
  const std::vector<std::uint32_t>& size = scratch.groups.size;
  const std::size_t slots = scratch.groups.slots;
  scratch.may_recover.assign(slots, 0);
  if (missing_matters_) {
    for (std::size_t slot = 0; slot < slots; ++slot)
      if (scratch.matching[slot] < criteria_.k() && size[slot] > 0)
        suppress(static_cast<std::uint32_t>(slot), scratch);
    return;
  }
  scratch.kept.resize(slots);
  if (!criteria_.needs_population()) {
    const auto fewest = static_cast<std::uint32_t>(std::min<std::uint64_t>(fewest_, UINT32_MAX));
    for (std::size_t slot = 0; slot < slots; ++slot) scratch.kept[slot] = size[slot] >= fewest ? 1 : 0;
    scratch.suppressed = count_below_fewest(scratch);
    return;
  }
  scratch.suppressed = 0;
  scratch.population.assign(slots, 0);
  for (std::size_t tuple = 0; tuple < layer.records.size(); ++tuple)
    scratch.population[scratch.groups.slot[tuple]] += layer.records.population[tuple];
  for (std::size_t slot = 0; slot < slots; ++slot) {
    const bool lasting = criteria_.lasting_size_holds(size[slot], scratch.population[slot]);
    const bool holds = lasting_only ? lasting : criteria_.size_holds(size[slot], scratch.population[slot]);
    scratch.kept[slot] = size[slot] == 0 || holds ? 1 : 0;
    scratch.suppressed += scratch.kept[slot] != 0 ? 0 : size[slot];
    scratch.may_recover[slot] = lasting ? 1 : 0;
  }
}

bool NodeEvaluation::somebody_is_absent(const Scratch& scratch) const {
  if (!criteria_.needs_everybody()) return false;
  for (std::size_t slot = 0; slot < scratch.groups.slots; ++slot)
    if (scratch.population[slot] > 0 && (scratch.groups.size[slot] == 0 || scratch.kept[slot] == 0)) return true;
  return false;
}

void NodeEvaluation::match_missing(const Levels& levels, Scratch& scratch) const {
  const std::size_t width = records_.quasi.size();
  const std::size_t slots = scratch.groups.slots;
  // One tuple stands for each class; a class is described by its values and by which of them are missing.
  std::vector<std::uint32_t> representative(slots, UINT32_MAX);
  for (std::size_t tuple = 0; tuple < records_.size(); ++tuple)
    representative[scratch.groups.slot[tuple]] = static_cast<std::uint32_t>(tuple);
  auto value = [&](std::size_t quasi, std::size_t slot) {
    return records_.quasi[quasi].hierarchy->code(levels[quasi], records_.ground[quasi][representative[slot]]);
  };
  auto is_missing = [&](std::size_t quasi, std::size_t slot) {
    const QuasiIdentifier& column = records_.quasi[quasi];
    if (!column.missing) return false;
    const std::uint32_t code = column.hierarchy->code(levels[quasi], *column.missing);
    // Only while it is written as it was: a reader cannot tell that another word means missing.
    return column.hierarchy->rows_under(levels[quasi], code) == 1 && value(quasi, slot) == code &&
           column.hierarchy->text(levels[quasi], code) == column.hierarchy->text(0, *column.missing);
  };
  std::map<std::vector<bool>, std::vector<std::uint32_t>> by_mask;
  for (std::uint32_t slot = 0; slot < slots; ++slot) {
    if (representative[slot] == UINT32_MAX) continue;
    std::vector<bool> mask(width);
    for (std::size_t quasi = 0; quasi < width; ++quasi) mask[quasi] = is_missing(quasi, slot);
    by_mask[std::move(mask)].push_back(slot);
  }
  // Classes of two masks match when they agree on the columns that neither misses.
  scratch.matching.assign(slots, 0);
  auto key = [&](std::uint32_t slot, const std::vector<bool>& mine, const std::vector<bool>& other) {
    std::string text;
    for (std::size_t quasi = 0; quasi < width; ++quasi) {
      if (mine[quasi] || other[quasi]) continue;
      const std::uint32_t code = value(quasi, slot);
      text.append(reinterpret_cast<const char*>(&code), sizeof code);
    }
    return text;
  };
  for (const auto& [mask, classes] : by_mask) {
    for (const auto& [other_mask, others] : by_mask) {
      std::unordered_map<std::string, std::uint32_t> sums;
      for (const std::uint32_t slot : others)
        sums[key(slot, other_mask, mask)] += scratch.kept[slot] != 0 ? scratch.groups.size[slot] : 0;
      for (const std::uint32_t slot : classes)
        if (const auto found = sums.find(key(slot, mask, other_mask)); found != sums.end())
          scratch.matching[slot] += found->second;
    }
  }
}

void NodeEvaluation::count_values(const Layer& layer, Scratch& scratch) const {
  scratch.classes.clear();
  scratch.references.clear();
  if (columns_.empty()) return;
  for (std::uint32_t slot = 0; slot < scratch.groups.slots; ++slot)
    if (scratch.kept[slot] != 0 && scratch.groups.size[slot] > 0) scratch.classes.push_back(slot);
  scratch.values.resize(columns_.size());
  for (std::size_t place = 0; place < columns_.size(); ++place)
    layer.values[place].count(scratch.groups, scratch.classes, scratch.values[place]);
}

namespace {

std::uint64_t visible(std::span<const ValueCount> values) {
  std::uint64_t sum = 0;
  for (const ValueCount& value : values) sum += value.count;
  return sum;
}

}  // namespace

std::uint64_t NodeEvaluation::judge_against_everyone(std::uint64_t most, Scratch& scratch) const {
  scratch.failures.clear();
  std::uint64_t failing = 0;
  for (const std::uint32_t slot : scratch.classes) {
    for (std::uint32_t place = 0; place < columns_.size() && scratch.kept[slot] != 0; ++place) {
      const std::span<const ValueCount> values = scratch.values[place].of(slot);
      const std::uint64_t seen = visible(values);
      if (seen == 0) continue;
      for (const ClassCriterion* criterion : columns_[place].criteria) {
        if (criterion->holds(values, seen, columns_[place].everyone)) continue;
        suppress(slot, scratch);
        scratch.may_recover[slot] = 1;
        scratch.failures.push_back({slot, place, criterion});
        failing += scratch.groups.size[slot];
        break;
      }
    }
  }
  // The parts of a class at a node below are judged against all records first, and what fails then is suppressed. So at
  // most what most_kept_in_parts says is kept of a class that fails here, and the classes of a node have no records in
  // common: what is lost adds up.
  // Large classes first: they decide soonest.
  auto& failures = scratch.failures;
  const auto smaller = [&](const auto& a, const auto& b) {
    return scratch.groups.size[a.slot] < scratch.groups.size[b.slot];
  };
  std::uint64_t lost = 0;
  const bool may_decide = failing > most;
  if (may_decide) std::make_heap(failures.begin(), failures.end(), smaller);
  for (auto end = failures.end(); lost <= most && end != failures.begin() && lost + failing > most; --end) {
    if (may_decide) std::pop_heap(failures.begin(), end, smaller);
    const Scratch::Failure& failure = *(end - 1);
    const std::span<const ValueCount> values = scratch.values[failure.column].of(failure.slot);
    const std::uint64_t seen = visible(values);
    const std::uint64_t kept = failure.criterion->most_kept_in_parts(values, seen, columns_[failure.column].everyone);
    lost += seen - kept;
    failing -= scratch.groups.size[failure.slot];
  }
  return lost;
}

bool NodeEvaluation::judge_against_kept(std::uint64_t most, Scratch& scratch) const {
  if (!criteria_.depends_on_kept() || scratch.suppressed == 0) return false;
  if (scratch.references.empty())
    for (const Column& column : columns_) scratch.references.push_back(column.everyone);
  for (std::size_t place = 0; place < columns_.size(); ++place) {
    scratch.totals.assign(records_.sensitive[columns_[place].column].totals.size(), 0);
    for (const std::uint32_t slot : scratch.classes)
      if (scratch.kept[slot] != 0)
        for (const ValueCount& value : scratch.values[place].of(slot)) scratch.totals[value.value] += value.count;
    scratch.references[place].count(scratch.totals);
  }
  bool changed = false;
  for (const std::uint32_t slot : scratch.classes) {
    if (scratch.kept[slot] == 0) continue;
    for (std::size_t place = 0; place < columns_.size(); ++place) {
      const std::span<const ValueCount> values = scratch.values[place].of(slot);
      const std::uint64_t seen = visible(values);
      if (seen == 0) continue;
      for (const ClassCriterion* criterion : columns_[place].criteria)
        if (criterion->is_relative() && !criterion->holds(values, seen, scratch.references[place]))
          suppress(slot, scratch);
    }
    if (scratch.kept[slot] != 0) continue;
    changed = true;
    if (scratch.suppressed > most) break;
  }
  return changed;
}

void NodeEvaluation::suppress(std::uint32_t slot, Scratch& scratch) {
  if (scratch.kept[slot] != 0) scratch.suppressed += scratch.groups.size[slot];
  scratch.kept[slot] = 0;
}

// The common case, as a loop that compilers turn into SIMD.
std::uint64_t NodeEvaluation::count_below_fewest(const Scratch& scratch) const {
  const auto fewest = static_cast<std::uint32_t>(std::min<std::uint64_t>(fewest_, UINT32_MAX));
  const std::uint32_t* const size = scratch.groups.size.data();
  std::uint64_t sum = 0;
  for (std::size_t slot = 0; slot < scratch.groups.slots; ++slot) sum += size[slot] < fewest ? size[slot] : 0;
  return sum;
}

SuppressedRecords NodeEvaluation::list_suppressed(bool lasting, const Layer& layer, Scratch& scratch) const {
  // Without branches, which nobody could foretell.
  const std::size_t slots = scratch.groups.slots;
  scratch.listed.resize(slots);
  SuppressedRecords list;
  for (std::size_t slot = 0; slot < slots; ++slot) {
    const auto is_listed = static_cast<std::uint8_t>((scratch.kept[slot] == 0 ? 1 : 0) &
                                                     (lasting && scratch.may_recover[slot] != 0 ? 0 : 1));
    scratch.listed[slot] = is_listed;
    list.records += is_listed * static_cast<std::uint64_t>(scratch.groups.size[slot]);
  }
  for (const QuasiIdentifier& quasi : records_.quasi) list.by_ground.emplace_back(quasi.hierarchy->size(), 0);
  if (list.records == 0) return list;
  scratch.tuples.resize(records_.size() + 1);
  std::size_t count = 0;
  const auto take = [&](auto slot_of) {
    for (std::uint32_t tuple = 0; tuple < records_.size(); ++tuple) {
      scratch.tuples[count] = tuple;
      count += scratch.listed[slot_of(tuple)];
    }
  };
  const std::vector<std::uint32_t>& slot = scratch.groups.slot;
  if (layer.place.empty())
    take([&](std::uint32_t tuple) { return slot[tuple]; });
  else
    take([&](std::uint32_t tuple) { return slot[layer.place[tuple]]; });
  grouping().count_ground(std::span(scratch.tuples).first(count), list.by_ground);
  return list;
}

void NodeEvaluation::describe_classes(const Scratch& scratch, NodeOutcome& outcome) const {
  // Where missing matches everything, a class may be kept that has fewer than k records of its own.
  const double k = missing_matters_ ? 1 : static_cast<double>(criteria_.k());
  outcome.kept_classes = 0;
  outcome.sum_of_squares = 0;
  outcome.largest_class = 0;
  outcome.smallest_class = UINT64_MAX;
  double failing = 0;
  double least = 0;
  for (std::size_t slot = 0; slot < scratch.groups.slots; ++slot) {
    const std::uint64_t size = scratch.groups.size[slot];
    if (size == 0) continue;
    const auto records = static_cast<double>(size);
    least += records * std::max(records, k);
    if (scratch.kept[slot] == 0) {
      failing += records;
      continue;
    }
    ++outcome.kept_classes;
    outcome.sum_of_squares += records * records;
    outcome.smallest_class = std::min(outcome.smallest_class, size);
    outcome.largest_class = std::max(outcome.largest_class, size);
  }
  if (outcome.kept_classes == 0) outcome.smallest_class = 0;
  // A class kept above holds a class kept here, or is made of failing records alone, at least k of them.
  outcome.least_squares_above = least;
  outcome.most_classes_above = outcome.kept_classes + static_cast<std::uint64_t>(failing / std::max(k, 1.0));
}

}  // namespace gauze::anonymize
