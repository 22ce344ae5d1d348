#include "gauze/anonymize/classes/class_judge.h"

#include <map>

namespace gauze::anonymize {

ClassJudge::ClassJudge(const Records& records, const CriteriaSet& criteria) : records_(records), criteria_(criteria) {
  for (const SensitiveColumn& column : records.sensitive) everyone_.emplace_back(column);
}

bool ClassJudge::holds(std::span<const TupleShare> members,
                       const std::vector<ReferenceDistribution>& references) const {
  std::uint64_t size = 0;
  for (const TupleShare& share : members) size += share.records;
  if (!criteria_.size_holds(size, size)) return false;
  for (const CriteriaSet::OnColumn& condition : criteria_.on_columns()) {
    std::map<std::uint32_t, std::uint64_t> counts;
    for (const TupleShare& share : members) counts[records_.values[condition.column][share.tuple]] += share.records;
    std::vector<ValueCount> values;
    for (const auto& [value, count] : counts) values.push_back({value, count});
    if (!condition.criterion->holds(values, size, references[condition.column])) return false;
  }
  return true;
}

std::vector<bool> ClassJudge::kept(const std::vector<std::vector<TupleShare>>& classes) const {
  std::vector<bool> kept(classes.size(), true);
  std::vector<ReferenceDistribution> references = everyone_;
  for (bool first = true;; first = false) {
    bool changed = first;
    for (std::size_t place = 0; place < classes.size(); ++place) {
      if (!kept[place] || holds(classes[place], references)) continue;
      kept[place] = false;
      changed = true;
    }
    if (!changed || !criteria_.depends_on_kept()) return kept;
    for (std::size_t column = 0; column < references.size(); ++column) {
      std::vector<std::uint64_t> totals(records_.sensitive[column].totals.size(), 0);
      for (std::size_t place = 0; place < classes.size(); ++place)
        for (const TupleShare& share : classes[place])
          if (kept[place]) totals[records_.values[column][share.tuple]] += share.records;
      references[column].count(totals);
    }
  }
}

}  // namespace gauze::anonymize
