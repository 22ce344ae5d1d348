#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gauze/collect/estimate/consistency.h"
#include "gauze/collect/mechanisms/local_mechanism.h"
#include "gauze/collect/reports/aggregate.h"
#include "gauze/label/warning.h"

namespace gauze::collect {

/// An estimate with its standard deviation and 95 % interval: of the noise, given these devices; not of sampling from a larger population.
/// Ends are not clipped to what is possible.
struct NoisyFigure {
  double estimate = 0;
  double sd = 0;
  double low = 0;
  double high = 0;

  [[nodiscard]] static NoisyFigure of(double estimate, double variance);
};

struct ValueEstimate {
  std::int64_t support = 0;
  NoisyFigure share;
  double band_low = 0;  ///< all bands together hold with 95 % (Bonferroni)
  double band_high = 0;
};

/// Shares of values, from reports of one law. Without reports there are none: `values` is empty.
class FrequencyEstimate {
 public:
  [[nodiscard]] static FrequencyEstimate from_cells(const LocalMechanism& mechanism, const LawOfValues& law,
                                                    std::span<const std::int64_t> cells, std::uint64_t reports);
  [[nodiscard]] static FrequencyEstimate from_supports(const LocalMechanism& mechanism, const LawOfValues& law,
                                                       std::vector<std::int64_t> supports, std::uint64_t reports);

  [[nodiscard]] std::uint64_t reports() const { return reports_; }
  [[nodiscard]] const std::vector<std::int64_t>& supports() const { return supports_; }
  [[nodiscard]] const std::vector<double>& shares() const { return shares_; }  ///< unbiased
  [[nodiscard]] ValueEstimate value(std::uint32_t index) const;
  /// Of a set of different values: its variance is that of the law, not the sum of single ones.
  [[nodiscard]] NoisyFigure sum(std::span<const std::uint32_t> set) const;
  /// The share of a minus that of b.
  [[nodiscard]] NoisyFigure difference(std::uint32_t a, std::uint32_t b) const;
  /// When the normal interval is not to be trusted: too few reports.
  [[nodiscard]] std::vector<Warning> warnings() const;

 private:
  const LocalMechanism* mechanism_ = nullptr;
  LawOfValues law_;
  std::uint64_t reports_ = 0;
  std::vector<std::int64_t> supports_;
  std::vector<double> shares_;
  double band_ = 0;  ///< standard deviations of a band
};

/// The mean of a number, in units of its field, and its variance in squares of them, where that was asked for.
struct MeanEstimate {
  std::uint64_t reports = 0;
  std::optional<NoisyFigure> mean;  ///< none without reports
  std::optional<NoisyFigure> variance;
  std::vector<Warning> warnings;
};

/// From one part, or with squares from two. The field is [low, low + range].
[[nodiscard]] MeanEstimate estimate_mean(const LocalMechanism& mechanism, const LawOfValues& law,
                                         std::span<const PartCounts> parts, double low, double range);

}  // namespace gauze::collect
