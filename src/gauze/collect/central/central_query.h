#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/base/rational.h"
#include "gauze/base/words.h"
#include "gauze/collect/central/central_answer.h"
#include "gauze/collect/central/record_source.h"
#include "gauze/collect/task/central_task.h"
#include "gauze/files/json.h"
#include "gauze/label/label.h"
#include "gauze/label/privacy_cost.h"
#include "gauze/random/secure_random.h"
#include "gauze/random/seeded_random.h"

namespace gauze::collect {

namespace internal {
class QueryNoise;
}

/// What analysts may ask about the records of a central task.
enum class QueryKind {
  count,      ///< how many records there are, with these values of category fields
  histogram,  ///< how many records have each value of a field, over its whole public domain
  sum,        ///< of a number, clamped to the bounds of its field
  mean,       ///< of a number, likewise
  quantile,   ///< a value of a public grid with about tau of the records below it
};
inline constexpr Words<QueryKind, 5> kQueryKindWords = {{{QueryKind::count, "count"},
                                                         {QueryKind::histogram, "histogram"},
                                                         {QueryKind::sum, "sum"},
                                                         {QueryKind::mean, "mean"},
                                                         {QueryKind::quantile, "quantile"}}};

/// One question about the records of one version of a central task, and the noisy answer to it.
///
/// Privacy unit   : one enrolment, all its records in the periods that are asked about.
/// Neighbours     : add or remove one enrolment.
/// Guarantee      : answer() is epsilon-DP, epsilon as asked. An enrolment has at most L = reports_per_period records in each of the
///                  P = to - from + 1 periods, with or without data in them, so it moves a count, and all cells of a histogram together,
///                  by at most L P, a sum by at most L P max(|low|, |high|), and the score of every candidate of a quantile by at most
///                  L P; a mean is a sum of distances from the middle and a count, half of epsilon each.
/// Proven         : docs/proofs/curator-queries.md; holds for the arithmetic as coded.
/// Not covered    : that the source keeps to L records (RecordSource); the time that an answer takes; a device that enrols again.
/// Thread safety  : const members may be called concurrently.
class CentralQuery {
 public:
  struct Options {
    QueryKind kind = QueryKind::count;
    std::string field = {};                                       ///< of all but a count
    std::vector<std::pair<std::string, std::string>> where = {};  ///< of a count: category fields and their values
    Rational tau = 0;                                             ///< of a quantile, 0 to 1
    std::uint32_t from = 0;                                       ///< periods, both included
    std::uint32_t to = 0;
    Rational epsilon = 0;  ///< required: positive, at most 1,000,000 and nine decimals
  };
  /// `invalid_parameter` for fields and values that the task has not, histograms of more than 4,096 values, and whatever else makes no
  /// question. Nothing that a record holds can make answer() fail.
  [[nodiscard]] static Result<CentralQuery> make(const CentralTask& task, const Options& options);
  /// The same from the body of a request: kind, field, where, tau, from, to, epsilon (a text or a number). `request` and `version` may
  /// stand beside them and are not looked at. `from` and `to` that are left out are those of `periods`.
  [[nodiscard]] static Result<CentralQuery> parse(const CentralTask& task, const Json& body,
                                                  std::pair<std::uint32_t, std::uint32_t> periods);

  /// Of one answer; its unit is kEnrolment.
  [[nodiscard]] PrivacyCost cost() const;
  /// What the answer says about itself: public, the same whatever the records are.
  [[nodiscard]] PrivacyLabel label() const;
  [[nodiscard]] const Options& options() const { return options_; }
  [[nodiscard]] std::uint64_t periods() const { return std::uint64_t{options_.to} - options_.from + 1; }

  /// Reads the records once and draws. Fails only as the source does.
  [[nodiscard]] Result<CentralAnswer> answer(RecordSource& source, SecureRandom& random) const;
  /// The same from a seed, for tests: it promises nothing.
  [[nodiscard]] Result<CentralAnswer> simulate(RecordSource& source, SeededRandom& random) const;

 private:
  CentralQuery(const CentralTask& task, Options options) : task_(task), options_(std::move(options)) {}
  [[nodiscard]] Result<void> check();
  [[nodiscard]] Result<void> check_field();
  [[nodiscard]] Result<void> check_where();
  [[nodiscard]] const RecordField& field() const { return task_.spec().fields[field_]; }
  template <class Random>
  [[nodiscard]] Result<CentralAnswer> draw(RecordSource& source, Random& random) const;

  CentralTask task_;
  Options options_;
  std::size_t field_ = 0;                                         ///< of all but a count
  std::vector<std::pair<std::size_t, std::int64_t>> where_ = {};  ///< by numbers
  std::shared_ptr<const internal::QueryNoise> noise_;
};

}  // namespace gauze::collect
