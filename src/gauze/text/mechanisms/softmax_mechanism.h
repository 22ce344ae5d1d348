#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gauze/text/mechanisms/exact_weights.h"
#include "gauze/text/metric/word_metric.h"

namespace gauze::text {

enum class SoftmaxKind { santext, santext_plus, tem };

/// Replaces a word by another with probability proportional to an integer weight that falls with their distance: SanText,
/// SanText+ and TEM in one.
///
/// Privacy unit   : one word of a text, at its place.
/// Metric         : d = min(d_g, cap), d_g of WordMetric, the cap public (d_max, for TEM also gamma).
/// Guarantee      : santext, tem: P[x -> y] <= exp(epsilon d(x, x') + 2^-39) P[x' -> y] for all words x, x', y.
///                  santext_plus: the same with epsilon d + ln(1/p) + 2^-39 for every y in the protected outputs (UMLDP);
///                  a word that is not sensitive is printed as it is with probability 1 - p, which says what it was.
/// Proven         : docs/proofs/text-mechanisms.md; holds for the integers that are drawn from.
/// Not covered    : how many words a text has, where they stand, which of them are kept, unknown or masked; doing it
///                  again adds up. Two words with the same vector are not told apart by the metric.
/// Thread safety  : const members may be called concurrently.
class SoftmaxMechanism {
 public:
  /// What the weights leave open: 2 ln(1 + 2^-40) < 2^-39.
  static constexpr int kSlackBits = 39;
  static constexpr std::size_t kMostWords = std::size_t{1} << 27;  ///< so that sums of weights fit 128 bits

  struct Options {
    SoftmaxKind kind = SoftmaxKind::santext;
    Rational epsilon = 0;                          ///< required, positive
    std::optional<Rational> gamma = std::nullopt;  ///< tem: the distance beyond which all words are alike ...
    std::optional<Rational> beta =
        std::nullopt;                  ///< ... or (2 / epsilon) ln((1 - beta)(|V| - 1) / beta), as published
    Rational p{3, 10};                 ///< santext_plus: a word that is not sensitive is replaced, in (0, 1]
    std::vector<bool> sensitive = {};  ///< santext_plus: by word, not empty (sensitive_words.h)
  };
  [[nodiscard]] static Result<SoftmaxMechanism> make(WordMetric metric, const Options& options);

  [[nodiscard]] SoftmaxKind kind() const { return kind_; }
  [[nodiscard]] const WordMetric& metric() const { return metric_; }
  [[nodiscard]] const ExactWeights& weights() const { return weights_; }
  [[nodiscard]] const Rational& epsilon() const { return weights_.epsilon(); }
  /// The public distance at which the metric is cut.
  [[nodiscard]] double largest_distance() const { return metric_.granule() * weights_.cap_granules(); }
  /// The words that are drawn: all, or (santext_plus) the sensitive ones; ascending.
  [[nodiscard]] std::span<const std::uint32_t> outputs() const { return outputs_; }
  /// Whether x may be printed as it is without being drawn: santext_plus, and x is not sensitive.
  [[nodiscard]] bool may_stay(std::size_t x) const { return !sensitive_.empty() && !sensitive_[x]; }
  [[nodiscard]] const Rational& p() const { return p_; }
  /// ln(1/p), rounded up; 0 for the other kinds.
  [[nodiscard]] double epsilon0() const;

  /// epsilon d / 2 of words at so many granules: a double, for statistics.
  [[nodiscard]] double energy(std::uint32_t granules) const {
    return rate_ * std::min(granules, weights_.cap_granules());
  }

  /// Whether all words are outputs.
  [[nodiscard]] bool is_symmetric() const { return outputs_.size() == metric_.vectors().size(); }
  /// Visits the distances of all words to outputs(): rows are words, columns are places in outputs(). Only the tiles on and
  /// above the diagonal where it is symmetric.
  [[nodiscard]] Result<void> visit_distances(const WordMetric::TileVisitor& visit,
                                             Progress* progress = nullptr) const;

  /// The weights of x over outputs(), and their sum.
  [[nodiscard]] std::vector<Weight> weight_row(std::size_t x) const;
  /// The sums of the weight rows of all words, by words; half the work where outputs() are all words. At most 2^27
  /// words of 2^100: they fit. O(words) of memory.
  [[nodiscard]] Result<std::vector<Weight>> normalisers(Progress* progress = nullptr) const;

  /// Sums over the outputs y of each word x, in doubles (within 2^-38 relative of what the integers give), for statistics:
  /// half the time of normalisers(). With w = exp(-epsilon d(x, y) / 2) and Z = weights[x]: P[x -> y] = w / Z, and the
  /// entropy of the draw from x is ln Z + energies[x] / Z nats. The same whatever the number of threads.
  struct Sums {
    std::vector<double> weights;   ///< of w
    std::vector<double> energies;  ///< of w epsilon d / 2
    std::vector<double> squares;   ///< of w^2
    std::vector<double> cubes;     ///< of w^3
  };
  [[nodiscard]] Result<Sums> approximate_sums(Progress* progress = nullptr) const;
  /// For several mechanisms on the same vectors with the same outputs, such as a curve over epsilon: distances are
  /// computed once. `besides` sees the distances, too, as from visit_distances().
  [[nodiscard]] static Result<std::vector<Sums>> approximate_sums(std::span<const SoftmaxMechanism> mechanisms,
                                                                  Progress* progress = nullptr,
                                                                  const WordMetric::TileVisitor& besides = {});
  /// What some of the outputs contribute.
  [[nodiscard]] static Result<std::vector<Sums>> partial_sums(std::span<const SoftmaxMechanism> mechanisms,
                                                              std::span<const std::uint32_t> outputs);

  /// The law of the output for one word: of every word of outputs(), and of x itself where it may stay.
  struct Law {
    std::vector<double> p;
    std::vector<double> log_p;
    std::optional<double> stays;  ///< P[x -> x] = 1 - p where may_stay(x); x is not among outputs() then
  };
  [[nodiscard]] Law law(std::size_t x) const;

  /// How p is drawn: below(denominator) < numerator.
  [[nodiscard]] std::uint64_t p_numerator() const { return p_numerator_; }
  [[nodiscard]] std::uint64_t p_denominator() const { return p_denominator_; }

 private:
  SoftmaxMechanism(WordMetric metric, ExactWeights weights)
      : metric_(std::move(metric)),
        weights_(std::move(weights)),
        rate_(std::ldexp(weights_.epsilon().to_double(), -metric_.granule_bits() - 1)) {}
  [[nodiscard]] Result<void> set_p(const Options& options);

  SoftmaxKind kind_ = SoftmaxKind::santext;
  WordMetric metric_;
  ExactWeights weights_;
  double rate_;  ///< epsilon / 2 a granule
  std::vector<bool> sensitive_;
  std::vector<std::uint32_t> outputs_;
  Rational p_;
  std::uint64_t p_numerator_ = 1;
  std::uint64_t p_denominator_ = 1;
};

/// As users name them: santext, santext+, tem.
[[nodiscard]] std::string_view to_string(SoftmaxKind kind);

}  // namespace gauze::text
