#pragma once

#include "gauze/label/label.h"
#include "gauze/release/job/release_job.h"

namespace gauze::release {

/// The label of a release: what was done, at what cost, what that covers and what it does not. It follows from the plan
/// and, where levels were chosen, from their noisy choice: nothing in it compares with the data.
[[nodiscard]] PrivacyLabel make_label(const ReleasePlan& plan, const schema::Policy& policy, const Release& release);

/// The label of a release as published: no guarantee, and why.
[[nodiscard]] PrivacyLabel make_published_label(const schema::Policy& policy, const Rational& epsilon,
                                                const Rational& noise_scale);

}  // namespace gauze::release
