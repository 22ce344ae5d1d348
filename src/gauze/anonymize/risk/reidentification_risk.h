#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gauze/base/rational.h"
#include "gauze/files/json.h"

namespace gauze::anonymize {

/// One class of records that look alike, and how many people of a population look like them (0: no population is known).
struct ClassSize {
  std::uint64_t records = 0;
  std::uint64_t population = 0;
};

/// How likely a record is linked to a person by its quasi-identifiers. Suppressed records are in no class and at no risk.
///
/// Prosecutor : the attacker knows that the person is in the data; a record's risk is 1 / size of its class.
/// Journalist : the attacker does not; the size is that of the class in the population, if one is known, else the same.
/// Marketer   : the attacker links everybody and counts successes: the mean of the journalist's risks.
struct ReidentificationRisk {
  struct Model {
    double at_risk = 0;  ///< share of the records with a risk above the threshold
    double highest = 0;
    double mean = 0;  ///< expected share of right links
  };
  struct SizeBand {
    std::uint64_t from = 0;
    std::uint64_t to = 0;  ///< 0: no upper end
    std::uint64_t classes = 0;
    std::uint64_t records = 0;
  };
  Rational threshold = Rational(1, 5);
  std::uint64_t records = 0;
  std::uint64_t classes = 0;
  Model prosecutor;
  Model journalist;
  double marketer = 0;
  std::uint64_t uniques = 0;                        ///< records alone in their class
  std::optional<std::uint64_t> population_uniques;  ///< of these, alone in the population too; nothing without one
  std::uint64_t smallest_class = 0;
  std::uint64_t largest_class = 0;
  double mean_class = 0;
  std::vector<SizeBand> sizes;  ///< only bands that occur
  /// Of a sensitive column: value -> prosecutor's risk of the records that have it. Who is worse protected.
  struct Group {
    std::uint64_t records = 0;
    Model prosecutor;
  };
  std::map<std::string, std::vector<std::pair<std::string, Group>>> by_group;
};

[[nodiscard]] ReidentificationRisk assess_risk(const std::vector<ClassSize>& classes, const Rational& threshold);

/// Some records with one value of a sensitive column, in a class of that size.
struct GroupMember {
  std::uint32_t value = 0;
  std::uint64_t class_size = 0;
  std::uint64_t records = 0;
};
/// The risk of every value's records; values that nobody has are left out. Nothing for columns of more than 100 values:
/// a table of so many groups helps nobody.
[[nodiscard]] std::vector<std::pair<std::string, ReidentificationRisk::Group>> assess_groups(
    const std::vector<std::string>& values, const std::vector<GroupMember>& members, const Rational& threshold);

[[nodiscard]] Json to_json(const ReidentificationRisk& risk);

}  // namespace gauze::anonymize
