#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gauze/assess/evaluation/setting.h"
#include "gauze/base/progress.h"
#include "gauze/label/warning.h"
#include "gauze/table/source.h"

namespace gauze::assess {

/// The groups of a protected column, or of an intersection of several.
struct Grouping {
  std::string name;  ///< "sex", "sex x race"
  bool intersection = false;
  std::vector<std::string> groups;   ///< "Male", "Male x White"
  std::vector<std::uint32_t> codes;  ///< the group of each tuple
};

/// A table read for an evaluation: its distinct tuples, and which of their rows are kept apart for testing models.
struct EvaluationData {
  table::TupleCounts tuples;            ///< quasi-identifiers, then the further columns of records, then the rest
  std::size_t quasi = 0;                ///< how many quasi-identifiers
  std::vector<std::string> of_records;  ///< the columns that records have besides; empty for counts and as published
  std::size_t sensitive = 0;            ///< so many of these come first: sensitive ones that are not the target
  std::vector<std::uint8_t> outcome;  ///< of each tuple: 1 positive, 0 negative, 2 not known; empty without a target
  std::vector<std::uint64_t> train;   ///< rows of each tuple that models learn from
  std::vector<std::uint64_t> test;    ///< rows of each tuple that they are tested on, always the same
  std::vector<Grouping> groupings;    ///< one a protected column, then of every two, then of all
  std::uint64_t rows = 0;
  std::uint64_t test_rows = 0;
  std::vector<Warning> warnings;  ///< one outcome only, one group only

  [[nodiscard]] static Result<EvaluationData> read(table::Source& table, const EvaluationSetting& setting,
                                                   Progress& progress);

  /// Test rows of a group whose outcome is known, and those of its rarer outcome.
  struct GroupOutcomes {
    double rows = 0;
    double rarer = 0;
  };
  [[nodiscard]] GroupOutcomes outcomes_in_group(std::size_t grouping, std::uint32_t group) const;
};

/// The share of rows that models are tested on.
inline constexpr double kTestShare = 0.3;

}  // namespace gauze::assess
