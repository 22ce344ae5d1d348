#include "gauze/text/statistics/text_figures.h"

#include <algorithm>
#include <numeric>

namespace gauze::text {
namespace {

constexpr std::size_t kEpsilonsAtOnce = 8;  // bounds the memory: about 400 bytes a word each

std::vector<TextFigures::OfWord> of_words(const WordStatistics& exact, std::span<const std::uint32_t> words) {
  std::vector<TextFigures::OfWord> result;
  for (const std::uint32_t word : words)
    result.push_back({word, exact.stays[word], exact.outputs[word], exact.inputs[word], exact.distinct[word],
                      exact.entropy[word]});
  return result;
}

/// By their places in the sample; inputs of the word at a place are known where all words are there, in order.
std::vector<TextFigures::OfWord> of_places(const SampledStatistics& sampled, std::span<const std::uint32_t> places) {
  std::vector<TextFigures::OfWord> result;
  for (const std::uint32_t place : places) {
    TextFigures::OfWord one{sampled.words[place],    sampled.stays[place],  sampled.outputs[place], {},
                            sampled.distinct[place], sampled.entropy[place]};
    if (sampled.inputs) one.inputs = (*sampled.inputs)[one.word];
    result.push_back(one);
  }
  return result;
}

/// The request, with its prior where the options look for it.
SamplingOptions sampling_options(const FiguresRequest& request) {
  SamplingOptions options = request.options;
  options.figures.prior = request.prior;
  return options;
}

/// Mechanisms that are softmax ones and exact, several epsilons at once.
Result<std::vector<TextFigures>> softmax_figures(const WordVectors& vectors, const MechanismOptions& mechanism,
                                                 std::span<const Rational> epsilons, const FiguresRequest& request,
                                                 Progress& progress) {
  std::vector<SoftmaxMechanism> mechanisms;
  for (const Rational& epsilon : epsilons) {
    GAUZE_TRY(const TextMechanism one, TextMechanism::make(vectors, mechanism.at(epsilon)));
    mechanisms.push_back(*one.softmax());
  }
  GAUZE_TRY(auto found, word_statistics(mechanisms, sampling_options(request).figures, &progress));
  std::vector<TextFigures> result;
  for (std::size_t i = 0; i < epsilons.size(); ++i) {
    auto words = of_words(found[i], request.words);
    result.push_back({.epsilon = epsilons[i], .exact = std::move(found[i]), .words = std::move(words)});
  }
  return result;
}

Result<TextFigures> figures_of_law(const WordVectors& vectors, const LawOfWord& law, const FiguresRequest& request,
                                   Progress& progress) {
  TextFigures result;
  GAUZE_TRY(result.exact, statistics_of_laws(vectors.size(), law, sampling_options(request).figures, &progress));
  result.words = of_words(*result.exact, request.words);
  return result;
}

Result<TextFigures> sampled_figures(const WordVectors& vectors, const DrawWords& draw, const FiguresRequest& request,
                                    Progress& progress) {
  TextFigures result;
  SamplingOptions options = sampling_options(request);
  const std::size_t usual = vectors.size() <= FiguresRequest::kAllWords ? vectors.size() : FiguresRequest::kSomeWords;
  GAUZE_TRY(
      result.sampled,
      sample_statistics(vectors.size(), spread_words(vectors.size(), request.sample.value_or(usual), options.seed),
                        draw, options, &progress));
  if (result.sampled->inputs) {
    result.words = of_places(*result.sampled, request.words);
    return result;
  }
  if (request.words.empty()) return result;
  ++options.seed;
  GAUZE_TRY(const SampledStatistics chosen,
            sample_statistics(vectors.size(), request.words, draw, options, &progress));
  std::vector<std::uint32_t> places(request.words.size());
  std::iota(places.begin(), places.end(), 0U);
  result.words = of_places(chosen, places);
  return result;
}

}  // namespace

Result<std::vector<TextFigures>> text_figures(const WordVectors& vectors, const MechanismOptions& mechanism,
                                              std::span<const Rational> epsilons, const FiguresRequest& request,
                                              Progress& progress) {
  std::vector<TextFigures> result;
  const bool fast = mechanism.kind != MechanismKind::dchi && !mechanism.as_published;
  for (std::size_t i = 0; i < epsilons.size();) {
    if (fast) {
      const std::size_t count = std::min(kEpsilonsAtOnce, epsilons.size() - i);
      GAUZE_TRY(auto found, softmax_figures(vectors, mechanism, epsilons.subspan(i, count), request, progress));
      std::move(found.begin(), found.end(), std::back_inserter(result));
      i += count;
      continue;
    }
    GAUZE_TRY(const TextMechanism one, TextMechanism::make(vectors, mechanism.at(epsilons[i])));
    const auto law = closed_law(one);
    GAUZE_TRY(TextFigures figures, law ? figures_of_law(vectors, *law, request, progress)
                                       : sampled_figures(vectors, dchi_draws(one), request, progress));
    figures.epsilon = epsilons[i++];
    result.push_back(std::move(figures));
  }
  return result;
}

}  // namespace gauze::text
