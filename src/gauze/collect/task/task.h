#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "gauze/base/error.h"
#include "gauze/collect/mechanisms/local_mechanism.h"
#include "gauze/collect/task/device_task.h"
#include "gauze/collect/task/task_spec.h"

namespace gauze::collect {

/// A local task: what is asked of devices and by which law, as a document for people and a block for devices.
///
/// Privacy unit   : one device's value.
/// Neighbours     : any two values.
/// Guarantee      : each report costs cost_nano at most; what the task claims is not believed.
/// Proven         : docs/proofs/local-laws.md
/// Not covered    : that a device takes part, and when; how long encoding takes; a lost ledger of a device.
class Task final : public DeviceTask {
 public:
  /// Chooses the mechanism if that is left to the planner, and fixes its law. `infeasible` when the mechanism is not allowed for so many
  /// values, and what check_task_spec() refuses.
  [[nodiscard]] static Result<Task> make(TaskSpec spec);
  /// Reads the document of a local task back. `invalid_parameter` for a central one; `bad_data` when text, block and digest disagree, or when the law is none. A law that costs more
  /// than the task claims is read: see check_claim(); it is `cost_above_claim` when text and block disagree besides.
  [[nodiscard]] static Result<Task> parse(std::string_view json);

  /// Besides what parse() looks at: that the claim holds, and that the statement is the one that belongs to the task. `bad_data` if not.
  [[nodiscard]] Result<void> check() const;

  [[nodiscard]] const TaskTerms& terms() const override { return spec_; }
  [[nodiscard]] const TaskSpec& spec() const { return spec_; }
  [[nodiscard]] const LocalMechanism& mechanism() const { return *mechanism_; }
  [[nodiscard]] const LawOfValues& law() const { return law_; }

  /// What every output of the task says in its label: pure, any two inputs, the cost of one report.
  [[nodiscard]] PrivacyLabel label(std::string_view kind) const;

 private:
  Task() = default;
  [[nodiscard]] Json document() const override;
  [[nodiscard]] std::string make_block(const Json& document) const;
  [[nodiscard]] Result<void> compare_with_block(const Json& read);  ///< and takes the law from it

  TaskSpec spec_;
  const LocalMechanism* mechanism_ = nullptr;
  LawOfValues law_;
};

/// {"report","permanent","window","lifetime"} in epsilon.
[[nodiscard]] Json epsilon_json(const TaskSpec& spec, std::uint64_t report_nano);

}  // namespace gauze::collect
