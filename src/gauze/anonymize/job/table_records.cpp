#include "gauze/anonymize/job/table_records.h"

#include <algorithm>
#include <map>
#include <set>

#include "gauze/anonymize/job/suppressed_rows.h"
#include "gauze/schema/cleaning/cleaned_source.h"
#include "gauze/schema/hierarchies/coverage.h"
#include "gauze/schema/hierarchies/hierarchy_spec.h"

namespace gauze::anonymize {

using namespace schema;  // the vocabulary of this file

namespace {

using table::Dictionary;
using table::TupleCounts;

std::vector<std::string> sensitive_names(const Policy& policy) {
  std::set<std::string> names;
  for (const std::string& name : policy.names_with(Role::sensitive)) names.insert(name);
  for (const LDiversity& rule : policy.privacy.l_diversity) names.insert(rule.column);
  for (const TCloseness& rule : policy.privacy.t_closeness) names.insert(rule.column);
  for (const DeltaDisclosure& rule : policy.privacy.delta_disclosure) names.insert(rule.column);
  for (const BetaLikeness& rule : policy.privacy.beta_likeness) names.insert(rule.column);
  return {names.begin(), names.end()};
}

HierarchySpec spec_of(const Policy& policy, const std::string& name) {
  const PolicyColumn* column = policy.find(name);
  return column != nullptr && column->hierarchy ? *column->hierarchy : HierarchySpec(AutomaticSpec{});
}

/// The values of both, in byte order, with one entry for "missing".
Dictionary unite(const Dictionary& a, const Dictionary& b) {
  std::set<std::string> values(a.values.begin(), a.values.end());
  for (std::uint32_t code = 0; code < b.values.size(); ++code)
    if (!(code == b.missing && a.missing)) values.insert(b.values[code]);
  Dictionary both{.values = {values.begin(), values.end()}, .missing = {}, .decimal = a.decimal};
  const std::string* missing = a.missing ? &a.values[*a.missing] : b.missing ? &b.values[*b.missing] : nullptr;
  if (missing != nullptr)
    both.missing = static_cast<std::uint32_t>(std::lower_bound(both.values.begin(), both.values.end(), *missing) -
                                              both.values.begin());
  // Whatever bounds made of values outside: it is called the same in both.
  const std::string* outside = a.outside ? &a.values[*a.outside] : b.outside ? &b.values[*b.outside] : nullptr;
  if (outside != nullptr)
    both.outside = static_cast<std::uint32_t>(std::lower_bound(both.values.begin(), both.values.end(), *outside) -
                                              both.values.begin());
  return both;
}

/// The row of every code, or how many values have none.
Result<std::vector<std::uint32_t>> rows_of(const std::shared_ptr<const Hierarchy>& hierarchy,
                                           const Dictionary& values) {
  GAUZE_TRY(BoundHierarchy bound, bind_shared(hierarchy, values));
  return std::move(bound.row_of_code);
}

std::vector<std::uint32_t> translate(const std::vector<std::uint32_t>& codes,
                                     const std::vector<std::uint32_t>& rows) {
  std::vector<std::uint32_t> ground;
  ground.reserve(codes.size());
  for (const std::uint32_t code : codes) ground.push_back(rows[code]);
  return ground;
}

Result<std::string> population_file(const Criteria& criteria) {
  std::string file;
  if (criteria.k_map) file = criteria.k_map->population;
  if (criteria.delta_presence) {
    if (!file.empty() && file != criteria.delta_presence->population)
      return invalid_parameter("k-map and delta-presence name two population files; give one");
    file = criteria.delta_presence->population;
  }
  return file;
}

/// Adds the people of the population to the tuples; a tuple that no record has comes with count 0.
void add_population(const TupleCounts& people, const std::vector<std::vector<std::uint32_t>>& rows,
                    Records& records) {
  const std::size_t width = records.quasi.size();
  records.population.assign(records.size(), 0);
  std::map<std::vector<std::uint32_t>, std::size_t> place;
  std::vector<std::uint32_t> key(width);
  for (std::size_t tuple = 0; tuple < records.size(); ++tuple) {
    for (std::size_t quasi = 0; quasi < width; ++quasi) key[quasi] = records.ground[quasi][tuple];
    place.emplace(key, tuple);
  }
  for (std::size_t person = 0; person < people.size(); ++person) {
    for (std::size_t quasi = 0; quasi < width; ++quasi) key[quasi] = rows[quasi][people.codes[quasi][person]];
    const auto [found, is_new] = place.emplace(key, records.size());
    if (is_new) {
      for (std::size_t quasi = 0; quasi < width; ++quasi) records.ground[quasi].push_back(key[quasi]);
      for (auto& column : records.values) column.push_back(0);
      records.counts.push_back(0);
      records.population.push_back(0);
    }
    records.population[found->second] += static_cast<std::uint32_t>(people.counts[person]);
  }
}

/// What a policy says of the columns that a population has, too.
Policy of_quasi_identifiers(const Policy& policy) {
  Policy part;
  for (const PolicyColumn& column : policy.columns)
    if (column.has(Role::quasi)) part.columns.push_back(column);
  return part;
}

Result<void> check_size(const TupleCounts& tuples) {
  std::uint64_t total = 0;
  for (const std::uint64_t count : tuples.counts) total += count;
  if (total > UINT32_MAX)
    return make_error(ErrorCode::unsupported, "tables of more than {} rows cannot be anonymised in one piece",
                      UINT32_MAX);
  return {};
}

/// In a finished table `*` means that a cell is not shown. As a value of a column that a criterion judges it would count in
/// the search and not in the output.
Result<void> check_stars(const Policy& policy, const std::string& name, const Dictionary& dictionary) {
  const auto judges = [&](const auto& rules) {
    return std::any_of(rules.begin(), rules.end(), [&](const auto& rule) { return rule.column == name; });
  };
  const Criteria& criteria = policy.privacy;
  if (!judges(criteria.l_diversity) && !judges(criteria.t_closeness) && !judges(criteria.delta_disclosure) &&
      !judges(criteria.beta_likeness))
    return {};
  const auto found = std::find(dictionary.values.begin(), dictionary.values.end(), kSuppressedText);
  if (found == dictionary.values.end() || found - dictionary.values.begin() == dictionary.missing) return {};
  return make_error(
      ErrorCode::bad_data,
      "the sensitive column {} has cells that are `*`, which means suppressed: leave those rows out, or say "
      "--null '*' if it means missing",
      name);
}

Result<SensitiveColumn> sensitive_column(const std::string& name, const Policy& policy, const TupleCounts& tuples,
                                         std::size_t column) {
  SensitiveColumn made;
  made.name = name;
  const Dictionary& dictionary = tuples.dictionaries[column];
  GAUZE_TRY_VOID(check_stars(policy, name, dictionary));
  made.totals.assign(dictionary.values.size(), 0);
  for (std::size_t tuple = 0; tuple < tuples.size(); ++tuple) {
    made.totals[tuples.codes[column][tuple]] += tuples.counts[tuple];
    made.records += tuples.counts[tuple];
  }
  made.order = natural_order(dictionary);
  made.missing = dictionary.missing;
  const bool hierarchical = std::any_of(
      policy.privacy.t_closeness.begin(), policy.privacy.t_closeness.end(),
      [&](const TCloseness& rule) { return rule.column == name && rule.distance == Distance::hierarchical; });
  const PolicyColumn* described = policy.find(name);
  if (hierarchical && described != nullptr && described->hierarchy) {
    GAUZE_TRY(const Hierarchy hierarchy, materialise(*described->hierarchy, name, dictionary));
    GAUZE_TRY(made.parents, value_tree(hierarchy, dictionary));
  }
  return made;
}

}  // namespace

Result<TableRecords> read_records(table::Source& table, const table::SourceOpener& open, const Policy& policy,
                                  Progress& progress) {
  for (const PolicyColumn& column : policy.columns) {
    GAUZE_TRY_VOID(table.column(column.name));
  }
  std::vector<std::string> quasi = policy.names_with(Role::quasi);
  if (quasi.empty())
    return asking_for(
        "quasi",
        invalid_parameter("no quasi-identifier is named: name some, or give columns the role quasi in the policy"));
  std::sort(quasi.begin(), quasi.end());
  const std::vector<std::string> sensitive = sensitive_names(policy);

  TableRecords read;
  std::vector<std::size_t> columns;
  for (const std::string& name : quasi) {
    GAUZE_TRY(const std::size_t column, table.column(name));
    read.quasi_columns.push_back(column);
    columns.push_back(column);
  }
  for (const std::string& name : sensitive) {
    GAUZE_TRY(const std::size_t column, table.column(name));
    if (std::find(quasi.begin(), quasi.end(), name) != quasi.end())
      return invalid_parameter("{} cannot be a quasi-identifier and sensitive at once", name);
    read.sensitive_columns.push_back(column);
    columns.push_back(column);
  }
  // Files are looked at before the data is read, so that a mistake in one of them costs no scan.
  GAUZE_TRY(const std::string population, population_file(policy.privacy));
  std::unique_ptr<table::Source> people_as_read;
  std::unique_ptr<table::Source> people_table;
  if (!population.empty()) {
    GAUZE_TRY(people_as_read, open(population, policy.input));
    GAUZE_TRY(people_table, CleanedSource::make(*people_as_read, of_quasi_identifiers(policy)));
  }
  GAUZE_TRY(read.tuples, table.group(columns, progress));
  if (read.tuples.size() == 0) return make_error(ErrorCode::bad_data, "the table has no rows");
  GAUZE_TRY_VOID(check_size(read.tuples));

  TupleCounts people;
  if (people_table) {
    std::vector<std::size_t> people_columns;
    for (const std::string& name : quasi) {
      GAUZE_TRY(const std::size_t column, people_table->column(name));
      people_columns.push_back(column);
    }
    GAUZE_TRY(people, people_table->group(people_columns, progress));
    GAUZE_TRY_VOID(check_size(people));
  }

  Records& records = read.records;
  std::vector<std::vector<std::uint32_t>> people_rows;
  for (std::size_t place = 0; place < quasi.size(); ++place) {
    const Dictionary& own = read.tuples.dictionaries[place];
    const Dictionary all = people_table ? unite(own, people.dictionaries[place]) : own;
    GAUZE_TRY(Hierarchy made, materialise(spec_of(policy, quasi[place]), quasi[place], all));
    const auto hierarchy = std::make_shared<const Hierarchy>(std::move(made));
    GAUZE_TRY(const std::vector<std::uint32_t> rows, rows_of(hierarchy, own));
    records.ground.push_back(translate(read.tuples.codes[place], rows));
    if (people_table) {
      GAUZE_TRY(people_rows.emplace_back(), rows_of(hierarchy, people.dictionaries[place]));
    }
    const PolicyColumn* described = policy.find(quasi[place]);
    records.quasi.push_back({.name = quasi[place],
                             .hierarchy = hierarchy,
                             .weight = described == nullptr ? 1 : described->weight.to_double(),
                             .missing = own.missing ? std::optional(rows[*own.missing]) : std::nullopt,
                             .decimal = own.decimal});
  }
  for (std::size_t place = 0; place < sensitive.size(); ++place) {
    GAUZE_TRY(SensitiveColumn column, sensitive_column(sensitive[place], policy, read.tuples, quasi.size() + place));
    records.sensitive.push_back(std::move(column));
    records.values.push_back(read.tuples.codes[quasi.size() + place]);
  }
  for (const std::uint64_t count : read.tuples.counts) {
    records.counts.push_back(static_cast<std::uint32_t>(count));
    records.total += count;
  }
  if (people_table) add_population(people, people_rows, records);
  return read;
}

}  // namespace gauze::anonymize
