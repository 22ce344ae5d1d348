#include "gauze/audit/releases/release_audit.h"
#include "gauze/cli/audit/claim_flags.h"
#include "gauze/cli/core/commands.h"
#include "gauze/cli/core/text_table.h"
#include "gauze/cli/flags/shared_flags.h"
#include "gauze/cli/flags/table_flags.h"
#include "gauze/cli/release/release_flags.h"
#include "gauze/engines/open_source.h"
#include "gauze/release/job/release_job.h"

namespace gauze::cli {
namespace {

using audit::AuditedPair;
using audit::NeighbourTables;
using audit::TableRows;
using release::ReleasePlan;

constexpr std::int64_t kMostReleases = 10'000'000;

/// The tables that were named: two that differ, or one to make neighbours from.
std::vector<std::string> files_of(const Invocation& invocation) {
  if (const auto file = invocation.optional_text("make-neighbours")) return {*file};
  return {*invocation.optional_text("left"), *invocation.optional_text("right")};
}

Result<void> check_files(const Invocation& invocation) {
  const bool makes = invocation.has("make-neighbours");
  if (makes && invocation.optional_text("left"))
    return make_error(ErrorCode::usage, "--make-neighbours takes one table, and no LEFT and RIGHT beside it");
  if (!makes && !invocation.optional_text("right"))
    return make_error(ErrorCode::usage,
                      "give two tables that differ by one unit, LEFT and RIGHT, or one: --make-neighbours FILE");
  return {};
}

Result<std::vector<NeighbourTables>> pairs_of(std::vector<TableRows> tables, const ReleasePlan& plan) {
  if (tables.size() == 1) return audit::make_neighbours(tables[0], plan);
  GAUZE_TRY(NeighbourTables pair, audit::check_neighbours(std::move(tables[0]), std::move(tables[1]), plan));
  std::vector<NeighbourTables> pairs;
  pairs.push_back(std::move(pair));
  return pairs;
}

Result<std::vector<AuditedPair>> audit_sound(Invocation& invocation, const schema::Policy& policy,
                                             audit::ReleaseAuditRequest request) {
  if (invocation.has("noise-scale")) return make_error(ErrorCode::usage, "--noise-scale goes with --as-published");
  GAUZE_TRY(const release::ReleaseTarget target, release_target(invocation));
  GAUZE_TRY(const ReleasePlan plan, ReleasePlan::make(policy, target));
  invocation.warn_all(plan.warnings);
  GAUZE_TRY(request.claimed, claim_of(invocation, audit::claim_of_release(plan)));
  std::vector<TableRows> tables;
  for (const std::string& file : files_of(invocation)) {
    GAUZE_TRY(const auto source, engines::open_declared_source(file, release::declared_columns(plan), policy.input));
    GAUZE_TRY(const table::TupleCounts tuples, source->group(invocation.progress()));
    tables.push_back(audit::rows_of(tuples));
  }
  GAUZE_TRY(const auto pairs, pairs_of(std::move(tables), plan));
  return audit::audit_release(plan, pairs, request, invocation.progress());
}

Result<std::vector<AuditedPair>> audit_as_published(Invocation& invocation, const schema::Policy& policy,
                                                    audit::ReleaseAuditRequest request) {
  for (const char* flag : {"delta", "mode", "kind"})
    if (invocation.has(flag)) return make_error(ErrorCode::usage, "--as-published takes no --{}", flag);
  GAUZE_TRY(const release::ReleaseTarget target, release_target(invocation));
  GAUZE_TRY(const Rational noise_scale, invocation.rational("noise-scale"));
  GAUZE_TRY(request.claimed, claim_of(invocation, {.epsilon = target.epsilon.to_double_up(), .delta = 0}));
  std::vector<TableRows> tables;
  std::optional<ReleasePlan> plan;
  for (const std::string& file : files_of(invocation)) {
    GAUZE_TRY(const engines::OpenedSource opened, engines::open_source(file, policy.input));
    std::vector<std::size_t> places;
    for (const std::string& name : policy.names_with(schema::Role::quasi)) {
      GAUZE_TRY(const std::size_t place, opened.source->column(name));
      places.push_back(place);
    }
    GAUZE_TRY(const table::TupleCounts tuples, opened.source->group(places, invocation.progress()));
    tables.push_back(audit::rows_of(tuples));
    if (!plan) {
      GAUZE_TRY(plan, audit::plan_of_published(policy, tuples));
    }
  }
  GAUZE_TRY(const auto pairs, pairs_of(std::move(tables), *plan));
  return audit::audit_published(*plan, policy,
                                {.epsilon = target.epsilon, .noise_scale = noise_scale, .k = policy.privacy.k}, pairs,
                                request, invocation.progress());
}

std::string pairs_text(const std::vector<AuditedPair>& pairs, Style style) {
  TextTable table(true);
  table.add({"the tables differ by", "epsilon at least", "event"});
  for (const AuditedPair& pair : pairs)
    table.add({pair.what, audit::bound_text(pair.audit.epsilon_lower), pair.audit.event.value_or("-")});
  return table.text(style) + "\n";
}

Result<int> run_audit_release(Invocation& invocation) {
  GAUZE_TRY_VOID(check_files(invocation));
  GAUZE_TRY(const ReleasePolicy read, release_policy(invocation));
  invocation.warn_all(read.policy.warnings);
  audit::ReleaseAuditRequest request;
  GAUZE_TRY(request.levels, levels_of(invocation));
  GAUZE_TRY(request.runs, runs_of(invocation, kMostReleases));
  GAUZE_TRY(const auto seed, audit_seed(invocation));
  request.random = audit::AuditRandom(seed);
  const auto run = invocation.has("as-published") ? audit_as_published : audit_sound;
  GAUZE_TRY(const std::vector<AuditedPair> found, run(invocation, read.policy, request));
  const AuditedPair& worst = audit::worst_of(found);
  if (!invocation.has("make-neighbours")) return deliver_claim(invocation, worst.audit);

  Json document = worst.audit.to_json();
  document.set("pair", worst.what).set("pairs", audit::to_json(found));
  const Style style = invocation.out_style();
  const std::string text = pairs_text(found, style) + fmt::format("worst: {}\n", worst.what);
  return deliver_audit(invocation, "audit", std::move(document), text + claim_text(worst.audit, style),
                       worst.audit.holds);
}

}  // namespace

void register_audit_release_command(Registry& registry) {
  std::vector<Flag> flags = release_flags();
  flags.push_back({.name = "make-neighbours",
                   .placeholder = "FILE",
                   .help = "make the worst pairs of tables from FILE, audit each, and show the worst",
                   .is_file = true});
  flags.push_back(runs_flag("10000"));
  for (Flag& flag : claim_flags()) flags.push_back(std::move(flag));
  flags.push_back(audit_seed_flag());
  flags.push_back(audit_report_flag());
  for (Flag& flag : table_flags()) flags.push_back(std::move(flag));
  registry.add(
      {.name = "audit release",
       .group = "Attacks and audits",
       .summary = "Hold the claim of a release against neighbouring tables",
       .description =
           "Releases two tables that differ by one unit many times, by the code that `gauze release` runs, without its ledger and "
           "files, and looks in the first half of the releases for the event that tells the tables apart best: a count, a class that "
           "is named or not, the total. How often it is seen in the second half bounds epsilon from below, at the delta of the "
           "release.\n\n"
           "--make-neighbours builds the pairs by itself: one row (or person) more in the largest class, in a class of its own, at k "
           "and at the threshold, outside the domain, with nothing in it, and alone. LEFT and RIGHT must differ by exactly one unit, "
           "as the policy's neighbours do. Exit status 3 when the bound, at the false-alarm rate, lies above the claim.",
       .examples =
           {{"gauze audit release --make-neighbours people.csv --policy people.yaml --epsilon 1", "the worst pairs"},
            {"gauze audit release with.csv without.csv --policy people.yaml --epsilon 1", "two tables of your own"},
            {"gauze audit release --make-neighbours people.csv --policy people.yaml --epsilon 1 --as-published",
             "the published method, which promises what it does not keep"}},
       .positionals =
           {{.name = "left", .help = "a table", .optional = true, .is_file = true},
            {.name = "right", .help = "the same table, but for one unit", .optional = true, .is_file = true}},
       .flags = std::move(flags),
       .run = run_audit_release});
}

}  // namespace gauze::cli
