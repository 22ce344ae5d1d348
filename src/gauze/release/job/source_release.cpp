#include "gauze/release/job/source_release.h"

#include "gauze/release/job/release_label.h"

namespace gauze::release {
namespace {

LabelledRelease labelled(Release release, const table::DeclaredSource& source, const ReleasePlan& plan,
                         const schema::Policy& policy) {
  LabelledRelease result{.release = std::move(release), .label = {}, .warnings = {}};
  result.label = make_label(plan, policy, result.release);
  if (std::string assumed = source.assumption(); !assumed.empty())
    result.label.does_not_cover.push_back(std::move(assumed));
  if (result.release.histogram.cells.empty())
    result.warnings.push_back(
        {"empty_release",
         "the release is empty: no noisy count was large enough; it costs its epsilon all the same"});
  return result;
}

}  // namespace

Result<LabelledRelease> release_source(SecureRandom& random, table::DeclaredSource& source, const ReleasePlan& plan,
                                       const schema::Policy& policy, const ByteWitness& witness, Progress& progress) {
  GAUZE_TRY(const table::TupleCounts tuples, source.group(progress, witness));
  GAUZE_TRY(Release release, make_release(random, tuples, plan));
  return labelled(std::move(release), source, plan, policy);
}

Result<LabelledRelease> simulate_source(SeededRandom& random, table::DeclaredSource& source, const ReleasePlan& plan,
                                        const schema::Policy& policy, const ByteWitness& witness,
                                        Progress& progress) {
  GAUZE_TRY(const table::TupleCounts tuples, source.group(progress, witness));
  GAUZE_TRY(Release release, simulate_release(random, tuples, plan));
  return labelled(std::move(release), source, plan, policy);
}

}  // namespace gauze::release
