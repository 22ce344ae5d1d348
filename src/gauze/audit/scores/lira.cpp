#include <algorithm>
#include <cmath>
#include <optional>

#include "gauze/audit/scores/shadow_scores.h"

namespace gauze::audit {
namespace {

/// Deviations are a record's own from so many models on.
constexpr std::uint32_t kEnoughModels = 16;
constexpr double kLeastDeviation = 1e-6;  ///< of the shared one

/// The logits of one record in the models that were trained with it, or in the others: how many, their mean, their spread (divisor n).
struct Side {
  std::vector<std::uint32_t> count;
  std::vector<double> mean;
  std::vector<double> squares;  ///< of distances to the mean
  double shared = 0;            ///< deviation of all records

  [[nodiscard]] double own(std::size_t record) const { return std::sqrt(squares[record] / count[record]); }
};

/// The finite ends of all logits: what infinite ones are taken for.
std::pair<double, double> finite_ends(const ShadowScores& scores) {
  double low = HUGE_VAL;
  double high = -HUGE_VAL;
  for (std::size_t i = 0; i < scores.values.size(); ++i) {
    if (scores.member[i] < 0 || !std::isfinite(scores.values[i])) continue;
    low = std::min(low, scores.values[i]);
    high = std::max(high, scores.values[i]);
  }
  if (low > high) return {0, 0};
  return {low, high};
}

class Likelihoods {
 public:
  Likelihoods(const ShadowScores& scores, std::size_t target, ShadowVariance variance)
      : scores_(&scores), target_(target), variance_(variance), ends_(finite_ends(scores)) {
    in_ = side(1);
    out_ = side(0);
    double sum = 0;
    double both = 0;
    for (std::size_t record = 0; record < scores.records; ++record) {
      if (in_.count[record] == 0 || out_.count[record] == 0) continue;
      sum += in_.mean[record] - out_.mean[record];
      ++both;
    }
    shift_ = both > 0 ? sum / both : 0;
  }

  [[nodiscard]] double logit(std::size_t model, std::size_t record) const {
    return std::clamp(scores_->value(model, record), ends_.first, ends_.second);
  }

  [[nodiscard]] double online(std::size_t record) const {
    const auto means = means_of(record);
    if (!means) return 0;
    const auto [mean_in, mean_out] = *means;
    const double deviation_in = deviation(in_, record);
    const double deviation_out = deviation(out_, record);
    if (deviation_in == 0 || deviation_out == 0) return 0;
    const double phi = logit(target_, record);
    const double z_in = (phi - mean_in) / deviation_in;
    const double z_out = (phi - mean_out) / deviation_out;
    return (z_out * z_out - z_in * z_in) / 2 + std::log(deviation_out / deviation_in);
  }

  [[nodiscard]] double offline(std::size_t record) const {
    const auto means = means_of(record);
    const double deviation_out = deviation(out_, record);
    if (!means || deviation_out == 0) return 0;
    return (logit(target_, record) - means->second) / deviation_out;
  }

 private:
  Side side(std::int8_t member) const {
    const std::size_t records = scores_->records;
    Side side{.count = std::vector<std::uint32_t>(records),
              .mean = std::vector<double>(records),
              .squares = std::vector<double>(records)};
    double all = 0;
    double all_count = 0;
    each(member, [&](std::size_t model, std::size_t record) {
      ++side.count[record];
      side.mean[record] += logit(model, record);
      all += logit(model, record);
      ++all_count;
    });
    for (std::size_t i = 0; i < records; ++i)
      if (side.count[i] > 0) side.mean[i] /= side.count[i];
    const double all_mean = all_count > 0 ? all / all_count : 0;
    double all_squares = 0;
    each(member, [&](std::size_t model, std::size_t record) {
      const double distance = logit(model, record) - side.mean[record];
      side.squares[record] += distance * distance;
      const double from_all = logit(model, record) - all_mean;
      all_squares += from_all * from_all;
    });
    double squares = 0;
    double count = 0;
    for (std::size_t i = 0; i < records; ++i) {
      if (side.count[i] < 2) continue;
      squares += side.squares[i];
      count += side.count[i];
    }
    side.shared = count > 0 ? std::sqrt(squares / count) : all_count > 0 ? std::sqrt(all_squares / all_count) : 0;
    return side;
  }

  template <class Visit>
  void each(std::int8_t member, const Visit& visit) const {
    for (std::size_t model = 0; model < scores_->models; ++model) {
      if (model == target_) continue;
      for (std::size_t record = 0; record < scores_->records; ++record)
        if (scores_->is_member(model, record) == member) visit(model, record);
    }
  }

  /// The means with and without the record; what one side does not know follows from the other. Nothing where neither does.
  [[nodiscard]] std::optional<std::pair<double, double>> means_of(std::size_t record) const {
    const bool in = in_.count[record] > 0;
    const bool out = out_.count[record] > 0;
    if (!in && !out) return std::nullopt;
    return std::pair(in ? in_.mean[record] : out_.mean[record] + shift_,
                     out ? out_.mean[record] : in_.mean[record] - shift_);
  }

  [[nodiscard]] double deviation(const Side& side, std::size_t record) const {
    const bool enough = in_.count[record] >= kEnoughModels && out_.count[record] >= kEnoughModels;
    const bool own = side.count[record] > 0 &&
                     (variance_ == ShadowVariance::each || (variance_ == ShadowVariance::automatic && enough));
    return own ? std::max(side.own(record), kLeastDeviation * side.shared) : side.shared;
  }

  const ShadowScores* scores_;
  std::size_t target_;
  ShadowVariance variance_;
  std::pair<double, double> ends_;
  Side in_;
  Side out_;
  double shift_ = 0;
};

template <class Score>
std::vector<double> of_target(const ShadowScores& scores, std::size_t target, const Score& score) {
  std::vector<double> result(scores.records, std::nan(""));
  for (std::size_t record = 0; record < scores.records; ++record)
    if (scores.is_member(target, record) >= 0) result[record] = score(record);
  return result;
}

}  // namespace

std::vector<double> lira_scores(const ShadowScores& scores, std::size_t target, ShadowVariance variance) {
  const Likelihoods likelihoods(scores, target, variance);
  return of_target(scores, target, [&](std::size_t record) { return likelihoods.online(record); });
}

std::vector<double> lira_offline_scores(const ShadowScores& scores, std::size_t target, ShadowVariance variance) {
  const Likelihoods likelihoods(scores, target, variance);
  return of_target(scores, target, [&](std::size_t record) { return likelihoods.offline(record); });
}

}  // namespace gauze::audit
