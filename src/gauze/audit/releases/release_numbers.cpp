#include "gauze/audit/releases/release_numbers.h"

#include <cmath>

namespace gauze::audit {
namespace {

constexpr std::size_t kMostClasses = 256;
constexpr std::size_t kMostKnownDomains = 1'000;
constexpr std::size_t kNowhere = ~std::size_t{0};

/// What tells a class from others, whichever domain lists it.
std::string key_of(const std::vector<int>& levels, const std::vector<std::string>& values) {
  std::string key;
  for (const int level : levels) key += std::to_string(level) + ",";
  for (const std::string& value : values) key += std::to_string(value.size()) + ":" + value;
  return key;
}

std::vector<std::string> values_of(const schema::Domain& domain, std::uint64_t cell) {
  std::vector<std::string> values;
  for (std::size_t i = 0; i < domain.width(); ++i) values.push_back(domain.text(cell, i));
  return values;
}

}  // namespace

ReleaseNumbers::ReleaseNumbers(const release::ReleasePlan& plan, TableRows differing)
    : plan_(&plan),
      differing_(std::move(differing)),
      names_{"the total", "the count of everybody else", "the number of classes", "the sum of the counts"} {
  if (plan.release.mode == schema::ReleaseMode::select)
    for (const std::string& name : plan.quasi) names_.push_back("the level of " + name);
  first_class_ = names_.size();
}

void ReleaseNumbers::read(const release::Release& release, std::vector<double>& numbers) {
  numbers.assign(first_class_, NAN);
  const release::ReleasedHistogram& histogram = release.histogram;
  if (histogram.total) {
    numbers[0] = static_cast<double>(*histogram.total);
    numbers[1] = static_cast<double>(histogram.remainder);
  }
  numbers[2] = static_cast<double>(histogram.cells.size());
  double sum = 0;
  for (const release::ReleasedCell& one : histogram.cells) sum += static_cast<double>(one.count);
  numbers[3] = sum;
  for (std::size_t i = 4; i < first_class_; ++i) numbers[i] = release.levels[i - 4];
  Places& places = places_in(release);
  for (const release::ReleasedCell& one : histogram.cells) {
    const auto known = places.find(one.cell);
    std::size_t place = kNowhere;
    if (known != places.end())
      place = known->second;
    else
      places.emplace(one.cell, place = place_of(release, one.cell));
    if (place == kNowhere) continue;
    if (place >= numbers.size()) numbers.resize(place + 1, NAN);
    numbers[place] = static_cast<double>(one.count);
  }
}

ReleaseNumbers::Places& ReleaseNumbers::places_in(const release::Release& release) {
  const schema::Domain& domain = *release.domain;
  if (const auto known = domains_.find(&domain); known != domains_.end()) return known->second.places;
  if (domains_.size() >= kMostKnownDomains) domains_.clear();
  Places& places = domains_[&domain].places;
  domains_[&domain].domain = release.domain;
  // the classes of the rows that differ come first, at every combination of levels
  for (const auto& [cells, count] : differing_) {
    std::vector<std::string> values;
    for (std::size_t i = 0; i < domain.width(); ++i) {
      const schema::Domain::Axis& axis = domain.axis(i);
      const table::TupleCounts one = tuples_of({{RowCells{cells[i]}, 1}}, 1);
      const std::uint32_t code = axis.column->encode(one.dictionaries[0], axis.level)[0];
      if (code == schema::kOutside) break;
      values.push_back(axis.column->text(axis.level, code));
    }
    if (values.size() < domain.width()) continue;
    ++differing_classes_;
    (void)place_of_name(key_of(release.levels, values),
                        differing_classes_ == 1
                            ? "the count where the tables differ"
                            : fmt::format("the count where the tables differ ({})", differing_classes_));
  }
  return places;
}

std::size_t ReleaseNumbers::place_of(const release::Release& release, std::uint64_t cell) {
  const std::vector<std::string> values = values_of(*release.domain, cell);
  std::string name = "the count of another class";
  if (!plan_->is_stability()) {  // a public domain: its values may be told
    name = "the count of";
    for (std::size_t i = 0; i < values.size(); ++i)
      name += fmt::format("{} {} {}", i == 0 ? "" : ",", plan_->columns[i], values[i]);
  }
  return place_of_name(key_of(release.levels, values), name);
}

std::size_t ReleaseNumbers::place_of_name(const std::string& key, const std::string& name) {
  if (const auto known = places_.find(key); known != places_.end()) return known->second;
  const std::size_t place = places_.size() < kMostClasses ? names_.size() : kNowhere;
  if (place == kNowhere) return place;
  places_.emplace(key, place);
  names_.push_back(name);
  return place;
}

}  // namespace gauze::audit
