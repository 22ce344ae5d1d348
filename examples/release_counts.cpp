// Noisy counts of a table by year of birth, charged to a ledger before the first row is read, and written with their label.
#include <fmt/core.h>

#include <cstdio>

#include "gauze/engines/open_source.h"
#include "gauze/files/atomic_file.h"
#include "gauze/ledger/ledger.h"
#include "gauze/publish/labelled_table.h"
#include "gauze/publish/publication.h"
#include "gauze/release/job/release_rows.h"
#include "gauze/release/job/source_release.h"

namespace {

using namespace gauze;

// All that decides what comes out is public: the days that can occur, the level, the shares of the budget.
const char* const kPolicy = R"(
version: 1
columns:
  born: {role: quasi, hierarchy: {dates: {from: 1920-01-01, to: 2029-12-31, levels: [year, decade]}}}
privacy: {k: 1}
release: {mode: grid, levels: {born: 2}, unit: row}
provenance: {quasi: public, hierarchies: public, levels: public, k: public, epsilon: public}
)";

Result<void> create_ledger(const char* path) {
  std::remove(path);
  GAUZE_TRY(Ledger ledger, Ledger::create(path));
  DatasetOptions options;
  options.name = "people";
  options.unit = "one row";
  options.epsilon = Rational(1);
  GAUZE_TRY(const DatasetTerms terms, DatasetTerms::make(options));
  GAUZE_TRY_VOID(ledger.create_dataset(terms));
  return {};
}

Result<void> run() {
  std::string rows = "born\n";
  for (int i = 0; i < 3000; ++i) rows += fmt::format("{}-0{}-1{}\n", i % 3 == 0 ? 1958 : 1984, 1 + i % 9, i % 10);
  GAUZE_TRY_VOID(write_file("people.csv", rows));
  GAUZE_TRY_VOID(create_ledger("people.ledger"));

  GAUZE_TRY(const schema::Policy policy, schema::parse_policy(kPolicy));
  GAUZE_TRY(const release::ReleasePlan plan, release::ReleasePlan::make(policy, {.epsilon = Rational(1, 2)}));
  GAUZE_TRY(publish::Publication publication,
            publish::Publication::begin({.account = publish::Account{.ledger = "people.ledger", .dataset = "people"},
                                         .outputs = {"counts.csv"}}));
  GAUZE_TRY(const auto source,
            engines::open_declared_source("people.csv", release::declared_columns(plan), policy.input));
  if (const auto granted = publication.reserve(plan.cost()); !granted) return tl::unexpected<Error>(granted.error());

  Progress progress;
  GAUZE_TRY(release::LabelledRelease made, release::release_source(SecureRandom::of_thread(), *source, plan, policy,
                                                                   publication.witness_of_input(), progress));
  publication.bind_policy(kPolicy);
  GAUZE_TRY(publish::LabelledOutput output, publish::LabelledOutput::create("counts.csv"));
  const auto lines = release::rows_of(plan, made.release);
  GAUZE_TRY_VOID(publish::write_rows(*lines, {}, output, progress));
  GAUZE_TRY_VOID(publication.finish(made.label, {&output, 1}));
  GAUZE_TRY(const std::string counts, read_file("counts.csv"));
  fmt::print("{}{}\n", counts, publication.text());
  return {};
}

}  // namespace

int main() {
  const auto done = run();
  if (!done) fmt::print(stderr, "{}\n", done.error().message);
  return done ? 0 : 1;
}
