#include "gauze/anonymize/risk/reidentification_risk.h"

#include <algorithm>
#include <map>

namespace gauze::anonymize {

namespace {

constexpr std::uint64_t kBands[] = {1, 2, 3, 4, 5, 10, 20, 50, 100, 1000, 10000};

// 1 / size > threshold, exactly.
bool above(std::uint64_t size, const Rational& threshold) {
  return Rational(1, static_cast<std::int64_t>(size)) > threshold;
}

/// Adds up by class size, so that the figures do not depend on the order of the classes.
class ModelBuilder {
 public:
  explicit ModelBuilder(const Rational& threshold) : threshold_(threshold) {}
  void add(std::uint64_t records, std::uint64_t size) { by_size_[size] += records; }
  [[nodiscard]] ReidentificationRisk::Model finish() const {
    std::uint64_t all = 0;
    std::uint64_t at_risk = 0;
    double successes = 0;
    for (const auto& [size, records] : by_size_) {
      all += records;
      if (above(size, threshold_)) at_risk += records;
      successes += static_cast<double>(records) / static_cast<double>(size);
    }
    if (all == 0) return {};
    const auto total = static_cast<double>(all);
    return {.at_risk = static_cast<double>(at_risk) / total,
            .highest = 1.0 / static_cast<double>(by_size_.begin()->first),
            .mean = successes / total};
  }

 private:
  Rational threshold_;
  std::map<std::uint64_t, std::uint64_t> by_size_;  // records
};

Json to_json(const ReidentificationRisk::Model& model) {
  return Json::object({{"at_risk", model.at_risk}, {"highest", model.highest}, {"mean", model.mean}});
}

}  // namespace

ReidentificationRisk assess_risk(const std::vector<ClassSize>& classes, const Rational& threshold) {
  ReidentificationRisk risk;
  risk.threshold = threshold;
  ModelBuilder prosecutor(threshold);
  ModelBuilder journalist(threshold);
  std::vector<ReidentificationRisk::SizeBand> bands;
  for (std::size_t i = 0; i < std::size(kBands); ++i)
    bands.push_back(
        {.from = kBands[i], .to = i + 1 < std::size(kBands) ? kBands[i + 1] - 1 : 0, .classes = 0, .records = 0});
  std::uint64_t population_uniques = 0;
  bool has_population = false;
  for (const ClassSize& one : classes) {
    if (one.records == 0) continue;
    // People who look like these records are at least these records.
    const std::uint64_t people = std::max(one.population, one.records);
    ++risk.classes;
    risk.records += one.records;
    prosecutor.add(one.records, one.records);
    journalist.add(one.records, people);
    risk.uniques += one.records == 1 ? 1 : 0;
    population_uniques += people == 1 ? 1 : 0;
    has_population = has_population || one.population > 0;
    risk.smallest_class = risk.classes == 1 ? one.records : std::min(risk.smallest_class, one.records);
    risk.largest_class = std::max(risk.largest_class, one.records);
    auto band = std::find_if(bands.rbegin(), bands.rend(),
                             [&](const auto& candidate) { return candidate.from <= one.records; });
    ++band->classes;
    band->records += one.records;
  }
  if (has_population) risk.population_uniques = population_uniques;
  risk.prosecutor = prosecutor.finish();
  risk.journalist = journalist.finish();
  risk.marketer = risk.journalist.mean;
  risk.mean_class = risk.classes == 0 ? 0 : static_cast<double>(risk.records) / static_cast<double>(risk.classes);
  std::copy_if(bands.begin(), bands.end(), std::back_inserter(risk.sizes),
               [](const auto& band) { return band.classes > 0; });
  return risk;
}

std::vector<std::pair<std::string, ReidentificationRisk::Group>> assess_groups(
    const std::vector<std::string>& values, const std::vector<GroupMember>& members, const Rational& threshold) {
  constexpr std::size_t kMostGroups = 100;
  std::vector<std::pair<std::string, ReidentificationRisk::Group>> groups;
  if (values.size() > kMostGroups) return groups;
  std::vector<ModelBuilder> builders(values.size(), ModelBuilder(threshold));
  std::vector<std::uint64_t> records(values.size(), 0);
  for (const GroupMember& member : members) {
    records[member.value] += member.records;
    builders[member.value].add(member.records, member.class_size);
  }
  for (std::size_t value = 0; value < values.size(); ++value)
    if (records[value] > 0)
      groups.emplace_back(values[value], ReidentificationRisk::Group{records[value], builders[value].finish()});
  return groups;
}

Json to_json(const ReidentificationRisk& risk) {
  Json sizes = Json::array();
  for (const auto& band : risk.sizes)
    sizes.push(Json::object({{"from", band.from},
                             {"to", band.to == 0 ? Json() : Json(band.to)},
                             {"classes", band.classes},
                             {"records", band.records}}));
  Json groups = Json::object();
  for (const auto& [column, values] : risk.by_group) {
    Json entries = Json::object();
    for (const auto& [value, group] : values)
      entries.set(value, Json::object({{"records", group.records}, {"prosecutor", to_json(group.prosecutor)}}));
    groups.set(column, std::move(entries));
  }
  Json object =
      Json::object({{"threshold", Json::number(risk.threshold.to_decimal())},
                    {"records", risk.records},
                    {"prosecutor", to_json(risk.prosecutor)},
                    {"journalist", to_json(risk.journalist)},
                    {"marketer", risk.marketer},
                    {"uniques", risk.uniques},
                    {"population_uniques", risk.population_uniques ? Json(*risk.population_uniques) : Json()},
                    {"mean_class", risk.mean_class},
                    {"class_sizes", std::move(sizes)}});
  if (!risk.by_group.empty()) object.set("by_group", std::move(groups));
  return object;
}

}  // namespace gauze::anonymize
