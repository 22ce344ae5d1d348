#include "gauze/cli/ledger/ledger_output.h"

#include <cmath>

#include "gauze/cli/flags/shared_flags.h"

namespace gauze::cli {
namespace {

constexpr int kBudgetBarWidth = 40;

std::string bar(double used, Style style) {
  // Rounded up, so that a bar looks full before the budget is gone, not after.
  const int filled = static_cast<int>(std::ceil(used * kBudgetBarWidth));
  const std::string spent(static_cast<std::size_t>(filled), '#');
  const std::string left(static_cast<std::size_t>(kBudgetBarWidth - filled), '-');
  return fmt::format("  [{}{}] {} %\n", used > 0.8 ? style.red(spent) : style.bold(spent), style.faint(left),
                     std::ceil(used * 100));
}

Json amount_json(std::int64_t units, Currency currency) {
  return Json::object({{std::string(to_string(currency)), Json::number(decimal_of(units, currency))}});
}

Json amount_or_null(const std::int64_t* units, Currency currency) {
  return units == nullptr ? Json() : Json::number(decimal_of(*units, currency));
}

Json window_json(const Balance& balance) {
  const DatasetTerms& terms = *balance.terms;
  if (terms.window_seconds == 0) return {};
  return Json::object({{"length", window_text(terms.window_seconds)},
                       {"limit", amount_json(terms.window.declared, terms.total.currency())},
                       {"left", amount_json(terms.window.limit - balance.window_spent, terms.accountant.currency())},
                       {"renews", time_text(balance.window_ends)}});
}

}  // namespace

Json balance_json(const Balance& balance) {
  const DatasetTerms& terms = *balance.terms;
  const Currency currency = terms.total.currency();
  Json json = Json::object({{"dataset", terms.name}, {"unit", terms.unit}});
  json.set("neighbours", balance.neighbours ? Json(to_string(*balance.neighbours)) : Json());
  json.set("accountant", terms.accountant.name()).set("total", terms.total_json());
  json.set("as_one_pure_release", terms.as_one_pure_release());
  json.set("spent", balance.spent_json()).set("left", balance.left_json()).set("queries", balance.queries);
  json.set("window", window_json(balance));
  json.set("max_per_query", amount_or_null(terms.max_per_query ? &terms.max_per_query->declared : nullptr, currency));
  json.set("max_delta_per_query",
           amount_or_null(terms.max_delta_per_query ? &*terms.max_delta_per_query : nullptr, Currency::delta));
  json.set("max_queries", terms.max_queries ? Json(*terms.max_queries) : Json());
  return json.set("shares", balance.shares_set).set("created", time_text(balance.created));
}

std::string balance_text(const Balance& balance, bool with_bar, Style style) {
  const DatasetTerms& terms = *balance.terms;
  std::string text =
      fmt::format("{}: spent against a total of {}\n", style.bold(terms.name), figures_text(terms.total_json()));
  if (with_bar) text += bar(balance.used(), style);
  if (const Json worth = terms.as_one_pure_release(); !worth.is_null()) {
    text += fmt::format("  worth    {} as one pure release\n", figures_text(worth));
  }
  const std::string spent = figures_text(balance.spent_json());
  text += fmt::format("  spent    {}\n", spent);
  text += fmt::format("  left     {}\n", figures_text(balance.left_json()));
  text += fmt::format("  queries  {}", balance.queries);
  text += terms.max_queries ? fmt::format(" of {}\n", *terms.max_queries) : "\n";
  if (const Json window = window_json(balance); !window.is_null()) {
    text +=
        fmt::format("  window   {} every {}; left {} until {}\n", figures_text(*window.find("limit")),
                    window.find("length")->text(), figures_text(*window.find("left")), window.find("renews")->text());
  }
  Json most = Json::object();
  const Currency currency = terms.total.currency();
  if (terms.max_per_query) {
    most.set(to_string(currency), Json::number(decimal_of(terms.max_per_query->declared, currency)));
  }
  if (terms.max_delta_per_query) {
    most.set("delta", Json::number(decimal_of(*terms.max_delta_per_query, Currency::delta)));
  }
  if (!most.members()->empty()) text += fmt::format("  a query  at most {}\n", figures_text(most));
  return text + fmt::format("  protects {}, neighbours {}; accountant {}\n", terms.unit,
                            balance.neighbours ? to_string(*balance.neighbours) : "not declared",
                            terms.accountant.name());
}

void explain(Invocation& invocation, const Refusal& refusal) {
  if (refusal.request) invocation.attach_to_error("reservation", refusal.request->entry);
  if (!refusal.balance || !refusal.allowed) return;
  const Json left = refusal.balance->left_json();
  const Json allowed = refusal.allowed->to_json();
  invocation.attach_to_error("left", left);
  invocation.attach_to_error("allowed", allowed);
  invocation.attach_to_error("limit", refusal.limit);
  if (refusal.window_opens) invocation.attach_to_error("renews", time_text(*refusal.window_opens));
  if (invocation.json()) return;
  invocation.note(fmt::format("left: {}; at most {} would be allowed{}", figures_text(left), figures_text(allowed),
                              refusal.window_opens
                                  ? fmt::format("; the window renews at {}", time_text(*refusal.window_opens))
                                  : std::string()));
}

Flag required_ledger() {
  Flag flag = ledger_flag();
  flag.required = true;
  return flag;
}

Flag head_flag() {
  return {.name = "head", .placeholder = "HASH", .help = "a head kept elsewhere, which must be found in the chain"};
}

Json verification_json(const LedgerVerification& found, bool with_head) {
  Json json = Json::object(
      {{"verified", true}, {"entries", found.entries}, {"datasets", found.datasets}, {"head", found.head}});
  json.set("head_found", with_head ? Json(found.head_entry.has_value()) : Json());
  return json.set("newer_entries", with_head ? Json(found.entries - *found.head_entry) : Json());
}

Result<Ledger> open_ledger(const Invocation& invocation, bool read_only) {
  GAUZE_TRY(const std::string path, invocation.text("ledger"));
  Ledger::Options options;
  options.read_only = read_only;
  return Ledger::open(path, std::move(options));
}

}  // namespace gauze::cli
