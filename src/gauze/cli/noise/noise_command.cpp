#include <algorithm>

#include "gauze/cli/core/commands.h"
#include "gauze/cli/core/invocation.h"
#include "gauze/cli/flags/publishing.h"
#include "gauze/cli/flags/seeding.h"
#include "gauze/cli/flags/shared_flags.h"
#include "gauze/cli/noise/noise_flags.h"
#include "gauze/cli/noise/noise_plot.h"
#include "gauze/cli/noise/number_stream.h"

namespace gauze::cli {
namespace {

Result<int> run_noise(Invocation& invocation) {
  if (invocation.has("plot")) return run_noise_plot(invocation);
  if (invocation.has("epsilons")) return make_error(ErrorCode::usage, "--epsilons goes with --plot");
  GAUZE_TRY_VOID(check_plain_output(invocation));
  GAUZE_TRY(const NoiseRequest request, noise_request(invocation));
  GAUZE_TRY(RandomChoice random, RandomChoice::make(invocation));
  GAUZE_TRY(const NoiseJob job, NoiseJob::make(request));
  if (!job.is_about_a_dataset() && invocation.has("ledger"))
    return make_error(
        ErrorCode::usage,
        "randomized-response protects one value from whoever collects it: there is no dataset to charge");
  GAUZE_TRY(publish::Publication publication,
            begin_publication(invocation, random.is_seeded(), "noise " + request.mechanism));
  GAUZE_TRY(const bool granted, reserve(invocation, publication, job.cost()));
  if (!granted) return 0;  // this request was answered before

  GAUZE_TRY(NumberStream values, NumberStream::begin(invocation, publication, job.to_json(), "values", job.label()));
  Progress silent;
  Progress& bar = values.is_seen() ? silent : invocation.progress();
  bar.begin("drawing", static_cast<std::uint64_t>(request.count));
  constexpr std::int64_t kBatch = 4096;
  for (std::int64_t left = request.count; left > 0; left -= kBatch) {
    GAUZE_TRY_VOID(invocation.progress().check());
    const auto draws = static_cast<std::size_t>(std::min(left, kBatch));
    GAUZE_TRY_VOID(values.add(random.draw([&](SecureRandom& secure) { return job.release(secure, draws); },
                                          [&](SeededRandom& seeded) { return job.simulate(seeded, draws); })));
    bar.advance(draws);
  }
  return values.finish();
}

}  // namespace

void register_noise_command(Registry& registry) {
  Command command = {
      .name = "noise",
      .group = "Noise",
      .summary = "Add exact differential-privacy noise to a number",
      .description =
          "Puts the value on a public grid, adds noise that is drawn exactly from the stated law, and prints one "
          "number a line; the label goes to stderr in words. The grid follows from the amount of noise and "
          "--granularity-bits alone, never from the value; a value beyond 2^100 grid steps counts as 2^100.\n\n"
          "laplace and gaussian are for any numbers; geometric, discrete-laplace and discrete-gaussian for whole "
          "numbers; staircase has the smallest error at large epsilon; snapping needs a --bound; "
          "randomized-response answers with one of --categories K categories.\n\n"
          "--plot draws nothing around --value and charges nothing: it shows 10,000 draws around 0 beside the exact law.\n\n"
          "With --json: mechanism, parameters, variance and interval95 of the noise as drawn (around 0), values, "
          "label.",
      .examples = {{"gauze noise geometric --epsilon 1 --value 1234", "a noisy count"},
                   {"gauze noise laplace --epsilon 0.5 --sensitivity 10 --value 73.2 --json",
                    "a noisy sum, for programs"},
                   {"gauze noise gaussian --epsilon 1 --delta 1e-6 --count 5", "five draws of Gaussian noise"},
                   {"gauze noise randomized-response --epsilon 2 --categories 4 --value 3", "one private answer"},
                   {"gauze noise laplace --plot noise.html", "what an epsilon looks like, for teaching"}},
      .positionals = {noise_positional()},
      .flags = {{.name = "value",
                 .placeholder = "X",
                 .help = "the true value; it is never repeated in any output",
                 .default_text = "0",
                 .carries_data = true},
                count_flag(),
                adjacency_flag(),
                unit_flag(),
                seed_flag(),
                insecure_seed_flag(),
                output_flag()},
      .run = run_noise};
  const std::vector<Flag> amount = noise_amount_flags();
  command.flags.insert(command.flags.begin(), amount.begin(), amount.end());
  for (Flag& flag : account_flags()) command.flags.push_back(std::move(flag));
  for (Flag& flag : noise_plot_flags()) command.flags.push_back(std::move(flag));
  registry.add(std::move(command));
}

}  // namespace gauze::cli
