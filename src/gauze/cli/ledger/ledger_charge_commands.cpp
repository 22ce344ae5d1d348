// ledger create, declare, spend, reserve, commit: what changes a budget.
#include "gauze/cli/core/commands.h"
#include "gauze/cli/flags/shared_flags.h"
#include "gauze/cli/ledger/ledger_output.h"
#include "gauze/files/json_reader.h"
#include "gauze/publish/publication.h"

namespace gauze::cli {
namespace {

constexpr std::pair<const char*, Charge::Kind> kCharges[] = {{"epsilon", Charge::Kind::epsilon},
                                                             {"rho", Charge::Kind::rho},
                                                             {"mu", Charge::Kind::mu},
                                                             {"rdp", Charge::Kind::rdp}};

Flag required(Flag flag) {
  flag.required = true;
  return flag;
}

Flag defaulting(Flag flag, const char* text) {
  flag.default_text = text;
  return flag;
}

/// --window with the limit that goes with the total.
Result<void> read_window(const Invocation& invocation, DatasetOptions& options) {
  const char* fitting = options.rho ? "window-rho" : "window-epsilon";
  const char* other = options.rho ? "window-epsilon" : "window-rho";
  if (invocation.has(other)) {
    return make_error(ErrorCode::usage, "a total in {} takes --{}, not --{}", options.rho ? "rho" : "epsilon",
                      fitting, other);
  }
  if (invocation.has("window") != invocation.has(fitting)) {
    return make_error(ErrorCode::usage, "--window and --{} go together", fitting);
  }
  if (!invocation.has("window")) return {};
  GAUZE_TRY(const std::string length, invocation.text("window"));
  GAUZE_TRY(options.window_seconds, parse_window(length));
  GAUZE_TRY(options.window_limit, invocation.rational(fitting));
  return {};
}

Result<DatasetTerms> read_terms(const Invocation& invocation) {
  DatasetOptions options;
  GAUZE_TRY(options.name, invocation.text("dataset"));
  GAUZE_TRY(options.unit, invocation.text("unit"));
  GAUZE_TRY(options.neighbours, invocation.value("neighbours", kOneUnitWords));
  GAUZE_TRY(options.epsilon, invocation.optional_rational("epsilon"));
  GAUZE_TRY(options.delta, invocation.optional_rational("delta"));
  GAUZE_TRY(options.rho, invocation.optional_rational("rho"));
  if (options.epsilon.has_value() == options.rho.has_value()) {
    return make_error(ErrorCode::usage,
                      "a dataset needs a lifetime total: --epsilon E [--delta D], or --rho R [--delta D]");
  }
  options.accountant = invocation.optional_text("accountant").value_or("");
  GAUZE_TRY_VOID(read_window(invocation, options));
  GAUZE_TRY(options.max_per_query, invocation.optional_rational("max-per-query"));
  GAUZE_TRY(options.max_delta_per_query, invocation.optional_rational("max-delta-per-query"));
  if (invocation.has("max-queries")) {
    GAUZE_TRY(options.max_queries, invocation.integer("max-queries", 1));
  }
  return DatasetTerms::make(options);
}

Result<int> run_create(Invocation& invocation) {
  GAUZE_TRY(const DatasetTerms terms, read_terms(invocation));
  GAUZE_TRY(const std::string path, invocation.text("ledger"));
  GAUZE_TRY(Ledger ledger, Ledger::create(path));
  GAUZE_TRY(const ChainedEntry created, ledger.create_dataset(terms));
  GAUZE_TRY(const Balance balance, ledger.balance(terms.name));
  if (!invocation.has("accountant") && terms.accountant.kind() == PrivacyFilter::Kind::zcdp &&
      invocation.has("epsilon"))
    invocation.note(
        "accountant zcdp, because the total has a delta: it suits many small releases, and Gaussian ones; for a few pure or "
        "(epsilon, delta) releases whose costs simply add up, create the dataset with --accountant basic");
  if (invocation.json()) {
    Json json = Json::object({{"entry", created.entry.number}});
    const Json whole = balance.to_json();
    for (const auto& [key, value] : *whole.members()) json.set(key, value);
    invocation.print_json(json.set("head", created.hash));
    return 0;
  }
  const std::string worth = terms.worth_text();
  invocation.out().print("entry {}: '{}' with a lifetime total of {}; accountant {}\n{}head {}\n",
                         created.entry.number, terms.name, figures_text(terms.total_json()), terms.accountant.name(),
                         worth.empty() ? "" : worth + "\n", created.hash);
  return 0;
}

Result<int> run_declare(Invocation& invocation) {
  GAUZE_TRY(const std::string dataset, invocation.text("dataset"));
  GAUZE_TRY(const Neighbours neighbours, invocation.value("neighbours", kOneUnitWords));
  GAUZE_TRY(Ledger ledger, open_ledger(invocation, false));
  GAUZE_TRY(const ChainedEntry declared, ledger.declare(dataset, neighbours));
  if (invocation.json()) {
    invocation.print_json(Json::object({{"entry", declared.entry.number},
                                        {"dataset", dataset},
                                        {"neighbours", to_string(neighbours)},
                                        {"head", declared.hash}}));
    return 0;
  }
  invocation.out().print("entry {}: the neighbours of '{}' are {}\nhead {}\n", declared.entry.number, dataset,
                         to_string(neighbours), declared.hash);
  return 0;
}

Result<Charge> read_charge(const Invocation& invocation) {
  std::optional<Charge::Kind> kind;
  std::string name;
  for (const auto& [flag, candidate] : kCharges) {
    if (!invocation.has(flag)) continue;
    if (kind) return make_error(ErrorCode::usage, "a charge is given by one of --epsilon, --rho, --mu, --rdp");
    kind = candidate;
    name = flag;
  }
  if (!kind) {
    return make_error(ErrorCode::usage,
                      "a charge needs --epsilon E [--delta D], --rho R [--delta D], --mu M or --rdp R");
  }
  GAUZE_TRY(const Rational amount, invocation.rational(name));
  GAUZE_TRY(const auto delta, invocation.optional_rational("delta"));
  return Charge::make(*kind, amount, delta.value_or(Rational()));
}

/// All that a charge asks for, so that another charge under the same id is told apart.
std::string digest_of(const char* command, const ChargeRequest& request) {
  const Json asked = Json::object({{"purpose", request.purpose},
                                   {"charge", request.charge.to_json()},
                                   {"unit", request.unit},
                                   {"neighbours", request.neighbours ? Json(to_string(*request.neighbours)) : Json()},
                                   {"corrects", request.corrects ? Json(*request.corrects) : Json()}});
  return publish::request_digest(command, asked, request.analyst, {});
}

Result<ChargeRequest> read_request(const Invocation& invocation, const char* command) {
  ChargeRequest request;
  GAUZE_TRY(request.dataset, invocation.text("dataset"));
  GAUZE_TRY(request.analyst, invocation.text("analyst"));
  GAUZE_TRY(request.charge, read_charge(invocation));
  request.purpose = invocation.optional_text("purpose").value_or("");
  request.unit = invocation.optional_text("unit").value_or("");
  if (invocation.has("neighbours")) {
    GAUZE_TRY(request.neighbours, invocation.value("neighbours", kOneUnitWords));
  }
  if (invocation.has("corrects")) {
    GAUZE_TRY(request.corrects, invocation.integer("corrects", 1));
  }
  if (const auto id = invocation.optional_text("request")) {
    request.request = {.id = *id, .digest = digest_of(command, request)};
  }
  return request;
}

/// What a request gave that is asked again: nothing was charged, and nothing is to be drawn.
Result<int> show_repeated(Invocation& invocation, const Ledger& ledger, const std::string& dataset,
                          const std::string& id, const RequestRecord& record) {
  GAUZE_TRY(const Balance balance, ledger.balance(dataset));
  GAUZE_TRY(const std::string head, ledger.head());
  const Outcome& outcome = record.outcome;
  const auto label = read_json(outcome.label);
  if (invocation.json()) {
    Json json = Json::object({{"request", id}, {"repeated", true}, {"dataset", dataset}, {"entry", record.entry}});
    json.set("committed_by", record.committed_by).set("label", label ? *label : Json());
    json.set("output_sha256", outcome.output_sha256.empty() ? Json() : Json(outcome.output_sha256));
    invocation.print_json(json.set("spent", balance.spent_json()).set("left", balance.left_json()).set("head", head));
    return 0;
  }
  invocation.out().print("entry {}: request '{}' on '{}' was answered already, nothing is charged; left {}\n",
                         record.committed_by, id, dataset, figures_text(balance.left_json()));
  if (!outcome.output_sha256.empty()) invocation.out().print("output {}\n", outcome.output_sha256);
  if (label) invocation.out().print("{}\n", label->dump(2));
  invocation.out().print("head {}\n", head);
  return 0;
}

Result<int> run_charge(Invocation& invocation, bool reserve) {
  GAUZE_TRY(const ChargeRequest request, read_request(invocation, reserve ? "ledger reserve" : "ledger spend"));
  GAUZE_TRY(Ledger ledger, open_ledger(invocation, false));
  const Granted granted = reserve ? ledger.reserve(request) : ledger.spend(request);
  if (!granted && granted.error().request && granted.error().request->is_committed()) {
    return show_repeated(invocation, ledger, request.dataset, request.request->id, *granted.error().request);
  }
  if (!granted) {
    explain(invocation, granted.error());
    return tl::unexpected<Error>(granted.error());
  }
  const Json left = granted->balance.left_json();
  if (invocation.json()) {
    Json json = Json::object();
    if (request.request) json.set("request", request.request->id).set("repeated", false);
    if (reserve) json.set("reservation", granted->entry);
    json.set("entry", granted->entry).set("charged", cost_json(granted->cost, *granted->balance.terms));
    json.set("spent", granted->balance.spent_json()).set("left", left).set("head", granted->head);
    invocation.print_json(json);
    return 0;
  }
  invocation.out().print("{} {}: charged {} to '{}'; left {}\nhead {}\n", reserve ? "reservation" : "entry",
                         granted->entry, charge_text(request.charge, granted->charged), request.dataset,
                         figures_text(left), granted->head);
  return 0;
}

/// The request that a reservation was made under, which must have this id.
Result<RequestRecord> request_of(const Ledger& ledger, const ChainedEntry& reserved, const std::string& id) {
  if (reserved.entry.request == id) {
    GAUZE_TRY(const auto record, ledger.find_request(reserved.entry.dataset, id));
    if (record) return *record;
  }
  return invalid_parameter("reservation {} was not made under the request id '{}'", reserved.entry.number, id);
}

Result<int> run_commit(Invocation& invocation) {
  GAUZE_TRY(const std::int64_t reservation, invocation.integer("reservation", 1));
  GAUZE_TRY(Ledger ledger, open_ledger(invocation, false));
  if (const auto id = invocation.optional_text("request")) {
    GAUZE_TRY(const ChainedEntry reserved, ledger.entry(reservation));
    GAUZE_TRY(const RequestRecord record, request_of(ledger, reserved, *id));
    if (record.is_committed()) return show_repeated(invocation, ledger, reserved.entry.dataset, *id, record);
  }
  GAUZE_TRY(const ChainedEntry committed, ledger.commit(reservation));
  if (invocation.json()) {
    invocation.print_json(Json::object({{"entry", committed.entry.number},
                                        {"reservation", reservation},
                                        {"dataset", committed.entry.dataset},
                                        {"head", committed.hash}}));
    return 0;
  }
  invocation.out().print("entry {}: reservation {} on '{}' is committed\nhead {}\n", committed.entry.number,
                         reservation, committed.entry.dataset, committed.hash);
  return 0;
}

Positional dataset_positional() { return {.name = "dataset", .help = "the dataset's name in the ledger"}; }

std::vector<Flag> charge_flags() {
  return {
      required(ledger_flag()),
      required(analyst_flag()),
      epsilon_flag(),
      delta_flag(),
      {.name = "rho",
       .placeholder = "R",
       .help = "instead of epsilon: zero-concentrated privacy loss; with --delta the approximate kind"},
      {.name = "mu", .placeholder = "M", .help = "instead of epsilon: Gaussian differential privacy"},
      {.name = "rdp",
       .placeholder = "R",
       .help = "instead of epsilon: Renyi privacy loss at the order of an rdp:ORDER accountant"},
      {.name = "unit", .placeholder = "TEXT", .help = "whom the cost is about, if it is said: the dataset's unit"},
      neighbours_flag(),
      {.name = "purpose", .placeholder = "TEXT", .help = "what it is for; stands in the ledger"},
      {.name = "corrects", .placeholder = "N", .help = "the charge adds what charge N took too little"},
      {.name = "request",
       .placeholder = "ID",
       .help = "charge once under this id of the dataset; asked again, nothing is charged"}};
}

Command create_command() {
  return {
      .name = "ledger create",
      .group = "Budget",
      .summary = "Open a privacy budget for a dataset",
      .description =
          "Enters a dataset with its lifetime total into the ledger, which is made if it is not there. The total "
          "and the accountant never change and never renew. Under zcdp, rdp and gdp half of the delta of an epsilon total "
          "is kept for the conversion into (epsilon, delta), half is left to the charges. A total in rho may have a "
          "delta, too (approximate zCDP); all of it is left to the charges. What such a total is worth as one pure "
          "release is shown.\n\n"
          "The privacy unit and the neighbour relation belong to the dataset: a charge about another unit is refused, a "
          "cost under add-remove on a replace-one dataset is charged for a group of two, the converse is refused.\n\n"
          "A window limits what may be spent before it renews by the clock; the total stays what it is.",
      .examples = {{"gauze ledger create visits --ledger clinic.ledger --epsilon 1", "a pure total of 1"},
                   {"gauze ledger create stays --ledger clinic.ledger --epsilon 4 --delta 1e-6 --window 30d "
                    "--window-epsilon 1 --unit 'one patient'",
                    "at most 1 in 30 days, and 4 in all"},
                   {"gauze ledger create scans --ledger clinic.ledger --rho 0.5 --max-queries 100",
                    "a total in rho"}},
      .positionals = {dataset_positional()},
      .flags = {required(ledger_flag()),
                {.name = "epsilon", .placeholder = "E", .help = "lifetime total of epsilon"},
                {.name = "delta",
                 .placeholder = "D",
                 .help = "lifetime total of delta, beside epsilon or rho; epsilon without it is a pure total"},
                {.name = "rho", .placeholder = "R", .help = "instead of epsilon: lifetime total of rho"},
                {.name = "accountant",
                 .placeholder = "KIND",
                 .help = "basic, zcdp, rdp:ORDER or gdp; basic for pure totals, else zcdp"},
                {.name = "window", .placeholder = "LENGTH", .help = "30d, 12h, 2w: how long until a window renews"},
                {.name = "window-epsilon", .placeholder = "W", .help = "what a window may spend, for epsilon totals"},
                {.name = "window-rho", .placeholder = "W", .help = "what a window may spend, for totals in rho"},
                {.name = "max-per-query",
                 .placeholder = "X",
                 .help = "the most one charge may cost, in the total's terms"},
                {.name = "max-delta-per-query",
                 .placeholder = "D",
                 .help = "the most delta one charge may have, for totals with a delta"},
                {.name = "max-queries", .placeholder = "N", .help = "how many charges there may be"},
                {.name = "unit", .placeholder = "TEXT", .help = "whom it protects", .default_text = "one row"},
                defaulting(neighbours_flag(), "add-remove")},
      .run = run_create};
}

}  // namespace

void register_ledger_charge_commands(Registry& registry) {
  registry.add(create_command());
  registry.add(
      {.name = "ledger declare",
       .group = "Budget",
       .summary = "Say once which neighbours a dataset of an older ledger is about",
       .description =
           "Ledgers of format 1 did not record the neighbour relation. Nothing can be charged to their datasets "
           "until it is declared, once: add-remove when the costs so far were about adding or removing one unit, "
           "replace-one when they were about replacing it. New datasets say it when they are created.",
       .examples = {{"gauze ledger declare visits --ledger clinic.ledger --neighbours add-remove",
                     "charges to visits are possible again"}},
       .positionals = {dataset_positional()},
       .flags = {required(ledger_flag()), required(neighbours_flag())},
       .run = run_declare});
  registry.add(
      {.name = "ledger spend",
       .group = "Budget",
       .summary = "Charge a release to a budget",
       .description =
           "Records the charge if all limits allow it: exit 0, and it is on the disk. Else nothing is recorded "
           "and the exit status is 3, with what is left and the largest charge that would be allowed. Amounts "
           "are exact decimals; charges round up.\n\n"
           "With --request the charge is made once under that id: the same command again charges nothing and exits "
           "with 0, the same id with another charge is refused (exit 2).\n\n"
           "Keep the head that is printed somewhere else: 'gauze ledger verify --head' finds a file that was "
           "rolled back.",
       .examples = {{"gauze ledger spend visits --ledger clinic.ledger --analyst ana --epsilon 0.1 --purpose "
                     "'ages'",
                     "a tenth of epsilon"},
                    {"gauze ledger spend scans --ledger clinic.ledger --analyst ana --rho 0.01 --json",
                     "for programs"}},
       .positionals = {dataset_positional()},
       .flags = charge_flags(),
       .run = [](Invocation& invocation) { return run_charge(invocation, false); }});
  registry.add(
      {.name = "ledger reserve",
       .group = "Budget",
       .summary = "Charge before the data is read",
       .description =
           "Charges at once, before a release looks at the data; 'gauze ledger commit' records that the "
           "release took place. A reservation that is never committed stays charged: whether a release failed "
           "may itself depend on the data.\n\n"
           "With --request the same command again charges nothing: before the commit it is refused (exit 3, "
           "request_unfinished), after it exits with 0 and gives the label and the digest of the output that were "
           "recorded. The same id with another charge is refused (exit 2).",
       .examples = {{"gauze ledger reserve visits --ledger clinic.ledger --analyst ana --epsilon 0.1",
                     "prints the number of the reservation"}},
       .positionals = {dataset_positional()},
       .flags = charge_flags(),
       .run = [](Invocation& invocation) { return run_charge(invocation, true); }});
  registry.add(
      {.name = "ledger commit",
       .group = "Budget",
       .summary = "Record that a reserved release took place",
       .description =
           "Costs nothing: the reservation has paid. A reservation is committed once. With --request the "
           "reservation must be the one of that request, and the same command again exits with 0 and changes "
           "nothing.",
       .examples = {{"gauze ledger commit 12 --ledger clinic.ledger", "reservation 12"}},
       .positionals = {{.name = "reservation", .help = "the number that 'ledger reserve' printed"}},
       .flags = {required(ledger_flag()),
                 {.name = "request", .placeholder = "ID", .help = "the id it was reserved under"}},
       .run = run_commit});
}

}  // namespace gauze::cli
