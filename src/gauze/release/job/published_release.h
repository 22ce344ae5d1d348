#pragma once

#include <cstdint>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/base/progress.h"
#include "gauze/mechanisms/noise/laplace.h"
#include "gauze/schema/domain/domain.h"
#include "gauze/schema/policy/policy.h"
#include "gauze/table/source.h"

namespace gauze::release {

/// The release of the thesis that joins k-anonymity and Laplace noise (its algorithm 1), to the letter: classes with
/// fewer than k records are left out; every other class gets Laplace noise of scale noise_scale / epsilon, is rounded to
/// the nearest integer, cut off at 0, and dropped where that is 0; the real rows of a class are drawn again, with
/// replacement, until there are as many as the noisy count says.
///
/// Guarantee      : none. Which classes occur, which reach k and which rows are real is published as it is.
/// Thread safety  : const members may be called concurrently.
class PublishedRelease {
 public:
  struct Options {
    Rational epsilon = 0;      ///< what the thesis calls epsilon
    Rational noise_scale = 1;  ///< its noise_scale; positive
    std::uint64_t k = 1;
  };
  [[nodiscard]] static Result<PublishedRelease> make(const Options& options);

  struct NoisyClass {
    std::uint64_t cell = 0;
    std::uint64_t records = 0;  ///< true
    std::int64_t count = 0;     ///< noisy; above 0
    double noise = 0;           ///< rounded
  };
  /// The classes that are kept. There is no guarantee to lose: both kinds of randomness are served.
  [[nodiscard]] std::vector<NoisyClass> draw(RandomWords& random, const schema::Histogram& histogram,
                                             double* absolute_noise = nullptr) const;

 private:
  PublishedRelease(const Options& options, std::shared_ptr<const NoiseLaw> law, int exponent);
  std::uint64_t k_;
  std::shared_ptr<const NoiseLaw> law_;
  int exponent_;  // of the fine grid that the continuous noise is drawn on
};

/// The levels of the quasi-identifiers as the policy has them, whether or not their domain is public.
[[nodiscard]] Result<std::vector<schema::Domain::Axis>> published_axes(const schema::Policy& policy,
                                                                       const table::TupleCounts& tuples);

/// The rows of a table drawn again, with generalised quasi-identifiers: what is written as published.
struct PublishedRows {
  std::vector<std::string> columns;   ///< quasi-identifiers, then all others that are no identifiers
  table::TupleCounts tuples;          ///< of these columns
  schema::CodedTuples coded;          ///< the class of each tuple
  std::vector<std::uint64_t> copies;  ///< of each tuple
  std::uint64_t classes = 0;
  std::uint64_t outside = 0;  ///< rows left out because a hierarchy does not cover them
  [[nodiscard]] std::uint64_t rows() const;
};
[[nodiscard]] Result<PublishedRows> publish_rows(RandomWords& random, table::Source& table,
                                                 const schema::Policy& policy,
                                                 const PublishedRelease::Options& options, Progress& progress);

/// Draws `count` of the rows with replacement: how often each is drawn, where row i is there weights[i] times.
[[nodiscard]] std::vector<std::uint64_t> resample(RandomWords& random, const std::vector<std::uint64_t>& weights,
                                                  std::uint64_t count);

}  // namespace gauze::release
