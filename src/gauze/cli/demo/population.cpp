#include "gauze/cli/demo/population.h"

#include <algorithm>
#include <cmath>

namespace gauze::cli {
namespace {

constexpr std::string_view kOrigins[] = {"local", "north", "south", "islands"};
constexpr std::string_view kEducations[] = {"primary", "secondary", "college", "university"};
constexpr std::string_view kHouseholds[] = {"single", "couple", "family", "shared"};
constexpr std::string_view kDistricts[] = {"Harbour", "Old Town", "Station", "Hill",   "Riverside", "Mill",
                                           "Garden",  "Quarry",   "Lake",    "Meadow", "Forest",    "Island"};
constexpr std::string_view kOccupations[] = {"office", "trade", "care", "industry", "teaching", "transport", "none"};

constexpr std::string_view kPolicy =
    R"(# The demo's population: everything here follows from how it is drawn, none of it from the table.
version: 1
columns:
  person:     {role: identifier, action: drop}
  age:        {role: quasi, hierarchy: {intervals: [[16, 30, 40, 50, 60, 70, 100], [16, 50, 100]]}}
  education:
    role: quasi
    hierarchy:
      groups:
        - basic: [primary, secondary]
          higher: [college, university]
  household:
    role: quasi
    hierarchy:
      groups:
        - alone: [single, shared]
          together: [couple, family]
  hours:      {role: quasi, hierarchy: {intervals: [[0, 1, 20, 35, 46, 100], [0, 35, 100]]}}
  district:
    role: quasi
    hierarchy:
      groups:
        - centre: [Harbour, Old Town, Station]
          west: [Hill, Riverside, Mill]
          east: [Garden, Quarry, Lake]
          outskirts: [Meadow, Forest, Island]
  occupation: {role: sensitive, values: [office, trade, care, industry, teaching, transport, none]}
  sex:        {role: protected}
  origin:     {role: protected}
  income:     {role: target, values: [high, low], positive: high}
privacy: {k: 5}
search: {kind: optimal, metric: loss, suppression: 0.02}
release:
  mode: grid
  levels: {age: 1, education: 1, household: 1, hours: 1, district: 1}
  kind: counts
learn:
  rows: 50000
  features:
    age:        {numeric: [16, 100]}
    education:  {ordered: [primary, secondary, college, university]}
    household:  {values: [single, shared, couple, family]}
    hours:      {numeric: [0, 60]}
    district:   {values: [Harbour, Old Town, Station, Hill, Riverside, Mill, Garden, Quarry, Lake, Meadow, Forest, Island]}
    occupation: {values: [office, trade, care, industry, teaching, transport, none]}
  target: {column: income, values: [low, high]}
  groups:
    sex:    {values: [female, male]}
    origin: {values: [local, north, south, islands]}
provenance: {quasi: public, hierarchies: public, levels: public, k: public, epsilon: public, features: public, hyperparameters: public}
)";

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

}  // namespace

const std::vector<std::string>& DemoPopulation::columns() {
  static const std::vector<std::string> kColumns = {"person",    "age",       "sex",   "origin",     "district",
                                                    "education", "household", "hours", "occupation", "income"};
  return kColumns;
}

std::vector<std::string> DemoPopulation::cells(const DemoPerson& person) {
  return {"P" + std::to_string(person.number), std::to_string(person.age),   std::string(person.sex),
          std::string(person.origin),          std::string(person.district), std::string(person.education),
          std::string(person.household),       std::to_string(person.hours), std::string(person.occupation),
          std::string(person.income)};
}

std::string_view DemoPopulation::policy() { return kPolicy; }

double DemoPopulation::uniform() { return (static_cast<double>(random_.next() >> 11) + 0.5) * 0x1p-53; }

template <std::size_t N>
std::size_t DemoPopulation::choose(const double (&weights)[N]) {
  double sum = 0;
  for (const double weight : weights) sum += weight;
  double place = uniform() * sum;
  for (std::size_t i = 0; i + 1 < N; ++i) {
    if (place < weights[i]) return i;
    place -= weights[i];
  }
  return N - 1;
}

DemoPerson DemoPopulation::next() {
  DemoPerson person;
  person.number = ++drawn_;
  const bool male = uniform() < 0.49;
  person.sex = male ? "male" : "female";
  const std::size_t origin = choose({82.0, 9.0, 6.0, 3.0});
  person.origin = kOrigins[origin];
  // The sum of two uniform draws: most people are in the middle, few above 80.
  person.age = 16 + static_cast<int>(37 * uniform() + 41 * uniform());
  const bool young = person.age < 30;
  const bool old = person.age >= 65;
  double districts[12];
  for (std::size_t i = 0; i < 12; ++i) districts[i] = 1.0 / (1.0 + static_cast<double>((i + 3 * origin) % 12));
  person.district = kDistricts[choose(districts)];
  const std::size_t education = old          ? choose({30.0, 45.0, 15.0, 10.0})
                                : origin > 0 ? choose({18.0, 45.0, 22.0, 15.0})
                                             : choose({8.0, 42.0, 27.0, 23.0});
  person.education = kEducations[education];
  person.household = kHouseholds[young ? choose({30.0, 25.0, 20.0, 25.0})
                                 : old ? choose({40.0, 50.0, 8.0, 2.0})
                                       : choose({20.0, 27.0, 48.0, 5.0})];
  const bool works = uniform() < (old ? 0.12 : 0.84);
  const bool part_time = works && uniform() < (male ? 0.12 : 0.38);
  if (works)
    person.hours = part_time ? 5 + static_cast<int>(29 * uniform())
                             : 35 + static_cast<int>(12 * uniform() + 12 * uniform() * uniform());
  person.occupation = !works           ? kOccupations[6]
                      : education == 3 ? kOccupations[choose({40.0, 10.0, 15.0, 5.0, 25.0, 5.0})]
                                       : kOccupations[choose({22.0, 22.0, 16.0, 22.0, 4.0, 14.0})];
  const double middle = (person.age - 48) / 14.0;
  double score =
      -2.6 + 0.75 * static_cast<double>(education) - 0.7 * middle * middle + 0.045 * std::min(person.hours, 55);
  score += male ? 1.1 : 0;  // the disparity that is built in
  score -= 0.45 * static_cast<double>(origin > 0 ? 1 : 0) + 0.25 * static_cast<double>(origin > 2 ? 1 : 0);
  person.income = uniform() < logistic(score - 1.1) ? "high" : "low";
  return person;
}

}  // namespace gauze::cli
