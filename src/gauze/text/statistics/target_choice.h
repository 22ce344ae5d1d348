#pragma once

#include <optional>
#include <string_view>
#include <utility>

#include "gauze/base/words.h"
#include "gauze/text/statistics/epsilon_choice.h"
#include "gauze/text/statistics/text_figures.h"

namespace gauze::text {

/// The figures an epsilon can be chosen by: the mean of N_w, quantiles of it, the largest one, the success of the best guess.
enum class ChoiceTarget { mean_n, q05_n, q50_n, q95_n, max_n, bayes, bayes_prior };

/// As users name them.
inline constexpr Words<ChoiceTarget, 7> kTargetWords = {{{ChoiceTarget::mean_n, "mean-n"},
                                                         {ChoiceTarget::q05_n, "q05-n"},
                                                         {ChoiceTarget::q50_n, "q50-n"},
                                                         {ChoiceTarget::q95_n, "q95-n"},
                                                         {ChoiceTarget::max_n, "max-n"},
                                                         {ChoiceTarget::bayes, "bayes"},
                                                         {ChoiceTarget::bayes_prior, "bayes-prior"}}};
[[nodiscard]] constexpr std::string_view to_string(ChoiceTarget target) { return word_of(kTargetWords, target); }

/// Whether a sampled figure has an interval, of which the upper end is to be at most the target.
[[nodiscard]] bool has_interval(ChoiceTarget target);
/// Whether the figures of this mechanism come from a sample: it has no closed law.
[[nodiscard]] Result<bool> is_sampled(const WordVectors& vectors, const MechanismOptions& mechanism);

struct TargetChoice {
  ChoiceTarget target = ChoiceTarget::mean_n;
  Rational value;        ///< what the figure is at most
  EpsilonChoice choice;  ///< of the figure, or of the upper end of its interval
  TextFigures figures;   ///< at the chosen epsilon

  /// The 95 % interval of a sampled figure that has one.
  [[nodiscard]] std::optional<std::pair<double, double>> interval() const;
};

/// The largest epsilon of four digits at which the figure is at most the value (epsilon_choice.h). Exact where the mechanism has a
/// closed law; else on draws, for a guess and max-n of all words, the same seed at every epsilon: the noise is scaled, and what is sampled
/// grows with epsilon as the truth does. bayes-prior needs a prior in the request. max-n is the largest N_w of the words of the request, or
/// of all where it names none; the other targets are about all words. The epsilon of `mechanism` has no meaning here.
[[nodiscard]] Result<TargetChoice> choose_for_target(const WordVectors& vectors, const MechanismOptions& mechanism,
                                                     ChoiceTarget target, const Rational& value,
                                                     FiguresRequest request, Progress& progress);
/// For programs (docs/formats/json-output.md).
[[nodiscard]] Json to_json(const TargetChoice& choice, const WordVectors& vectors);

}  // namespace gauze::text
