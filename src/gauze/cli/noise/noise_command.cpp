#include <algorithm>

#include "gauze/cli/core/commands.h"
#include "gauze/cli/core/invocation.h"
#include "gauze/cli/flags/publishing.h"
#include "gauze/cli/flags/seeding.h"
#include "gauze/cli/flags/shared_flags.h"
#include "gauze/cli/noise/noise_catalogue.h"
#include "gauze/cli/noise/number_stream.h"

namespace gauze::cli {
namespace {

const NoiseEntry& find_entry(std::string_view name) {
  const auto& catalogue = noise_catalogue();
  const auto entry =
      std::find_if(catalogue.begin(), catalogue.end(), [&](const auto& candidate) { return candidate.name == name; });
  GAUZE_CHECK(entry != catalogue.end());
  return *entry;
}

/// A flag that means nothing for the mechanism is a mistake, not something to overlook.
Result<void> check_flags(const Invocation& invocation, const NoiseEntry& entry) {
  for (const char* flag : {"delta", "scale", "sigma", "sensitivity", "granularity-bits", "bound", "categories"}) {
    if (invocation.has(flag) && std::find(entry.flags.begin(), entry.flags.end(), flag) == entry.flags.end()) {
      return make_error(ErrorCode::usage, "{} takes no --{}; see 'gauze help noise'", entry.name, flag);
    }
  }
  return {};
}

bool is_response(const NoiseEntry& entry) { return entry.name == "randomized-response"; }

PrivacyLabel make_label(const NoiseEntry& entry, const PreparedNoise& noise, const PrivacyCost& cost,
                        std::int64_t count) {
  const bool response = is_response(entry);
  PrivacyLabel label;
  cost.put_into(label);
  label.released = {.kind = response ? "randomised answer" : "noisy number",
                    .count = static_cast<std::uint64_t>(count),
                    .file = {},
                    .sha256 = {}};
  label.mechanism = entry.name;
  label.parameters = noise.parameters;
  label.privacy_unit = response ? "one value" : "whatever the stated sensitivity is about";
  if (response) {
    label.covers = {"the value itself: every answer is almost as likely for any other value"};
    label.does_not_cover = {"further answers about the same value: their costs add up"};
  } else {
    label.covers = {"any result that changes by at most the stated sensitivity between neighbours"};
    label.does_not_cover = {"whether the stated sensitivity is right",
                            "other releases from the same data: their costs add up",
                            "parameters that were chosen by looking at the data"};
  }
  return label;
}

Json interval(const std::optional<GridValue>& radius) {
  if (!radius) return Json();
  const GridValue low{-radius->units, radius->exponent};
  return Json::array({Json::number(low.to_decimal()), Json::number(radius->to_decimal())});
}

Result<int> run_noise(Invocation& invocation) {
  GAUZE_TRY(const std::string name, invocation.text("mechanism"));
  const NoiseEntry& entry = find_entry(name);
  GAUZE_TRY_VOID(check_flags(invocation, entry));
  GAUZE_TRY(const std::int64_t count, invocation.integer("count", 1, kMostDraws));
  GAUZE_TRY(const Neighbours neighbours, adjacency_of(invocation));
  GAUZE_TRY(RandomChoice random, RandomChoice::make(invocation));
  GAUZE_TRY(const PreparedNoise noise, entry.prepare(invocation));
  if (noise.cost.delta && *noise.cost.delta * Rational(count) >= Rational(1)) {
    return invalid_parameter("{} draws at this delta add up to a delta of 1 or more, which promises nothing", count);
  }

  if (is_response(entry) && invocation.has("ledger"))
    return make_error(
        ErrorCode::usage,
        "randomized-response protects one value from whoever collects it: there is no dataset to charge");
  GAUZE_TRY(publish::Publication publication, begin_publication(invocation, random.is_seeded(), "noise " + name));
  GAUZE_TRY(PrivacyCost cost, noise.cost.times(count));
  cost.unit = invocation.optional_text("unit").value_or("");
  cost.neighbours = is_response(entry) ? Neighbours::any_two_inputs : neighbours;
  GAUZE_TRY(const bool granted, reserve(invocation, publication, cost));
  if (!granted) return 0;  // this request was answered before
  PrivacyLabel label = make_label(entry, noise, cost, count);
  GAUZE_TRY(NumberStream values, NumberStream::begin(invocation, publication,
                                                     Json::object({{"mechanism", entry.name},
                                                                   {"parameters", noise.parameters},
                                                                   {"variance", noise.variance},
                                                                   {"interval95", interval(noise.radius95)}}),
                                                     "values", std::move(label)));
  Progress silent;
  Progress& bar = values.is_seen() ? silent : invocation.progress();
  bar.begin("drawing", static_cast<std::uint64_t>(count));
  constexpr std::int64_t kBatch = 4096;
  for (std::int64_t left = count; left > 0; left -= kBatch) {
    GAUZE_TRY_VOID(invocation.progress().check());
    const auto draws = static_cast<std::size_t>(std::min(left, kBatch));
    GAUZE_TRY_VOID(values.add(noise.draw(random, draws)));
    bar.advance(draws);
  }
  return values.finish();
}

std::vector<std::string> mechanism_names() {
  std::vector<std::string> names;
  for (const NoiseEntry& entry : noise_catalogue()) names.push_back(entry.name);
  return names;
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
          "With --json: mechanism, parameters, variance and interval95 of the noise as drawn (around 0), values, "
          "label.",
      .examples = {{"gauze noise geometric --epsilon 1 --value 1234", "a noisy count"},
                   {"gauze noise laplace --epsilon 0.5 --sensitivity 10 --value 73.2 --json",
                    "a noisy sum, for programs"},
                   {"gauze noise gaussian --epsilon 1 --delta 1e-6 --count 5", "five draws of Gaussian noise"},
                   {"gauze noise randomized-response --epsilon 2 --categories 4 --value 3", "one private answer"}},
      .positionals = {{.name = "mechanism", .help = "the law of the noise", .choices = mechanism_names()}},
      .flags =
          {epsilon_flag(),
           delta_flag(),
           {.name = "scale", .placeholder = "T", .help = "instead of epsilon: scale of (discrete) Laplace noise"},
           {.name = "sigma", .placeholder = "S", .help = "instead of epsilon and delta: sigma of Gaussian noise"},
           sensitivity_flag(),
           {.name = "value",
            .placeholder = "X",
            .help = "the true value; it is never repeated in any output",
            .default_text = "0",
            .carries_data = true},
           count_flag(),
           {.name = "granularity-bits",
            .placeholder = "B",
            .help = "the grid is the largest power of two up to scale / 2^B (laplace, gaussian, staircase)",
            .default_text = "40"},
           {.name = "bound", .placeholder = "B", .help = "snapping: clamp values and outputs to [-B, B]"},
           {.name = "categories", .placeholder = "K", .help = "randomized-response: values are 0 to K-1"},
           adjacency_flag(),
           unit_flag(),
           seed_flag(),
           insecure_seed_flag(),
           output_flag()},
      .run = run_noise};
  for (Flag& flag : account_flags()) command.flags.push_back(std::move(flag));
  registry.add(std::move(command));
}

}  // namespace gauze::cli
