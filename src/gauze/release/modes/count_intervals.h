#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "gauze/mechanisms/noise/noise_law.h"

namespace gauze::release {

/// Intervals for counts that are shown because their noisy value was large.
///
/// A published count is no random one: it passed a cut, so its noise is more often above 0 than below. An interval that is
/// right for a count fixed beforehand misses among the published ones far more often than it says. Those made here miss in at
/// most 5 % of the published ones on average, whatever the data. They use noisy values and parameters alone, so they cost
/// nothing. Proven: docs/proofs/release-intervals.md.
struct CountInterval {
  std::int64_t low = 0;
  std::int64_t high = 0;
  friend bool operator==(const CountInterval&, const CountInterval&) = default;
};

/// The share of published intervals that may miss.
inline constexpr int kMissedPercent = 5;

/// Of a grid: how far noise may lie from 0 at the level 1 - 0.05 R / m, where R of m cells were published (Benjamini and
/// Yekutieli: the false coverage rate is then at most 0.05). `published` is at least 1 and at most `cells`.
[[nodiscard]] std::int64_t published_radius(const NoiseLaw& law, std::uint64_t published, std::uint64_t cells);

/// The same, each found once: inverting a law takes much longer than a draw. Thread safety: may be called concurrently.
class PublishedRadii {
 public:
  PublishedRadii(std::shared_ptr<const NoiseLaw> law, std::uint64_t cells) : law_(std::move(law)), cells_(cells) {}
  [[nodiscard]] std::int64_t of(std::uint64_t published);

 private:
  std::shared_ptr<const NoiseLaw> law_;
  std::uint64_t cells_;
  std::mutex mutex_;
  std::map<std::uint64_t, std::int64_t> found_;  // by how many are published
};

/// What the remainder of a grid is judged by.
struct RemainderNoise {
  std::uint64_t cells = 0;
  std::uint64_t k = 1;
  double cell_variance = 0;
  double pass_probability = 0;  ///< of an empty cell: P[Z >= cut]
  double total_variance = 0;    ///< 0: the total is exact
};

/// The interval of the records that no published cell holds, from the noisy total minus the published counts (which may be
/// below 0). It is one-sided in spirit: cells are published when noise lifts them, so that their sum is too large by up to
/// cells x (E[max(0, Z)] + (k - 1) P[Z >= cut]). None where that alone is more than the total: it would tell nothing.
[[nodiscard]] std::optional<CountInterval> remainder_interval(const RemainderNoise& noise, std::int64_t noisy_total,
                                                              std::int64_t difference);

}  // namespace gauze::release
