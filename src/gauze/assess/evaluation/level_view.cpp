#include "gauze/assess/evaluation/level_view.h"

#include <algorithm>
#include <map>

#include "gauze/assess/measures/published_loss.h"

namespace gauze::assess {
namespace {

constexpr std::size_t kMostSampledClasses = 2000;

std::shared_ptr<const schema::DomainColumn> share(schema::DomainColumn column) {
  return std::make_shared<const schema::DomainColumn>(std::move(column));
}

}  // namespace

Result<ReleasedColumns> ReleasedColumns::make(const EvaluationSetting& setting, const EvaluationData& data) {
  ReleasedColumns columns;
  const bool needs_domain = !setting.as_published && setting.policy.release->mode != schema::ReleaseMode::stability;
  std::vector<std::string> names = setting.policy.names_with(schema::Role::quasi);
  names.insert(names.end(), data.of_records.begin(), data.of_records.end());
  for (std::size_t place = 0; place < names.size(); ++place) {
    const schema::PolicyColumn& column = *setting.policy.find(names[place]);
    auto& list = place < data.quasi ? columns.quasi : columns.of_records;
    if (needs_domain || column.hierarchy || !column.values.empty()) {
      GAUZE_TRY(schema::DomainColumn domain,
                schema::DomainColumn::make(column, setting.policy.input.null_tokens,
                                           setting.policy.input.decimal.value_or(table::DecimalSign::point)));
      list.push_back(share(std::move(domain)));
    } else {
      list.push_back(share(schema::DomainColumn::observed(column.name, data.tuples.dictionaries[place])));
      columns.is_public = false;
    }
  }
  return columns;
}

std::vector<int> fixed_levels(const EvaluationSetting& setting, const ReleasedColumns& columns) {
  std::vector<int> levels;
  for (const auto& column : columns.quasi) {
    const auto& given = setting.policy.release->levels;
    const auto found =
        std::find_if(given.begin(), given.end(), [&](const auto& one) { return one.first == column->name(); });
    levels.push_back(found == given.end() ? column->lowest() : found->second);
  }
  return levels;
}

Result<LevelView> LevelView::make(const EvaluationSetting& setting, const EvaluationData& data,
                                  const ReleasedColumns& columns, const std::vector<int>& levels) {
  LevelView view;
  view.levels = levels;
  std::vector<schema::Domain::Axis> axes;
  for (std::size_t i = 0; i < columns.quasi.size(); ++i)
    axes.push_back({columns.quasi[i], std::min(levels[i], columns.quasi[i]->height())});
  if (columns.is_public) {
    GAUZE_TRY(schema::Domain domain, schema::Domain::product(std::move(axes)));
    view.coded = schema::CodedTuples::in(std::make_shared<const schema::Domain>(std::move(domain)), data.tuples);
  } else {
    view.coded = schema::CodedTuples::observed(std::move(axes), data.tuples);
  }
  view.domain = view.coded.domain;
  view.histogram = schema::count_rows(view.coded, data.tuples.counts);
  view.truth = to_class_table(view.histogram);
  view.marginals.emplace(view.domain, view.truth);
  view.queries.emplace(view.domain, view.truth, setting.seed);
  const std::size_t classes = view.histogram.cells.size();
  const std::size_t step = std::max<std::size_t>(1, (classes + kMostSampledClasses - 1) / kMostSampledClasses);
  for (std::size_t i = 0; i < classes; i += step) view.sampled_classes.push_back(i);
  if (setting.policy.release->kind == schema::ReleaseKind::records && !setting.as_published)
    GAUZE_TRY_VOID(view.add_records(data, columns));
  std::uint64_t end = 0;
  for (const schema::CellCount& one : view.released().cells) view.cell_ends.push_back(end += one.count);
  view.add_losses(setting, data);
  view.add_groups(data);
  if (setting.measures_models()) view.add_models(data, columns);
  return view;
}

Result<void> LevelView::add_records(const EvaluationData& data, const ReleasedColumns& columns) {
  std::vector<schema::Domain::Axis> axes;
  for (std::size_t i = 0; i < domain->width(); ++i) axes.push_back(domain->axis(i));
  for (const auto& column : columns.of_records) axes.push_back({column, column->lowest()});
  Records& made = records.emplace();
  schema::CodedTuples combinations;
  if (columns.is_public) {
    GAUZE_TRY(schema::Domain product, schema::Domain::product(std::move(axes)));
    made.cells_a_class = product.size() / domain->size();
    combinations = schema::CodedTuples::in(std::make_shared<const schema::Domain>(std::move(product)), data.tuples);
  } else {
    combinations = schema::CodedTuples::observed(std::move(axes), data.tuples);
    made.classes.resize(combinations.domain->size());
    for (std::size_t tuple = 0; tuple < data.tuples.size(); ++tuple)
      if (combinations.cells[tuple] < made.classes.size())
        made.classes[combinations.cells[tuple]] = coded.cells[tuple];
  }
  made.cells = combinations.domain->size();
  made.histogram = schema::count_rows(combinations, data.tuples.counts);
  return {};
}

ClassTable LevelView::Records::by_class(const release::ReleasedHistogram& released) const {
  std::map<std::uint64_t, double> sums;
  for (const release::ReleasedCell& one : released.cells)
    if (one.count > 0)
      sums[classes.empty() ? one.cell / cells_a_class : classes[one.cell]] += static_cast<double>(one.count);
  ClassTable table;
  for (const auto& [cell, count] : sums) table.classes.push_back({cell, count});
  return table;
}

std::vector<double> value_losses(const schema::DomainColumn& column, const table::Dictionary& values, int level) {
  // With D listed ground values, a value untouched stands for 1 / D of the domain; for numbers that is nothing.
  const double least = column.lowest() == 0 ? 1.0 / static_cast<double>(column.size(0)) : 0;
  std::vector<double> losses;
  for (const std::uint32_t code : column.encode(values, level)) {
    const double stands_for = code == schema::kOutside ? 1 : column.share(level, code).to_double();
    losses.push_back(least < 1 ? std::max(0.0, (stands_for - least) / (1 - least)) : 0);
  }
  return losses;
}

void LevelView::add_losses(const EvaluationSetting& setting, const EvaluationData& data) {
  double weight_sum = 0;
  for (std::size_t i = 0; i < data.quasi; ++i) {
    const schema::DomainColumn& column = *domain->axis(i).column;
    tuple_losses_.push_back(value_losses(column, data.tuples.dictionaries[i], domain->axis(i).level));
    const std::vector<double>& losses = tuple_losses_.back();
    double sum = 0;
    for (std::size_t tuple = 0; tuple < data.tuples.size(); ++tuple)
      sum += losses[data.tuples.codes[i][tuple]] * static_cast<double>(data.tuples.counts[tuple]);
    column_losses.push_back(sum / static_cast<double>(data.rows));
    if (setting.as_published) {
      std::vector<std::uint64_t> rows(data.tuples.dictionaries[i].values.size(), 0);
      for (std::size_t tuple = 0; tuple < data.tuples.size(); ++tuple)
        rows[data.tuples.codes[i][tuple]] += data.tuples.counts[tuple];
      const int level = domain->axis(i).level;
      const std::vector<std::uint32_t> codes = column.encode(data.tuples.dictionaries[i], level);
      published_losses.push_back(
          published_loss(*setting.policy.find(column.name()), data.tuples.dictionaries[i], codes, rows, level));
    }
    const double weight = setting.policy.find(column.name())->weight.to_double();
    loss += weight * column_losses.back();
    weight_sum += weight;
  }
  loss /= weight_sum;
}

void LevelView::add_groups(const EvaluationData& data) {
  std::map<std::uint64_t, std::size_t> place_of;
  for (std::size_t i = 0; i < histogram.cells.size(); ++i) place_of.emplace(histogram.cells[i].cell, i);
  for (const Grouping& grouping : data.groupings) {
    std::vector<std::map<std::uint32_t, double>> rows(histogram.cells.size());
    std::vector<double> total(grouping.groups.size(), 0);
    std::vector<double> outside(grouping.groups.size(), 0);
    std::vector<double> losses(grouping.groups.size(), 0);
    for (std::size_t tuple = 0; tuple < data.tuples.size(); ++tuple) {
      const auto count = static_cast<double>(data.tuples.counts[tuple]);
      const std::uint32_t group = grouping.codes[tuple];
      total[group] += count;
      for (std::size_t i = 0; i < data.quasi; ++i)
        losses[group] += count * tuple_losses_[i][data.tuples.codes[i][tuple]] / static_cast<double>(data.quasi);
      if (coded.cells[tuple] == domain->size())
        outside[group] += count;
      else
        rows[place_of.at(coded.cells[tuple])][group] += count;
    }
    std::vector<std::vector<GroupShare>> shares;
    for (const auto& one : rows) {
      std::vector<GroupShare>& list = shares.emplace_back();
      for (const auto& [group, count] : one) list.push_back({group, count});
    }
    for (std::size_t group = 0; group < losses.size(); ++group) losses[group] /= std::max(1.0, total[group]);
    group_shares.push_back(std::move(shares));
    group_rows.push_back(std::move(total));
    group_outside.push_back(std::move(outside));
    group_losses.push_back(std::move(losses));
  }
}

void LevelView::add_models(const EvaluationData& data, const ReleasedColumns& columns) {
  // Cells of the joint histogram: class, then sensitive values, then outcome (0: positive), the last running fastest.
  std::vector<std::uint64_t> sensitive(data.tuples.size(), 0);
  std::vector<bool> not_covered(data.tuples.size(), false);  // a sensitive value that the domain does not have
  std::uint64_t combinations = 1;
  for (std::size_t s = 0; s < data.sensitive; ++s) {
    const schema::DomainColumn& column = *columns.of_records[s];
    const std::vector<std::uint32_t> codes = column.encode(data.tuples.dictionaries[data.quasi + s], column.lowest());
    const std::uint64_t values = column.size(column.lowest());
    for (std::size_t tuple = 0; tuple < data.tuples.size(); ++tuple) {
      const std::uint32_t code = codes[data.tuples.codes[data.quasi + s][tuple]];
      if (code == schema::kOutside)
        not_covered[tuple] = true;
      else
        sensitive[tuple] = sensitive[tuple] * values + code;
    }
    combinations *= values;
  }
  cells_a_class = combinations * 2;
  // Test rows by class and group; the features of a class are its values.
  std::map<std::uint64_t, std::uint32_t> feature_of;
  std::map<std::vector<std::uint32_t>, ModelTest::Unit> units;
  std::vector<std::vector<std::uint32_t>> codes(domain->width());
  const std::uint64_t outside = domain->size();
  for (std::size_t tuple = 0; tuple < data.tuples.size(); ++tuple) {
    if (data.outcome[tuple] == 2) continue;
    const bool positive = data.outcome[tuple] == 1;
    const std::uint64_t cell = coded.cells[tuple];
    joint.add(cell == outside || not_covered[tuple]
                  ? outside * cells_a_class
                  : cell * cells_a_class + sensitive[tuple] * 2 + (positive ? 0 : 1),
              data.train[tuple], outside * cells_a_class);
    if (cell != outside) {
      Outcomes& outcomes = train_outcomes[cell];
      (positive ? outcomes.positive : outcomes.negative) += data.train[tuple];
      train_classes.add(cell, data.train[tuple], outside);
    }
    if (data.test[tuple] == 0) continue;
    std::vector<std::uint32_t> key = {ModelTest::kNoFeatures};
    if (cell != outside) {
      const auto [found, added] = feature_of.emplace(cell, static_cast<std::uint32_t>(feature_of.size()));
      if (added)
        for (std::size_t i = 0; i < domain->width(); ++i) codes[i].push_back(domain->code(cell, i));
      key[0] = found->second;
    }
    for (const Grouping& grouping : data.groupings) key.push_back(grouping.codes[tuple]);
    ModelTest::Unit& unit = units[key];
    unit.features = key[0];
    unit.groups.assign(key.begin() + 1, key.end());
    (positive ? unit.positive : unit.negative) += static_cast<double>(data.test[tuple]);
  }
  joint.merge();
  train_classes.merge();
  std::vector<std::uint32_t> cardinalities;
  for (std::size_t i = 0; i < domain->width(); ++i)
    cardinalities.push_back(domain->axis(i).column->size(domain->axis(i).level));
  std::vector<ModelTest::Unit> list;
  for (auto& [key, unit] : units) list.push_back(std::move(unit));
  std::vector<std::uint32_t> group_counts;
  for (const Grouping& grouping : data.groupings)
    group_counts.push_back(static_cast<std::uint32_t>(grouping.groups.size()));
  test.emplace(std::move(cardinalities), std::move(codes), std::move(list), std::move(group_counts));
}

models::Examples LevelView::examples(const ClassTable& joint_counts) const {
  models::Examples examples;
  examples.cardinalities = test->cardinalities();
  examples.codes.resize(domain->width());
  std::uint64_t before = ~std::uint64_t{0};
  for (const ClassCount& one : joint_counts.classes) {
    const std::uint64_t cell = one.cell / cells_a_class;
    if (cell != before) {
      for (std::size_t i = 0; i < domain->width(); ++i) examples.codes[i].push_back(domain->code(cell, i));
      examples.positive.push_back(0);
      examples.negative.push_back(0);
      before = cell;
    }
    (one.cell % 2 == 0 ? examples.positive : examples.negative).back() += std::max(0.0, one.count);
  }
  return examples;
}

}  // namespace gauze::assess
