#include "gauze/query/run/noisy_table.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include "gauze/engines/query_watch.h"
#include "gauze/mechanisms/noise/noise_observer.h"
#include "gauze/mechanisms/selection/selection.h"
#include "gauze/query/render/sums_sql.h"

namespace gauze::query {
namespace {

using Measured = Measurement::Kind;
using Keys = std::vector<CellValue>;

/// One text for a tuple of keys.
std::string text_of(const Keys& keys) {
  std::string text;
  for (const CellValue& key : keys) text += key ? fmt::format("{}:{}", key->size(), *key) : std::string("-");
  return text;
}

/// Where a group stands in the vector of all groups there could be.
std::uint64_t place_of(const Keys& keys) {
  std::uint64_t hash = 0xCBF29CE484222325;
  for (const char c : text_of(keys)) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  return hash;
}

/// floor(value / 2^shift + 1/2)
Int128 on_grid(Int128 value, int shift) {
  if (shift == 0) return value;
  const Int128 half = static_cast<Int128>(1) << (shift - 1);
  return (value + half) >> shift;
}

/// Weights of a group by candidate, before noise.
using Weights = std::map<std::uint64_t, Int128>;

class Measuring {
 public:
  Measuring(const QueryPlan& plan, SchemaTables& tables, Chance& chance)
      : plan_(plan), tables_(tables), chance_(chance) {}

  [[nodiscard]] Result<NoisyTable> run(Progress& progress) {
    const QueryStatements statements = write_statements(plan_, tables_.writer(), chance_.key());
    prepare();
    GAUZE_TRY_VOID(read_sums(statements, progress));
    for (const auto& further : statements.distinct) GAUZE_TRY_VOID(read_distinct(further, progress));
    for (const auto& further : statements.selections) GAUZE_TRY_VOID(read_weights(further, progress));
    GAUZE_TRY_VOID(tables_.database().check_unchanged());
    return draw(progress);
  }

 private:
  struct Group {
    Keys keys;
    Int128 units = 0;
    std::vector<Int128> values;    ///< of measurements, in granules
    std::vector<Weights> weights;  ///< of selections
  };

  [[nodiscard]] const std::vector<Measurement>& all() const { return plan_.measurements.all; }

  void prepare() {
    candidates_.resize(all().size());
    for (std::size_t i = 0; i < all().size(); ++i) {
      if (!all()[i].is_selection()) continue;
      candidates_[i] = candidates_of(all()[i]);
      if (all()[i].kind != Measured::mode) continue;
      candidates_[i].values = listed_values(all()[i].argument->shape, 100'000).value_or(std::vector<std::string>());
      candidates_[i].count = candidates_[i].values.size();
      for (std::size_t value = 0; value < candidates_[i].values.size(); ++value)
        mode_places_[i].emplace(candidates_[i].values[value], value);
    }
    if (plan_.keys.are_public)
      for (const Keys& cell : plan_.keys.cells) group_of(cell);
  }

  Group& group_of(const Keys& keys) {
    const auto [found, is_new] = places_.try_emplace(text_of(keys), groups_.size());
    if (is_new) groups_.push_back({keys, 0, std::vector<Int128>(all().size()), std::vector<Weights>(all().size())});
    return groups_[found->second];
  }
  /// With public keys every row falls into a cell that is known; what does not is in none.
  Group* find(const Keys& keys) {
    if (!plan_.keys.are_public) return &group_of(keys);
    const auto found = places_.find(text_of(keys));
    return found == places_.end() ? nullptr : &groups_[found->second];
  }

  [[nodiscard]] Keys read_keys(const table::ValueBatch& batch, const table::RowStream& stream,
                               std::size_t row) const {
    Keys keys;
    for (std::size_t i = 0; i < plan_.question.answer.keys.size(); ++i)
      keys.push_back(
          cell_value(batch.columns[i], stream.columns()[i].type, row, plan_.question.answer.keys[i]->shape));
    return keys;
  }

  static Int128 read_integer(const table::ValueBatch& batch, const table::RowStream& stream, std::size_t column,
                             std::size_t row) {
    const table::ValueColumn& values = batch.columns[column];
    if (values.is_null(row)) return 0;
    return stream.columns()[column].type == table::ValueType::wide_integer ? values.wide_integers[row]
                                                                           : values.integers[row];
  }

  /// Calls `take(keys, batch, stream, row)` for every row of a statement.
  template <class Take>
  Result<void> read(const std::string& sql, Progress& progress, const Take& take) {
    constexpr std::uint64_t kSteps = 1000;
    GAUZE_TRY_VOID(progress.check());
    progress.begin("answering", kSteps);
    engines::SqlSession& session = tables_.database().session();
    const engines::QueryWatch watch(session, progress, kSteps);
    GAUZE_TRY(const auto stream, session.run(sql, "answer the question"));
    for (;;) {
      GAUZE_TRY(const auto batch, stream->next());
      if (!batch) return {};
      GAUZE_TRY_VOID(progress.check());
      for (std::size_t row = 0; row < batch->rows; ++row) take(read_keys(*batch, *stream, row), *batch, *stream, row);
    }
  }

  Result<void> read_sums(const QueryStatements& statements, Progress& progress) {
    const std::size_t first = plan_.question.answer.keys.size();
    return read(
        statements.sums, progress,
        [&](const Keys& keys, const table::ValueBatch& batch, const table::RowStream& stream, std::size_t row) {
          Group* const group = find(keys);
          if (group == nullptr) return;
          group->units = read_integer(batch, stream, first, row);
          for (std::size_t i = 0; i < all().size(); ++i)
            if (all()[i].kind == Measured::units) group->values[i] = group->units;
          for (std::size_t i = 0; i < statements.sum_places.size(); ++i)
            group->values[statements.sum_places[i]] = read_integer(batch, stream, first + 1 + i, row);
        });
  }

  Result<void> read_distinct(const QueryStatements::Further& further, Progress& progress) {
    const std::size_t first = plan_.question.answer.keys.size();
    return read(
        further.sql, progress,
        [&](const Keys& keys, const table::ValueBatch& batch, const table::RowStream& stream, std::size_t row) {
          if (Group* const group = find(keys))
            group->values[further.measurement] = read_integer(batch, stream, first, row);
        });
  }

  Result<void> read_weights(const QueryStatements::Further& further, Progress& progress) {
    const std::size_t first = plan_.question.answer.keys.size();
    const Candidates& candidates = candidates_[further.measurement];
    const Measurement& measurement = all()[further.measurement];
    return read(
        further.sql, progress,
        [&](const Keys& keys, const table::ValueBatch& batch, const table::RowStream& stream, std::size_t row) {
          Group* const group = find(keys);
          if (group == nullptr) return;
          std::uint64_t cell = 0;
          if (measurement.kind == Measured::mode) {
            const CellValue value =
                cell_value(batch.columns[first], stream.columns()[first].type, row, measurement.argument->shape);
            const auto found =
                value ? mode_places_[further.measurement].find(*value) : mode_places_[further.measurement].end();
            if (found == mode_places_[further.measurement].end()) return;
            cell = found->second;
          } else {
            const Int128 index = read_integer(batch, stream, first, row);
            cell =
                static_cast<std::uint64_t>(std::clamp<Int128>(index, 0, static_cast<Int128>(candidates.count) - 1));
          }
          group->weights[further.measurement][cell] += read_integer(batch, stream, first + 1, row);
        });
  }

  /// Shows an observer of noise what a measurement is before it, over all groups: noise is added to each of them, whether or not
  /// it is named in the end.
  void show(std::size_t index) const {
    const Measurement& measurement = all()[index];
    if (!NoiseObserver::is_installed() || measurement.is_selection() || measurement.is_constant()) return;
    const MeasurementNoise& noise = plan_.noise.measurements[index];
    const bool is_laplace = plan_.noise.kind == NoiseKind::laplace;
    const auto groups = static_cast<double>(plan_.noise.groups);
    const Rational declared =
        noise.sensitivity * Rational(is_laplace ? groups : std::nextafter(std::sqrt(groups), HUGE_VAL));
    std::vector<std::pair<std::uint64_t, Int128>> placed;
    for (const Group& group : groups_)
      placed.emplace_back(place_of(group.keys), on_grid(group.values[index], noise.shift));
    std::sort(placed.begin(), placed.end());
    std::vector<std::uint64_t> places;
    std::vector<Int128> values;
    for (const auto& [place, value] : placed) {
      places.push_back(place);
      values.push_back(value);
    }
    NoiseObserver::report({.mechanism = is_laplace ? "query laplace" : "query gaussian",
                           .norm = is_laplace ? NoiseEvent::Norm::l1 : NoiseEvent::Norm::l2,
                           .declared_sensitivity = declared,
                           .values = values,
                           .exponent = 0,
                           .law = noise.law.get(),
                           .places = places,
                           .length = ~std::uint64_t{0}});
  }

  std::vector<Int128> noisy(std::size_t index, const std::vector<std::size_t>& groups) {
    const MeasurementNoise& noise = plan_.noise.measurements[index];
    std::vector<Int128> values;
    for (const std::size_t group : groups) values.push_back(on_grid(groups_[group].values[index], noise.shift));
    if (all()[index].is_constant() || chance_.is_silent()) return values;
    std::vector<std::int64_t> draws(values.size());
    noise.law->sample(chance_.words(), draws);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] += draws[i];
    return values;
  }

  Result<Int128> chosen(std::size_t index, const Group& group) {
    const Measurement& measurement = all()[index];
    const Candidates& candidates = candidates_[index];
    if (candidates.count <= 1) return Int128{0};
    const Rational rows(static_cast<std::int64_t>(plan_.limits.rows));
    const Rational unit = rows * Rational::power_of_two(kWeightBits);
    const Rational& epsilon = plan_.noise.measurements[index].epsilon_per_group;
    std::vector<Rational> scores(candidates.count);
    Rational sensitivity = unit;
    Int128 total = 0;
    for (const auto& [cell, weight] : group.weights[index]) total += weight;
    const bool is_mode = measurement.kind == Measured::mode;
    if (is_mode) {
      for (const auto& [cell, weight] : group.weights[index]) scores[cell] = to_rational(weight);
    } else {
      score(measurement, candidates, group.weights[index], total, epsilon, scores, sensitivity);
    }
    if (chance_.is_silent())
      return static_cast<Int128>(std::max_element(scores.begin(), scores.end()) - scores.begin());
    const bool is_pure = plan_.noise.kind == NoiseKind::laplace;
    GAUZE_TRY(const SelectionMechanism mechanism,
              SelectionMechanism::make({.kind = is_pure ? SelectionMechanism::Kind::permute_and_flip
                                                        : SelectionMechanism::Kind::exponential,
                                        .epsilon = epsilon,
                                        .sensitivity = sensitivity,
                                        .monotone = is_mode}));
    GAUZE_TRY(const std::size_t choice, chance_.select(mechanism, scores));
    return static_cast<Int128>(choice);
  }

  /// How far each candidate is from the rank that is asked for.
  void score(const Measurement& measurement, const Candidates& candidates, const Weights& weights, Int128 total,
             const Rational& epsilon, std::vector<Rational>& scores, Rational& sensitivity) const {
    const Rational all_weight = to_rational(total);
    Rational target_low;  // the rank, times d
    Rational d = 1;
    if (measurement.kind == Measured::quantile) {
      // p / d in lowest terms, so that scores are whole numbers
      Rational denominator = 1;
      while (!(measurement.fraction * denominator).is_integer() && denominator < Rational(1'000'000'000))
        denominator *= Rational(10);
      const Rational p = (measurement.fraction * denominator).floor();
      d = denominator;
      target_low = p * all_weight;
      sensitivity *= std::max(p, d - p);
    } else {
      const double rank = std::ceil(0x1p20 * (2.0 * static_cast<double>(plan_.limits.rows) / epsilon.to_double()) *
                                    (std::log(static_cast<double>(candidates.count)) + std::log(20.0)));
      if (chance_.is_silent())
        target_low = 0;
      else
        target_low = Rational(std::min(rank, 0x1p90));
      if (measurement.kind == Measured::maximum) target_low = all_weight - target_low;
    }
    Int128 before = 0;
    auto next = weights.begin();
    for (std::uint64_t i = 0; i < candidates.count; ++i) {
      Int128 here = 0;
      if (next != weights.end() && next->first == i) {
        here = next->second;
        ++next;
      }
      const Rational low = d * to_rational(before);
      const Rational high = d * to_rational(before + here);
      Rational distance = 0;
      if (target_low > high) distance = target_low - high;
      if (low > target_low) distance = low - target_low;
      // With the noise off the ends themselves are meant: the first and the last candidate that has weight.
      if (chance_.is_silent() && here == 0) distance += Rational::power_of_two(-1);
      scores[i] = -distance;
      before += here;
    }
  }

  Result<NoisyTable> draw(Progress& progress) {
    for (std::size_t i = 0; i < all().size(); ++i) show(i);
    std::vector<std::size_t> named(groups_.size());
    for (std::size_t i = 0; i < named.size(); ++i) named[i] = i;
    // The order in which an engine returns groups is not to be seen in the noise of a seeded run.
    std::sort(named.begin(), named.end(),
              [&](std::size_t a, std::size_t b) { return groups_[a].keys < groups_[b].keys; });
    std::vector<std::vector<Int128>> columns(all().size());
    if (plan_.measurements.naming && !plan_.keys.are_public) {
      const std::size_t naming = *plan_.measurements.naming;
      const std::vector<Int128> counts = noisy(naming, named);
      std::vector<std::size_t> kept;
      for (std::size_t i = 0; i < named.size(); ++i) {
        const bool is_large = groups_[named[i]].units >= static_cast<Int128>(plan_.schema->min_group);
        if (!is_large || (!chance_.is_silent() && counts[i] < *plan_.noise.threshold)) continue;
        kept.push_back(named[i]);
        columns[naming].push_back(counts[i]);
      }
      named = std::move(kept);
    }
    for (std::size_t i = 0; i < all().size(); ++i) {
      if (all()[i].is_selection()) {
        progress.begin("choosing", named.size());
        for (const std::size_t group : named) {
          GAUZE_TRY_VOID(progress.check());
          GAUZE_TRY(const Int128 choice, chosen(i, groups_[group]));
          columns[i].push_back(choice);
          progress.advance();
        }
      } else if (plan_.measurements.naming != i || plan_.keys.are_public) {
        columns[i] = noisy(i, named);
      }
    }
    NoisyTable table;
    table.candidates = candidates_;
    for (std::size_t row = 0; row < named.size(); ++row) {
      NoisyTable::Row one{groups_[named[row]].keys, {}};
      for (const auto& column : columns) one.steps.push_back(column[row]);
      table.rows.push_back(std::move(one));
    }
    return table;
  }

  const QueryPlan& plan_;
  SchemaTables& tables_;
  Chance& chance_;
  std::vector<Group> groups_;
  std::unordered_map<std::string, std::size_t> places_;
  std::vector<Candidates> candidates_;
  std::map<std::size_t, std::unordered_map<std::string, std::uint64_t>> mode_places_;
};

}  // namespace

Result<std::size_t> Chance::select(const SelectionMechanism& mechanism, std::span<const Rational> scores) {
  GAUZE_TRY(const auto choices,
            secure_ != nullptr ? mechanism.release(*secure_, scores) : mechanism.simulate(*seeded_, scores));
  return choices.front();
}

std::string Chance::key() { return fmt::format("{:016x}{:016x}", words_.next(), words_.next()); }

Result<NoisyTable> measure(const QueryPlan& plan, SchemaTables& tables, Chance& chance, Progress& progress) {
  return Measuring(plan, tables, chance).run(progress);
}

}  // namespace gauze::query
