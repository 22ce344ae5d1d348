#include "gauze/collect/task/device_task.h"

#include <algorithm>

#include "gauze/collect/plan/planner.h"
#include "gauze/files/base64.h"
#include "gauze/files/sha256.h"

namespace gauze::collect {

TaskHash DeviceTask::hash_bytes() const {
  TaskHash hash{};
  std::copy(std::begin(loaded_.hash), std::end(loaded_.hash), hash.begin());
  return hash;
}

Json DeviceTask::to_json() const {
  Json object = document();
  object.set("hash", hash_).set("block", to_base64(block_));
  return object;
}

std::vector<Warning> DeviceTask::warnings() const {
  if (!is_draft()) return {};
  return {
      {"draft_task", "the task is a draft: it can be tried, but no server accepts it while something is missing"}};
}

Result<void> DeviceTask::check_claim() const {
  if (loaded_.cost_nano <= loaded_.claimed_nano) return {};
  return make_error(ErrorCode::cost_above_claim,
                    "a report of the task '{}' costs epsilon {}, but the task claims {}: nothing is encoded",
                    terms().name, nano_text(loaded_.cost_nano), nano_text(loaded_.claimed_nano));
}

Result<void> DeviceTask::load_block() {
  const int state = gauze_task_load(&loaded_, reinterpret_cast<const unsigned char*>(block_.data()), block_.size());
  if (state != GAUZE_OK)
    return make_error(ErrorCode::bad_data,
                      "the task's block is damaged, or its law is none: its cost is not positive and finite");
  hash_ = to_hex({reinterpret_cast<const char*>(loaded_.hash), sizeof loaded_.hash});
  return {};
}

}  // namespace gauze::collect
