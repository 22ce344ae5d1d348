#include "gauze/cli/internal/text_figures.h"

#include <algorithm>

#include "gauze/cli/commands/seeding.h"
#include "gauze/text/attacks/public_language.h"

namespace gauze::cli {

using namespace text;  // the vocabulary of this file

namespace {

constexpr std::size_t kEpsilonsAtOnce = 8;  // bounds the memory: about 400 bytes a word each

Result<std::vector<double>> prior_of(const std::string& path, const WordVectors& vectors) {
  GAUZE_TRY(const WordFrequencies frequencies, WordFrequencies::open(path, vectors));
  const auto& counts = frequencies.counts();
  if (std::all_of(counts.begin(), counts.end(), [](std::uint64_t count) { return count == 0; }))
    return make_error(ErrorCode::bad_data, "{} has no word of the vocabulary", path);
  return add_one_shares(counts);
}

/// Mechanisms that are softmax ones and exact, several epsilons at once.
Result<std::vector<TextFigures>> softmax_figures(Invocation& invocation, const WordVectors& vectors,
                                                 std::span<const Rational> epsilons,
                                                 const StatisticsOptions& options) {
  std::vector<SoftmaxMechanism> mechanisms;
  for (const Rational& epsilon : epsilons) {
    GAUZE_TRY(TextMechanism one, text_mechanism(invocation, vectors, epsilon));
    mechanisms.push_back(std::move(*one.softmax));
  }
  GAUZE_TRY(auto found, word_statistics(mechanisms, options, &invocation.progress()));
  std::vector<TextFigures> result;
  for (std::size_t i = 0; i < epsilons.size(); ++i)
    result.push_back({.epsilon = epsilons[i], .exact = std::move(found[i]), .sampled = {}, .chosen = {}});
  return result;
}

Result<TextFigures> dchi_figures(Invocation& invocation, const WordVectors& vectors, const TextMechanism& mechanism,
                                 const FiguresRequest& request) {
  TextFigures result{.epsilon = mechanism.dchi->epsilon(), .exact = {}, .sampled = {}, .chosen = {}};
  if (!mechanism.as_published() && mechanism.dchi->law(0)) {
    const LawOfWord law = [&](std::size_t x, std::span<double> p) {
      const auto found = mechanism.dchi->law(x);
      std::copy(found->begin(), found->end(), p.begin());
    };
    GAUZE_TRY(result.exact, statistics_of_laws(vectors.size(), law, request.options, &invocation.progress()));
    return result;
  }
  const DrawWords draw = [&](std::span<const std::uint32_t> words, SeededRandom& random,
                             std::span<std::uint32_t> out) {
    if (mechanism.published_dchi)
      mechanism.published_dchi->simulate(words, random, out);
    else
      mechanism.dchi->simulate(words, random, out);
  };
  GAUZE_TRY(result.sampled, sample_statistics(vectors.size(), request.sample, draw, request.options, request.seed,
                                              &invocation.progress()));
  if (!request.words.empty()) {
    GAUZE_TRY(result.chosen,
              sample_statistics(request.words, draw, request.options, request.seed + 1, &invocation.progress()));
  }
  return result;
}

Result<TextFigures> published_figures(Invocation& invocation, const WordVectors& vectors,
                                      const TextMechanism& mechanism, const StatisticsOptions& options) {
  TextFigures result{.epsilon = mechanism.softmax->epsilon(), .exact = {}, .sampled = {}, .chosen = {}};
  const LawOfWord law = [&](std::size_t x, std::span<double> p) {
    const auto found = mechanism.published_softmax->law(x);
    for (std::size_t i = 0; i < found.p.size(); ++i) p[mechanism.softmax->outputs()[i]] = found.p[i];
    if (found.stays) p[x] = *found.stays;
  };
  GAUZE_TRY(result.exact, statistics_of_laws(vectors.size(), law, options, &invocation.progress()));
  return result;
}

}  // namespace

std::vector<Flag> statistics_flags() {
  return {prior_flag(),
          {.name = "eta",
           .placeholder = "ETA",
           .help = "the chance from which on an output counts in S and S*",
           .default_text = "0.01"},
          {.name = "runs",
           .placeholder = "R",
           .help = "of the mechanism, in which outputs are counted; dchi: that are drawn",
           .default_text = "100"},
          {.name = "sample",
           .placeholder = "N",
           .help = "dchi, where there is no closed form: words that are looked at, spread over the vocabulary",
           .default_text = "200"},
          simulation_seed_flag()};
}

Result<void> FiguresRequest::read(Invocation& invocation, const WordVectors& vectors) {
  GAUZE_TRY(const Rational eta, invocation.rational("eta"));
  options.eta = eta.to_double();
  GAUZE_TRY(const std::int64_t runs, invocation.integer("runs", 1, StatisticsOptions::kMostRuns));
  options.runs = static_cast<std::uint64_t>(runs);
  GAUZE_TRY(const std::int64_t count, invocation.integer("sample", 1));
  sample = static_cast<std::size_t>(count);
  GAUZE_TRY(seed, simulation_seed(invocation));
  if (const auto path = invocation.optional_text("prior")) {
    GAUZE_TRY(prior, prior_of(*path, vectors));
    options.prior = prior;
  }
  return check_options(options);
}

Result<std::vector<TextFigures>> text_figures(Invocation& invocation, const WordVectors& vectors,
                                              const std::vector<Rational>& epsilons, const FiguresRequest& request) {
  std::vector<TextFigures> result;
  GAUZE_TRY(const std::string name, invocation.text("mechanism"));
  const bool fast = name != "dchi" && !invocation.has("as-published");
  for (std::size_t i = 0; i < epsilons.size();) {
    if (fast) {
      const std::size_t count = std::min(kEpsilonsAtOnce, epsilons.size() - i);
      GAUZE_TRY(auto found,
                softmax_figures(invocation, vectors, std::span(epsilons).subspan(i, count), request.options));
      std::move(found.begin(), found.end(), std::back_inserter(result));
      i += count;
      continue;
    }
    GAUZE_TRY(const TextMechanism mechanism, text_mechanism(invocation, vectors, epsilons[i++]));
    GAUZE_TRY(TextFigures one, mechanism.dchi ? dchi_figures(invocation, vectors, mechanism, request)
                                              : published_figures(invocation, vectors, mechanism, request.options));
    result.push_back(std::move(one));
  }
  return result;
}

}  // namespace gauze::cli
