// text stats, text choose, text verify.
#include <algorithm>
#include <array>
#include <cmath>

#include "gauze/cli/core/commands.h"
#include "gauze/cli/core/invocation.h"
#include "gauze/cli/text/text_figures_output.h"
#include "gauze/cli/text/text_flags.h"
#include "gauze/files/atomic_file.h"
#include "gauze/report/report.h"
#include "gauze/text/statistics/epsilon_choice.h"
#include "gauze/text/statistics/inequality_check.h"

namespace gauze::cli {
namespace {

using namespace text;  // the vocabulary of this file

Result<int> run_stats(Invocation& invocation) {
  GAUZE_TRY(const std::vector<Rational> list, epsilons(invocation));
  const auto plot = invocation.optional_text("plot");
  GAUZE_TRY(const WordVectors vectors, open_vectors(invocation));
  FiguresRequest request;
  GAUZE_TRY_VOID(request.read(invocation, vectors));
  GAUZE_TRY(request.words, named_words(invocation, vectors));
  GAUZE_TRY(const std::vector<TextFigures> figures, text_figures(invocation, vectors, list, request));
  invocation.end_progress();
  const Json document = stats_document(invocation, vectors, figures, request);
  if (plot) {
    GAUZE_TRY_VOID(write_file(*plot, render_report(document.dump())));
    invocation.note(fmt::format("wrote {}", *plot));
  }
  if (invocation.json())
    invocation.print_json(document);
  else
    print_stats(invocation, vectors, figures, request);
  if (figures.front().sampled) note_sampling(invocation, vectors.size(), *figures.front().sampled, request);
  return 0;
}

constexpr std::array<std::string_view, 6> kTargets = {"mean-n", "q05-n", "q50-n", "q95-n", "bayes", "bayes-prior"};

/// Of the chances to stay; nothing when the target is another figure.
std::optional<double> stays_figure(const std::vector<double>& stays, const std::string& target) {
  if (target == "mean-n") return spread_of(stays).mean;
  if (target == "q05-n") return quantile_of(stays, 0.05);
  if (target == "q50-n") return quantile_of(stays, 0.5);
  if (target == "q95-n") return quantile_of(stays, 0.95);
  return std::nullopt;
}

/// Whether a sampled figure has an interval, of which the upper end is to be at most the target.
bool has_interval(const std::string& target) { return target == "mean-n" || target.starts_with("bayes"); }

double figure_of(const TextFigures& figures, const std::string& target) {
  if (figures.sampled && target == "mean-n") return figures.sampled->mean_stays.high;
  if (const auto figure = stays_figure(figures.stays(), target)) return *figure;
  const bool uniform = target == "bayes";
  if (figures.exact) return uniform ? figures.exact->bayes_uniform : *figures.exact->bayes_prior;
  return (uniform ? figures.sampled->bayes_uniform : figures.sampled->bayes_prior)->high;
}

/// Guesses under some mechanisms need not get better with epsilon. What is sampled takes too long to be followed from
/// small epsilons on: there the figure is at most the target at the epsilon that is found, and above it one step further.
Result<FigureGrows> growth(Invocation& invocation, const WordVectors& vectors, const std::string& target) {
  GAUZE_TRY(const std::string name, invocation.text("mechanism"));
  if (!target.starts_with("bayes") || name == "santext") return FigureGrows::always;
  GAUZE_TRY(const TextMechanism mechanism, text_mechanism(invocation, vectors, Rational(1)));
  return closed_law(mechanism) ? FigureGrows::perhaps : FigureGrows::always;
}

void print_choice(Invocation& invocation, const EpsilonChoice& choice, const std::string& target,
                  const Rational& value, const TextFigures& figures) {
  invocation.out().print("{}\n", choice.epsilon.to_decimal());
  invocation.note(
      fmt::format("{} is {:.4f} there, at most {}; it means this for these vectors and this mechanism only", target,
                  choice.achieved, value.to_decimal()));
  if (!figures.sampled) return;
  const SampledStatistics& sampled = *figures.sampled;
  if (!has_interval(target)) {
    invocation.note(
        fmt::format("sampled: a quantile of {} words, an estimate without an interval", sampled.words.size()));
    return;
  }
  const auto& [low, high] = target == "mean-n"  ? std::pair(sampled.mean_stays.low, sampled.mean_stays.high)
                            : target == "bayes" ? std::pair(sampled.bayes_uniform->low, sampled.bayes_uniform->high)
                                                : std::pair(sampled.bayes_prior->low, sampled.bayes_prior->high);
  invocation.note(fmt::format(
      "sampled: it lies between {:.4f} and {:.4f} (95 %); the upper end is kept below the value", low, high));
}

Result<int> run_choose(Invocation& invocation) {
  GAUZE_TRY(const std::string target, invocation.text("target"));
  GAUZE_TRY(const Rational value, invocation.rational("value"));
  if ((target == "bayes-prior") != invocation.has("prior"))
    return make_error(ErrorCode::usage, "--target bayes-prior and --prior FILE go together");
  GAUZE_TRY(const WordVectors vectors, open_vectors(invocation));
  FiguresRequest request;
  GAUZE_TRY_VOID(request.read(invocation, vectors));
  if (target.starts_with("bayes")) request.sample = vectors.size();  // a guess is one among all words
  bool upper_end = false;
  const auto figure = [&](const Rational& epsilon) -> Result<double> {
    GAUZE_TRY(const TextMechanism mechanism, text_mechanism(invocation, vectors, epsilon));
    if (mechanism.softmax && !mechanism.as_published() && !target.starts_with("bayes")) {
      GAUZE_TRY(const std::vector<double> stays, chances_to_stay(*mechanism.softmax, &invocation.progress()));
      return *stays_figure(stays, target);
    }
    // The same seed at every epsilon: the noise is scaled, and what is sampled grows with epsilon as the truth does.
    GAUZE_TRY(const auto figures, text_figures(invocation, vectors, {epsilon}, request));
    upper_end = figures.front().sampled && has_interval(target);
    return figure_of(figures.front(), target);
  };
  GAUZE_TRY(const FigureGrows grows, growth(invocation, vectors, target));
  auto found = choose_epsilon(figure, value.to_double(), grows);
  if (!found && found.error().code == ErrorCode::infeasible && upper_end)
    found.error().message += fmt::format(
        "; it is the upper end of what {} draws of each word tell, which more of them bring down (--draws)",
        request.options.draws);
  GAUZE_TRY(const EpsilonChoice choice, std::move(found));
  GAUZE_TRY(const auto figures, text_figures(invocation, vectors, {choice.epsilon}, request));
  invocation.end_progress();
  const TextFigures& chosen = figures.front();
  if (!invocation.json()) {
    print_choice(invocation, choice, target, value, chosen);
    return 0;
  }
  Json result = Json::object({{"epsilon", Json::number(choice.epsilon.to_decimal())},
                              {"target", target},
                              {"value", value.to_double()},
                              {"achieved", choice.achieved},
                              {"next", choice.next},
                              {"evaluations", choice.evaluations},
                              {"exact", chosen.exact.has_value()}});
  result.set("figures", figures_json(chosen, vectors, request));
  invocation.print_json(result);
  return 0;
}

/// Whether an earlier word has the same vector: dchi never prints the later one.
bool is_repeated(const WordVectors& vectors, std::size_t word) {
  for (std::size_t earlier = 0; earlier < word; ++earlier)
    if (vectors.distance(earlier, word) == 0) return true;
  return false;
}

/// What a mechanism draws from, or would draw from as published.
Result<CheckedMechanism> checked_mechanism(const TextMechanism& mechanism, const std::vector<std::uint32_t>& all) {
  if (mechanism.dchi) {
    if (mechanism.as_published() || !mechanism.dchi->law(0))
      return invalid_parameter("dchi has closed probabilities in one dimension and for two words only");
    const double epsilon = mechanism.dchi->epsilon().to_double();
    const DchiMechanism& dchi = *mechanism.dchi;
    for (const std::uint32_t x : all) {
      const auto law = dchi.law(x);
      for (std::size_t y = 0; y < law->size(); ++y)
        if ((*law)[y] < 1e-280 && !(y > 0 && is_repeated(dchi.vectors(), y)))
          return invalid_parameter(
              "at this epsilon some probabilities are below 1e-280: doubles cannot decide; take a smaller one");
    }
    CheckedMechanism result;
    result.words = all.size();
    result.outputs = all;
    result.error = 1e-9;  // of differences of the distribution function
    result.log_law = [&dchi](std::size_t x, std::span<double> log_p) {
      const auto law = dchi.law(x);
      for (std::size_t i = 0; i < log_p.size(); ++i) log_p[i] = std::log((*law)[i]);
    };
    result.allowed = [&dchi, epsilon](std::size_t x, std::size_t y) {
      return epsilon * dchi.vectors().distance(x, y);
    };
    return result;
  }
  CheckedMechanism result = checked(*mechanism.softmax);
  if (!mechanism.published_softmax) return result;
  const PublishedSoftmax& published = *mechanism.published_softmax;
  result.error = 0x1p-44;
  result.log_law = [&published](std::size_t x, std::span<double> log_p) {
    const auto law = published.law(x);
    std::copy(law.log_p.begin(), law.log_p.end(), log_p.begin());
  };
  const double epsilon = mechanism.softmax->epsilon().to_double();
  const double besides = mechanism.softmax->epsilon0();
  const WordVectors& vectors = mechanism.softmax->metric().vectors();
  const double gamma = published.gamma().value_or(HUGE_VAL);
  result.allowed = [&vectors, epsilon, besides, gamma](std::size_t x, std::size_t y) {
    return epsilon * std::min(vectors.distance(x, y), gamma) + besides;
  };
  return result;
}

Result<int> run_text_verify(Invocation& invocation) {
  GAUZE_TRY(const WordVectors vectors, open_vectors(invocation));
  GAUZE_TRY(const TextMechanism mechanism, text_mechanism(invocation, vectors));
  std::vector<std::uint32_t> all;
  for (std::uint32_t i = 0; i < vectors.size(); ++i) all.push_back(i);
  GAUZE_TRY(const CheckedMechanism rows, checked_mechanism(mechanism, all));
  GAUZE_TRY(const InequalityCheck found, check_inequality(vectors, rows, &invocation.progress()));
  invocation.end_progress();
  const double promised =
      mechanism.softmax && !mechanism.as_published() ? std::ldexp(1.0, -SoftmaxMechanism::kSlackBits) : 0;
  const bool holds = found.worst <= promised + found.error;
  const bool finite = std::isfinite(found.worst);
  if (invocation.json()) {
    Json worst = Json::object({{"x", std::string(vectors.word(found.x))},
                               {"x_prime", std::string(vectors.word(found.x_prime))},
                               {"y", std::string(vectors.word(found.y))},
                               {"log_ratio", finite ? Json(found.log_ratio) : Json()},
                               {"allowed", found.allowed}});
    Json result = Json::object({{"holds", holds},
                                {"complete", found.complete},
                                {"words", vectors.size()},
                                {"triples", found.triples},
                                {"excess", finite ? Json(found.worst) : Json()},
                                {"promised_excess", promised},
                                {"rounding_error", found.error}});
    result.set("worst", found.triples > 0 ? std::move(worst) : Json());
    invocation.print_json(result);
    return holds ? 0 : 3;
  }
  invocation.out().print("{} of {} words: ln P[x -> y] - ln P[x' -> y] - epsilon d(x, x') {}\n",
                         found.complete ? "all triples" : "a sample of the triples", vectors.size(),
                         finite ? fmt::format("is at most {:.6g}", found.worst)
                                : std::string("is not bounded: an output that x can give and x' cannot"));
  if (found.triples > 0)
    invocation.out().print("the worst: x = {}, x' = {}, y = {}\n", vectors.word(found.x), vectors.word(found.x_prime),
                           vectors.word(found.y));
  const std::string kept =
      mechanism.as_published()
          ? "no breach in these probabilities; how they are drawn in floating point is not covered"
          : fmt::format("the promise holds (at most {:.3g} allowed)", promised);
  invocation.out().print("{}\n", holds ? kept : "THE PROMISE IS BROKEN");
  return holds ? 0 : 3;
}

}  // namespace

void register_text_statistics_commands(Registry& registry) {
  const auto with = [](std::vector<Flag> flags, const std::vector<Flag>& more) {
    flags.insert(flags.end(), more.begin(), more.end());
    return flags;
  };
  const std::vector<Flag> for_lists =
      with(with(vector_flags(), mechanism_flags(EpsilonFlag::list)), statistics_flags());
  registry.add(
      {.name = "text stats",
       .group = "Text",
       .summary = "Show how deniable words are, as curves over epsilon",
       .description =
           "Exact statistics from the mechanism itself, without a sample: N (the chance that a word stays as it is), S (how "
           "many words it becomes), S* (how many become it), different outputs in --runs runs, entropy, and how often the best "
           "guess of someone who knows the mechanism is right: without knowledge of the language, and with --prior for "
           "words as frequent as a public list says. Mean, median and quantiles over the vocabulary.\n\n"
           "dchi has closed forms in one dimension and for two words. Else words are drawn --draws times each, the result says "
           "so, and every mean has a 95 % interval; the best guess needs draws of all words (--sample).\n\n"
           "Nothing private is read. With --json: results (epsilon, N, S, S_star, distinct, entropy, bayes, words).",
       .examples = {{"gauze text stats --vectors glove.gvec --epsilon 1,2,3,5 --limit 20000 --plot curves.html",
                     "curves over epsilon"},
                    {"gauze text stats --vectors glove.gvec --epsilon 3 --words film,doctor --json",
                     "and two words"}},
       .flags = with(for_lists, {{.name = "words", .placeholder = "A,B", .help = "report these words, too"},
                                 {.name = "plot",
                                  .placeholder = "OUT.html",
                                  .help = "the curves as a page for a browser",
                                  .is_file = true,
                                  .makes = Makes::file}}),
       .run = run_stats});
  std::vector<Flag> for_choice = vector_flags();
  for (Flag& flag : mechanism_flags())
    if (flag.name != "epsilon") for_choice.push_back(std::move(flag));
  registry.add(
      {.name = "text choose",
       .group = "Text",
       .summary = "Find the epsilon that reaches a target on given vectors",
       .description =
           "An epsilon from a paper means nothing for other vectors. This finds the largest one (four digits) at which a figure "
           "is at most --value: the mean of N (mean-n), a quantile of it (q05-n, q50-n, q95-n), or the success of the best "
           "guess (bayes; bayes-prior with --prior). By bisection on exact figures; for dchi, where it has no closed form, on "
           "draws: all words are drawn for a guess, and the upper end of the 95 % interval of a mean or a success is what is at most "
           "--value. The success of a guess may fall again at larger epsilons (santext+, tem): the result is then below the first crossing of a grid.\n\n"
           "With --json: epsilon, target, value, achieved, next (the figure one step further), evaluations, exact, figures.",
       .examples = {{"gauze text choose --vectors glove.gvec --limit 20000 --target mean-n --value 0.3",
                     "three words in ten stay"},
                    {"gauze text choose --vectors glove.gvec --target bayes-prior --prior counts.txt --value 0.5",
                     "an attacker guesses every other word"}},
       .flags = with(
           with(for_choice,
                {{.name = "target",
                  .placeholder = "FIGURE",
                  .help = "what is to be at most the value",
                  .default_text = "mean-n",
                  .choices = {kTargets.begin(), kTargets.end()}},
                 {.name = "value", .placeholder = "X", .help = "the target, between 0 and 1", .required = true}}),
           statistics_flags()),
       .run = run_choose});
  registry.add(
      {.name = "text verify",
       .group = "Text",
       .summary = "Check a mechanism's promise on the integers it draws from",
       .description =
           "The largest ln P[x -> y] - ln P[x' -> y] - epsilon d(x, x') over all triples of words, for vocabularies of up to "
           "5,000 words; beyond that over a sample of x and x' with all y. It must be at most 2^-39 (santext+: besides ln(1/p), "
           "and for the protected outputs). With --as-published the same for the papers' floating point, which breaks where probabilities become 0. "
           "Exit 3 when the promise does not hold.\n\n"
           "With --json: holds, complete, words, triples, excess (null when not bounded), promised_excess, error, worst.",
       .examples = {{"gauze text verify --vectors glove.gvec --limit 5000 --epsilon 3", "all triples of 5,000 words"},
                    {"gauze text verify --vectors glove.gvec --limit 2000 --epsilon 1000 --as-published",
                     "the published arithmetic"}},
       .flags = with(vector_flags(), mechanism_flags()),
       .run = run_text_verify});
}

}  // namespace gauze::cli
