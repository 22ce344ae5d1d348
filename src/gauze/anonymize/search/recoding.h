#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "gauze/anonymize/classes/lattice.h"
#include "gauze/anonymize/classes/node_evaluation.h"
#include "gauze/anonymize/classes/records.h"
#include "gauze/schema/policy/criteria.h"

namespace gauze::anonymize {

/// What some ground values of a quasi-identifier become in the output.
struct CellValue {
  std::string text;
  std::uint32_t rows = 1;     ///< ground values of the hierarchy that it may stand for
  double height = 0;          ///< level / height of the hierarchy; for ranges the share of the ground values
  std::uint64_t records = 0;  ///< input records whose ground value it may stand for
};

/// The result of a search in one form for all of them: output classes, and which class each tuple falls into.
struct Recoding {
  static constexpr std::uint32_t kSuppressed = UINT32_MAX;
  struct Class {
    std::vector<std::uint32_t> cells;  ///< [quasi]: place in `values`
    std::uint64_t records = 0;
  };
  /// Some records of a tuple and their class.
  struct Share {
    std::uint32_t output_class = kSuppressed;
    std::uint32_t records = 0;
  };

  std::vector<std::vector<CellValue>> values;  ///< [quasi]
  std::vector<Class> classes;
  std::vector<std::uint32_t> class_of;  ///< by tuple; of its first records if it is split
  /// Further shares of tuples whose records fall into several classes, by tuple; empty when none is split. If not
  /// empty, every tuple lists all its shares here.
  std::vector<std::vector<Share>> splits;
  std::uint64_t suppressed = 0;
};

/// Finds the class of a recoding by what is written: classes whose texts are equal are one class to a reader, also where
/// one of them means a ground value and the other a group of the same name.
class ClassesByText {
 public:
  explicit ClassesByText(Recoding& recoding) : recoding_(recoding) {}
  /// The class with these cells; a known one of the same texts takes on the coarser of the two meanings.
  std::uint32_t use(std::vector<std::uint32_t> cells);

 private:
  Recoding& recoding_;
  std::map<std::vector<std::string>, std::uint32_t> known_;
};

/// The figures of all metrics for a recoding.
struct MetricValues {
  double loss = 0;
  double loss_geometric = 0;
  double discernibility = 0;
  double aecs = 0;
  double entropy = 0;
  double precision = 0;
  [[nodiscard]] double of(schema::Metric metric) const;
};

/// The recoding of a node: classes that fail the criteria are suppressed.
[[nodiscard]] Recoding recode_at(const Levels& levels, const NodeEvaluation& evaluation);

/// Takes tuples and the class each belongs to, and gives every class the least generalised values of the hierarchies
/// that all its records share. Classes that become equal are joined.
[[nodiscard]] Recoding recode_classes(const Records& records, const std::vector<std::vector<std::uint32_t>>& classes);

/// All metrics of a recoding, by their definitions; where different records have different levels, each counts with its
/// own. `levels` are those at which suppressed records count for `entropy`: none means ground values.
[[nodiscard]] MetricValues measure(const Recoding& recoding, const Records& records, const Levels* levels);

}  // namespace gauze::anonymize
