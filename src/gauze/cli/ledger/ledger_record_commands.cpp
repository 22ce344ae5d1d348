// ledger show, history, analysts, export, import: what the record says, and the whole of it.
#include "gauze/base/joined.h"
#include "gauze/cli/core/commands.h"
#include "gauze/cli/flags/owner_output.h"
#include "gauze/cli/flags/shared_flags.h"
#include "gauze/cli/ledger/ledger_output.h"
#include "gauze/files/json_reader.h"

namespace gauze::cli {
namespace {

constexpr std::size_t kLargestExport = 1U << 30;

Result<int> run_ledger_show(Invocation& invocation) {
  GAUZE_TRY(const Ledger ledger, open_ledger(invocation, true));
  std::vector<Balance> balances;
  const auto name = invocation.optional_text("dataset");
  if (name) {
    GAUZE_TRY(Balance one, ledger.balance(*name));
    balances.push_back(std::move(one));
  } else {
    GAUZE_TRY(balances, ledger.balances());
  }
  GAUZE_TRY(const std::string head, ledger.head());
  if (invocation.json()) {
    Json json = Json::object();
    if (name) {
      json = balances.front().to_json();
    } else {
      json.set("datasets", Json::array());
      Json list = Json::array();
      for (const Balance& balance : balances) list.push(balance.to_json());
      json.set("datasets", std::move(list));
    }
    invocation.print_json(json.set("head", head));
    return 0;
  }
  for (const Balance& balance : balances) {
    invocation.out().write(balance_text(balance, invocation.out_is_terminal(), invocation.out_style()));
  }
  invocation.out().print("head {}\n", head);
  return 0;
}

/// What an entry did, in words.
std::string entry_text(const Json& entry) {
  const auto text = [&](const char* key) { return std::string(entry.find(key)->text()); };
  const std::string kind = text("kind");
  std::string line = fmt::format("{:>6}  {}  {:<8}  {}", text("entry"), text("time"), kind, text("dataset"));
  if (kind == "create") line += fmt::format("  total {}", figures_text(*entry.find("total")));
  if (kind == "progress") line += fmt::format("  reservation {}  steps {}", text("reservation"), text("steps"));
  if (kind == "commit") line += fmt::format("  reservation {}", text("reservation"));
  if (kind == "declare") line += fmt::format("  neighbours {}", text("neighbours"));
  if (kind == "share") line += fmt::format("  {} has {}", text("analyst"), text("share"));
  if (kind == "delegate") line += fmt::format("  {} gives {} {}", text("analyst"), text("receiver"), text("share"));
  if (kind == "spend" || kind == "reserve") {
    line += fmt::format("  {}  {}", text("analyst"), figures_text(*entry.find("charge")));
    const Json* charged = entry.find("charged");
    if (charged != nullptr && charged->dump() != entry.find("charge")->dump()) {
      line += fmt::format("  charged as {}", figures_text(*charged));
    }
    if (entry.find("corrects") != nullptr) line += fmt::format("  corrects {}", text("corrects"));
    if (entry.find("request") != nullptr) line += fmt::format("  request {}", text("request"));
    if (!text("purpose").empty()) line += fmt::format("  {}", text("purpose"));
  }
  return line + "\n";
}

Result<int> run_history(Invocation& invocation) {
  Ledger::HistoryFilter filter;
  filter.dataset = invocation.optional_text("dataset").value_or("");
  filter.analyst = invocation.optional_text("analyst").value_or("");
  if (invocation.has("last")) {
    GAUZE_TRY(filter.last, invocation.integer("last", 1));
  }
  GAUZE_TRY(const Ledger ledger, open_ledger(invocation, true));
  if (!filter.dataset.empty()) GAUZE_TRY_VOID(ledger.balance(filter.dataset));
  GAUZE_TRY(const auto entries, ledger.history(filter));
  GAUZE_TRY(const auto balances, ledger.balances());
  GAUZE_TRY(const std::string head, ledger.head());
  std::vector<Json> shown;
  for (const ChainedEntry& entry : entries) {
    for (const Balance& balance : balances) {
      if (balance.terms->name == entry.entry.dataset) shown.push_back(entry_json(entry, *balance.terms));
    }
  }
  if (invocation.json()) {
    invocation.print_json(Json::object({{"entries", Json::array(std::move(shown))}, {"head", head}}));
    return 0;
  }
  for (const Json& entry : shown) invocation.out().write(entry_text(entry));
  return 0;
}

/// "A=SHARE" of --set, "FROM=TO:SHARE" of --delegate.
Result<ShareChange> read_share(const std::string& flag, const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::size_t colon = flag == "delegate" ? text.rfind(':') : equals;
  const bool complete = equals != std::string::npos && colon != std::string::npos && colon >= equals;
  const auto share = complete ? Rational::parse(text.substr(colon + 1)) : Rational::parse("");
  if (!share) {
    return invalid_parameter("--{} takes {}, with a share between 0 and 1", flag,
                             flag == "delegate" ? "FROM=TO:SHARE" : "ANALYST=SHARE");
  }
  ShareChange change{.analyst = text.substr(0, equals), .share = *share, .receiver = {}};
  if (flag == "delegate") {
    change.receiver = text.substr(equals + 1, colon - equals - 1);
    GAUZE_TRY_VOID(check_name("the name of an analyst", change.receiver));
  }
  return change;
}

Result<std::vector<ShareChange>> read_shares(const Invocation& invocation) {
  std::vector<ShareChange> changes;
  for (const char* flag : {"set", "delegate"}) {
    for (const std::string& text : invocation.texts(flag)) {
      GAUZE_TRY(ShareChange change, read_share(flag, text));
      changes.push_back(std::move(change));
    }
  }
  return changes;
}

Result<int> run_analysts(Invocation& invocation) {
  GAUZE_TRY(const std::string dataset, invocation.text("dataset"));
  GAUZE_TRY(const auto changes, read_shares(invocation));
  GAUZE_TRY(Ledger ledger, open_ledger(invocation, changes.empty()));
  if (!changes.empty()) GAUZE_TRY_VOID(ledger.change_shares(dataset, changes));
  GAUZE_TRY(const auto analysts, ledger.analysts(dataset));
  GAUZE_TRY(const Balance balance, ledger.balance(dataset));
  GAUZE_TRY(const std::string head, ledger.head());
  const DatasetTerms& terms = *balance.terms;
  Json list = Json::array();
  for (const AnalystBalance& one : analysts) {
    list.push(Json::object({{"analyst", one.analyst},
                            {"share", one.share ? Json::number(decimal_of(*one.share, Currency::share)) : Json()},
                            {"spent", cost_json(one.spent, terms)},
                            {"left", cost_json(one.left, terms)},
                            {"queries", one.queries}}));
  }
  if (invocation.json()) {
    invocation.print_json(Json::object({{"dataset", dataset}, {"analysts", std::move(list)}, {"head", head}}));
    return 0;
  }
  for (const Json& one : *list.elements()) {
    const std::string share(one.find("share")->is_null() ? "no share" : one.find("share")->text());
    invocation.out().print(
        "{}: {}; spent {}; left {}; {}\n", one.find("analyst")->text(),
        share == "no share" ? share : "share " + share, figures_text(*one.find("spent")),
        figures_text(*one.find("left")),
        one.find("queries")->text() == "1" ? "1 query" : fmt::format("{} queries", one.find("queries")->text()));
  }
  if (analysts.empty()) invocation.out().print("No one has spent from '{}' yet, and no shares are set.\n", dataset);
  if (!changes.empty()) invocation.out().print("head {}\n", head);
  return 0;
}

Result<int> run_export(Invocation& invocation) {
  GAUZE_TRY(const Ledger ledger, open_ledger(invocation, true));
  const auto output = invocation.optional_text("output");
  const bool to_file = output && *output != "-";
  if (to_file || !invocation.json()) {
    std::string head;
    GAUZE_TRY_VOID(write_for_owner(invocation, [&](const publish::ByteSink& sink) -> Result<void> {
      GAUZE_TRY(head, ledger.export_lines(sink));
      return {};
    }));
    if (!to_file) return 0;
    if (invocation.json()) invocation.print_json(Json::object({{"file", *output}, {"head", head}}));
    invocation.note(fmt::format("wrote {}", *output));
    return 0;
  }
  Json lines = Json::array();
  GAUZE_TRY_VOID(ledger.export_lines([&](std::string_view line) -> Result<void> {
    GAUZE_TRY(Json read, read_json(line));
    lines.push(std::move(read));
    return {};
  }));
  invocation.print_json(Json::object({{"lines", std::move(lines)}}));
  return 0;
}

Result<int> run_import(Invocation& invocation) {
  GAUZE_TRY(const std::string source, invocation.text("file"));
  GAUZE_TRY(const std::string path, invocation.text("ledger"));
  const auto head = invocation.optional_text("head");
  GAUZE_TRY(const std::string text, invocation.read_input(source, kLargestExport));
  GAUZE_TRY(const LedgerVerification found, Ledger::import_text(path, text, head));
  if (invocation.json()) {
    invocation.print_json(found.to_json(head.has_value()));
    return 0;
  }
  invocation.out().print("{} on {} were checked and imported.\nhead {}\n",
                         counted(static_cast<std::uint64_t>(found.entries), "entry", "entries"),
                         counted(static_cast<std::uint64_t>(found.datasets), "dataset"), found.head);
  return 0;
}

Positional dataset_positional(bool optional) {
  return {.name = "dataset",
          .help = optional ? "only this dataset" : "the dataset's name in the ledger",
          .optional = optional};
}

}  // namespace

void register_ledger_record_commands(Registry& registry) {
  registry.add({.name = "ledger show",
                .group = "Budget",
                .summary = "Say what was spent against a total, and what is left",
                .description = "One dataset or all of them. On a terminal with a bar.",
                .examples = {{"gauze ledger show --ledger clinic.ledger", "all datasets"},
                             {"gauze ledger show visits --ledger clinic.ledger --json", "one, for programs"}},
                .positionals = {dataset_positional(true)},
                .flags = {required_ledger()},
                .run = run_ledger_show});
  registry.add({.name = "ledger history",
                .group = "Budget",
                .summary = "List who spent what, when and for what",
                .description = "All entries in the order they were recorded. Nothing is ever deleted or changed.",
                .examples = {{"gauze ledger history visits --ledger clinic.ledger --last 10", "the last ten"}},
                .positionals = {dataset_positional(true)},
                .flags = {required_ledger(),
                          analyst_flag(),
                          {.name = "last", .placeholder = "N", .help = "only the last N that fit"}},
                .run = run_history});
  registry.add(
      {.name = "ledger analysts",
       .group = "Budget",
       .summary = "Show analysts, set their shares, hand shares on",
       .description =
           "Without flags: who has spent what. --set gives an analyst a share of the total; from then on only "
           "analysts with a share may spend. --delegate moves a part of one share to another analyst. All "
           "changes of one command are made together or not at all.",
       .examples = {{"gauze ledger analysts visits --ledger clinic.ledger --set ana=0.5 --set ben=0.3",
                     "half for Ana, less for Ben"},
                    {"gauze ledger analysts visits --ledger clinic.ledger --delegate ana=cleo:0.1",
                     "Ana gives Cleo a tenth of the total"}},
       .positionals = {dataset_positional(false)},
       .flags = {required_ledger(),
                 {.name = "set", .placeholder = "A=SHARE", .help = "a share between 0 and 1", .repeatable = true},
                 {.name = "delegate",
                  .placeholder = "FROM=TO:SHARE",
                  .help = "hand on a share that is not spent",
                  .repeatable = true}},
       .run = run_analysts});
  registry.add(
      {.name = "ledger export",
       .group = "Budget",
       .summary = "Write the ledger as text that can be kept elsewhere",
       .description = "JSON lines, one an entry, with the hashes. Commitment keys stay in the ledger.",
       .examples = {{"gauze ledger export --ledger clinic.ledger -o clinic.jsonl", "a copy for the auditor"}},
       .flags = {required_ledger(),
                 {.name = "output",
                  .short_name = 'o',
                  .placeholder = "OUT",
                  .help = "write to OUT instead of stdout",
                  .is_file = true,
                  .makes = Makes::file,
                  .or_stdout = true}},
       .run = run_export});
  registry.add(
      {.name = "ledger import",
       .group = "Budget",
       .summary = "Make a ledger from an export",
       .description =
           "Checks everything as 'ledger verify' does and makes a new ledger; one that has entries is refused.",
       .examples = {{"gauze ledger import clinic.jsonl --ledger copy.ledger", "a ledger from a copy"}},
       .positionals = {{.name = "file", .help = "what 'ledger export' wrote; - is stdin", .is_file = true}},
       .flags = {required_ledger(), head_flag()},
       .run = run_import});
}

}  // namespace gauze::cli
