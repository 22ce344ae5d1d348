#pragma once

#include <vector>

#include "gauze/base/progress.h"
#include "gauze/files/byte_source.h"
#include "gauze/label/label.h"
#include "gauze/label/warning.h"
#include "gauze/release/job/release_job.h"

namespace gauze::release {

/// A release with what is said of it.
struct LabelledRelease {
  Release release;
  PrivacyLabel label;             ///< without what only `publish` knows: the entry of a ledger, commitments, a seed
  std::vector<Warning> warnings;  ///< about what came out; the noise covers them
};

/// Reads a source, draws, and says what is promised: the whole of a release between its charge and its way out. The cost of the
/// plan must have been charged before: from the first row on nothing fails for a reason that lies in the data, but for a file that is
/// damaged as a whole. The witness sees the bytes that were read, for a commitment.
[[nodiscard]] Result<LabelledRelease> release_source(SecureRandom& random, table::DeclaredSource& source,
                                                     const ReleasePlan& plan, const schema::Policy& policy,
                                                     const ByteWitness& witness, Progress& progress);
/// The same with a seed: no guarantee, and whoever lets it out says so (publish::mark_seeded).
[[nodiscard]] Result<LabelledRelease> simulate_source(SeededRandom& random, table::DeclaredSource& source,
                                                      const ReleasePlan& plan, const schema::Policy& policy,
                                                      const ByteWitness& witness, Progress& progress);

}  // namespace gauze::release
