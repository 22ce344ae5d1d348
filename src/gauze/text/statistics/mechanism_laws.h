#pragma once

#include <optional>
#include <span>
#include <vector>

#include "gauze/files/json.h"
#include "gauze/text/mechanisms/text_mechanism.h"
#include "gauze/text/statistics/law_statistics.h"
#include "gauze/text/statistics/sampled_statistics.h"

namespace gauze::text {

// What is known of a mechanism, whatever its kind. Nothing private is in it: it follows from vectors and parameters.

/// The law of what a mechanism draws from, word by word, where there is a closed form. The mechanism must outlive it.
[[nodiscard]] std::optional<LawOfWord> closed_law(const TextMechanism& mechanism);
/// Draws of dchi, or of what it is as published. The mechanism must outlive them.
[[nodiscard]] DrawWords dchi_draws(const TextMechanism& mechanism);

/// What some words become, and how often.
struct OutputLaws {
  std::vector<std::uint32_t> words;    ///< the rows
  std::vector<std::uint32_t> outputs;  ///< the columns
  std::vector<std::vector<double>> p;  ///< P[word -> output]
  std::vector<std::vector<double>>
      log_p;  ///< its logarithm, also where doubles have no such probability; -inf: never
};
/// Columns are the words that are drawn and (santext+) those of `words` that may be printed as they are. From the very weights
/// that are drawn from. `invalid_parameter` where there is no closed form.
[[nodiscard]] Result<OutputLaws> output_laws(const TextMechanism& mechanism, std::span<const std::uint32_t> words);
/// Names instead of numbers; null for the logarithm of 0.
[[nodiscard]] Json to_json(const OutputLaws& laws, const WordVectors& vectors);

/// What a word becomes likeliest, first what is likeliest of all; outputs that it never becomes are left out.
struct LikelyOutputs {
  std::uint32_t word = 0;
  std::vector<std::uint32_t> outputs;  ///< at most as many as asked for
  std::vector<double> p;
  std::vector<double> log_p;
};
/// One entry a row of the laws.
[[nodiscard]] std::vector<LikelyOutputs> likeliest_outputs(const OutputLaws& laws, std::size_t most);
/// The keys of the laws; outputs, too, are a list for each word.
[[nodiscard]] Json to_json(const std::vector<LikelyOutputs>& rows, const WordVectors& vectors);

}  // namespace gauze::text
