#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gauze/audit/model/attack_kinds.h"
#include "gauze/audit/model/signals.h"
#include "gauze/random/random_words.h"

namespace gauze::audit {

/// The answers about members (1), or about the others (0), one record after the other.
[[nodiscard]] std::vector<float> answers_where(const Signals& signals, std::span<const std::int8_t> member,
                                               std::int8_t which);

/// Attacks that read what one model answers, and need no other model: by record, higher means member. `member` and `random` serve `trained`
/// alone, whose linear model is fitted on one half and asked about the other, both ways.
[[nodiscard]] std::vector<double> answer_attack(AttackKind attack, const Signals& signals,
                                                std::span<const std::int8_t> member, RandomWords& random);

}  // namespace gauze::audit
