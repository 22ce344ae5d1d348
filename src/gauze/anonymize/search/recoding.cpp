#include "gauze/anonymize/search/recoding.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include "gauze/anonymize/internal/count_entropy.h"

namespace gauze::anonymize {

using namespace schema;  // the vocabulary of this file

namespace {

std::vector<std::uint64_t> records_by_ground(const Records& records, std::size_t quasi) {
  std::vector<std::uint64_t> counts(records.quasi[quasi].hierarchy->size(), 0);
  for (std::size_t tuple = 0; tuple < records.size(); ++tuple)
    counts[records.ground[quasi][tuple]] += records.counts[tuple];
  return counts;
}

/// The values of one quasi-identifier that have been used so far, by level and code.
class UsedValues {
 public:
  UsedValues(const Records& records, std::size_t quasi)
      : hierarchy_(*records.quasi[quasi].hierarchy), by_ground_(records_by_ground(records, quasi)) {
    for (int level = 0; level < hierarchy_.levels(); ++level) {
      place_.emplace_back(hierarchy_.value_count(level), UINT32_MAX);
      under_.emplace_back(hierarchy_.value_count(level), 0);
      for (std::uint32_t row = 0; row < hierarchy_.size(); ++row)
        under_.back()[hierarchy_.code(level, row)] += by_ground_[row];
    }
  }

  std::uint32_t use(int level, std::uint32_t code, std::vector<CellValue>& values) {
    std::uint32_t& place = place_[static_cast<std::size_t>(level)][code];
    if (place == UINT32_MAX) {
      place = static_cast<std::uint32_t>(values.size());
      values.push_back({.text = hierarchy_.text(level, code),
                        .rows = hierarchy_.rows_under(level, code),
                        .height = hierarchy_.height() == 0 ? 0 : static_cast<double>(level) / hierarchy_.height(),
                        .records = under_[static_cast<std::size_t>(level)][code]});
    }
    return place;
  }

 private:
  const Hierarchy& hierarchy_;
  std::vector<std::uint64_t> by_ground_;
  std::vector<std::vector<std::uint32_t>> place_;
  std::vector<std::vector<std::uint64_t>> under_;
};

using internal::c_log_c;

// The lowest level at which all tuples of a class have one value.
int common_level(const Records& records, std::size_t quasi, const std::vector<std::uint32_t>& tuples) {
  const Hierarchy& hierarchy = *records.quasi[quasi].hierarchy;
  const std::vector<std::uint32_t>& ground = records.ground[quasi];
  int level = 0;
  for (const std::uint32_t tuple : tuples)
    while (hierarchy.code(level, ground[tuple]) != hierarchy.code(level, ground[tuples.front()])) {
      ++level;
      GAUZE_CHECK(level < hierarchy.levels());
    }
  return level;
}

}  // namespace

double MetricValues::of(Metric metric) const {
  switch (metric) {
    case Metric::loss:
      return loss;
    case Metric::loss_geometric:
      return loss_geometric;
    case Metric::discernibility:
      return discernibility;
    case Metric::aecs:
      return aecs;
    case Metric::entropy:
      return entropy;
    case Metric::precision:
      return precision;
  }
  return loss;
}

std::uint32_t ClassesByText::use(std::vector<std::uint32_t> cells) {
  std::vector<std::string> texts;
  for (std::size_t quasi = 0; quasi < cells.size(); ++quasi)
    texts.push_back(recoding_.values[quasi][cells[quasi]].text);
  const auto [entry, is_new] = known_.emplace(std::move(texts), static_cast<std::uint32_t>(recoding_.classes.size()));
  if (is_new) {
    recoding_.classes.push_back({.cells = std::move(cells), .records = 0});
    return entry->second;
  }
  Recoding::Class& known = recoding_.classes[entry->second];
  for (std::size_t quasi = 0; quasi < cells.size(); ++quasi) {
    const std::vector<CellValue>& values = recoding_.values[quasi];
    if (values[cells[quasi]].rows > values[known.cells[quasi]].rows) known.cells[quasi] = cells[quasi];
  }
  return entry->second;
}

Recoding recode_at(const Levels& levels, const NodeEvaluation& evaluation) {
  const Records& records = evaluation.records();
  NodeEvaluation::Scratch scratch;
  evaluation.judge(levels, scratch);
  Recoding recoding;
  recoding.values.resize(records.quasi.size());
  recoding.class_of.assign(records.size(), Recoding::kSuppressed);
  std::vector<UsedValues> used;
  for (std::size_t quasi = 0; quasi < records.quasi.size(); ++quasi) used.emplace_back(records, quasi);
  std::vector<std::uint32_t> class_of_slot(scratch.groups.slots, Recoding::kSuppressed);
  for (std::size_t tuple = 0; tuple < records.size(); ++tuple) {
    const std::uint32_t slot = scratch.groups.slot[tuple];
    if (scratch.kept[slot] == 0) {
      recoding.suppressed += records.counts[tuple];
      continue;
    }
    if (scratch.groups.size[slot] == 0) continue;  // only people of the population
    std::uint32_t& output = class_of_slot[slot];
    if (output == Recoding::kSuppressed) {
      output = static_cast<std::uint32_t>(recoding.classes.size());
      Recoding::Class made;
      for (std::size_t quasi = 0; quasi < records.quasi.size(); ++quasi) {
        const int level = levels[quasi];
        const std::uint32_t code = records.quasi[quasi].hierarchy->code(level, records.ground[quasi][tuple]);
        made.cells.push_back(used[quasi].use(level, code, recoding.values[quasi]));
      }
      made.records = scratch.groups.size[slot];
      recoding.classes.push_back(std::move(made));
    }
    recoding.class_of[tuple] = output;
  }
  return recoding;
}

Recoding recode_classes(const Records& records, const std::vector<std::vector<std::uint32_t>>& classes) {
  Recoding recoding;
  recoding.values.resize(records.quasi.size());
  recoding.class_of.assign(records.size(), Recoding::kSuppressed);
  std::vector<UsedValues> used;
  for (std::size_t quasi = 0; quasi < records.quasi.size(); ++quasi) used.emplace_back(records, quasi);
  ClassesByText known(recoding);
  for (const std::vector<std::uint32_t>& tuples : classes) {
    std::vector<std::uint32_t> cells;
    for (std::size_t quasi = 0; quasi < records.quasi.size(); ++quasi) {
      const int level = common_level(records, quasi, tuples);
      const std::uint32_t code = records.quasi[quasi].hierarchy->code(level, records.ground[quasi][tuples.front()]);
      cells.push_back(used[quasi].use(level, code, recoding.values[quasi]));
    }
    const std::uint32_t output = known.use(std::move(cells));
    for (const std::uint32_t tuple : tuples) {
      recoding.class_of[tuple] = output;
      recoding.classes[output].records += records.counts[tuple];
    }
  }
  for (std::size_t tuple = 0; tuple < records.size(); ++tuple)
    if (recoding.class_of[tuple] == Recoding::kSuppressed) recoding.suppressed += records.counts[tuple];
  return recoding;
}

MetricValues measure(const Recoding& recoding, const Records& records, const Levels* levels) {
  MetricValues figures;
  const auto total = static_cast<double>(records.total);
  const auto gone = static_cast<double>(recoding.suppressed);
  double squares = 0;
  for (const Recoding::Class& output : recoding.classes)
    squares += static_cast<double>(output.records) * static_cast<double>(output.records);
  figures.discernibility = squares + total * gone;
  const double class_count = static_cast<double>(recoding.classes.size()) + (gone > 0 ? 1 : 0);
  figures.aecs = class_count > 0 ? total / class_count : 0;

  double weights = 0;
  for (const QuasiIdentifier& quasi : records.quasi) weights += quasi.weight;
  double log_loss = 0;
  for (std::size_t quasi = 0; quasi < records.quasi.size(); ++quasi) {
    const Hierarchy& hierarchy = *records.quasi[quasi].hierarchy;
    const double size = hierarchy.size();
    const double weight = records.quasi[quasi].weight;
    double covered = gone * size;  // ground values, all records together
    double levels_sum = gone;
    double entropy = 0;
    for (const Recoding::Class& output : recoding.classes) {
      const CellValue& value = recoding.values[quasi][output.cells[quasi]];
      const auto members = static_cast<double>(output.records);
      covered += members * value.rows;
      levels_sum += members * value.height;
      entropy += members * std::log2(static_cast<double>(value.records));
    }
    const std::vector<std::uint64_t> by_ground = records_by_ground(records, quasi);
    for (const std::uint64_t count : by_ground) entropy -= c_log_c(static_cast<double>(count));
    if (gone > 0) {
      const int level = levels != nullptr ? (*levels)[quasi] : 0;
      std::vector<double> lost(hierarchy.value_count(level), 0);
      std::vector<double> all(hierarchy.value_count(level), 0);
      for (std::uint32_t row = 0; row < by_ground.size(); ++row)
        all[hierarchy.code(level, row)] += static_cast<double>(by_ground[row]);
      for (std::size_t tuple = 0; tuple < records.size(); ++tuple)
        if (recoding.class_of[tuple] == Recoding::kSuppressed)
          lost[hierarchy.code(level, records.ground[quasi][tuple])] += records.counts[tuple];
      entropy += c_log_c(gone);
      for (std::size_t code = 0; code < lost.size(); ++code) {
        if (lost[code] > 0) entropy += lost[code] * std::log2(all[code]);
        entropy -= c_log_c(lost[code]);
      }
    }
    const double loss = size <= 1 || total == 0 ? 0 : std::max(0.0, (covered - total) / (total * (size - 1)));
    figures.loss += weight * loss / weights;
    log_loss += weight * std::log1p(loss) / weights;
    figures.entropy += weight * std::max(0.0, entropy);
    if (total > 0) figures.precision += weight * levels_sum / total / weights;
  }
  figures.loss_geometric = std::expm1(log_loss);
  return figures;
}

}  // namespace gauze::anonymize
