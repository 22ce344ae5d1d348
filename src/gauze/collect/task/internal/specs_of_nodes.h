#pragma once

#include "gauze/collect/task/central_spec.h"
#include "gauze/collect/task/task_spec.h"
#include "gauze/files/yaml_reader.h"

namespace gauze::collect::internal {

[[nodiscard]] Result<TaskSpec> local_spec_of(const YamlNode& root);
[[nodiscard]] Result<CentralSpec> central_spec_of(const YamlNode& root);

}  // namespace gauze::collect::internal
