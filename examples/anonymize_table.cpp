// A table whose rows look alike in groups of three, checked as its readers will see it, and written with its label.
#include <fmt/core.h>

#include <filesystem>
#include <fstream>

#include "gauze/anonymize/job/anonymization.h"
#include "gauze/anonymize/job/anonymization_label.h"
#include "gauze/anonymize/job/row_recoding.h"
#include "gauze/anonymize/job/verification.h"
#include "gauze/engines/open_source.h"
#include "gauze/publish/publication.h"
#include "gauze/random/secure_random.h"

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
  GAUZE_TRY(const engines::OpenedSource opened, engines::open_source("patients.csv", policy.input));
  GAUZE_TRY(const TableRecords records, read_records(*opened.source, open, policy, progress));
  GAUZE_TRY(const Anonymization result, anonymize::anonymize(records, policy, SuppressedRows::blank, progress));
  fmt::print("{} classes, {} row suppressed, loss {:.2f}\n", result.recoding.classes.size(),
             result.recoding.suppressed, result.value);

  RowRecodingOptions writing;
  GAUZE_TRY(writing.stars, star_rows(*opened.source, policy, result.recoding, writing.suppressed, {}, {}, progress));
  table::Rewrite rewrite = make_rewrite(*opened.source, records, result.recoding, writing);
  rewrite.shuffle = [](std::uint64_t n) { return SecureRandom::of_thread().below(n); };
  GAUZE_TRY(publish::Publication publication, publish::Publication::begin({}));
  GAUZE_TRY(publish::LabelledOutput output, publish::LabelledOutput::create("safe.csv"));
  GAUZE_TRY(const std::filesystem::path path, output.path());
  GAUZE_TRY_VOID(engines::make_table_writer()->write(
      *opened.source, rewrite, {.path = path.string(), .format = {}, .form = opened.form}, progress));
  PrivacyLabel label = make_label(records, policy, result, {.columns_unchanged = {"illness"}});
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
