// text stats, text choose, text verify.
#include <cmath>

#include "gauze/cli/core/commands.h"
#include "gauze/cli/core/invocation.h"
#include "gauze/cli/text/figures_text.h"
#include "gauze/cli/text/statistics_flags.h"
#include "gauze/files/atomic_file.h"
#include "gauze/report/report.h"
#include "gauze/text/sanitize/word_lookup.h"
#include "gauze/text/statistics/promise_check.h"

namespace gauze::cli {
namespace {

using namespace text;  // the vocabulary of this file

Result<int> run_stats(Invocation& invocation) {
  GAUZE_TRY(const std::vector<Rational> list, epsilons(invocation));
  const auto plot = invocation.optional_text("plot");
  GAUZE_TRY(const WordVectors vectors, open_vectors(invocation));
  GAUZE_TRY(FiguresRequest request, figures_request(invocation, vectors));
  GAUZE_TRY(request.words, named_words(invocation, vectors));
  GAUZE_TRY(const MechanismOptions mechanism, mechanism_options(invocation, vectors));
  GAUZE_TRY(const std::vector<TextFigures> figures,
            text_figures(vectors, mechanism, list, request, invocation.progress()));
  invocation.end_progress();
  const Json document = curve_json(figures, vectors, mechanism, request);
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

/// --target; words that matter are steered by the largest chance among them.
Result<ChoiceTarget> chosen_target(const Invocation& invocation) {
  if (!invocation.has("words")) return invocation.value("target", kTargetWords);
  if (!invocation.has("target")) return ChoiceTarget::max_n;
  GAUZE_TRY(const ChoiceTarget target, invocation.value("target", kTargetWords));
  if (target != ChoiceTarget::max_n)
    return make_error(ErrorCode::usage, "--words goes with --target max-n: {} is about all words", to_string(target));
  return target;
}

/// The words of the file that --words names; none without it.
Result<std::vector<std::uint32_t>> words_that_matter(Invocation& invocation, const WordVectors& vectors) {
  const auto path = invocation.optional_text("words");
  if (!path) return std::vector<std::uint32_t>();
  GAUZE_TRY(const std::string list, invocation.read_input(*path, 64U << 20));
  GAUZE_TRY(FoundWords found, find_listed(list, *path, vectors));
  if (found.unknown > 0)
    invocation.warn(
        {"words_unknown",
         fmt::format("{} of the words in {} {} not in the vocabulary: what becomes of such words is up to "
                     "--unknown of `text sanitize`, whatever epsilon is",
                     found.unknown, *path, found.unknown == 1 ? "is" : "are")});
  return std::move(found.words);
}

Result<int> run_choose(Invocation& invocation) {
  GAUZE_TRY(const ChoiceTarget target, chosen_target(invocation));
  GAUZE_TRY(const Rational value, invocation.rational("value"));
  if ((target == ChoiceTarget::bayes_prior) != invocation.has("prior"))
    return make_error(ErrorCode::usage, "--target bayes-prior and --prior FILE go together");
  GAUZE_TRY(const WordVectors vectors, open_vectors(invocation));
  GAUZE_TRY(FiguresRequest request, figures_request(invocation, vectors));
  GAUZE_TRY(request.words, words_that_matter(invocation, vectors));
  GAUZE_TRY(const MechanismOptions mechanism, mechanism_options(invocation, vectors));
  auto found = choose_for_target(vectors, mechanism, target, value, request, invocation.progress());
  if (!found && found.error().code == ErrorCode::infeasible && has_interval(target)) {
    GAUZE_TRY(const bool sampled, is_sampled(vectors, mechanism));
    if (sampled)
      found.error().message += fmt::format(
          "; it is the upper end of what {} draws of each word tell, which more of them bring down (--draws)",
          request.options.draws);
  }
  GAUZE_TRY(const TargetChoice choice, std::move(found));
  invocation.end_progress();
  if (invocation.json())
    invocation.print_json(to_json(choice, vectors));
  else
    print_choice(invocation, vectors, choice);
  return 0;
}

void print_check(Invocation& invocation, const PromiseCheck& check, const TextMechanism& mechanism) {
  const InequalityCheck& found = check.found;
  const WordVectors& vectors = mechanism.vectors();
  invocation.out().print("{} of {} words: ln P[x -> y] - ln P[x' -> y] - epsilon d(x, x') {}\n",
                         found.complete ? "all triples" : "a sample of the triples", vectors.size(),
                         std::isfinite(found.worst)
                             ? fmt::format("is at most {:.6g}", found.worst)
                             : std::string("is not bounded: an output that x can give and x' cannot"));
  if (found.triples > 0)
    invocation.out().print("the worst: x = {}, x' = {}, y = {}\n", vectors.word(found.x), vectors.word(found.x_prime),
                           vectors.word(found.y));
  const std::string kept =
      mechanism.as_published()
          ? "no breach in these probabilities; how they are drawn in floating point is not covered"
          : fmt::format("the promise holds (at most {:.3g} allowed)", check.promised_excess);
  invocation.out().print("{}\n", check.holds() ? kept : "THE PROMISE IS BROKEN");
}

Result<int> run_text_verify(Invocation& invocation) {
  GAUZE_TRY(const WordVectors vectors, open_vectors(invocation));
  GAUZE_TRY(const MechanismOptions options, mechanism_with_epsilon(invocation, vectors));
  GAUZE_TRY(const TextMechanism mechanism, TextMechanism::make(vectors, options));
  GAUZE_TRY(const PromiseCheck check, check_promise(mechanism, invocation.progress()));
  invocation.end_progress();
  if (invocation.json())
    invocation.print_json(to_json(check, vectors));
  else
    print_check(invocation, check, mechanism);
  return check.holds() ? 0 : 3;
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
           "Nothing private is read, unless --text names a text of your own: then its words that are likeliest to stay are listed, and "
           "the output is INTERNAL. With --json: results (epsilon, N, S, S_star, distinct, entropy, bayes, words, own_words).",
       .examples = {{"gauze text stats --vectors glove.gvec --epsilon 1,2,3,5 --limit 20000 --plot curves.html",
                     "curves over epsilon"},
                    {"gauze text stats --vectors glove.gvec --epsilon 3 --words film,doctor --json",
                     "and two words"}},
       .flags = with(with(for_lists, own_text_flags()),
                     {{.name = "words", .placeholder = "A,B", .help = "report these words, too"},
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
           "is at most --value: the mean of N (mean-n), a quantile of it (q05-n, q50-n, q95-n), the largest (max-n; with "
           "--words that of the words that matter), or the success of the best guess (bayes; bayes-prior with --prior). By bisection on exact figures; for dchi, where it has no closed form, on "
           "draws: all words are drawn for a guess, and the upper end of the 95 % interval of a mean, a largest chance or a success is "
           "what is at most --value. The success of a guess may fall again at larger epsilons (santext+, tem): the result is then below the first crossing of a grid.\n\n"
           "With --json: epsilon, target, value, achieved, next (the figure one step further), evaluations, exact, figures, "
           "own_words (with --text, which makes the output INTERNAL).",
       .examples = {{"gauze text choose --vectors glove.gvec --limit 20000 --target mean-n --value 0.3",
                     "three words in ten stay"},
                    {"gauze text choose --vectors glove.gvec --target bayes-prior --prior counts.txt --value 0.5",
                     "an attacker guesses every other word"},
                    {"gauze text choose --vectors glove.gvec --words diagnoses.txt --value 0.1",
                     "each of these words stays in at most one case of ten"}},
       .flags = with(
           with(with(for_choice, own_text_flags()),
                {{.name = "target",
                  .placeholder = "FIGURE",
                  .help = "what is to be at most the value; with --words it is max-n",
                  .default_text = "mean-n",
                  .choices = all_words(kTargetWords)},
                 {.name = "words",
                  .placeholder = "FILE",
                  .help = "the words that matter, one a line: none of them is likelier to stay than the value",
                  .is_file = true},
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
           "With --json: holds, complete, words, triples, excess (null when not bounded), promised_excess, rounding_error, worst.",
       .examples = {{"gauze text verify --vectors glove.gvec --limit 5000 --epsilon 3", "all triples of 5,000 words"},
                    {"gauze text verify --vectors glove.gvec --limit 2000 --epsilon 1000 --as-published",
                     "the published arithmetic"}},
       .flags = with(vector_flags(), mechanism_flags()),
       .run = run_text_verify});
}

}  // namespace gauze::cli
