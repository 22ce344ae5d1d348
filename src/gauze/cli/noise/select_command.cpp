#include <map>

#include "gauze/cli/core/commands.h"
#include "gauze/cli/core/invocation.h"
#include "gauze/cli/flags/publishing.h"
#include "gauze/cli/flags/seeding.h"
#include "gauze/cli/flags/shared_flags.h"
#include "gauze/mechanisms/selection/selection.h"

namespace gauze::cli {
namespace {

using Kind = SelectionMechanism::Kind;

const std::vector<std::pair<std::string, Kind>>& kinds() {
  static const std::vector<std::pair<std::string, Kind>> table = {{"exponential", Kind::exponential},
                                                                  {"base2-exponential", Kind::base2_exponential},
                                                                  {"permute-and-flip", Kind::permute_and_flip},
                                                                  {"noisy-max", Kind::noisy_max}};
  return table;
}

Result<SelectionMechanism::Options> read_selection(const Invocation& invocation) {
  SelectionMechanism::Options options;
  GAUZE_TRY(const std::string name, invocation.text("mechanism"));
  for (const auto& [known, kind] : kinds()) {
    if (known == name) options.kind = kind;
  }
  GAUZE_TRY(options.epsilon, invocation.rational("epsilon"));
  GAUZE_TRY(options.sensitivity, invocation.rational("sensitivity"));
  options.monotone = invocation.has("monotone");
  GAUZE_TRY(options.neighbours, adjacency_of(invocation));
  return options;
}

PrivacyLabel make_label(const std::string& name, const SelectionMechanism::Options& options, const PrivacyCost& cost,
                        std::int64_t count) {
  PrivacyLabel label;
  cost.put_into(label);
  label.released = {.kind = "private choice", .count = static_cast<std::uint64_t>(count), .file = {}, .sha256 = {}};
  label.mechanism = name;
  label.parameters = Json::object({{"epsilon", Json::number(options.epsilon.to_decimal_up())},
                                   {"sensitivity", Json::number(options.sensitivity.to_decimal_up())},
                                   {"monotone", options.monotone}});
  label.privacy_unit = "whatever the stated sensitivity is about";
  label.covers = {"which candidate was chosen, when no score changes by more than the stated sensitivity"};
  label.does_not_cover = {"whether the stated sensitivity is right", "the list of candidates and how many there are",
                          "other releases from the same data: their costs add up"};
  if (options.monotone) label.does_not_cover.emplace_back("whether the scores are monotone, as was stated");
  return label;
}

/// A distribution computed from the true scores reveals them.
void mark_internal(PrivacyLabel& label) {
  label.warning = "INTERNAL, no guarantee: the probabilities are computed from the true scores";
  label.definition = Definition::internal;
  label.cost = {};
  label.covers.clear();
  label.does_not_cover = {"anything: do not let this output leave the house"};
}

Result<int> run_select(Invocation& invocation) {
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
  PrivacyCost cost = PrivacyCost::of_epsilon(options.epsilon * Rational(count));
  cost.unit = invocation.optional_text("unit").value_or("");
  cost.neighbours = options.neighbours;
  GAUZE_TRY(const bool granted, reserve(invocation, publication, cost));
  if (!granted) return 0;  // this request was answered before

  Json object = Json::object();
  std::string plain;
  PrivacyLabel label = make_label(name, options, cost, count);
  if (internal) {
    GAUZE_TRY(const std::vector<double> probabilities, mechanism.probabilities(scores));
    object.set("probabilities", Json::array({probabilities.begin(), probabilities.end()}));
    for (std::size_t i = 0; i < probabilities.size(); ++i) {
      plain += fmt::format("probability of {}: {}\n", i, probabilities[i]);
    }
    mark_internal(label);
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

std::vector<std::string> kind_names() {
  std::vector<std::string> names;
  for (const auto& kind : kinds()) names.push_back(kind.first);
  return names;
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
      .positionals = {{.name = "mechanism", .help = "how to choose", .choices = kind_names()}},
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
