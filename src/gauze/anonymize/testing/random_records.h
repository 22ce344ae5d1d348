#pragma once

#include <random>
#include <string>
#include <vector>

#include "gauze/anonymize/classes/lattice.h"
#include "gauze/anonymize/classes/records.h"

namespace gauze::anonymize::testing {

/// A small table by rows, before it is grouped: what brute force works on.
struct PlainTable {
  std::vector<QuasiIdentifier> quasi;
  std::vector<std::vector<std::uint32_t>> ground;                ///< [row][quasi]
  std::vector<std::vector<std::uint32_t>> values;                ///< [row][sensitive]
  std::vector<std::uint32_t> value_counts;                       ///< codes of each sensitive column
  std::vector<std::vector<std::uint32_t>> population;            ///< [person][quasi]
  std::vector<std::vector<std::vector<std::uint32_t>>> parents;  ///< trees of the sensitive columns, may be empty
  bool sensitive_missing = false;                                ///< the sensitive value 0 means missing
};

/// A hierarchy over `size` values with `levels` levels; the top has one value.
[[nodiscard]] std::shared_ptr<const schema::Hierarchy> random_hierarchy(std::uint32_t size, int levels,
                                                                        std::mt19937_64& random);

struct RandomTableOptions {
  std::size_t rows = 40;
  std::size_t quasi = 3;
  std::uint32_t most_values = 6;
  int most_levels = 3;
  std::size_t sensitive = 1;
  std::uint32_t sensitive_values = 4;
  bool sensitive_missing = false;    ///< the commonest sensitive value, 0, means missing
  std::size_t extra_population = 0;  ///< people besides the records; 0: no population
};
[[nodiscard]] PlainTable random_table(const RandomTableOptions& options, std::mt19937_64& random);

/// The table as searches see it.
[[nodiscard]] Records group(const PlainTable& table);

}  // namespace gauze::anonymize::testing
