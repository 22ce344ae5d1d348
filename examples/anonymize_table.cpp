// A table whose rows look alike in groups of three, checked as its readers will see it, and written with its label.
#include <fmt/core.h>

#include <fstream>

#include "gauze/anonymize/job/anonymized_table.h"
#include "gauze/anonymize/job/verification.h"
#include "gauze/engines/open_source.h"
#include "gauze/publish/labelled_table.h"
#include "gauze/publish/publication.h"

namespace {

using namespace gauze;
using namespace gauze::anonymize;

const char* const kPatients =
    "age,town,illness\n31,Kiel,flu\n34,Kiel,asthma\n37,Kiel,flu\n52,Bonn,flu\n55,Bonn,asthma\n58,Bonn,asthma\n90,Rome,flu\n";

/// The policy that `gauze anonymize --quasi age,town --k 3 --suppression 0.2 --l-diversity illness:distinct:2` equals.
const char* const kPolicy =
    "version: 1\n"
    "columns: {age: {role: quasi, hierarchy: {intervals: [[0, 40, 60, 120]]}}, town: {role: quasi}, illness: {role: sensitive}}\n"
    "privacy: {k: 3, l_diversity: {column: illness, l: 2}}\n"
    "search: {suppression: 0.2}\n";

Result<std::unique_ptr<table::Source>> open(const std::string& uri, const table::ReadOptions& options) {
  GAUZE_TRY(engines::OpenedSource opened, engines::open_source(uri, options));
  return std::move(opened.source);
}

Result<void> run() {
  std::ofstream("patients.csv") << kPatients;
  GAUZE_TRY(const schema::Policy policy, schema::parse_policy(kPolicy));
  Progress progress;
  GAUZE_TRY(publish::Publication publication, publish::Publication::begin({.outputs = {"safe.csv"}}));
  GAUZE_TRY(const engines::OpenedSource opened, engines::open_source("patients.csv", policy.input));
  GAUZE_TRY(const AnonymizedTable made,
            AnonymizedTable::make(*opened.source, opened.form, open, policy, {}, progress));
  fmt::print("{} classes, {} row suppressed, loss {:.2f}\n", made.result().recoding.classes.size(),
             made.result().recoding.suppressed, made.result().value);

  GAUZE_TRY(publish::LabelledOutput output, publish::LabelledOutput::create("safe.csv"));
  GAUZE_TRY_VOID(publish::write_table(*opened.source, made.rewrite(), made.form(), output, progress));
  GAUZE_TRY_VOID(made.check_written());
  PrivacyLabel label = made.label();
  GAUZE_TRY_VOID(publication.finish(label, {&output, 1}));

  GAUZE_TRY(const auto written, open("safe.csv", policy.input));
  VerificationRequest request{.quasi = {"age", "town"}};
  request.criteria = policy.privacy;
  request.k_is_asked = true;
  GAUZE_TRY(const Verification found, verify(*written, request, progress));
  fmt::print("k = {}, {}\n", found.k, found.satisfied() ? "everything holds" : "something does not hold");
  return {};
}

}  // namespace

int main() {
  const auto done = run();
  if (!done) fmt::print(stderr, "{}\n", done.error().message);
  return done ? 0 : 1;
}
