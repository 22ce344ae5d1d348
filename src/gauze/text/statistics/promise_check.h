#pragma once

#include "gauze/files/json.h"
#include "gauze/text/mechanisms/text_mechanism.h"
#include "gauze/text/statistics/inequality_check.h"

namespace gauze::text {

/// Whether the outputs of a mechanism keep within what it promises, on the numbers that are drawn from.
struct PromiseCheck {
  InequalityCheck found;
  double promised_excess = 0;  ///< what the weights leave open: 2^-39, or nothing
  [[nodiscard]] bool holds() const { return found.worst <= promised_excess + found.error; }
};

/// Softmax mechanisms by their integers, dchi where it has a closed law, as published the papers' floating point.
/// `invalid_parameter` where there is no closed law, or where doubles cannot decide.
[[nodiscard]] Result<PromiseCheck> check_promise(const TextMechanism& mechanism, Progress& progress);
/// For programs (docs/formats/json-output.md): null for what is not bounded.
[[nodiscard]] Json to_json(const PromiseCheck& check, const WordVectors& vectors);

}  // namespace gauze::text
