#pragma once

#include "gauze/collect/task/central_spec.h"
#include "gauze/collect/task/device_task.h"

namespace gauze::collect {

/// Plain sentences for whoever is asked: what leaves the device as it is, that the curator is trusted with it, where noise is added, how
/// often, what all answers cost, how long records are kept.
[[nodiscard]] Statement make_central_statement(const CentralSpec& spec);

}  // namespace gauze::collect
