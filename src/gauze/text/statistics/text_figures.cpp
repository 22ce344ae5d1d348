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

/// Of the owner's text, by what is known of all words.
std::optional<std::vector<OwnWord>> own_words_of(const FiguresRequest& request, std::span<const double> stays) {
  if (!request.own_words) return std::nullopt;
  return likeliest_to_stay(
      *request.own_words, [&](std::uint32_t word) { return stays[word]; }, FiguresRequest::kOwnWords);
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
    auto own = own_words_of(request, found[i].stays);
    result.push_back({.epsilon = epsilons[i],
                      .exact = std::move(found[i]),
                      .words = std::move(words),
                      .own_words = std::move(own)});
  }
  return result;
}

Result<TextFigures> figures_of_law(const WordVectors& vectors, const LawOfWord& law, const FiguresRequest& request,
                                   Progress& progress) {
  TextFigures result;
  GAUZE_TRY(result.exact, statistics_of_laws(vectors.size(), law, sampling_options(request).figures, &progress));
  result.words = of_words(*result.exact, request.words);
  result.own_words = own_words_of(request, result.exact->stays);
  return result;
}

/// Of the owner's text where only some words of the vocabulary were looked at: all of the text's are drawn.
Result<std::optional<std::vector<OwnWord>>> drawn_own_words(const WordVectors& vectors, const DrawWords& draw,
                                                            const FiguresRequest& request, Progress& progress) {
  if (!request.own_words || request.own_words->empty()) return own_words_of(request, {});
  SamplingOptions options = sampling_options(request);
  options.seed += 2;
  std::vector<std::uint32_t> words;
  for (const WordCount& one : *request.own_words) words.push_back(one.word);
  GAUZE_TRY(const SampledStatistics drawn,
            sample_statistics(vectors.size(), std::move(words), draw, options, &progress));
  std::vector<double> stays(vectors.size());
  for (std::size_t i = 0; i < drawn.words.size(); ++i) stays[drawn.words[i]] = drawn.stays[i];
  return own_words_of(request, stays);
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
    result.own_words = own_words_of(request, result.sampled->stays);
    return result;
  }
  if (!request.words.empty()) {
    ++options.seed;
    GAUZE_TRY(const SampledStatistics chosen,
              sample_statistics(vectors.size(), request.words, draw, options, &progress));
    std::vector<std::uint32_t> places(request.words.size());
    std::iota(places.begin(), places.end(), 0U);
    result.words = of_places(chosen, places);
  }
  GAUZE_TRY(result.own_words, drawn_own_words(vectors, draw, request, progress));
  return result;
}

}  // namespace

Result<std::vector<TextFigures>> text_figures(const WordVectors& vectors, const MechanismOptions& mechanism,
                                              std::span<const Rational> epsilons, const FiguresRequest& request,
                                              Progress& progress) {
  std::vector<TextFigures> result;
  const bool fast = is_softmax(mechanism.kind) && !mechanism.as_published;
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
