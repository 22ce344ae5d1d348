#include "gauze/collect/central/central_query.h"

#include <algorithm>

#include "gauze/collect/central/internal/query_noise.h"
#include "gauze/collect/central/internal/record_scan.h"

namespace gauze::collect {
namespace {

using internal::clamped;
using internal::scan_records;
using internal::SumAndCount;

constexpr std::uint64_t kMostCells = 4'096;

/// Units of a field, as its numbers are written.
Rational of_units(const NumberField& field, const Rational& units) {
  Rational scale(1);
  for (int i = 0; i < field.places; ++i) scale *= Rational(10);
  return units / scale;
}

std::pair<Rational, Rational> around(const Rational& value, const Rational& reach) {
  return {value - reach, value + reach};
}

/// Draws with one kind of randomness or the other: the only place where they meet.
GridValue noisy(const AdditiveMechanism& mechanism, SecureRandom& random, const Rational& value) {
  return mechanism.release(random, value);
}
GridValue noisy(const AdditiveMechanism& mechanism, SeededRandom& random, const Rational& value) {
  return mechanism.simulate(random, value);
}
Result<std::vector<GridValue>> noisy(const AdditiveMechanism& mechanism, SecureRandom& random,
                                     std::span<const double> values) {
  return mechanism.release(random, values);
}
Result<std::vector<GridValue>> noisy(const AdditiveMechanism& mechanism, SeededRandom& random,
                                     std::span<const double> values) {
  return mechanism.simulate(random, values);
}
Result<std::vector<std::size_t>> chosen(const SelectionMechanism& mechanism, SecureRandom& random,
                                        std::span<const Rational> scores) {
  return mechanism.release(random, scores);
}
Result<std::vector<std::size_t>> chosen(const SelectionMechanism& mechanism, SeededRandom& random,
                                        std::span<const Rational> scores) {
  return mechanism.simulate(random, scores);
}

/// What is read from the records, before noise. Each function reads them once.
class Scan {
 public:
  Scan(RecordSource& source, std::pair<std::uint32_t, std::uint32_t> periods, const CentralTask& task)
      : source_(&source), periods_(periods), layout_(task.spec().layout()), bytes_(task.payload_bytes()) {}

  [[nodiscard]] Result<std::int64_t> count(const std::vector<std::pair<std::size_t, std::int64_t>>& where) {
    std::int64_t found = 0;
    GAUZE_TRY_VOID(each([&](const unsigned char* record) {
      found += std::all_of(where.begin(), where.end(),
                           [&](const auto& one) { return clamped(layout_.fields[one.first], record) == one.second; });
    }));
    return found;
  }

  /// Of a histogram: the records of each value.
  [[nodiscard]] Result<std::vector<double>> cells(std::size_t field) {
    const RecordLayout::Field& about = layout_.fields[field];
    std::vector<std::int64_t> counts(static_cast<std::size_t>(about.high - about.low) + 1);
    GAUZE_TRY_VOID(each([&](const unsigned char* record) {
      ++counts[static_cast<std::size_t>(clamped(about, record) - about.low)];
    }));
    return std::vector<double>(counts.begin(), counts.end());
  }

  /// Numbers added up, exactly.
  [[nodiscard]] Result<SumAndCount> sum(std::size_t field) {
    const RecordLayout::Field& about = layout_.fields[field];
    SumAndCount all;
    GAUZE_TRY_VOID(each([&](const unsigned char* record) {
      all.sum += clamped(about, record);
      ++all.count;
    }));
    return all;
  }

  /// Of a quantile: minus the distance of each candidate's rank, the records below it, from tau of all.
  [[nodiscard]] Result<std::vector<Rational>> scores(std::size_t field, const internal::QuantileGrid& grid,
                                                     const Rational& tau) {
    const RecordLayout::Field& about = layout_.fields[field];
    std::vector<std::int64_t> reached(grid.size() + 1);  // by how many candidates are not above a record
    std::int64_t all = 0;
    GAUZE_TRY_VOID(each([&](const unsigned char* record) {
      ++reached[grid.not_above(clamped(about, record))];
      ++all;
    }));
    const Rational wanted = tau * Rational(all);
    std::vector<Rational> scores;
    std::int64_t below = 0;
    for (std::size_t i = 0; i < grid.size(); ++i) {
      below += reached[i];
      const Rational distance = Rational(below) - wanted;
      scores.push_back(distance.sign() < 0 ? distance : -distance);
    }
    return scores;
  }

 private:
  template <class Visit>
  [[nodiscard]] Result<void> each(const Visit& visit) {
    return scan_records(*source_, periods_, bytes_, visit);
  }

  RecordSource* source_;
  std::pair<std::uint32_t, std::uint32_t> periods_;
  RecordLayout layout_;
  std::size_t bytes_;
};

/// Where c / max(1, n) can lie when c and n are anything from their intervals.
std::pair<Rational, Rational> ratio(const std::pair<Rational, Rational>& c, const std::pair<Rational, Rational>& n) {
  const Rational least = std::max(n.first, Rational(1));
  const Rational most = std::max(n.second, Rational(1));
  return {c.first / (c.first.sign() < 0 ? least : most), c.second / (c.second.sign() > 0 ? least : most)};
}

/// From a noisy sum of distances from the middle, in half units, and a noisy count.
CentralAnswer mean_of(const internal::QueryNoise& noise, const NumberField& field, const Rational& sum,
                      const Rational& count) {
  // Both parts lie within their intervals with 95 %, each with half of the miss.
  const Rational two(2);
  const Rational low(field.low);
  const Rational high(field.high);
  const Rational middle = (low + high) / two;
  const auto placed = [&](const Rational& distance) {
    return of_units(field, std::clamp(middle + distance / two, low, high));
  };
  const auto box = ratio(around(sum, noise.sum->reach), around(count, noise.count->reach));
  CentralAnswer answer;
  answer.values.push_back(placed(sum / std::max(count, Rational(1))));
  answer.interval95.emplace_back(placed(box.first), placed(box.second));
  return answer;
}

}  // namespace

Result<CentralQuery> CentralQuery::make(const CentralTask& task, const Options& options) {
  CentralQuery query(task, options);
  GAUZE_TRY_VOID(query.check());
  const Rational weight = Rational(static_cast<std::int64_t>(task.spec().reports_per_period)) *
                          Rational(static_cast<std::int64_t>(query.periods()));
  const RecordField* about = options.kind == QueryKind::count ? nullptr : &query.field();
  GAUZE_TRY(internal::QueryNoise noise, internal::QueryNoise::make(options.kind, about, options.epsilon, weight));
  query.noise_ = std::make_shared<const internal::QueryNoise>(std::move(noise));
  return query;
}

Result<void> CentralQuery::check() {
  const Rational nano = options_.epsilon * Rational(1'000'000'000);
  if (options_.epsilon.sign() <= 0 || options_.epsilon > Rational(1'000'000) || !nano.is_integer())
    return invalid_parameter("epsilon must lie above 0 and not above 1,000,000, with at most nine decimals");
  if (options_.from > options_.to)
    return invalid_parameter("from, period {}, lies behind to, period {}", options_.from, options_.to);
  if (options_.kind == QueryKind::quantile && (options_.tau.sign() < 0 || options_.tau > Rational(1)))
    return invalid_parameter("tau must lie between 0 and 1");
  GAUZE_TRY_VOID(check_field());
  return check_where();
}

Result<void> CentralQuery::check_field() {
  const std::string_view kind = word_of(kQueryKindWords, options_.kind);
  if (options_.kind == QueryKind::count) {
    if (options_.field.empty()) return {};
    return invalid_parameter("a count has no field: where says which records count");
  }
  if (options_.field.empty()) return invalid_parameter("a {} needs the field that it is about", kind);
  const auto found = task_.spec().find(options_.field);
  if (!found) return invalid_parameter("the task '{}' has no such field", task_.spec().name);
  field_ = *found;
  if (options_.kind == QueryKind::histogram) {
    if (!field().is_category() && field().number.places != 0)
      return invalid_parameter("a histogram is of a category or an integer, not of a decimal");
    // In unsigned numbers: the ends of an integer may lie further apart than a signed one holds.
    if (static_cast<std::uint64_t>(field().high()) - static_cast<std::uint64_t>(field().low()) >= kMostCells)
      return invalid_parameter("a histogram has at most {} values", kMostCells);
    return {};
  }
  if (field().is_category()) return invalid_parameter("a {} is of a number, not of a category", kind);
  return {};
}

Result<void> CentralQuery::check_where() {
  if (options_.kind != QueryKind::count && !options_.where.empty())
    return invalid_parameter("where belongs to a count");
  for (const auto& [name, value] : options_.where) {
    const auto found = task_.spec().find(name);
    if (!found) return invalid_parameter("where names a field that the task '{}' has not", task_.spec().name);
    const RecordField& about = task_.spec().fields[*found];
    if (!about.is_category()) return invalid_parameter("where is about category fields");
    const auto number = about.values.find(value);
    if (!number) return invalid_parameter("where names a value that its field has not");
    for (const auto& [field, ignored] : where_)
      if (field == *found) return invalid_parameter("where names a field twice");
    where_.emplace_back(*found, *number);
  }
  return {};
}

PrivacyCost CentralQuery::cost() const {
  PrivacyCost cost = PrivacyCost::of_epsilon(options_.epsilon);
  cost.unit = kEnrolment;
  cost.neighbours = Neighbours::add_remove;
  return cost;
}

PrivacyLabel CentralQuery::label() const {
  PrivacyLabel label;
  cost().put_into(label);
  label.released.kind = "answer about records of devices";
  label.mechanism = options_.kind == QueryKind::quantile
                        ? "exponential mechanism on a public grid"
                        : "exact discrete Laplace noise on sums with bounded contributions";
  Json& parameters = label.parameters;
  parameters.set("task", task_.spec().name).set("task_sha256", task_.hash());
  parameters.set("kind", word_of(kQueryKindWords, options_.kind));
  if (options_.kind != QueryKind::count) parameters.set("field", options_.field);
  std::vector<Json> where;
  for (const auto& [name, value] : options_.where) where.emplace_back(name + "=" + value);
  if (!where.empty()) parameters.set("where", Json::array(std::move(where)));
  if (options_.kind == QueryKind::quantile) {
    parameters.set("tau", Json::number(options_.tau.to_decimal()));
    parameters.set("candidates", noise_->grid->size());
  }
  parameters.set("from", options_.from).set("to", options_.to).set("periods", periods());
  parameters.set("reports_per_period", task_.spec().reports_per_period);
  const bool is_in_units = options_.kind == QueryKind::sum || options_.kind == QueryKind::mean;
  const Rational sensitivity = is_in_units ? of_units(field().number, noise_->sensitivity) : noise_->sensitivity;
  parameters.set("sensitivity", Json::number(sensitivity.to_decimal_up()));
  if (!task_.spec().profile.empty()) parameters.set("profile", task_.spec().profile);
  if (!task_.spec().deviation.empty()) parameters.set("deviation", task_.spec().deviation);
  label.covers = {"All records of one enrolment in these periods, from whoever sees the answer."};
  label.does_not_cover = {"Anything from the curator, who is trusted with the records as they are.",
                          "That a device is enrolled, and when it sends.",
                          "A device that enrols again: that is another enrolment.",
                          "Other answers about the same records: their costs add up.",
                          "How long the answer took, beyond the step of time at which answers are sent."};
  label.provenance = {{"bounds", Provenance::public_knowledge}, {"values", Provenance::public_knowledge}};
  return label;
}

template <class Random>
Result<CentralAnswer> CentralQuery::draw(RecordSource& source, Random& random) const {
  Scan scan(source, {options_.from, options_.to}, task_);
  CentralAnswer answer;
  switch (options_.kind) {
    case QueryKind::count: {
      GAUZE_TRY(const std::int64_t records, scan.count(where_));
      answer.is_count = true;
      answer.values.push_back(noisy(noise_->count->mechanism, random, Rational(records)).to_rational());
      answer.interval95.push_back(around(answer.values[0], noise_->count->reach));
      break;
    }
    case QueryKind::histogram: {
      GAUZE_TRY(const std::vector<double> cells, scan.cells(field_));
      GAUZE_TRY(const std::vector<GridValue> drawn, noisy(noise_->count->mechanism, random, std::span(cells)));
      const Rational reach = noise_->count->reach;
      answer.is_count = answer.is_list = true;
      for (const GridValue& one : drawn) {
        answer.values.push_back(one.to_rational());
        answer.interval95.push_back(around(answer.values.back(), reach));
      }
      break;
    }
    case QueryKind::sum: {
      GAUZE_TRY(const SumAndCount all, scan.sum(field_));
      const Rational value = noisy(noise_->sum->mechanism, random, to_rational(all.sum)).to_rational();
      const auto interval = around(value, noise_->sum->reach);
      const NumberField& number = field().number;
      answer.values.push_back(of_units(number, value));
      answer.interval95.emplace_back(of_units(number, interval.first), of_units(number, interval.second));
      break;
    }
    case QueryKind::mean: {
      GAUZE_TRY(const SumAndCount all, scan.sum(field_));
      const NumberField& number = field().number;
      // Distances from the middle in half units are whole: twice the sum minus the ends once a record.
      const Int128 ends = Int128{number.low} + number.high;
      const Rational distances = to_rational(2 * all.sum - ends * all.count);
      const Rational sum = noisy(noise_->sum->mechanism, random, distances).to_rational();
      const Rational count = noisy(noise_->count->mechanism, random, Rational(all.count)).to_rational();
      answer = mean_of(*noise_, number, sum, count);
      break;
    }
    case QueryKind::quantile: {
      GAUZE_TRY(const std::vector<Rational> scores, scan.scores(field_, *noise_->grid, options_.tau));
      GAUZE_TRY(const std::vector<std::size_t> choice, chosen(*noise_->choice, random, scores));
      answer.values.push_back(of_units(field().number, noise_->grid->candidate(choice.front())));
      break;
    }
  }
  return answer;
}

Result<CentralAnswer> CentralQuery::answer(RecordSource& source, SecureRandom& random) const {
  return draw(source, random);
}
Result<CentralAnswer> CentralQuery::simulate(RecordSource& source, SeededRandom& random) const {
  return draw(source, random);
}

}  // namespace gauze::collect
