#pragma once

#include <memory>
#include <span>
#include <vector>

#include "gauze/base/rational.h"
#include "gauze/random/random_words.h"

namespace gauze::internal {

/// One way to choose among given scores, prepared for many draws.
class SelectionStrategy {
 public:
  virtual ~SelectionStrategy() = default;
  [[nodiscard]] virtual std::size_t draw(RandomWords& random) const = 0;
  [[nodiscard]] virtual Result<std::vector<double>> probabilities() const = 0;
};

/// `rate` is epsilon / (2 sensitivity), or epsilon / sensitivity for monotone scores. Scores are defined and not
/// empty.
[[nodiscard]] std::unique_ptr<SelectionStrategy> make_exponential(std::span<const Rational> scores,
                                                                  const Rational& rate);
/// Scores must be whole numbers; the error says so.
[[nodiscard]] Result<std::unique_ptr<SelectionStrategy>> make_base2_exponential(std::span<const Rational> scores,
                                                                                const Rational& rate);
[[nodiscard]] std::unique_ptr<SelectionStrategy> make_permute_and_flip(std::span<const Rational> scores,
                                                                       const Rational& rate);
/// Noise of scale sensitivity / (rate * sensitivity) on a grid fixed by sensitivity and rate.
[[nodiscard]] Result<std::unique_ptr<SelectionStrategy>> make_noisy_max(std::span<const Rational> scores,
                                                                        const Rational& rate,
                                                                        const Rational& sensitivity);

}  // namespace gauze::internal
