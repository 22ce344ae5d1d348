#include "gauze/cli/core/commands.h"
#include "gauze/cli/core/invocation.h"
#include "gauze/cli/flags/shared_flags.h"
#include "gauze/mechanisms/job/selection_statement.h"

namespace gauze::cli {
namespace {

Result<int> run_threshold(Invocation& invocation) {
  PartitionSelection::Options options;
  GAUZE_TRY(options.noise, invocation.value("mechanism", kPartitionNoiseWords));
  GAUZE_TRY(options.epsilon, invocation.rational("epsilon"));
  GAUZE_TRY(options.delta, invocation.rational("delta"));
  GAUZE_TRY(options.max_partitions, invocation.integer("max-partitions", 1, 1'000'000'000));
  GAUZE_TRY(options.min_group, invocation.integer("min-group", 1, std::int64_t{1} << 40));
  GAUZE_TRY(const PartitionSelection selection, PartitionSelection::make(options));

  std::optional<double> keep_probability;
  if (invocation.has("users")) {
    GAUZE_TRY(const std::int64_t users, invocation.integer("users", 0, std::int64_t{1} << 40));
    keep_probability = selection.keep_probability(users);
  }
  if (invocation.json()) {
    invocation.print_json(to_json(selection, options, keep_probability));
    return 0;
  }
  invocation.out().print("{}\n", selection.threshold().to_decimal());
  if (keep_probability) invocation.out().print("{}\n", *keep_probability);
  invocation.note(options.noise == PartitionSelection::Noise::optimal
                      ? "The smallest group that is always kept; smaller ones are kept with a probability."
                      : "A group may be named when its noisy size reaches this threshold.");
  return 0;
}

}  // namespace

void register_threshold_command(Registry& registry) {
  Flag epsilon = epsilon_flag();
  epsilon.required = true;
  Flag delta = delta_flag();
  delta.required = true;
  registry.add(
      {.name = "threshold",
       .group = "Noise",
       .summary = "How large a group must be before it may be named",
       .description =
           "Groups that come from the data (words, places, products) may be named only when enough people are in "
           "them: when the number of people plus noise reaches the threshold printed here. It reads no data.\n\n"
           "laplace and gaussian work on a fine grid, geometric on whole numbers with its exact tail; optimal keeps "
           "small groups more often, and prints the smallest size that is always kept.\n\n"
           "With --json: threshold, keep_probability (for --users), mechanism, parameters.",
       .examples = {{"gauze threshold --epsilon 1 --delta 1e-5", "the threshold for Laplace noise"},
                    {"gauze threshold --epsilon 1 --delta 1e-5 --max-partitions 4 --mechanism gaussian --users 60",
                     "a person is in up to four groups; how likely is a group of 60 kept?"},
                    {"gauze threshold --epsilon 1 --delta 1e-5 --min-group 10 --mechanism geometric",
                     "never name a group of fewer than ten"}},
       .flags = {epsilon,
                 delta,
                 {.name = "max-partitions",
                  .placeholder = "M",
                  .help = "in how many groups one person can be",
                  .default_text = "1"},
                 {.name = "min-group",
                  .placeholder = "K",
                  .help = "groups smaller than this are never kept",
                  .default_text = "1"},
                 {.name = "mechanism",
                  .placeholder = "NOISE",
                  .help = "the noise on the group's size",
                  .default_text = "laplace",
                  .choices = all_words(kPartitionNoiseWords)},
                 {.name = "users", .placeholder = "N", .help = "also print how likely a group of N people is kept"}},
       .run = run_threshold});
}

}  // namespace gauze::cli
