#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/collect/reports/block_format.h"
#include "gauze/collect/task/task_terms.h"
#include "gauze/encoder/gauze_encoder.h"
#include "gauze/files/json.h"
#include "gauze/label/label.h"
#include "gauze/label/warning.h"

namespace gauze::collect {

/// What a user is told before agreeing: both texts are bound to the task by their digest.
struct Statement {
  std::string en;
  std::string zh;
};

/// What a device loads, whatever it is asked for: a local task (task.h) or a central one (central_task.h). Whatever handles reports of
/// one kind takes that kind; what is the same for both, such as consent and blocks, takes this.
class DeviceTask {
 public:
  [[nodiscard]] virtual const TaskTerms& terms() const = 0;
  [[nodiscard]] const gauze_task& loaded() const { return loaded_; }
  [[nodiscard]] const std::string& block() const { return block_; }
  [[nodiscard]] const std::string& hash() const { return hash_; }  ///< 64 hexadecimal digits: its name on the wire
  [[nodiscard]] const Statement& statement() const { return statement_; }
  [[nodiscard]] TaskHash hash_bytes() const;
  /// What a report costs on the device; of a central task 0.
  [[nodiscard]] std::uint64_t cost_nano() const { return loaded_.cost_nano; }
  [[nodiscard]] bool is_draft() const { return !terms().missing().empty(); }
  /// The bytes of a report.
  [[nodiscard]] std::size_t payload_bytes() const { return loaded_.payload_size; }

  /// `cost_above_claim` when a report costs more than the task says: nothing is encoded under it.
  [[nodiscard]] Result<void> check_claim() const;

  /// The document, as it is written and shown.
  [[nodiscard]] Json to_json() const;
  [[nodiscard]] std::vector<Warning> warnings() const;

 protected:
  DeviceTask() = default;
  DeviceTask(const DeviceTask&) = default;
  DeviceTask(DeviceTask&&) = default;
  DeviceTask& operator=(const DeviceTask&) = default;
  DeviceTask& operator=(DeviceTask&&) = default;
  ~DeviceTask() = default;

  [[nodiscard]] virtual Json document() const = 0;  ///< without digest and block
  [[nodiscard]] Result<void> load_block();

  Statement statement_;
  std::string block_;
  std::string hash_;
  gauze_task loaded_ = {};
};

}  // namespace gauze::collect
