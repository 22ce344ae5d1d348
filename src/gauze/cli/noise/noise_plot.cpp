#include "gauze/cli/noise/noise_plot.h"

#include "gauze/cli/core/text_table.h"
#include "gauze/cli/flags/seeding.h"
#include "gauze/cli/noise/noise_flags.h"
#include "gauze/files/atomic_file.h"
#include "gauze/mechanisms/job/noise_plot.h"
#include "gauze/report/report.h"

namespace gauze::cli {
namespace {

/// Flags of a release mean nothing here: no number of the user's is drawn around, and nothing leaves that would cost anything.
Result<void> check_plot_flags(const Invocation& invocation) {
  for (const char* flag : {"value", "count", "adjacency", "unit", "output", "ledger", "dataset", "analyst", "purpose",
                           "request", "scale", "sigma"})
    if (invocation.has(flag))
      return make_error(ErrorCode::usage, "--plot takes no --{}: it shows draws around 0, for each of --epsilons",
                        flag);
  if (invocation.has("epsilon") && invocation.has("epsilons"))
    return make_error(ErrorCode::usage, "give --epsilon or --epsilons, not both");
  return {};
}

Result<std::vector<Rational>> plotted_epsilons(const Invocation& invocation) {
  std::vector<Rational> epsilons = {Rational(1, 10), Rational(1), Rational(5), Rational(10)};
  if (invocation.has("epsilon")) {
    GAUZE_TRY(const Rational epsilon, invocation.rational("epsilon"));
    epsilons = {epsilon};
  }
  if (invocation.has("epsilons")) {
    GAUZE_TRY(epsilons, invocation.rationals("epsilons"));
  }
  constexpr std::size_t kMost = 12;
  if (epsilons.size() > kMost) return invalid_parameter("a page shows at most {} epsilons", kMost);
  for (const Rational& epsilon : epsilons)
    if (epsilon.sign() <= 0) return invalid_parameter("epsilon must be positive, but is {}", epsilon.to_decimal());
  return epsilons;
}

void print_plot(Invocation& invocation, const NoisePlot& plot) {
  TextTable table;
  std::vector<std::string> head = {"epsilon", "95 % of the noise within", "before:"};
  for (const std::int64_t value : NoisePlot::example_values()) head.push_back(std::to_string(value));
  table.add(head);
  for (const NoisePlot::Panel& panel : plot.panels()) {
    std::vector<std::string> row = {panel.epsilon.to_decimal(), fmt::format("{:.4g}", panel.radius95), "after:"};
    for (const std::string& example : panel.examples) row.push_back(fmt::format("{:.6g}", std::stod(example)));
    table.add(row);
  }
  invocation.out().write(table.text(invocation.out_style()));
}

}  // namespace

std::vector<Flag> noise_plot_flags() {
  return {{.name = "plot",
           .placeholder = "OUT.html",
           .help = "for teaching: a page with draws around 0 beside their law, for each of --epsilons",
           .is_file = true,
           .makes = Makes::file},
          {.name = "epsilons", .placeholder = "LIST", .help = "with --plot; 0.1,1,5,10 unless given"}};
}

Result<int> run_noise_plot(Invocation& invocation) {
  GAUZE_TRY_VOID(check_plot_flags(invocation));
  GAUZE_TRY(const std::vector<Rational> epsilons, plotted_epsilons(invocation));
  GAUZE_TRY(NoiseRequest request, plotted_noise(invocation));
  GAUZE_TRY(RandomChoice random, RandomChoice::make(invocation));
  GAUZE_TRY(const NoisePlot plot,
            random.draw([&](SecureRandom& secure) { return NoisePlot::make(request, epsilons, secure); },
                        [&](SeededRandom& seeded) { return NoisePlot::simulate(request, epsilons, seeded); }));
  GAUZE_TRY(const std::string path, invocation.text("plot"));
  const Json document = plot.to_json();
  GAUZE_TRY_VOID(write_file(path, render_report(document.dump())));
  if (invocation.json()) {
    invocation.print_json(document);
  } else {
    print_plot(invocation, plot);
    invocation.note(fmt::format("wrote {}", path));
  }
  return 0;
}

}  // namespace gauze::cli
