#pragma once

#include <cstddef>

#include "gauze/base/words.h"

namespace gauze::audit {

/// Ways to guess from a model whether it was trained on a record.
enum class AttackKind {
  loss,              ///< ln f_y
  entropy,           ///< how sure it is
  modified_entropy,  ///< how sure it is, and rightly
  gap,               ///< whether it is right
  trained,           ///< a linear model on its answers, as in the published study
  lira,              ///< its logit against those of models trained with and without the record
  lira_offline,      ///< against those of models trained without
  rmia,              ///< its confidence beside that in other records, against models in general
};
inline constexpr Words<AttackKind, 8> kAttackWords = {{{AttackKind::loss, "loss"},
                                                       {AttackKind::entropy, "entropy"},
                                                       {AttackKind::modified_entropy, "modified-entropy"},
                                                       {AttackKind::gap, "gap"},
                                                       {AttackKind::trained, "trained"},
                                                       {AttackKind::lira, "lira"},
                                                       {AttackKind::lira_offline, "lira-offline"},
                                                       {AttackKind::rmia, "rmia"}}};

/// How many other models it needs beside the one that is attacked.
[[nodiscard]] constexpr std::size_t shadows_needed(AttackKind kind) {
  switch (kind) {
    case AttackKind::lira:
      return 2;
    case AttackKind::lira_offline:
    case AttackKind::rmia:
      return 1;
    default:
      return 0;
  }
}

}  // namespace gauze::audit
