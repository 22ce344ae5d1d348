#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gauze/base/words.h"

namespace gauze::audit {

/// What several models, made alike on rows that chance chose, say of the same records: the company in which one of them is attacked.
struct ShadowScores {
  std::size_t records = 0;
  std::size_t models = 0;
  std::vector<double> values = {};  ///< model after model; LiRA: logit of the confidence, RMIA: the confidence
  std::vector<std::int8_t> member =
      {};  ///< model after model: 1 trained on it, 0 not, -1 nothing is known of the record there

  [[nodiscard]] double value(std::size_t model, std::size_t record) const { return values[model * records + record]; }
  [[nodiscard]] std::int8_t is_member(std::size_t model, std::size_t record) const {
    return member[model * records + record];
  }
};

/// Whose deviation a record has: its own, one for all, or its own where enough models were trained with and without it.
enum class ShadowVariance { automatic, each, shared };
inline constexpr Words<ShadowVariance, 3> kShadowVarianceWords = {
    {{ShadowVariance::automatic, "auto"}, {ShadowVariance::each, "each"}, {ShadowVariance::shared, "shared"}}};

/// LiRA (Carlini, Chien, Nasr, Song, Terzis, Tramer 2022): how much likelier the target's logit is among models that were trained with the
/// record than among those without, both taken for normal. By record of the target; NaN where nothing is known of it.
/// Infinite logits count as the most extreme finite one.
[[nodiscard]] std::vector<double> lira_scores(const ShadowScores& scores, std::size_t target,
                                              ShadowVariance variance);

/// The same from models without the record alone: how many of their deviations the target lies above their mean.
[[nodiscard]] std::vector<double> lira_offline_scores(const ShadowScores& scores, std::size_t target,
                                                      ShadowVariance variance);

struct RmiaOptions {
  double gamma = 1;  ///< how many times likelier than another record it must be
  double a = 0.3;    ///< of the offline formula, for records no other model was trained with
};

/// RMIA (Zarifzadeh, Liu, Shokri 2024): the share of the other records, members and not, beside which the target finds this one more than
/// gamma times as likely as models in general do. By record of the target; NaN where nothing is known of it.
[[nodiscard]] std::vector<double> rmia_scores(const ShadowScores& scores, std::size_t target,
                                              const RmiaOptions& options);

}  // namespace gauze::audit
