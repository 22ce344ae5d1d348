#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gauze/schema/domain/domain.h"

namespace gauze::assess {

/// A number of records for each class: what was released, or what is true.
struct ClassCount {
  std::uint64_t cell = 0;
  double count = 0;
};

/// A table of counts by class, with what belongs to none of them.
struct ClassTable {
  std::vector<ClassCount> classes;  ///< in rising order of cells
  double rest = 0;                  ///< outside the domain, or in classes that are not named
  [[nodiscard]] double total() const;
};

[[nodiscard]] ClassTable to_class_table(const schema::Histogram& histogram);

/// Half the sum of |difference of shares| over all classes and the rest. 1 when only one of the tables is empty.
[[nodiscard]] double total_variation(const ClassTable& truth, const ClassTable& released);
/// The mean, over the classes that one of the tables has, of the squared difference of shares.
[[nodiscard]] double mean_squared_error(const ClassTable& truth, const ClassTable& released);

/// The classes of a table by every one, two and three of its columns.
class Marginals {
 public:
  /// Subsets of columns with more combinations than this are left out, and of many subsets so many are taken.
  static constexpr std::uint64_t kMostCells = 200'000;
  static constexpr std::size_t kMostSubsets = 60;

  Marginals(std::shared_ptr<const schema::Domain> domain, const ClassTable& truth);

  /// Mean total variation distance of the marginals of `ways` columns; NaN when there are none.
  [[nodiscard]] double distance(const ClassTable& released, std::size_t ways) const;

  /// Pearson's chi-square of one column: how far the released shares lie from the true ones, in units of what drawing
  /// the released number of records would explain.
  struct ChiSquare {
    double statistic = 0;
    std::size_t degrees = 0;
    bool rejected = false;  ///< at 5 %
  };
  [[nodiscard]] ChiSquare chi_square(const ClassTable& released, std::size_t column) const;

 private:
  struct Subset {
    std::vector<std::size_t> columns;
    std::vector<double> truth;  // shares; the last one is the rest
  };
  [[nodiscard]] std::vector<double> shares(const ClassTable& table, const std::vector<std::size_t>& columns) const;

  std::shared_ptr<const schema::Domain> domain_;
  std::vector<Subset> subsets_;
};

/// Random questions "how many records lie in these ranges of one to three columns", fixed by a seed.
class RangeQueries {
 public:
  static constexpr std::size_t kMost = 200;

  RangeQueries(std::shared_ptr<const schema::Domain> domain, const ClassTable& truth, std::uint64_t seed);

  [[nodiscard]] std::size_t size() const { return queries_.size(); }
  /// Mean of |answer - true answer| / max(true answer, 1 % of the records).
  [[nodiscard]] double error(const ClassTable& released) const;

 private:
  struct Query {
    std::vector<std::pair<std::size_t, std::vector<std::uint8_t>>> ranges;  // column, whether each code is inside
    double truth = 0;
  };
  [[nodiscard]] double answer(const Query& query, const ClassTable& table) const;

  std::shared_ptr<const schema::Domain> domain_;
  std::vector<Query> queries_;
  double least_ = 1;
};

}  // namespace gauze::assess
