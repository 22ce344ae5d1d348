#include "gauze/cli/core/commands.h"
#include "gauze/cli/core/invocation.h"
#include "gauze/cli/flags/publishing.h"
#include "gauze/cli/flags/seeding.h"
#include "gauze/cli/flags/shared_flags.h"
#include "gauze/mechanisms/job/selection_statement.h"

namespace gauze::cli {
namespace {

Result<SelectionMechanism::Options> read_selection(const Invocation& invocation) {
  SelectionMechanism::Options options;
  GAUZE_TRY(options.kind, invocation.value("mechanism", kSelectionWords));
  GAUZE_TRY(options.epsilon, invocation.rational("epsilon"));
  GAUZE_TRY(options.sensitivity, invocation.rational("sensitivity"));
  options.monotone = invocation.has("monotone");
  GAUZE_TRY(options.neighbours, adjacency_of(invocation));
  return options;
}

Result<int> run_select(Invocation& invocation) {
  GAUZE_TRY_VOID(check_plain_output(invocation));
  GAUZE_TRY(const std::string name, invocation.text("mechanism"));
  GAUZE_TRY(const SelectionMechanism::Options options, read_selection(invocation));
  GAUZE_TRY(const std::int64_t count, invocation.integer("count", 1, kMostDraws));
  GAUZE_TRY(const std::vector<Rational> scores, invocation.rationals("scores"));
  GAUZE_TRY(RandomChoice random, RandomChoice::make(invocation));
  GAUZE_TRY(const SelectionMechanism mechanism, SelectionMechanism::make(options));

  const bool internal = invocation.has("probabilities");
  if (internal && invocation.has("ledger"))
    return make_error(ErrorCode::usage,
                      "--probabilities tell the true scores: there is no guarantee to be charged for");
  GAUZE_TRY(publish::Publication publication,
            begin_publication(invocation, random.is_seeded() && !internal, "select " + name));
  const PrivacyCost cost = cost_of(options, count, invocation.optional_text("unit").value_or(""));
  GAUZE_TRY(const bool granted, reserve(invocation, publication, cost));
  if (!granted) return 0;  // this request was answered before

  Json object = Json::object();
  std::string plain;
  PrivacyLabel label = label_of(options, cost, count);
  if (internal) {
    GAUZE_TRY(const std::vector<double> probabilities, mechanism.probabilities(scores));
    object.set("probabilities", Json::array({probabilities.begin(), probabilities.end()}));
    for (std::size_t i = 0; i < probabilities.size(); ++i) {
      plain += fmt::format("probability of {}: {}\n", i, probabilities[i]);
    }
    mark_as_probabilities(label);
  }
  const auto draws = static_cast<std::size_t>(count);
  Progress& progress = invocation.progress();
  progress.begin("choosing", draws);
  GAUZE_TRY(const std::vector<std::size_t> selected,
            random.draw([&](SecureRandom& secure) { return mechanism.release(secure, scores, draws, &progress); },
                        [&](SeededRandom& seeded) { return mechanism.simulate(seeded, scores, draws, &progress); }));
  for (const std::size_t index : selected) plain += fmt::format("{}\n", index);
  object.set("selected", Json::array(std::vector<Json>(selected.begin(), selected.end())));
  return deliver(invocation, publication, plain, std::move(object), std::move(label));
}

}  // namespace

void register_select_command(Registry& registry) {
  Flag epsilon = epsilon_flag();
  epsilon.required = true;
  Command command = {
      .name = "select",
      .group = "Noise",
      .summary = "Choose the best of several candidates, privately",
      .description =
          "Takes one score a candidate and prints the number of the chosen one, counted from 0. The better the "
          "score, the likelier the choice; how much likelier is bounded by epsilon.\n\n"
          "exponential and permute-and-flip take any scores (permute-and-flip is never worse), base2-exponential "
          "whole numbers, noisy-max adds discrete Laplace noise and takes the largest.\n\n"
          "With --json: selected, label, and probabilities if asked for.",
      .examples = {{"gauze select exponential --scores 3,2,0 --epsilon 1", "one choice among three"},
                   {"gauze select permute-and-flip --scores 41,39,7 --epsilon 0.5 --monotone",
                    "counts: all scores move the same way, so half the noise is enough"},
                   {"gauze select noisy-max --scores 3,2,0 --epsilon 1 --probabilities --json",
                    "the exact distribution, for your own eyes"}},
      .positionals = {{.name = "mechanism", .help = "how to choose", .choices = all_words(kSelectionWords)}},
      .flags = {{.name = "scores",
                 .placeholder = "LIST",
                 .help = "one score a candidate, separated by commas",
                 .required = true,
                 .carries_data = true},
                epsilon,
                sensitivity_flag(),
                {.name = "monotone", .help = "adding a unit moves all scores the same way (add-remove only)"},
                adjacency_flag(),
                count_flag(),
                {.name = "probabilities", .help = "print the exact distribution; the output is then internal"},
                seed_flag(),
                insecure_seed_flag(),
                unit_flag(),
                output_flag()},
      .run = run_select};
  for (Flag& flag : account_flags()) command.flags.push_back(std::move(flag));
  registry.add(std::move(command));
}

}  // namespace gauze::cli
