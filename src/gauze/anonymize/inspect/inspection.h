#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gauze/anonymize/inspect/column_figures.h"
#include "gauze/anonymize/inspect/look_alikes.h"
#include "gauze/anonymize/inspect/outliers.h"
#include "gauze/base/progress.h"
#include "gauze/schema/policy/policy.h"
#include "gauze/table/odd_cells.h"
#include "gauze/table/source.h"

namespace gauze::anonymize {

struct InspectionRequest {
  std::optional<std::string> target;
  std::vector<std::string> columns;  ///< over which information is normalised; default: suggested quasi-identifiers
  std::vector<std::string> sensitive;
  std::vector<std::string> protected_groups;  ///< default: columns that speak of sex or race
  std::map<std::string, int> availability;    ///< 1 to 5
  std::uint64_t k = 5;
  std::vector<std::string> null_tokens = {};  ///< with which the table is read, for a draft of its policy
  std::optional<schema::Date> today = {};     ///< after which days have not come yet; none: the day that it is
};

/// What a table is like before anything is done to it. Compares with the raw data: for the owner's own eyes.
struct Inspection {
  struct Column {
    std::string name;
    table::ColumnType type = table::ColumnType::text;
    std::uint64_t distinct = 0;
    std::uint64_t missing = 0;
    ColumnFigures figures;
    std::optional<table::OddCells> odd;  ///< of a column that is nearly one of numbers or dates
    schema::Role role = schema::Role::insensitive;
    std::string reason;
    std::optional<double> mutual_information;             ///< with the target, nats
    std::optional<double> normalized_mutual_information;  ///< min-max over the chosen columns
    int availability = 0;
    /// Normalised information x availability, relative to the columns compared: the least telling one has 0 by construction.
    std::optional<double> risk;
  };
  /// Some quasi-identifiers together.
  struct Combination {
    std::vector<std::string> columns;
    std::uint64_t uniques = 0;  ///< rows alone with their values
    std::uint64_t below_k = 0;  ///< rows in classes of fewer than k
    std::uint64_t smallest_class = 0;
    bool reaches_k = false;  ///< k is reached and something is left, with automatic hierarchies and 5 % suppression
    double loss = 1;         ///< what that costs
  };
  /// A column so tied to a protected one that protecting by it treats groups unequally.
  struct Tie {
    std::string column;
    std::string protected_group;
    double cramers_v = 0;
  };
  /// Two columns whose values determine each other: together they tell no more than one of them.
  struct Twins {
    std::string one;
    std::string other;
  };
  std::uint64_t rows = 0;
  std::vector<Column> columns;
  std::vector<Combination> combinations;  ///< of 3, 4 and 5 of the riskiest columns, the most unique rows first
  std::vector<Tie> ties;
  std::vector<Twins> twins;                           ///< in the order of the columns
  std::vector<std::string> protected_groups;          ///< those that were asked for, or that speak of sex or race
  std::vector<LookAlikes> spellings;                  ///< by column; not of identifiers, whose values differ anyway
  std::vector<Outliers> outliers;                     ///< by column
  std::map<std::string, schema::ValidBounds> bounds;  ///< of columns with outliers: within which the rest lies
};

/// From which Cramer's V on, less what chance gives, a tie is reported.
inline constexpr double kStrongTie = 0.4;

[[nodiscard]] Result<Inspection> inspect(table::Source& table, const InspectionRequest& request, Progress& progress);

}  // namespace gauze::anonymize
