#include <algorithm>
#include <cmath>

#include "gauze/collect/estimate/estimates.h"

namespace gauze::collect {
namespace {

constexpr std::uint64_t kFewReports = 100;

/// A mean on [0, 1] and the variance of its noise.
struct UnitMean {
  double mean = 0;
  double noise = 0;
};

UnitMean unit_mean(const LocalMechanism& mechanism, const LawOfValues& law, const PartCounts& part) {
  const MeanFigures figures = mechanism.mean->figures(part.cells, part.reports, law);
  // t = 2 u - 1
  return {(figures.mean + 1) / 2, figures.variance / 4 / static_cast<double>(part.reports)};
}

}  // namespace

MeanEstimate estimate_mean(const LocalMechanism& mechanism, const LawOfValues& law, std::span<const PartCounts> parts,
                           double low, double range) {
  MeanEstimate out;
  for (const PartCounts& part : parts) out.reports += part.reports;
  if (out.reports > 0 && out.reports < kFewReports)
    out.warnings.push_back(
        {"few_reports", fmt::format("{} reports are few: intervals may be far from normal", out.reports)});
  const auto in_field = [&](double mean, double variance) {
    return NoisyFigure::of(low + range * mean, range * range * variance);
  };
  if (parts[0].reports == 0) return out;
  const UnitMean value = unit_mean(mechanism, law, parts[0]);
  if (parts.size() == 1) {
    out.mean = in_field(value.mean, value.noise);
    return out;
  }
  // Two disjoint random samples of the devices: what they are adds to the error (docs/proofs/local-means.md, "Random splitting").
  const double n = static_cast<double>(out.reports);
  const double n0 = static_cast<double>(parts[0].reports);
  const double inside = std::clamp(value.mean, 0.0, 1.0);
  const double most = inside * (1 - inside);  // the largest variance of numbers on [0, 1] with this mean
  if (parts[1].reports == 0) {
    out.mean = in_field(value.mean, value.noise + most * (1 / n0 - 1 / n));
    return out;
  }
  const UnitMean square = unit_mean(mechanism, law, parts[1]);
  const double n1 = static_cast<double>(parts[1].reports);
  const double spread_estimate = square.mean - value.mean * value.mean + value.noise;  // E[m^2] = (E m)^2 + noise
  const double spread = std::clamp(spread_estimate, 0.0, most);
  out.mean = in_field(value.mean, value.noise + spread * (1 / n0 - 1 / n));
  // Delta method: square - mean^2 moves by d(square) - 2 mean d(mean). The sampling of both parts together is at most the sum of theirs.
  const double square_inside = std::clamp(square.mean, 0.0, 1.0);
  const double noise = square.noise + 4 * inside * inside * value.noise + 2 * value.noise * value.noise;
  const double sampling = square_inside * (1 - square_inside) / n1 + 4 * inside * inside * spread / n0;
  const NoisyFigure unit = NoisyFigure::of(spread_estimate, noise + sampling);
  const double scale = range * range;
  out.variance = NoisyFigure{unit.estimate * scale, unit.sd * scale, unit.low * scale, unit.high * scale};
  return out;
}

}  // namespace gauze::collect
