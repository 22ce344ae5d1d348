#include "gauze/anonymize/classes/node_evaluation.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace gauze::anonymize {

NodeEvaluation::NodeEvaluation(const Records& records, const CriteriaSet& criteria, std::uint64_t suppression_limit,
                               bool describes_classes)
    : records_(records),
      criteria_(criteria),
      grouping_(records),
      limit_(suppression_limit),
      describes_classes_(describes_classes) {
  for (const CriteriaSet::OnColumn& entry : criteria.on_columns())
    lasting_columns_ += entry.criterion->survives_any_merge() ? 1 : 0;
  if (criteria.missing_matches_everything())
    for (const QuasiIdentifier& quasi : records.quasi)
      missing_matters_ = missing_matters_ || quasi.missing.has_value();
  // Without suppression one failing class is enough, and it has a failing part at every node below.
  // Where missing matches everything, generalising it away takes matches with it.
  monotone_ =
      !missing_matters_ && (criteria.survives_any_merge() || (limit_ == 0 && criteria.closed_under_merging()));
  for (std::size_t quasi = 0; quasi < records.quasi.size(); ++quasi)
    if (records.quasi[quasi].hierarchy->size() > records.quasi[pivot_].hierarchy->size()) pivot_ = quasi;
  if (!records.quasi.empty())
    layers_ = std::make_unique<Layer[]>(static_cast<std::size_t>(records.quasi[pivot_].hierarchy->levels()));
}

const NodeEvaluation::Layer& NodeEvaluation::layer(int level, Scratch& scratch) const {
  Layer& wanted = layers_[static_cast<std::size_t>(level)];
  std::call_once(wanted.made, [&] {
    Levels levels(records_.quasi.size(), 0);
    levels[pivot_] = static_cast<std::uint8_t>(level);
    grouping_.group(levels, scratch.groups);
    wanted.records.quasi = records_.quasi;
    wanted.records.ground.resize(records_.ground.size());
    wanted.records.total = records_.total;
    std::vector<std::uint32_t> place(scratch.groups.slots, UINT32_MAX);
    for (std::size_t tuple = 0; tuple < records_.size(); ++tuple) {
      std::uint32_t& known = place[scratch.groups.slot[tuple]];
      if (known != UINT32_MAX) continue;
      known = static_cast<std::uint32_t>(wanted.records.counts.size());
      for (std::size_t quasi = 0; quasi < records_.ground.size(); ++quasi)
        wanted.records.ground[quasi].push_back(records_.ground[quasi][tuple]);  // any tuple of the class will do
      wanted.records.counts.push_back(scratch.groups.size[scratch.groups.slot[tuple]]);
    }
    wanted.grouping.emplace(wanted.records);
  });
  return wanted;
}

bool NodeEvaluation::too_many_below_k(const Levels& levels, Scratch& scratch) const {
  if (levels[pivot_] == 0)
    grouping_.group(levels, scratch.groups);
  else
    layer(levels[pivot_], scratch).grouping->group(levels, scratch.groups);
  return count_below_k(scratch) > limit_;
}

NodeOutcome NodeEvaluation::evaluate(const Levels& levels, Depth depth, Scratch& scratch) const {
  NodeOutcome outcome;
  if (missing_matters_) {
    judge(levels, scratch);
    const std::uint64_t suppressed = count_suppressed(scratch);
    if (describes_classes_) describe_classes(scratch, outcome);
    outcome.feasible = suppressed <= limit_;
    if (outcome.feasible) outcome.suppressed = list_suppressed(suppressed, scratch);
    return outcome;
  }
  if (!describes_classes_ && too_many_below_k(levels, scratch)) {
    outcome.prunes_below = true;
    return outcome;
  }
  grouping_.group(levels, scratch.groups);
  judge_sizes(/*lasting_only=*/true, scratch);
  judge_columns(0, lasting_columns_, scratch);
  const std::uint64_t lasting = count_suppressed(scratch);
  if (describes_classes_) describe_classes(scratch, outcome);
  if (lasting > limit_) {
    outcome.prunes_below = true;
    outcome.lasting.records = lasting;
    return outcome;
  }
  outcome.lasting = list_suppressed(lasting, scratch);
  const bool all_lasting = lasting_columns_ == criteria_.on_columns().size() && criteria_.survives_any_merge();
  if (all_lasting) {
    outcome.feasible = true;
    outcome.suppressed = outcome.lasting;
    return outcome;
  }
  if (depth == Depth::lasting && !monotone_) return outcome;
  judge_sizes(/*lasting_only=*/false, scratch);
  judge_columns(0, criteria_.on_columns().size(), scratch);
  const std::uint64_t suppressed = count_suppressed(scratch);
  if (suppressed > limit_) {
    outcome.prunes_below = monotone_;
    return outcome;
  }
  outcome.feasible = true;
  outcome.suppressed = list_suppressed(suppressed, scratch);
  if (describes_classes_) describe_classes(scratch, outcome);
  return outcome;
}

void NodeEvaluation::judge(const Levels& levels, Scratch& scratch) const {
  grouping_.group(levels, scratch.groups);
  if (!missing_matters_) {
    judge_sizes(/*lasting_only=*/false, scratch);
    judge_columns(0, criteria_.on_columns().size(), scratch);
    return;
  }
  // Records that match a class through a missing value do so only while they are kept themselves.
  scratch.kept.assign(scratch.groups.slots, 1);
  for (std::uint64_t before = UINT64_MAX, now = 0; now != before;) {
    before = now;
    match_missing(levels, scratch);
    for (std::size_t slot = 0; slot < scratch.groups.slots; ++slot)
      if (scratch.matching[slot] < criteria_.k() && scratch.groups.size[slot] > 0) scratch.kept[slot] = 0;
    judge_columns(0, criteria_.on_columns().size(), scratch);
    now = count_suppressed(scratch) + 1;
  }
}

void NodeEvaluation::judge_sizes(bool lasting_only, Scratch& scratch) const {
  const std::vector<std::uint32_t>& size = scratch.groups.size;
  const std::size_t slots = scratch.groups.slots;
  scratch.kept.resize(slots);
  if (!criteria_.needs_population()) {
    const auto k = static_cast<std::uint32_t>(std::min<std::uint64_t>(criteria_.k(), UINT32_MAX));
    for (std::size_t slot = 0; slot < slots; ++slot) scratch.kept[slot] = size[slot] >= k ? 1 : 0;
    return;
  }
  scratch.population.assign(slots, 0);
  for (std::size_t tuple = 0; tuple < records_.size(); ++tuple)
    scratch.population[scratch.groups.slot[tuple]] += records_.population[tuple];
  for (std::size_t slot = 0; slot < slots; ++slot) {
    const bool holds = lasting_only ? criteria_.lasting_size_holds(size[slot], scratch.population[slot])
                                    : criteria_.size_holds(size[slot], scratch.population[slot]);
    scratch.kept[slot] = size[slot] == 0 || holds ? 1 : 0;
  }
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

void NodeEvaluation::order_by_class(Scratch& scratch) const {
  const std::size_t slots = scratch.groups.slots;
  scratch.starts.assign(slots + 1, 0);
  for (const std::uint32_t slot : scratch.groups.slot) ++scratch.starts[slot + 1];
  for (std::size_t slot = 0; slot < slots; ++slot) scratch.starts[slot + 1] += scratch.starts[slot];
  scratch.order.resize(records_.size());
  for (std::size_t tuple = records_.size(); tuple-- > 0;)
    scratch.order[--scratch.starts[scratch.groups.slot[tuple] + 1]] = static_cast<std::uint32_t>(tuple);
  // Counting down has moved every start by one place.
  scratch.starts.erase(scratch.starts.begin());
  scratch.starts.push_back(static_cast<std::uint32_t>(records_.size()));
}

void NodeEvaluation::judge_columns(std::size_t first, std::size_t last, Scratch& scratch) const {
  if (first == last) return;
  order_by_class(scratch);
  for (std::size_t slot = 0; slot < scratch.groups.slots; ++slot) {
    if (scratch.groups.size[slot] == 0) continue;
    for (std::size_t entry = first; entry < last && scratch.kept[slot] != 0; ++entry) {
      const CriteriaSet::OnColumn& condition = criteria_.on_columns()[entry];
      const std::vector<std::uint32_t>& codes = records_.values[condition.column];
      scratch.value_counts.resize(
          std::max(scratch.value_counts.size(), records_.sensitive[condition.column].totals.size()), 0);
      scratch.values.clear();
      for (std::uint32_t place = scratch.starts[slot]; place < scratch.starts[slot + 1]; ++place) {
        const std::uint32_t tuple = scratch.order[place];
        if (records_.counts[tuple] == 0) continue;
        std::uint64_t& count = scratch.value_counts[codes[tuple]];
        if (count == 0) scratch.values.push_back({codes[tuple], 0});
        count += records_.counts[tuple];
      }
      for (ValueCount& value : scratch.values) {
        value.count = scratch.value_counts[value.value];
        scratch.value_counts[value.value] = 0;
      }
      scratch.kept[slot] = condition.criterion->holds(scratch.values, scratch.groups.size[slot]) ? 1 : 0;
    }
  }
}

std::uint64_t NodeEvaluation::count_suppressed(const Scratch& scratch) const {
  std::uint64_t sum = 0;
  for (std::size_t slot = 0; slot < scratch.groups.slots; ++slot)
    sum += scratch.kept[slot] != 0 ? 0 : scratch.groups.size[slot];
  return sum;
}

// The common case, as a loop that compilers turn into SIMD.
std::uint64_t NodeEvaluation::count_below_k(const Scratch& scratch) const {
  const auto k = static_cast<std::uint32_t>(std::min<std::uint64_t>(criteria_.k(), UINT32_MAX));
  const std::uint32_t* const size = scratch.groups.size.data();
  std::uint64_t sum = 0;
  for (std::size_t slot = 0; slot < scratch.groups.slots; ++slot) sum += size[slot] < k ? size[slot] : 0;
  return sum;
}

SuppressedRecords NodeEvaluation::list_suppressed(std::uint64_t records, const Scratch& scratch) const {
  SuppressedRecords list{.records = records, .by_ground = {}};
  for (const QuasiIdentifier& quasi : records_.quasi) list.by_ground.emplace_back(quasi.hierarchy->size(), 0);
  if (records == 0) return list;
  for (std::size_t tuple = 0; tuple < records_.size(); ++tuple) {
    if (scratch.kept[scratch.groups.slot[tuple]] != 0) continue;
    for (std::size_t quasi = 0; quasi < list.by_ground.size(); ++quasi)
      list.by_ground[quasi][records_.ground[quasi][tuple]] += records_.counts[tuple];
  }
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
