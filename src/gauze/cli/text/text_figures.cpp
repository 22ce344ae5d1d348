#include "gauze/cli/text/text_figures.h"

#include <algorithm>
#include <numeric>

#include "gauze/cli/flags/seeding.h"
#include "gauze/text/attacks/public_language.h"

namespace gauze::cli {

using namespace text;  // the vocabulary of this file

namespace {

constexpr std::size_t kEpsilonsAtOnce = 8;  // bounds the memory: about 400 bytes a word each
constexpr std::size_t kAllWords = 2000;     // so many are all looked at without --sample
constexpr std::size_t kSomeWords = 200;     // of more

std::vector<TextFigures::OfWord> of_words(const WordStatistics& exact, std::span<const std::uint32_t> words) {
  std::vector<TextFigures::OfWord> result;
  for (const std::uint32_t word : words)
    result.push_back(
        {exact.stays[word], exact.outputs[word], exact.inputs[word], exact.distinct[word], exact.entropy[word]});
  return result;
}

/// By their places in the sample; inputs of the word at a place are known where all words are there, in order.
std::vector<TextFigures::OfWord> of_words(const SampledStatistics& sampled, std::span<const std::uint32_t> places) {
  std::vector<TextFigures::OfWord> result;
  for (const std::uint32_t place : places) {
    TextFigures::OfWord one{
        sampled.stays[place], sampled.outputs[place], {}, sampled.distinct[place], sampled.entropy[place]};
    if (sampled.inputs) one.inputs = (*sampled.inputs)[sampled.words[place]];
    result.push_back(one);
  }
  return result;
}

/// Mechanisms that are softmax ones and exact, several epsilons at once.
Result<std::vector<TextFigures>> softmax_figures(Invocation& invocation, const WordVectors& vectors,
                                                 std::span<const Rational> epsilons, const FiguresRequest& request) {
  std::vector<SoftmaxMechanism> mechanisms;
  for (const Rational& epsilon : epsilons) {
    GAUZE_TRY(TextMechanism one, text_mechanism(invocation, vectors, epsilon));
    mechanisms.push_back(std::move(*one.softmax));
  }
  GAUZE_TRY(auto found, word_statistics(mechanisms, request.options.figures, &invocation.progress()));
  std::vector<TextFigures> result;
  for (std::size_t i = 0; i < epsilons.size(); ++i) {
    auto words = of_words(found[i], request.words);
    result.push_back({.epsilon = epsilons[i], .exact = std::move(found[i]), .words = std::move(words)});
  }
  return result;
}

Result<TextFigures> figures_of_law(Invocation& invocation, const WordVectors& vectors, const LawOfWord& law,
                                   const FiguresRequest& request) {
  TextFigures result;
  GAUZE_TRY(result.exact, statistics_of_laws(vectors.size(), law, request.options.figures, &invocation.progress()));
  result.words = of_words(*result.exact, request.words);
  return result;
}

Result<TextFigures> sampled_figures(Invocation& invocation, const WordVectors& vectors, const DrawWords& draw,
                                    const FiguresRequest& request) {
  TextFigures result;
  GAUZE_TRY(result.sampled,
            sample_statistics(vectors.size(), spread_words(vectors.size(), request.sample, request.options.seed),
                              draw, request.options, &invocation.progress()));
  if (result.sampled->inputs) {
    result.words = of_words(*result.sampled, request.words);
    return result;
  }
  if (request.words.empty()) return result;
  SamplingOptions options = request.options;
  ++options.seed;
  GAUZE_TRY(const SampledStatistics chosen,
            sample_statistics(vectors.size(), request.words, draw, options, &invocation.progress()));
  std::vector<std::uint32_t> places(request.words.size());
  std::iota(places.begin(), places.end(), 0U);
  result.words = of_words(chosen, places);
  return result;
}

}  // namespace

Result<std::vector<double>> read_prior(const std::string& path, const WordVectors& vectors) {
  GAUZE_TRY(const WordFrequencies frequencies, WordFrequencies::open(path, vectors));
  const auto& counts = frequencies.counts();
  if (std::all_of(counts.begin(), counts.end(), [](std::uint64_t count) { return count == 0; }))
    return make_error(ErrorCode::bad_data, "{} has no word of the vocabulary", path);
  return add_one_shares(counts);
}

std::optional<LawOfWord> closed_law(const TextMechanism& mechanism) {
  if (mechanism.published_dchi || (mechanism.dchi && !mechanism.dchi->law(0))) return std::nullopt;
  if (mechanism.dchi) {
    return [&dchi = *mechanism.dchi](std::size_t x, std::span<double> p) {
      const auto law = dchi.law(x);
      std::copy(law->begin(), law->end(), p.begin());
    };
  }
  return [&mechanism](std::size_t x, std::span<double> p) {
    const auto law = mechanism.published_softmax ? mechanism.published_softmax->law(x) : mechanism.softmax->law(x);
    for (std::size_t i = 0; i < law.p.size(); ++i) p[mechanism.softmax->outputs()[i]] = law.p[i];
    if (law.stays) p[x] = *law.stays;
  };
}

DrawWords dchi_draws(const TextMechanism& mechanism) {
  return [&mechanism](std::span<const std::uint32_t> words, SeededRandom& random, std::span<std::uint32_t> out) {
    if (mechanism.published_dchi)
      mechanism.published_dchi->simulate(words, random, out);
    else
      mechanism.dchi->simulate(words, random, out);
  };
}

std::vector<Flag> statistics_flags() {
  return {
      prior_flag(),
      {.name = "eta",
       .placeholder = "ETA",
       .help = "the chance from which on an output counts in S and S*",
       .default_text = "0.01"},
      {.name = "runs",
       .placeholder = "R",
       .help = "of the mechanism, in which different outputs are counted",
       .default_text = "100"},
      {.name = "sample",
       .placeholder = "N",
       .help =
           "dchi, where there is no closed form: words that are looked at, spread over the vocabulary; without it all "
           "words of up to 2,000, else 200"},
      {.name = "draws",
       .placeholder = "D",
       .help = "dchi, where there is no closed form: how often each of these words is drawn, at least --runs times; "
               "without it 1,000 times"},
      simulation_seed_flag()};
}

Result<void> FiguresRequest::read(Invocation& invocation, const WordVectors& vectors) {
  GAUZE_TRY(const Rational eta, invocation.rational("eta"));
  options.figures.eta = eta.to_double();
  GAUZE_TRY(const std::int64_t runs, invocation.integer("runs", 1, StatisticsOptions::kMostRuns));
  options.figures.runs = static_cast<std::uint64_t>(runs);
  GAUZE_TRY(const std::string mechanism, invocation.text("mechanism"));
  for (const char* const flag : {"sample", "draws"})
    if (invocation.has(flag) && mechanism != "dchi")
      return make_error(ErrorCode::usage, "--{} goes with --mechanism dchi: {} is computed, not drawn", flag,
                        mechanism);
  sample = vectors.size() <= kAllWords ? vectors.size() : kSomeWords;
  if (invocation.has("sample")) {
    GAUZE_TRY(const std::int64_t count, invocation.integer("sample", 1));
    sample = static_cast<std::size_t>(count);
  }
  options.draws = std::max(options.draws, options.figures.runs);
  if (invocation.has("draws")) {
    GAUZE_TRY(const std::int64_t draws,
              invocation.integer("draws", std::max<std::int64_t>(runs, 2), SamplingOptions::kMostDraws));
    options.draws = static_cast<std::uint64_t>(draws);
  }
  GAUZE_TRY(options.seed, simulation_seed(invocation));
  if (const auto path = invocation.optional_text("prior")) {
    GAUZE_TRY(prior, read_prior(*path, vectors));
    options.figures.prior = prior;
  }
  return check_options(options.figures);
}

Result<std::vector<TextFigures>> text_figures(Invocation& invocation, const WordVectors& vectors,
                                              const std::vector<Rational>& epsilons, const FiguresRequest& request) {
  std::vector<TextFigures> result;
  GAUZE_TRY(const std::string name, invocation.text("mechanism"));
  const bool fast = name != "dchi" && !invocation.has("as-published");
  for (std::size_t i = 0; i < epsilons.size();) {
    if (fast) {
      const std::size_t count = std::min(kEpsilonsAtOnce, epsilons.size() - i);
      GAUZE_TRY(auto found, softmax_figures(invocation, vectors, std::span(epsilons).subspan(i, count), request));
      std::move(found.begin(), found.end(), std::back_inserter(result));
      i += count;
      continue;
    }
    GAUZE_TRY(const TextMechanism mechanism, text_mechanism(invocation, vectors, epsilons[i]));
    const auto law = closed_law(mechanism);
    GAUZE_TRY(TextFigures one, law ? figures_of_law(invocation, vectors, *law, request)
                                   : sampled_figures(invocation, vectors, dchi_draws(mechanism), request));
    one.epsilon = epsilons[i++];
    result.push_back(std::move(one));
  }
  return result;
}

}  // namespace gauze::cli
