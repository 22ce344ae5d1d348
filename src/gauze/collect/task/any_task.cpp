#include "gauze/collect/task/any_task.h"

#include "gauze/files/json_reader.h"

namespace gauze::collect {

Result<AnyTask> make_any_task(AnyTaskSpec spec) {
  if (auto* central = std::get_if<CentralSpec>(&spec)) {
    GAUZE_TRY(CentralTask task, CentralTask::make(std::move(*central)));
    return AnyTask(std::move(task));
  }
  GAUZE_TRY(Task task, Task::make(std::get<TaskSpec>(std::move(spec))));
  return AnyTask(std::move(task));
}

Result<AnyTask> parse_any_task(std::string_view json) {
  const auto read = read_json(json);
  const Json* mode = read && read->members() != nullptr ? read->find("mode") : nullptr;
  if (mode != nullptr && kind_of(*mode) == JsonKind::string && mode->text() == "central") {
    GAUZE_TRY(CentralTask task, CentralTask::parse(json));
    return AnyTask(std::move(task));
  }
  GAUZE_TRY(Task task, Task::parse(json));
  return AnyTask(std::move(task));
}

const DeviceTask& device_task(const AnyTask& task) {
  return std::visit([](const auto& one) -> const DeviceTask& { return one; }, task);
}

Result<void> check_any_task(const AnyTask& task) {
  return std::visit([](const auto& one) { return one.check(); }, task);
}

}  // namespace gauze::collect
