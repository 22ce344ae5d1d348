#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gauze/anonymize/criteria/sensitive_column.h"
#include "gauze/schema/hierarchies/hierarchy.h"

namespace gauze::anonymize {

/// A quasi-identifier: its hierarchy, and how much its loss weighs against that of the others.
struct QuasiIdentifier {
  std::string name;
  std::shared_ptr<const schema::Hierarchy> hierarchy;
  double weight = 1;
  std::optional<std::uint32_t> missing;  ///< the row of "missing" in the hierarchy, when it is a row of its own
  table::DecimalSign decimal = table::DecimalSign::point;  ///< how its numbers are written
};

/// The records as every search sees them: distinct tuples of quasi-identifiers and sensitive values with their counts.
struct Records {
  std::vector<QuasiIdentifier> quasi;
  std::vector<std::vector<std::uint32_t>> ground;  ///< ground[quasi][tuple]: row of the hierarchy
  std::vector<SensitiveColumn> sensitive;
  std::vector<std::vector<std::uint32_t>> values;  ///< values[sensitive][tuple]: code
  std::vector<std::uint32_t> counts;               ///< records of each tuple
  std::vector<std::uint32_t> population;           ///< people of the population with the tuple; empty without one
  std::uint64_t total = 0;                         ///< all records

  [[nodiscard]] std::size_t size() const { return counts.size(); }
};

}  // namespace gauze::anonymize
