#include <cmath>

#include "gauze/collect/estimate/estimates.h"
#include "gauze/encoder/task_block.h"
#include "gauze/statistics/normal_quantile.h"

namespace gauze::collect {
namespace {

/// Below this many supports of a value that nobody has, intervals cover more than they say: up to 99.9 % instead of 95 %.
constexpr double kEnoughNoise = 30;

}  // namespace

NoisyFigure NoisyFigure::of(double estimate, double variance) {
  const double sd = std::sqrt(std::fmax(0, variance));
  static const double z = normal_quantile(0.975);
  return {estimate, sd, estimate - z * sd, estimate + z * sd};
}

FrequencyEstimate FrequencyEstimate::from_cells(const LocalMechanism& mechanism, const LawOfValues& law,
                                                std::span<const std::int64_t> cells, std::uint64_t reports) {
  return from_supports(mechanism, law, mechanism.frequency->supports(cells, law), reports);
}

FrequencyEstimate FrequencyEstimate::from_supports(const LocalMechanism& mechanism, const LawOfValues& law,
                                                   std::vector<std::int64_t> supports, std::uint64_t reports) {
  FrequencyEstimate out;
  out.mechanism_ = &mechanism;
  out.law_ = law;
  out.reports_ = reports;
  out.supports_ = std::move(supports);
  out.band_ = normal_quantile(1 - 0.025 / static_cast<double>(law.size));
  if (reports == 0) return out;
  const auto chances = mechanism.frequency->chances(law);
  const double n = static_cast<double>(reports);
  out.shares_.reserve(out.supports_.size());
  for (const std::int64_t support : out.supports_) {
    const double share = static_cast<double>(support) / n;
    out.shares_.push_back(chances ? (share - chances->q) / (chances->p - chances->q) : share / GAUZE_FIGURE_ONE);
  }
  return out;
}

ValueEstimate FrequencyEstimate::value(std::uint32_t index) const {
  const double share = shares_[index];
  const double inside = std::fmin(1, std::fmax(0, share));
  const double variance = mechanism_->frequency->variance(law_, inside) / static_cast<double>(reports_);
  ValueEstimate out;
  out.support = supports_[index];
  out.share = NoisyFigure::of(share, variance);
  out.band_low = share - band_ * out.share.sd;
  out.band_high = share + band_ * out.share.sd;
  return out;
}

NoisyFigure FrequencyEstimate::sum(std::span<const std::uint32_t> set) const {
  double share = 0;
  for (const std::uint32_t value : set) share += shares_[value];
  return NoisyFigure::of(share,
                         mechanism_->frequency->variance_of_sum(law_, set, shares_) / static_cast<double>(reports_));
}

NoisyFigure FrequencyEstimate::difference(std::uint32_t a, std::uint32_t b) const {
  if (a == b) return NoisyFigure::of(0, 0);
  return NoisyFigure::of(shares_[a] - shares_[b], mechanism_->frequency->variance_of_difference(law_, a, b, shares_) /
                                                      static_cast<double>(reports_));
}

std::vector<Warning> FrequencyEstimate::warnings() const {
  const auto chances = mechanism_->frequency->chances(law_);
  if (!chances || reports_ == 0) return {};
  const double noise = static_cast<double>(reports_) * chances->q * (1 - chances->q);
  if (noise >= kEnoughNoise) return {};
  return {{"few_reports",
           fmt::format("{} reports are few for this law: intervals are wider than 95 % asks for, or not normal",
                       reports_)}};
}

}  // namespace gauze::collect
