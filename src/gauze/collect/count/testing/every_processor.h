#pragma once

#include <gtest/gtest.h>
#include <hwy/highway.h>
#include <hwy/targets.h>

#include <string>

namespace gauze::collect::testing {

/// Runs the body once for every set of instructions that was compiled and that this processor has, as if it had no better one.
template <class Body>
void on_every_processor(const Body& body) {
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    const ::testing::ScopedTrace trace(__FILE__, __LINE__, std::string(hwy::TargetName(target)));
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    body();
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace gauze::collect::testing
