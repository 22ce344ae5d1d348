#pragma once

#include <optional>
#include <vector>

#include "gauze/assess/evaluation/setting.h"
#include "gauze/assess/scores/recommendation.h"
#include "gauze/assess/scores/requirements.h"
#include "gauze/base/rational.h"
#include "gauze/files/json.h"

namespace gauze::assess {

/// Which epsilon meets what was required, or how close the requirements come.
struct RequirementsAnswer {
  std::vector<Requirement> requirements;
  double certainty = 0;
  std::optional<Rational>
      epsilon;  ///< the smallest from which on every larger one that was tried passes; none: none does
  std::optional<std::uint64_t> k = {};  ///< where several were tried: the largest that passes with this epsilon
  bool smallest_tried = false;          ///< all pass: a smaller one may do as well
  Confirmation confirmation;            ///< at that epsilon

  /// Where a requirement that is met at a smaller epsilon is met no longer.
  struct Lost {
    Rational epsilon;
    double share = 0;  ///< of the repetitions that still meet it
  };
  struct Unmet {
    std::string requirement;
    Rational epsilon;                     ///< where it comes closest
    std::optional<std::uint64_t> k = {};  ///< the same, where several were tried
    std::optional<double> value;          ///< its mean there; none: not scored
    double share = 0;                     ///< of the repetitions that meet it there
    std::optional<Lost> lost;             ///< it is met there, but not at every larger one: the largest such
  };
  std::vector<Unmet>
      unmet;  ///< without an epsilon: what alone cannot be met, or all of them where only together they cannot

  [[nodiscard]] std::string text() const;
  /// The value of "requirements" in docs/formats/evaluation.md.
  [[nodiscard]] Json to_json() const;
};

/// The candidates of one k that may be recommended, with rising epsilon.
struct Series {
  std::uint64_t k = 1;
  std::vector<std::size_t> places;
};
[[nodiscard]] std::vector<Series> series_of(const std::vector<Candidate>& candidates, const Eligible& eligible);

/// A number of a document by its path with points (names may have points, too); NaN where a null stands on the way or at the
/// end. None: there is no such number.
[[nodiscard]] std::optional<double> number_at(const Json& document, std::string_view path);

}  // namespace gauze::assess
