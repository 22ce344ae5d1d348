#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/base/progress.h"

namespace gauze::patterns::internal {

/// Minimise a sum over variables of 0 and 1, under sums that stay below or above a number.
class IntegerProgram {
 public:
  using Variable = std::size_t;
  using Terms = std::vector<std::pair<double, Variable>>;

  /// `whole` false: anything between 0 and 1, where that makes no difference.
  Variable add_variable(double cost, bool whole = true);
  void at_most(Terms terms, double limit);
  void at_least(Terms terms, double limit);
  [[nodiscard]] std::size_t variables() const { return costs_.size(); }

  struct Solution {
    std::vector<bool> values;
    double bound = 0;  ///< no solution costs less
    bool is_best = false;
  };
  /// Solves it with cbc or, without that, glpsol, which must be installed; nothing when there is no solution.
  /// `unsupported` when neither program is there, or when it found nothing in time.
  [[nodiscard]] Result<std::optional<Solution>> solve(double time_limit_seconds, const Progress& progress) const;

 private:
  struct Row {
    Terms terms;
    double limit = 0;
    bool at_most = true;
  };
  [[nodiscard]] std::string text() const;

  std::vector<double> costs_;
  std::vector<bool> whole_;
  std::vector<Row> rows_;
};

}  // namespace gauze::patterns::internal
