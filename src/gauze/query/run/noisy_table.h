#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gauze/base/progress.h"
#include "gauze/mechanisms/selection/selection.h"
#include "gauze/query/plan/query_plan.h"
#include "gauze/query/run/tables.h"
#include "gauze/random/secure_random.h"
#include "gauze/random/seeded_random.h"

namespace gauze::query {

/// Where chance comes from, and whether there is any.
class Chance {
 public:
  explicit Chance(SecureRandom& random) : words_(random), secure_(&random) {}
  explicit Chance(SeededRandom& random) : words_(random), seeded_(&random) {}
  /// For tests: numbers as they are, the best candidate. Never for what leaves the house.
  static Chance none(SeededRandom& random) {
    Chance chance(random);
    chance.silent_ = true;
    return chance;
  }

  [[nodiscard]] bool is_silent() const { return silent_; }
  [[nodiscard]] RandomWords& words() { return words_; }
  [[nodiscard]] Result<std::size_t> select(const SelectionMechanism& mechanism, std::span<const Rational> scores);
  /// 32 hexadecimal digits.
  [[nodiscard]] std::string key();

 private:
  RandomWords& words_;
  SecureRandom* secure_ = nullptr;
  SeededRandom* seeded_ = nullptr;
  bool silent_ = false;
};

/// What was measured of every group that is named.
struct NoisyTable {
  struct Row {
    std::vector<CellValue> keys;
    std::vector<Int128> steps;  ///< of each measurement, on its grid; of selections: the candidate
  };
  std::vector<Row> rows;
  std::vector<Candidates> candidates;  ///< of each measurement that is a selection
};

/// Asks the engine, adds noise, names groups. From here on everything is public.
///
/// Privacy unit   : that of the plan's schema.
/// Neighbours     : add or remove one unit.
/// Guarantee      : the plan's cost.
/// Proven         : docs/proofs/query.md.
/// Not covered    : how long it takes, and how much memory; that whoever wrote Parquet files wrote them whole.
[[nodiscard]] Result<NoisyTable> measure(const QueryPlan& plan, SchemaTables& tables, Chance& chance,
                                         Progress& progress);

}  // namespace gauze::query
