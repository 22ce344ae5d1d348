#include "gauze/assess/evaluation/evaluation_data.h"

#include <algorithm>
#include <array>
#include <map>

#include "gauze/random/seeded_random.h"

namespace gauze::assess {
namespace {

/// The names of the columns to read; each once.
class ColumnList {
 public:
  std::size_t add(const std::string& name) {
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found != names_.end()) return static_cast<std::size_t>(found - names_.begin());
    names_.push_back(name);
    return names_.size() - 1;
  }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
};

/// The name of a grouping in the document, where "score" is taken.
std::string key_of(const std::string& column) { return column == "score" ? "score (column)" : column; }

Grouping group_by(const std::string& name, const table::TupleCounts& tuples, std::size_t column) {
  return {.name = key_of(name),
          .intersection = false,
          .groups = tuples.dictionaries[column].values,
          .codes = tuples.codes[column]};
}

/// All columns together; only combinations that occur are groups.
Grouping intersect(const std::vector<Grouping>& groupings) {
  Grouping result;
  result.intersection = true;
  const std::size_t size = groupings.front().codes.size();
  std::map<std::vector<std::uint32_t>, std::uint32_t> places;
  std::vector<std::vector<std::uint32_t>> keys(size);
  for (std::size_t i = 0; i < size; ++i) {
    for (const Grouping& one : groupings) keys[i].push_back(one.codes[i]);
    places.emplace(keys[i], 0);
  }
  for (std::size_t g = 0; g < groupings.size(); ++g) result.name += (g == 0 ? "" : " x ") + groupings[g].name;
  for (auto& [key, place] : places) {
    place = static_cast<std::uint32_t>(result.groups.size());
    std::string name;
    for (std::size_t g = 0; g < key.size(); ++g) name += (g == 0 ? "" : " x ") + groupings[g].groups[key[g]];
    result.groups.push_back(std::move(name));
  }
  for (const auto& key : keys) result.codes.push_back(places.at(key));
  return result;
}

/// Every two columns together, and all of them where there are more.
void add_intersections(std::vector<Grouping>& groupings) {
  const std::vector<Grouping> columns = groupings;
  for (std::size_t a = 0; a < columns.size(); ++a)
    for (std::size_t b = a + 1; b < columns.size(); ++b) groupings.push_back(intersect({columns[a], columns[b]}));
  if (columns.size() > 2) groupings.push_back(intersect(columns));
}

/// Each row is for testing with the same probability, by a stream of its own: the split does not depend on --seed.
void split(EvaluationData& data) {
  SeededRandom random(0x7465737473706c69, 1);
  const auto bound = static_cast<std::uint64_t>(kTestShare * 0x1p64);
  for (const std::uint64_t count : data.tuples.counts) {
    std::uint64_t test = 0;
    for (std::uint64_t row = 0; row < count; ++row) test += random.next() < bound ? 1 : 0;
    data.test.push_back(test);
    data.train.push_back(count - test);
    data.test_rows += test;
  }
}

void find_outcomes(EvaluationData& data, std::size_t column, const EvaluationSetting& setting) {
  const table::Dictionary& values = data.tuples.dictionaries[column];
  std::uint64_t positive = 0;
  std::uint64_t negative = 0;
  for (std::size_t i = 0; i < data.tuples.size(); ++i) {
    const std::uint32_t code = data.tuples.codes[column][i];
    const bool missing = code == values.missing;
    const bool is_positive = !missing && values.values[code] == setting.positive;
    data.outcome.push_back(missing ? 2 : is_positive ? 1 : 0);
    (is_positive ? positive : negative) += missing ? 0 : data.tuples.counts[i];
  }
  if (positive == 0 || negative == 0)
    data.warnings.push_back(
        {"target_undefined",
         fmt::format("the target {} has {} rows with the positive value and {} with another: what "
                     "a model could learn is not defined",
                     *setting.target, positive, negative)});
}

}  // namespace

Result<EvaluationData> EvaluationData::read(table::Source& table, const EvaluationSetting& setting,
                                            Progress& progress) {
  EvaluationData data;
  ColumnList columns;
  for (const std::string& name : setting.policy.names_with(schema::Role::quasi)) columns.add(name);
  data.quasi = columns.names().size();
  const bool records = setting.policy.release && setting.policy.release->kind == schema::ReleaseKind::records;
  if (records && !setting.as_published) {
    for (const std::string& name : setting.policy.names_with(schema::Role::sensitive))
      if (name != setting.target) columns.add(name);
    data.sensitive = columns.names().size() - data.quasi;
    for (const auto role : {schema::Role::sensitive, schema::Role::target})
      for (const std::string& name : setting.policy.names_with(role)) columns.add(name);
    data.of_records = {columns.names().begin() + static_cast<std::ptrdiff_t>(data.quasi), columns.names().end()};
  }
  std::optional<std::size_t> target;
  if (setting.measures_models()) target = columns.add(*setting.target);
  std::vector<std::size_t> protected_places;
  if (!setting.counts_only)
    for (const std::string& name : setting.protected_columns) protected_places.push_back(columns.add(name));
  std::vector<std::size_t> places;
  for (const std::string& name : columns.names()) {
    GAUZE_TRY(const std::size_t place, table.column(name));
    places.push_back(place);
  }
  GAUZE_TRY(data.tuples, table.group(places, progress));
  for (const std::uint64_t count : data.tuples.counts) data.rows += count;
  if (data.rows == 0) return make_error(ErrorCode::bad_data, "the table has no rows: there is nothing to evaluate");
  for (std::size_t i = 0; i < protected_places.size(); ++i) {
    data.groupings.push_back(group_by(setting.protected_columns[i], data.tuples, protected_places[i]));
    if (data.groupings.back().groups.size() < 2)
      data.warnings.push_back(
          {"one_group", fmt::format("the protected column {} has one group only: there is nothing to compare",
                                    setting.protected_columns[i])});
  }
  add_intersections(data.groupings);
  if (target) find_outcomes(data, *target, setting);
  split(data);
  return data;
}

EvaluationData::GroupOutcomes EvaluationData::outcomes_in_group(std::size_t grouping, std::uint32_t group) const {
  std::array<double, 3> by_outcome{};
  for (std::size_t tuple = 0; tuple < tuples.size(); ++tuple)
    if (groupings[grouping].codes[tuple] == group) by_outcome[outcome[tuple]] += static_cast<double>(test[tuple]);
  return {.rows = by_outcome[0] + by_outcome[1], .rarer = std::min(by_outcome[0], by_outcome[1])};
}

}  // namespace gauze::assess
