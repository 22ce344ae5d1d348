#include <algorithm>
#include <cmath>

#include "gauze/accounting/accountant.h"
#include "gauze/accounting/calibration.h"
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

Json json_of(const Bounds& bounds) {
  return Json::object({{"lower", bounds.lower ? Json(*bounds.lower) : Json()}, {"upper", bounds.upper}});
}

Json all_of(const std::vector<Accountant::Answer>& answers, std::string_view figure) {
  Json all = Json::object();
  for (const Accountant::Answer& answer : answers) {
    const bool two_sided = answer.method == Method::pld || answer.method == Method::exact;
    Json entry = two_sided ? json_of(answer.bounds) : Json::object({{std::string(figure), answer.bounds.upper}});
    if (answer.order) entry.set("order", *answer.order);
    all.set(to_string(answer.method), std::move(entry));
  }
  return all;
}

/// The best upper bound with the tightest lower bound of any method, which never exceeds it.
Bounds tightest(const std::vector<Accountant::Answer>& answers) {
  Bounds bounds = answers.front().bounds;
  for (const Accountant::Answer& answer : answers) {
    if (answer.bounds.lower)
      bounds.lower = std::min(bounds.upper, std::max(bounds.lower.value_or(0), *answer.bounds.lower));
  }
  return bounds;
}

/// Says how far apart the bounds are, and aloud if that is further than usual.
void add_gap(Invocation& invocation, Json& object, const Bounds& bounds) {
  if (!bounds.lower) {
    object.set("gap", Json());
    object.set("wide", Json());
    return;
  }
  const double gap = bounds.upper - *bounds.lower, usual = default_accuracy(bounds.upper);
  object.set("gap", gap);
  object.set("wide", gap > usual);
  if (gap > usual) {
    invocation.warn(
        {"wide_bounds", fmt::format("The bounds lie further apart than the usual {:.2g}: the true epsilon "
                                    "is between {} and {}. The upper one holds.",
                                    usual, *bounds.lower, bounds.upper)});
  }
}

/// What is claimed about a composition that nobody has released yet.
PrivacyLabel cost_label(const PrivacyEvent& event, double epsilon, double delta) {
  PrivacyLabel label;
  label.released = {.kind = "statement of what a composition costs", .count = {}, .file = {}, .sha256 = {}};
  label.mechanism = to_string(event.kind);
  label.parameters = Json::object({{"steps", event.count}, {"sensitivity", event.sensitivity}});
  label.privacy_unit = "whatever the stated sensitivity is about";
  label.neighbours = event.neighbours;
  label.definition = delta > 0 ? Definition::approximate : Definition::pure;
  label.cost.epsilon = Rational(epsilon).to_decimal_up();
  if (delta > 0) label.cost.delta = Rational(delta).to_decimal_up();
  label.covers = {"all runs together, their number fixed beforehand"};
  label.does_not_cover = {"whether the mechanism was run as stated, and its sensitivity",
                          "stopping early or late because of what was seen"};
  if (event.sampling != PrivacyEvent::Sampling::none) {
    label.does_not_cover.emplace_back(
        "other ways of sampling: shuffling and passing through the data is not this one");
  }
  return label;
}

void warn_about_orders(Invocation& invocation, const std::vector<Accountant::Answer>& answers) {
  for (const Accountant::Answer& answer : answers) {
    if (answer.order_at_edge && answer.method == Method::rdp && &answer == &answers.front()) {
      invocation.warn(
          {"order_at_edge", "The best Renyi order is at the edge of those tried; --orders gives others."});
    }
  }
}

/// Nothing is released by saying what something would cost: nobody is charged.
Result<int> deliver_cost(Invocation& invocation, const std::string& plain, Json object, PrivacyLabel label) {
  GAUZE_TRY(publish::Publication publication, begin_publication(invocation, false));
  return deliver(invocation, publication, plain, std::move(object), std::move(label));
}

Result<int> print_epsilon(Invocation& invocation, const Accountant& accountant, const PrivacyEvent& event,
                          Method method) {
  GAUZE_TRY(const Rational text, invocation.rational("delta"));
  const double delta = text.to_double_down();
  GAUZE_TRY(const auto answers, accountant.epsilon(delta, method));
  const Accountant::Answer& best = answers.front();
  if (std::isinf(best.bounds.upper)) {
    return make_error(ErrorCode::infeasible,
                      "no finite epsilon holds at this delta: the events' own deltas exceed it");
  }
  warn_about_orders(invocation, answers);
  const Bounds bounds = tightest(answers);
  Json object = Json::object({{"epsilon", json_of(bounds)},
                              {"delta", Json::number(text.to_decimal())},
                              {"method", to_string(best.method)},
                              {"all", all_of(answers, "epsilon")}});
  add_gap(invocation, object, bounds);
  std::string plain =
      fmt::format("epsilon {} at delta {} ({})\n", best.bounds.upper, text.to_decimal(), to_string(best.method));
  return deliver_cost(invocation, plain, object, cost_label(event, best.bounds.upper, delta));
}

Result<int> print_delta(Invocation& invocation, const Accountant& accountant, const PrivacyEvent& event,
                        Method method) {
  GAUZE_TRY(const Rational text, invocation.rational("target-epsilon"));
  const double epsilon = text.to_double_down();
  GAUZE_TRY(const auto answers, accountant.delta(epsilon, method));
  const Accountant::Answer& best = answers.front();
  const Json object = Json::object({{"epsilon", Json::number(text.to_decimal())},
                                    {"delta", json_of(best.bounds)},
                                    {"method", to_string(best.method)},
                                    {"all", all_of(answers, "delta")}});
  std::string plain =
      fmt::format("delta {} at epsilon {} ({})\n", best.bounds.upper, text.to_decimal(), to_string(best.method));
  if (best.bounds.upper >= 1) return make_error(ErrorCode::infeasible, "no delta below 1 holds at this epsilon");
  return deliver_cost(invocation, plain, object, cost_label(event, text.to_double_up(), best.bounds.upper));
}

/// A composition from a file: the worst of what one unit can meet.
Result<int> print_spec(Invocation& invocation) {
  GAUZE_TRY(const std::string path, invocation.text("spec"));
  GAUZE_TRY(const std::string text, invocation.read_input(path, 1U << 20));
  GAUZE_TRY(const CompositionSpec spec, parse_composition_spec(text));
  GAUZE_TRY(const Rational delta_text, invocation.rational("delta"));
  GAUZE_TRY(const std::string method_name, invocation.text("method"));
  const double delta = delta_text.to_double_down();
  std::optional<Accountant::Answer> worst;
  std::vector<Accountant::Answer> all;
  invocation.progress().begin("accounting", spec.alternatives.size());
  for (const auto& events : spec.alternatives) {
    GAUZE_TRY(const Accountant accountant, Accountant::make(events));
    GAUZE_TRY(const auto answers, accountant.epsilon(delta, *parse_method(method_name)));
    if (!worst || answers.front().bounds.upper > worst->bounds.upper) {
      worst = answers.front();
      all = answers;
    }
    invocation.progress().advance();
    GAUZE_TRY_VOID(invocation.progress().check());
  }
  if (std::isinf(worst->bounds.upper)) {
    return make_error(ErrorCode::infeasible,
                      "no finite epsilon holds at this delta: the events' own deltas exceed it");
  }
  const Bounds bounds = tightest(all);
  Json object = Json::object({{"epsilon", json_of(bounds)},
                              {"delta", Json::number(delta_text.to_decimal())},
                              {"method", to_string(worst->method)},
                              {"all", all_of(all, "epsilon")}});
  add_gap(invocation, object, bounds);
  const std::string plain = fmt::format("epsilon {} at delta {} ({})\n", worst->bounds.upper, delta_text.to_decimal(),
                                        to_string(worst->method));
  PrivacyLabel label = cost_label(spec.alternatives.front().front(), worst->bounds.upper, delta);
  label.mechanism = "composition";
  label.parameters = Json::object({{"events", spec.alternatives.front().size()}});
  label.privacy_unit = "whatever the stated sensitivities are about";
  if (spec.alternatives.size() > 1) {
    label.does_not_cover.emplace_back("parallel parts that were chosen by looking at the data");
  }
  return deliver_cost(invocation, plain, object, std::move(label));
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
  return invocation.has("delta") ? print_epsilon(invocation, accountant, event, method)
                                 : print_delta(invocation, accountant, event, method);
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
