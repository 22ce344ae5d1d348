// Transactions in which a pattern is hidden: judged as their readers will see them, and written with their label.
#include <fmt/core.h>

#include "gauze/patterns/job/hidden_release.h"
#include "gauze/publish/publication.h"

namespace {

using namespace gauze;
using namespace gauze::patterns;

const char* const kBaskets =
    "bread,milk\nbread,milk\nmilk,plaster\nbread,plaster\nantidepressant,sleep aid\nantidepressant,sleep aid,milk\n"
    "antidepressant,sleep aid,bread\nantidepressant,sleep aid\nsleep aid\nmilk\nantidepressant\nbread\n";

Result<void> run() {
  GAUZE_TRY(const BasketFile file, BasketFile::parse(kBaskets, BasketFormat::csv));
  GAUZE_TRY(const SensitiveList sensitive, parse_sensitive("antidepressant, sleep aid\n", file.database()));
  const HidingThreshold threshold = HidingThreshold::of_share(Rational(1, 6), file.database().rows());
  HidingRequest request;
  request.options.level = HidingLevel::h2;
  request.options.min_count = threshold.count;
  request.options.min_support = threshold.share;

  Progress progress;
  GAUZE_TRY(HiddenBaskets hidden, hide_in_file(file, sensitive, request, progress));
  if (!hidden.release) return make_error(ErrorCode::infeasible, "not hidden well enough: nothing to publish");
  const HiddenPattern& pattern = hidden.result.patterns.front();
  fmt::print("{}: {} before, {} to {} after\n", word_of(kLevelWords, pattern.level), pattern.before.definite,
             pattern.after.definite, pattern.after.definite + pattern.after.undetermined);
  const BandMetrics& cost = hidden.release->metrics.bands.front();
  fmt::print("{} changes, {} of {} other frequent sets lost\n", hidden.result.changes(), cost.ideal.part.value(),
             cost.ideal.total.value());

  GAUZE_TRY(publish::Publication publication, publish::Publication::begin({}));
  GAUZE_TRY(publish::LabelledOutput output, publish::LabelledOutput::create("public.csv"));
  GAUZE_TRY_VOID(output.write(hidden.release->file.bytes));
  GAUZE_TRY_VOID(publication.finish(hidden.release->label, {&output, 1}));
  fmt::print("wrote public.csv with its label\n");
  return {};
}

}  // namespace

int main() {
  const auto done = run();
  if (!done) fmt::print(stderr, "{}\n", done.error().message);
  return done ? 0 : 1;
}
