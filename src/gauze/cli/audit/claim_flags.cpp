#include "gauze/cli/audit/claim_flags.h"

#include "gauze/files/atomic_file.h"
#include "gauze/report/report.h"

namespace gauze::cli {
namespace {

constexpr std::int64_t kFewestRuns = 100;

Result<double> decimal(const Invocation& invocation, std::string_view name) {
  GAUZE_TRY(const Rational value, invocation.rational(name));
  return value.to_double();
}

std::string with_thousands(std::uint64_t count) {
  std::string digits = std::to_string(count);
  for (std::size_t place = digits.size(); place > 3; place -= 3) digits.insert(place - 3, ",");
  return digits;
}

Warning internal_warning() {
  return Warning::of_privacy("internal", "INTERNAL: for your own eyes, not to be published");
}

}  // namespace

std::vector<Flag> claim_flags() {
  return {{.name = "claimed-epsilon", .placeholder = "E", .help = "the epsilon that is claimed"},
          {.name = "claimed-delta", .placeholder = "D", .help = "the delta that is claimed; bounds are taken at it"},
          {.name = "confidence",
           .placeholder = "C",
           .help = "how sure the printed bound is, above 0.5",
           .default_text = "0.95"},
          {.name = "alarm",
           .placeholder = "A",
           .help = "how often a right claim may be called broken, below 0.5",
           .default_text = "1e-6"},
          {.name = "output",
           .short_name = 'o',
           .placeholder = "OUT",
           .help = "write the JSON to OUT; it is INTERNAL and has no label",
           .is_file = true,
           .makes = Makes::file,
           .or_stdout = true}};
}

Flag audit_report_flag() {
  return {.name = "report",
          .placeholder = "OUT.html",
          .help = "write a self-contained page to look at in a browser; INTERNAL",
          .is_file = true,
          .makes = Makes::file};
}

Flag audit_seed_flag() {
  return {.name = "seed", .placeholder = "S", .help = "repeat the same runs; without it they differ"};
}

Flag runs_flag(std::string default_text) {
  return {.name = "runs",
          .placeholder = "N",
          .help = "runs on each side; the event is chosen on one half of them and measured on the other",
          .default_text = std::move(default_text)};
}

Result<audit::Claim> claim_of(const Invocation& invocation, audit::Claim own) {
  if (invocation.has("claimed-epsilon")) {
    GAUZE_TRY(own.epsilon, decimal(invocation, "claimed-epsilon"));
  }
  if (invocation.has("claimed-delta")) {
    GAUZE_TRY(own.delta, decimal(invocation, "claimed-delta"));
  }
  return audit::Claim::make(own.epsilon, own.delta);
}

Result<audit::Levels> levels_of(const Invocation& invocation) {
  GAUZE_TRY(const double confidence, decimal(invocation, "confidence"));
  GAUZE_TRY(const double alarm, decimal(invocation, "alarm"));
  return audit::Levels::make(confidence, alarm);
}

Result<std::optional<std::uint64_t>> audit_seed(const Invocation& invocation) {
  if (!invocation.has("seed")) return std::nullopt;
  GAUZE_TRY(const std::int64_t seed, invocation.integer("seed", 0));
  return static_cast<std::uint64_t>(seed);
}

Result<std::uint64_t> runs_of(const Invocation& invocation, std::int64_t most) {
  GAUZE_TRY(const std::int64_t runs, invocation.integer("runs", kFewestRuns, most));
  return static_cast<std::uint64_t>(runs);
}

std::string claim_text(const audit::ClaimAudit& audit, Style style) {
  std::string text = audit.in_words() + "\n";
  if (audit.left && audit.right && audit.runs)
    text += fmt::format("  seen in {} runs on the left and {} on the right, of {} measured on each\n",
                        with_thousands(*audit.left), with_thousands(*audit.right), with_thousands(*audit.runs));
  if (audit.reach)
    text += fmt::format("  so many {} could have shown {} at most\n", audit.runs ? "runs" : "canaries",
                        audit::bound_text(audit.reach));
  const std::string verdict =
      audit::verdict_text(audit.holds, audit.is_doubtful(), audit.alarm_lower, audit.alarm_rate);
  if (verdict.empty()) return text;
  return text + "  " + (*audit.holds && !audit.is_doubtful() ? verdict : style.red(verdict)) + "\n";
}

Result<int> print_audit(Invocation& invocation, Json document, const std::string& text, std::optional<bool> holds) {
  invocation.end_progress();
  invocation.warn(internal_warning());
  document.set("internal", true);
  if (invocation.json())
    invocation.print_json(std::move(document));
  else
    invocation.out().write(text);
  return holds == std::optional(false) ? exit_status(ErrorCode::not_private) : 0;
}

Result<int> deliver_audit(Invocation& invocation, std::string_view kind, Json document, const std::string& text,
                          std::optional<bool> holds) {
  invocation.end_progress();
  invocation.warn(internal_warning());
  document.set("internal", true);
  document.set("warnings", to_json(invocation.warnings()));
  const auto output = invocation.optional_text("output");
  if (output && *output != "-") {
    GAUZE_TRY_VOID(write_file(*output, document.dump(2) + "\n"));
    invocation.note(fmt::format("wrote {}", *output));
  }
  if (invocation.command().find_flag("report") != nullptr) {
    if (const auto report = invocation.optional_text("report")) {
      Json page = Json::object({{"kind", kind}});
      for (const auto& [key, value] : *document.members()) page.set(key, value);
      GAUZE_TRY_VOID(write_file(*report, render_report(page.dump())));
      invocation.note(fmt::format("wrote {}", *report));
    }
  }
  if (invocation.json() || (output && *output == "-"))
    invocation.print_json(std::move(document));
  else
    invocation.out().write(text);
  return holds == std::optional(false) ? exit_status(ErrorCode::not_private) : 0;
}

Result<int> deliver_claim(Invocation& invocation, const audit::ClaimAudit& audit, std::vector<Json::Member> further) {
  Json document = audit.to_json();
  for (auto& [key, value] : further) document.set(key, std::move(value));
  return deliver_audit(invocation, "audit", std::move(document), claim_text(audit, invocation.out_style()),
                       audit.holds);
}

}  // namespace gauze::cli
