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

}  // namespace

std::string balance_text(const Balance& balance, bool with_bar, Style style) {
  const DatasetTerms& terms = *balance.terms;
  std::string text =
      fmt::format("{}: spent against a total of {}\n", style.bold(terms.name), figures_text(terms.total_json()));
  if (with_bar) text += bar(balance.used(), style);
  if (const std::string worth = terms.worth_text(); !worth.empty()) text += fmt::format("  worth    {}\n", worth);
  const std::string spent = figures_text(balance.spent_json());
  text += fmt::format("  spent    {}\n", spent);
  text += fmt::format("  left     {}\n", figures_text(balance.left_json()));
  text += fmt::format("  queries  {}", balance.queries);
  text += terms.max_queries ? fmt::format(" of {}\n", *terms.max_queries) : "\n";
  if (const Json window = balance.window_json(); !window.is_null()) {
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
  const Json details = refusal.details();
  for (const auto& [key, value] : *details.members()) invocation.attach_to_error(key, value);
  if (refusal.code == ErrorCode::not_authorised && !invocation.json())
    invocation.explain_error("`gauze ledger analysts DATASET --set ANALYST=SHARE` sets a share");
  const Json* left = details.find("left");
  if (left == nullptr || invocation.json()) return;
  const Json* renews = details.find("renews");
  invocation.explain_error(fmt::format(
      "left: {}; at most {} would be allowed{}", figures_text(*left), figures_text(*details.find("allowed")),
      renews == nullptr ? std::string() : fmt::format("; the window renews at {}", renews->text())));
}

Flag required_ledger() {
  Flag flag = ledger_flag();
  flag.required = true;
  return flag;
}

Flag head_flag() {
  return {.name = "head", .placeholder = "HASH", .help = "a head kept elsewhere, which must be found in the chain"};
}

Result<Ledger> open_ledger(const Invocation& invocation, bool read_only) {
  GAUZE_TRY(const std::string path, invocation.text("ledger"));
  Ledger::Options options;
  options.read_only = read_only;
  return Ledger::open(path, std::move(options));
}

}  // namespace gauze::cli
