#pragma once

#include <memory>

#include "gauze/base/progress.h"

namespace gauze::audit {

/// For one of many runs: its stages and steps are nobody's business, but it must end when the whole is asked to. Outlived by `whole`.
[[nodiscard]] inline std::unique_ptr<Progress> quiet(const Progress& whole) {
  const auto place = std::make_shared<Progress*>();
  auto own = std::make_unique<Progress>([place, &whole](const Progress::Report&) {
    if (whole.stop_requested()) (*place)->request_stop();
  });
  *place = own.get();
  return own;
}

}  // namespace gauze::audit
