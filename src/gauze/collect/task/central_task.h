#pragma once

#include <string>
#include <string_view>

#include "gauze/base/error.h"
#include "gauze/collect/task/central_spec.h"
#include "gauze/collect/task/device_task.h"
#include "gauze/label/privacy_cost.h"

namespace gauze::collect {

/// A central task: records of which fields devices send to a curator, as a document for people and a block for devices.
///
/// Nothing is disturbed on the device: a record is what it is, sealed to a curator who is trusted with it. What is promised is promised of
/// the answers that the curator gives (central/central_query.h), as long as at most reports_per_period records of an enrolment are taken
/// in a period.
class CentralTask final : public DeviceTask {
 public:
  /// What check_central_spec() refuses.
  [[nodiscard]] static Result<CentralTask> make(CentralSpec spec);
  /// Reads the document of a central task back. `invalid_parameter` for a local one; `bad_data` when text, block and digest disagree.
  [[nodiscard]] static Result<CentralTask> parse(std::string_view json);

  /// Besides what parse() looks at: that the statement is the one that belongs to the task. `bad_data` if not.
  [[nodiscard]] Result<void> check() const;

  [[nodiscard]] const TaskTerms& terms() const override { return spec_; }
  [[nodiscard]] const CentralSpec& spec() const { return spec_; }

  /// What all answers cost one enrolment at most: the declared epsilon, pure, add or remove one enrolment.
  [[nodiscard]] PrivacyCost lifetime_cost() const;
  /// Of the task itself: what its answers will promise.
  [[nodiscard]] PrivacyLabel label() const;
  /// Of records: INTERNAL. They are private as they are, and promise nothing.
  [[nodiscard]] PrivacyLabel label_of_records(std::string_view kind) const;

 private:
  CentralTask() = default;
  [[nodiscard]] Json document() const override;
  [[nodiscard]] std::string make_block(const Json& document) const;
  [[nodiscard]] Result<void> compare_with_block(const Json& read) const;

  CentralSpec spec_;
};

/// Whom answers of a central task protect.
inline constexpr std::string_view kEnrolment = "one enrolment";

}  // namespace gauze::collect
