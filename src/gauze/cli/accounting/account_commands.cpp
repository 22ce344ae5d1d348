#include <algorithm>

#include "gauze/accounting/accountant.h"
#include "gauze/accounting/calibration.h"
#include "gauze/accounting/cost_statement.h"
#include "gauze/accounting/spec.h"
#include "gauze/cli/accounting/event_flags.h"
#include "gauze/cli/core/commands.h"
#include "gauze/cli/flags/publishing.h"
#include "gauze/cli/flags/shared_flags.h"

namespace gauze::cli {
namespace {

using Method = Accountant::Method;

std::vector<Flag> with_event_flags(std::vector<Flag> flags) {
  for (Flag& flag : event_flags()) flags.push_back(std::move(flag));
  return flags;
}

/// Nothing is released by saying what something would cost: nobody is charged.
Result<int> deliver(Invocation& invocation, const CostStatement& statement) {
  GAUZE_TRY_VOID(check_plain_output(invocation));
  invocation.warn_all(statement.warnings());
  const Accountant::Answer& best = statement.answers.front();
  const std::string plain = statement.asked_for_delta
                                ? fmt::format("delta {} at epsilon {} ({})\n", best.bounds.upper,
                                              statement.epsilon.to_decimal(), to_string(best.method))
                                : fmt::format("epsilon {} at delta {} ({})\n", best.bounds.upper,
                                              statement.delta.to_decimal(), to_string(best.method));
  GAUZE_TRY(publish::Publication publication, begin_publication(invocation, false));
  return deliver(invocation, publication, plain, statement.to_json(), statement.label);
}

/// A composition from a file.
Result<int> print_spec(Invocation& invocation) {
  GAUZE_TRY(const std::string path, invocation.text("spec"));
  GAUZE_TRY(const std::string text, invocation.read_input(path, 1U << 20));
  GAUZE_TRY(const CompositionSpec spec, parse_composition_spec(text));
  GAUZE_TRY(const Rational delta, invocation.rational("delta"));
  GAUZE_TRY(const std::string method, invocation.text("method"));
  GAUZE_TRY(const CostStatement statement,
            CostStatement::epsilon_of(spec, delta, *parse_method(method), invocation.progress()));
  return deliver(invocation, statement);
}

Result<int> print_renyi(Invocation& invocation, const Accountant& accountant) {
  GAUZE_TRY(const Rational order, invocation.rational("renyi"));
  GAUZE_TRY(const double rdp, accountant.renyi(order.to_double()));
  if (invocation.json()) {
    invocation.print_json(Json::object({{"rdp", rdp}, {"order", Json::number(order.to_decimal())}}));
  } else {
    invocation.out().print("{}\n", rdp);
  }
  return 0;
}

Result<int> run_account(Invocation& invocation) {
  if (invocation.has("spec") == invocation.has("mechanism")) {
    return make_error(ErrorCode::usage, "give a mechanism, or a composition with --spec");
  }
  if (invocation.has("spec")) return print_spec(invocation);
  int questions = 0;
  for (const char* flag : {"delta", "target-epsilon", "renyi"}) questions += invocation.has(flag) ? 1 : 0;
  if (questions != 1) return make_error(ErrorCode::usage, "give one of --delta, --target-epsilon and --renyi");
  GAUZE_TRY(PrivacyEvent event, read_event(invocation, {"sigma", "scale", "rho", "epsilon"}));
  if ((event.kind == PrivacyEvent::Kind::approximate) != invocation.has("delta-event")) {
    return make_error(ErrorCode::usage, "--delta-event goes with approx, and approx needs it");
  }
  if (invocation.has("delta-event")) {
    GAUZE_TRY(const Rational own, invocation.rational("delta-event"));
    event.delta = own.to_double_up();
  }
  GAUZE_TRY(Accountant accountant, Accountant::make({event}));
  if (invocation.has("orders")) {
    GAUZE_TRY(const std::vector<Rational> orders, invocation.rationals("orders"));
    std::vector<double> values;
    for (const Rational& order : orders) {
      if (order <= Rational(1)) return invalid_parameter("every order must be above 1");
      values.push_back(order.to_double());
    }
    std::sort(values.begin(), values.end());
    accountant.set_orders(std::move(values));
  }
  if (invocation.has("renyi")) return print_renyi(invocation, accountant);
  GAUZE_TRY(const std::string method_name, invocation.text("method"));
  const Method method = *parse_method(method_name);
  const bool for_epsilon = invocation.has("delta");
  GAUZE_TRY(const Rational given, invocation.rational(for_epsilon ? "delta" : "target-epsilon"));
  GAUZE_TRY(const CostStatement statement, for_epsilon ? CostStatement::epsilon_at(accountant, event, given, method)
                                                       : CostStatement::delta_at(accountant, event, given, method));
  return deliver(invocation, statement);
}

Result<int> run_calibrate(Invocation& invocation) {
  GAUZE_TRY(const std::string solve, invocation.text("solve"));
  const bool for_noise = solve == std::string_view("noise");
  GAUZE_TRY(const Rational target, invocation.rational("epsilon"));
  GAUZE_TRY(const auto delta_text, invocation.optional_rational("delta"));
  const double epsilon = target.to_double_down();
  const double delta = delta_text ? delta_text->to_double_down() : 0;
  if (for_noise && (invocation.has("sigma") || invocation.has("scale"))) {
    return make_error(ErrorCode::usage, "--sigma and --scale go with --solve steps or --solve sampling");
  }
  using Amounts = std::vector<std::string_view>;
  GAUZE_TRY(const PrivacyEvent event, read_event(invocation, for_noise ? Amounts{} : Amounts{"sigma", "scale"}));
  const bool gaussian =
      event.kind == PrivacyEvent::Kind::gaussian || event.kind == PrivacyEvent::Kind::discrete_gaussian;
  const std::string key = !for_noise ? solve : gaussian ? "sigma" : "scale";
  GAUZE_TRY(const double value, for_noise                          ? calibrate_noise(event, epsilon, delta)
                                : key == std::string_view("steps") ? calibrate_steps(event, epsilon, delta)
                                                                   : calibrate_rate(event, epsilon, delta));
  if (invocation.json()) {
    invocation.print_json(Json::object({{key, value}}));
  } else {
    invocation.out().print("{}\n", value);
  }
  return 0;
}

}  // namespace

void register_account_commands(Registry& registry) {
  std::vector<std::string> methods = {"auto", "basic", "advanced", "zcdp", "rdp", "pld", "exact"};
  const Positional mechanism{.name = "mechanism", .help = "what is run", .choices = event_names(), .optional = true};
  const std::vector<Flag> amounts = {
      {.name = "sigma", .placeholder = "S", .help = "standard deviation of Gaussian noise"},
      {.name = "scale", .placeholder = "B", .help = "scale of Laplace noise"},
      {.name = "rho", .placeholder = "R", .help = "zcdp: the cost of one run"}};
  std::vector<Flag> account = amounts;
  account.push_back(
      {.name = "epsilon", .placeholder = "E", .help = "epsilon of one run, for mechanisms known by it"});
  account.push_back({.name = "delta-event", .placeholder = "D", .help = "approx: delta of one run"});
  account.push_back({.name = "delta", .placeholder = "D", .help = "print the epsilon that holds at this delta"});
  account.push_back(
      {.name = "target-epsilon", .placeholder = "E", .help = "print the delta that holds at this epsilon"});
  account.push_back(
      {.name = "renyi", .placeholder = "ORDER", .help = "print the Renyi-DP of all runs at this order"});
  account.push_back({.name = "method",
                     .placeholder = "METHOD",
                     .help = "how to account",
                     .default_text = "auto",
                     .choices = methods});
  account.push_back(
      {.name = "orders", .placeholder = "LIST", .help = "the Renyi orders to try, separated by commas"});
  account.push_back({.name = "spec",
                     .placeholder = "FILE",
                     .help = "a composition of several events in YAML, with --delta",
                     .is_file = true});
  account.push_back(output_flag());
  registry.add(
      {.name = "account",
       .group = "Budget",
       .summary = "What a mechanism costs, run many times",
       .description =
           "Prints the epsilon of a composition at a delta, or the delta at an epsilon, by every method that "
           "applies, and takes the best. pld and exact come with a certified lower bound; the others are upper "
           "bounds. The number of runs must be fixed beforehand. It reads no data.",
       .examples = {{"gauze account gaussian --sigma 1 --poisson 0.01 --steps 1000 --delta 1e-5",
                     "training with noisy gradients"},
                    {"gauze account laplace --scale 10 --steps 100 --delta 1e-6 --json", "a hundred noisy sums"},
                    {"gauze account gaussian --sigma 2 --target-epsilon 1", "the delta at epsilon 1"}},
       .positionals = {mechanism},
       .flags = with_event_flags(std::move(account)),
       .run = run_account});

  Flag epsilon = epsilon_flag();
  epsilon.required = true;
  epsilon.help = "the epsilon that all runs together may cost";
  registry.add(
      {.name = "calibrate",
       .group = "Budget",
       .summary = "How much noise a budget asks for",
       .description =
           "Prints the smallest sigma or scale with which a mechanism stays within epsilon and delta, or with --solve "
           "the largest number of steps or sampling rate for noise that is given. What is printed was checked against "
           "the target. It reads no data.",
       .examples = {{"gauze calibrate gaussian --epsilon 1 --delta 1e-6", "one release of Gaussian noise"},
                    {"gauze calibrate gaussian --epsilon 3 --delta 1e-5 --poisson 0.01 --steps 1000",
                     "noise for a training run"},
                    {"gauze calibrate gaussian --sigma 1 --epsilon 3 --delta 1e-5 --poisson 0.01 --solve steps",
                     "how long training may go on"}},
       .positionals = {{.name = "mechanism",
                        .help = "the law of the noise",
                        .choices = {"gaussian", "laplace", "discrete-laplace", "discrete-gaussian"}}},
       .flags =
           with_event_flags({epsilon,
                             {.name = "delta", .placeholder = "D", .help = "the delta that goes with it"},
                             {.name = "solve",
                              .placeholder = "WHAT",
                              .help = "what to look for",
                              .default_text = "noise",
                              .choices = {"noise", "steps", "sampling"}},
                             {.name = "sigma", .placeholder = "S", .help = "with --solve: sigma of Gaussian noise"},
                             {.name = "scale", .placeholder = "B", .help = "with --solve: scale of Laplace noise"}}),
       .run = run_calibrate});
}

}  // namespace gauze::cli
